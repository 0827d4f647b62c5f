"""One chunk of a comparison to read: its texts, its places, and why it came in or left."""

from __future__ import annotations

from dataclasses import dataclass

from docgraph.domain.comparison import ChunkChange, Comparison
from docgraph.views.compare.tables import document_why
from docgraph.views.plan.documents import titles
from docgraph.views.words import counts
from docgraph.views.words.changes import Movement, chunk_name, departure_text, movement, movement_text
from docgraph.views.words.reading import readable
from docgraph.views.words.word_diff import Piece, side, word_diff

MAX_LABEL = 40
"""Letters of a side's label: a saved run may have a long name."""


@dataclass(frozen=True)
class SideFacts:
    """Where a chunk is on one side (``--`` where it is not), in words."""

    letter: str
    label: str
    facts: str
    there: bool


@dataclass(frozen=True)
class ChunkText:
    """A chunk to read; with ``versions`` two texts differ and are given as pieces, else ``text`` is the only one."""

    document: str
    chunk: str
    kind: Movement
    moved: str
    score: str
    tokens: str
    why: str
    a: SideFacts
    b: SideFacts
    text: str
    versions: tuple[tuple[Piece, ...], tuple[Piece, ...]] | None = None


def chunk_text(comparison: Comparison, chunk: ChunkChange) -> ChunkText:
    """Everything to show of a chunk."""
    document, name = chunk_name(chunk)
    versions = None
    text_a, text_b = readable_texts(comparison, chunk)
    if text_b is not None:
        pieces = word_diff(text_a, text_b)
        versions = (side(pieces, "a"), side(pieces, "b"))
    return ChunkText(
        document=document,
        chunk=name,
        kind=movement(chunk, "document"),
        moved=movement_text(chunk, "document"),
        score=_score(chunk),
        tokens=counts.plural(chunk.token_count, "token"),
        why=_why(comparison, chunk),
        a=_facts("A", comparison.a.label, chunk.place_a, rank=chunk.rank_a),
        b=_facts("B", comparison.b.label, chunk.place_b, rank=chunk.rank_b),
        text=text_a,
        versions=versions,
    )


def readable_texts(comparison: Comparison, chunk: ChunkChange) -> tuple[str, str | None]:
    """The text of a chunk for reading, and that of B where the two differ."""
    documents = (d.document for side in (comparison.a, comparison.b) for d in side.run.context.documents)
    source = next((d.source for d in documents if d.document_id == chunk.document_id), "")
    other = None if chunk.text_b is None else readable(chunk.text_b, source=source)
    return readable(chunk.text, source=source), other


def _score(chunk: ChunkChange) -> str:
    if chunk.score_a is None or chunk.score_b is None:
        return f"score {counts.score(chunk.score)}"
    if chunk.score_a == chunk.score_b:
        return f"score {counts.score(chunk.score)} in A and B"
    return f"score {chunk.score_a:.4f} in A, {chunk.score_b:.4f} in B"


def _facts(letter: str, label: str, place: int | None, *, rank: int | None) -> SideFacts:
    label = label if len(label) <= MAX_LABEL else label[: MAX_LABEL - 1].rstrip() + "…"
    if place is None or rank is None:
        return SideFacts(letter, label, "not read", False)
    return SideFacts(letter, label, f"position {place:,}, rank {rank:,} by score", True)


def _why(comparison: Comparison, chunk: ChunkChange) -> str:
    """Why it left, or why its document is in B."""
    if chunk.left_because is not None:
        return f"Removed: {departure_text(chunk.left_because)}."
    document = next((d for d in comparison.documents if d.document_id == chunk.document_id), None)
    if document is None:
        return ""
    if chunk.change == "kept":
        return "In both runs." if chunk.text_b is None else "In both runs, in two versions."
    names = titles(comparison.a.run.plan) | titles(comparison.b.run.plan)
    if document.change == "added":
        return f"Added with its document: {document_why(document, names)}."
    return "Added: its document is in both plans, and one more passage of it fits the limits."
