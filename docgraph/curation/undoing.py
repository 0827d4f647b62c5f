"""Taking back one entry of the history: what stands in the way, and the change that leads back."""

from __future__ import annotations

from collections.abc import Iterable

from docgraph.domain.edit import Edit, edge_words
from docgraph.domain.history import HistoryEntry
from docgraph.errors import ConflictError
from docgraph.ports import EdgeChange

MAX_NAMED = 5


def undoing(entry: HistoryEntry, later: Iterable[HistoryEntry]) -> EdgeChange:
    """The change that takes ``entry`` back; ``later`` = entries after it on its relationships, in any order.

    Raises ConflictError when it was undone already, and when later entries depend on it, naming them.
    """
    if entry.undone_by is not None:
        raise ConflictError(
            f"entry {entry.entry_id} was already undone by entry {entry.undone_by}",
            hint=f"to restore it, undo entry {entry.undone_by}",
        )
    if standing := blocking(entry, later):
        named = ", ".join(f"{each.entry_id} ({_said(each)})" for each in standing[:MAX_NAMED])
        more = f" and {len(standing) - MAX_NAMED} more" if len(standing) > MAX_NAMED else ""
        raise ConflictError(
            f"entry {entry.entry_id} cannot be undone: later changes depend on it: {named}{more}",
            hint=f"undo entry {standing[0].entry_id} first",
        )
    return EdgeChange(_reverse(entry), entry.after, entry.before, undoes=entry.entry_id)


def blocking(entry: HistoryEntry, later: Iterable[HistoryEntry]) -> tuple[HistoryEntry, ...]:
    """Entries that touched the same relationships after ``entry`` and still stand, newest first.

    An entry and the one that undid it cancel each other when both came later.
    """
    standing: dict[int, HistoryEntry] = {}
    once = {each.entry_id: each for each in later}  # one that touched two keys may be given twice
    for each in sorted(once.values(), key=lambda e: e.entry_id):
        if each.entry_id <= entry.entry_id or not each.keys & entry.keys:
            continue
        if each.undoes is None or standing.pop(each.undoes, None) is None:
            standing[each.entry_id] = each
    return tuple(standing[entry_id] for entry_id in sorted(standing, reverse=True))


def _reverse(entry: HistoryEntry) -> Edit:
    """The edit that says what the undo does; taking back an acceptance has no name of its own."""
    before, after = entry.before, entry.after
    if after is None:
        return entry.edit if before is None else Edit(action="add", key=before.key)
    if before is None:
        return Edit(action="remove", key=after.key)
    if before.key == after.key:
        return entry.edit
    if before.from_document_id != after.from_document_id:
        return Edit(action="flip", key=after.key, relation_type=before.relation_type)
    if before.to_document_id != after.to_document_id:
        return Edit(action="retarget", key=after.key, to_document_id=before.to_document_id)
    return Edit(action="retype", key=after.key, relation_type=before.relation_type)


def _said(entry: HistoryEntry) -> str:
    what = "undo of " + str(entry.undoes) if entry.undoes is not None else entry.edit.action
    return f"{what}, {edge_words(entry.edit.key)}"
