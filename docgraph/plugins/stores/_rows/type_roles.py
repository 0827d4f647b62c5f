"""Decisions about relation types as they are kept: cleaned, each with the number of its entry in the history."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.domain.type_roles import Decided, TypeChange, TypeDecision
from docgraph.plugins.stores._rows.writing import cleaned


def ready_decisions(decisions: Sequence[TypeDecision]) -> tuple[TypeDecision, ...]:
    """The last decision about each type, by type, with texts that every store can keep."""
    found = {}
    for each in decisions:
        texts = {name: cleaned(getattr(each, name)) for name in ("relation_type", "who", "at", "reason")}
        found[texts["relation_type"]] = each.model_copy(update=texts)
    return tuple(found[name] for name in sorted(found))


def entries_of(decided: Decided, decisions: Sequence[TypeDecision], *, after: int) -> tuple[TypeChange, ...]:
    """What the decisions change, as entries that follow the last one, ``after``."""
    pairs = enumerate(decided.changes(decisions), start=after + 1)
    return tuple(TypeChange(entry_id=i, before=old, after=new) for i, (old, new) in pairs)
