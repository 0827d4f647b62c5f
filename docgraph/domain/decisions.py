"""Which decisions about relationships stand: what people did, less what was taken back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from docgraph.domain.curation import Contested
    from docgraph.domain.graph import Relationship
    from docgraph.domain.history import HistoryEntry
    from docgraph.domain.overrides import EdgeKey
    from docgraph.domain.plan import ReviewState

REVIEW = "review"
"""Where ``relationship_metadata`` keeps who accepted it (``reviewed_by``), ``reviewed_at`` and ``content_hashes``."""
EDITED = "edited"
"""Where it keeps the last change by hand: ``action``, ``by``, ``at`` and, when there was one, the ``extractor``."""


class Judged(Protocol):
    """What tells of an entry of the history whether it stands and what it decided (see ``HistoryEntry``)."""

    @property
    def entry_id(self) -> int:
        """Its number; later ones are greater."""
        ...

    @property
    def undoes(self) -> int | None:
        """The entry that it takes back."""
        ...

    @property
    def undone_by(self) -> int | None:
        """The entry that took it back."""
        ...

    @property
    def keys(self) -> frozenset[EdgeKey]:
        """The keys of the relationship before and after."""
        ...

    @property
    def left(self) -> EdgeKey | None:
        """The key of the relationship that it left."""
        ...


@dataclass(frozen=True)
class Decision:
    """An entry of the history without its relationships, quick to read."""

    entry_id: int
    undoes: int | None
    undone_by: int | None
    keys: frozenset[EdgeKey]
    left: EdgeKey | None


Entry = TypeVar("Entry", bound=Judged)


def standing(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Entries that are in force, oldest first: those not undone, or whose undo was itself taken back.

    An undo is no decision of its own. ``entries`` must hold, with an entry, the undos that follow from it.
    """
    by_id = {entry.entry_id: entry for entry in entries}
    stands: dict[int, bool] = {}
    for entry_id in sorted(by_id, reverse=True):  # an undo comes after what it takes back
        undone_by = by_id[entry_id].undone_by
        stands[entry_id] = undone_by is None or not stands.get(undone_by, True)
    return tuple(by_id[i] for i in sorted(by_id) if stands[i] and by_id[i].undoes is None)


def decisions(entries: Iterable[Entry]) -> dict[EdgeKey, Entry]:
    """Relationship → the last standing entry that found or left it."""
    return {key: entry for entry in standing(entries) for key in entry.keys}


def takes_away(entry: Judged | None, key: EdgeKey) -> bool:
    """Whether after this decision there is no relationship at ``key``: removed, or made another one."""
    return entry is not None and entry.left != key


def is_reviewed(relationship: Relationship) -> bool:
    """Whether somebody accepted it."""
    return isinstance(relationship.relationship_metadata.get(REVIEW), dict)


def review_state(relationship: Relationship, content_hashes: Mapping[str, str]) -> ReviewState:
    """Whether somebody accepted it, and whether both texts are as they were then.

    ``content_hashes`` = document_id → content hash of (at least) both ends; an end that is not stored has none.
    """
    review = relationship.relationship_metadata.get(REVIEW)
    if not isinstance(review, dict):
        return "unreviewed"
    then, ends = review.get("content_hashes"), (relationship.from_document_id, relationship.to_document_id)
    same = isinstance(then, list | tuple) and list(then) == [content_hashes.get(i, "") for i in ends]
    return "accepted" if same else "suspect"


def still_contested(
    rows: Iterable[Contested], decided: Mapping[EdgeKey, HistoryEntry], stored: Mapping[EdgeKey, Relationship]
) -> tuple[Contested, ...]:
    """Those whose decision stands as it stood at the import, by key, each with what the decision found and left.

    ``stored`` = the relationships that are there now, as far as ``rows`` name them.
    """
    found = []
    for row in rows:
        key = row.relationship.key
        entry = decided.get(key)
        if (entry.entry_id if entry else 0) != row.entry_id:
            continue
        there = stored.get(key)
        if row.kind == "stated":
            holds = there is None and takes_away(entry, key)
        else:
            holds = there is not None and _review_of(there) == _review_of(row.relationship)
        if holds:
            found.append(row.model_copy(update={"before": entry and entry.before, "after": entry and entry.after}))
    return tuple(sorted(found, key=lambda row: row.relationship.key))


def _review_of(relationship: Relationship) -> object:
    return relationship.relationship_metadata.get(REVIEW)
