"""What people did to the relationships of a workspace: one entry for each change, never rewritten."""

from __future__ import annotations

from pydantic import Field

from docgraph.domain.edit import Edit
from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import EdgeKey

MAX_BY = 200
MAX_REASON = 2_000


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
