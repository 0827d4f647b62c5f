"""The corrections that decisions in force ask for: which relationships a source should state, and which not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from docgraph.domain.decisions import standing
from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey


@dataclass(frozen=True)
class Wanted:
    """One correction: ``gone`` is not to be stated, ``made`` is; both = one became the other.

    ``anchors`` = the anchor that a relationship which stays (``gone`` is ``made``) had, and the one that it gets.
    """

    gone: EdgeKey | None
    made: EdgeKey | None
    entry_id: int
    by: str
    reason: str
    anchors: tuple[str, str] | None = None


def wanted(entries: Iterable[HistoryEntry]) -> tuple[Wanted, ...]:
    """The corrections of a whole history, in the order of their last entries: what was taken back is none.

    A relationship that was retyped and then pointed elsewhere is one correction, from what it was to what it is.
    """
    origins: dict[EdgeKey, tuple[EdgeKey | None, HistoryEntry]] = {}
    gone: dict[EdgeKey, HistoryEntry] = {}
    renamed: dict[EdgeKey, list[Wanted]] = {}
    moved = set[EdgeKey]()  # one that went elsewhere says nothing of sections any more
    for entry in standing(entries):
        before = None if entry.before is None else entry.before.key
        after = None if entry.after is None else entry.after.key
        if before == after:
            edit = entry.edit
            if edit.action == "reanchor" and before is not None and edit.anchor and edit.to_anchor:
                said = Wanted(before, before, entry.entry_id, entry.by, entry.reason, (edit.anchor, edit.to_anchor))
                renamed.setdefault(before, []).append(said)
            continue
        origin = before
        moved |= {before} if before is not None else set()
        if before is not None and before in origins:
            origin = origins.pop(before)[0]
        if after is not None:
            origins[after] = (origin, entry)
        elif origin is not None:
            gone[origin] = entry
    found = [each for key, said in renamed.items() if key not in moved for each in said]
    for made, (origin, entry) in origins.items():
        if gone.pop(made, None) is not None and origin is None:
            continue  # removed and added again
        if origin != made:
            found.append(Wanted(origin, made, entry.entry_id, entry.by, entry.reason))
    found += [Wanted(key, None, entry.entry_id, entry.by, entry.reason) for key, entry in gone.items()]
    return tuple(sorted(found, key=lambda each: (each.entry_id, each.gone or (), each.made or ())))
