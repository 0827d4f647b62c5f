"""What left and why, as a short list: chunks that left with their whole document stand in one line."""

from __future__ import annotations

from dataclasses import dataclass

from docgraph.domain.comparison import ChunkChange, Comparison, Departure
from docgraph.domain.request import RetrievalRequest
from docgraph.views.compare.remedies import remedy
from docgraph.views.compare.slope import chunk_key
from docgraph.views.words import counts
from docgraph.views.words.changes import chunk_name, departure_text


@dataclass(frozen=True)
class LeftLine:
    """One or more chunks that left for one reason; ``remedy`` = (label, request) of the what-if that keeps them."""

    key: str
    document_id: str
    document: str
    chunk: str
    place: str
    score: str
    why: str
    brief: str
    remedy: tuple[str, RetrievalRequest] | None


def left_lines(comparison: Comparison) -> tuple[LeftLine, ...]:
    """The reasons in the order in which A reads what left."""
    groups: dict[tuple[str, str], list[ChunkChange]] = {}
    for chunk in sorted(comparison.chunks_with("left"), key=lambda c: (c.place_a or 0, c.document_id, c.chunk_id)):
        whole = chunk.left_because is not None and chunk.left_because.with_document
        groups.setdefault((chunk.document_id, "" if whole else chunk.chunk_id), []).append(chunk)
    return tuple(_line(group, comparison) for group in groups.values())


def _line(group: list[ChunkChange], comparison: Comparison) -> LeftLine:
    first = group[0]
    cause = first.left_because or Departure(cause="not_reached")
    document, name = chunk_name(first)
    return LeftLine(
        key=chunk_key(first),
        document=document,
        document_id=first.document_id,
        place=str(min(c.place_a or 0 for c in group) or counts.UNKNOWN),
        why=departure_text(cause),
        brief=_brief(cause, n=len(group), chunk=name),
        chunk=name if len(group) == 1 else counts.plural(len(group), "passage"),
        score=counts.score(max(c.score for c in group)),
        remedy=remedy(cause, first.document_id, comparison.b.run),
    )


def _brief(cause: Departure, *, n: int, chunk: str) -> str:
    """``limit 4 matches, position 5``; a chunk that left its document alone is named."""
    text = cause.short + (f", position {cause.place:,}{'+' if cause.at_least else ''}" if cause.place else "")
    if cause.with_document:
        return text if n == 1 else f"{text}, {counts.plural(n, 'passage')}"
    return f"{chunk}: {text}"
