"""Decides by default what relation types may do in plans, from where a workspace's relationships come from."""

from __future__ import annotations

from collections.abc import Iterable

from docgraph.domain.graph import Relationship
from docgraph.domain.type_roles import ONLY_MENTIONED, TypeChange, TypeDecision
from docgraph.ingestion.linking import Linker
from docgraph.ports import Snapshot, Store


class TypeDefaults:
    """The roles that one import gives types on its way: mentions are off at once, the others are settled at its end.

    ``changes`` = what was decided so far, in order.
    """

    def __init__(self, store: Store, snapshot: Snapshot) -> None:
        decided = snapshot.workspace.decided
        self._store = store
        self._known = {*snapshot.relation_types(), *decided.off, *(each.relation_type for each in decided.decisions)}
        self._mentioned, self._not_only_mentioned = set[str](), set[str]()
        self._off: frozenset[str] = frozenset()
        self.changes: tuple[TypeChange, ...] = ()

    def switch_off_mentions(self, linker: Linker, edges: Iterable[Relationship]) -> None:
        """Types new to the workspace that are only mentioned, as far as the import has come.

        Set before those edges are written, so a crash loses nothing; a type that a later step states otherwise is on.
        """
        stated = list(edges)
        mentioned = linker.mention_only_types(stated)
        self._mentioned |= mentioned
        self._not_only_mentioned |= {edge.relation_type for edge in stated} - mentioned
        off = frozenset(self._mentioned - self._not_only_mentioned - self._known)
        new, back = sorted(off - self._off), sorted(self._off - off)
        if new or back:
            made = [TypeDecision(relation_type=name, role="off", reason=ONLY_MENTIONED) for name in new]
            made += [TypeDecision(relation_type=name) for name in back]
            self.changes += self._store.decide_types(made)
            self._off = off

    def settle(self) -> None:
        """Put the defaults of ``domain.type_roles`` in force; nothing is written where nothing changes."""
        self.changes += self._store.decide_types(())
