"""What changed in the data since a run was saved, in words: one sentence, and the rows behind its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from docgraph.domain.saved_run import CorpusChanges, DocumentEdit, RelationshipEdit
from docgraph.views.words.counts import n_of_m, plural
from docgraph.views.words.moments import revision

MAX_LISTED = 20
"""Rows that are listed before the rest is only counted."""

State = Literal["fresh", "stale", "dropped"]
_CHANGED = "data changed since this run"
_LARGE = "The corpus is large: only what touches this run was compared."
_DONE = {"added": "was added", "removed": "was deleted", "changed": "has another text", "renamed": "has another title"}


@dataclass(frozen=True)
class ChangedRow:
    """One thing that is not as it was: ``what`` happened to ``name``; ``in_run`` = the saved run holds it."""

    kind: Literal["document", "relationship", "type"]
    name: str
    what: str
    in_run: bool = False


@dataclass(frozen=True)
class Staleness:
    """Whether the data are still those of a saved run.

    ``sentence`` has no full stop. ``rows`` come in-run first, then documents before relationships; at most
    ``MAX_LISTED``. ``counted`` = how many of all are listed, ``""`` when that is all of them. ``remark`` = what limits
    the comparison.
    """

    state: State
    sentence: str
    rows: tuple[ChangedRow, ...] = ()
    counted: str = ""
    remark: str = ""


def staleness(changes: CorpusChanges) -> Staleness:
    """The words for what ``Runs.changes_since`` found."""
    if not changes.revision_now:
        return Staleness(
            "dropped",
            "the workspace of this run was deleted",
            remark="The saved run is complete. It can be repeated once its documents are back.",
        )
    if not changes.stale:
        return Staleness("fresh", "Data unchanged since")
    if not changes.known:
        what = _CHANGED + (", documents did not" if changes.same_documents else "")
        return Staleness(
            "stale",
            f"{what}: revision {revision(changes.revision_now)} today",
            remark="The earlier data were not recorded, so the changes cannot be listed.",
        )
    rows = _rows(changes)
    return Staleness(
        "stale",
        _sentence(changes),
        rows[:MAX_LISTED],
        counted=n_of_m(MAX_LISTED, len(rows)) if len(rows) > MAX_LISTED else "",
        remark="" if changes.complete else _LARGE + (" No document changed." if changes.same_documents else ""),
    )


def _sentence(changes: CorpusChanges) -> str:
    documents, edges = len(changes.documents), len(changes.relationships)
    switched = len(changes.types_switched)
    counted = (
        (documents, "document", ""),
        (edges, "relationship", ""),
        (switched, "relationship type switched", "relationship types switched"),
    )
    parts = [plural(n, noun, nouns) for n, noun, nouns in counted if n]
    if not parts:
        return f"{_CHANGED}, but nothing that plans use"
    inside = sum(e.in_run for e in changes.documents) + sum(e.in_run for e in changes.relationships)
    where = f" ({inside:,} in this run)" if documents or edges else ""
    return f"{_CHANGED}: {', '.join(parts)}{where}"


def _rows(changes: CorpusChanges) -> tuple[ChangedRow, ...]:
    documents = [ChangedRow("document", _title(e), _what(e), e.in_run) for e in changes.documents]
    edges = [
        ChangedRow("relationship", _edge(edge), "was added" if edge.change == "added" else "was removed", edge.in_run)
        for edge in changes.relationships
    ]
    types = [ChangedRow("type", name, "was switched on or off for all plans") for name in changes.types_switched]
    # Stable: documents stay before relationships, each by id.
    return tuple(sorted([*documents, *edges, *types], key=lambda row: not row.in_run))


def _edge(edit: RelationshipEdit) -> str:
    start, via, end = edit.key
    return f"{edit.from_title or start} —{via}→ {edit.to_title or end}"


def _title(edit: DocumentEdit) -> str:
    return edit.title or edit.document_id


def _what(edit: DocumentEdit) -> str:
    before = f", before: ‘{edit.title_before}’" if edit.change == "renamed" and edit.title_before else ""
    return _DONE[edit.change] + before
