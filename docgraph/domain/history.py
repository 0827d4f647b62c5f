"""What people did to the relationships of a workspace: one entry for each change, never rewritten."""

from __future__ import annotations

from pydantic import Field

from docgraph.domain.edit import Edit, edge_words
from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.revision import relationship_fingerprint, revision_text


class HistoryEntry(Frozen):
    """One change of one relationship: who, when (ISO 8601, UTC), why, and the relationship before and after.

    ``entry_id`` counts from 1 in the order of the changes of a workspace; 0 = not written (a dry run). ``before`` is
    None when the relationship was added, ``after`` when it was removed. An undo is an entry of its own that names what
    it ``undoes``; its ``edit`` says what it did (for an acceptance taken back: the acceptance). ``undone_by`` = the
    entry that took this one back. Entries of one call share ``act``, the id of the first of them.
    """

    entry_id: int = Field(ge=0)
    at: str
    by: str
    reason: str
    edit: Edit
    before: Relationship | None
    after: Relationship | None
    undoes: int | None = None
    undone_by: int | None = None
    act: str = ""

    @property
    def keys(self) -> frozenset[EdgeKey]:
        """The keys of the relationship before and after: what a later entry must not have touched for an undo."""
        return frozenset(edge.key for edge in (self.before, self.after) if edge is not None)

    @property
    def left(self) -> EdgeKey | None:
        """The key of the relationship that it left; None when it removed it."""
        return None if self.after is None else self.after.key


_DONE = {"retype": "changed the type of", "flip": "reversed", "retarget": "changed the target of"}
_KEPT = {
    "accept": ("accepted", "withdrew a review of"),
    "reanchor": ("changed the section of", "restored the section of"),
    "restate": ("restated", "withdrew a restatement of"),
}


def edge_state(relationship: Relationship | None) -> str:
    """A relationship as somebody saw it, in 32 hex digits: key and metadata; "" = there is none."""
    return "" if relationship is None else revision_text(relationship_fingerprint(relationship))


def change_words(entry: HistoryEntry) -> str:
    """``reversed a —explains→ b to b —explains→ a``; an undo begins with what it undoes. Holds ids: hostile data."""
    start = "" if entry.undoes is None else f"undid {entry.undoes}: "
    before, after = entry.before, entry.after
    if after is None:
        return f"{start}removed {edge_words(before.key if before else entry.edit.key)}"
    if before is None:
        return f"{start}added {edge_words(after.key)}"
    if before.key == after.key:
        return f"{start}{kept_words(entry)} {edge_words(after.key)}"
    return f"{start}{changed_words(entry)} {edge_words(before.key)} to {edge_words(after.key)}"


def kept_words(entry: HistoryEntry) -> str:
    """What became of a relationship that kept its key: ``accepted``, ``withdrew a review of``."""
    done, undone = _KEPT.get(entry.edit.action, ("changed", "withdrew a change of"))
    return done if entry.undoes is None else undone


def changed_words(entry: HistoryEntry) -> str:
    """What became of a relationship that has another key: ``changed the type of``."""
    return _DONE.get(entry.edit.action, "changed")
