"""The tables of a comparison, one row for each passage or document, and one passage to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docgraph.domain.comparison import ChunkChange, Comparison, DocumentChange, Order
from docgraph.views.plan.documents import titles
from docgraph.views.words import counts
from docgraph.views.words.changes import (
    OF_DOCUMENTS,
    Filter,
    Movement,
    chunk_name,
    chunks_in,
    departure_text,
    documents_in,
    movement,
    movement_text,
)
from docgraph.views.words.highlight import Piece, side, word_diff
from docgraph.views.words.judgments import Judged, verdict_words
from docgraph.views.words.reading import readable
from docgraph.views.words.sections import to_sections

Row = dict[str, Any]

_CHANGES = {"added": "added", "left": "removed", "kept": "in both"}
_ROLES: dict[str | None, str] = {"seed": "match", "expanded": "related"}


def document_rows_shown(comparison: Comparison, wanted: Filter) -> tuple[DocumentChange, ...]:
    """The documents that a filter leads to: those it names, else those of the chunks it lets through."""
    if wanted == "all" or wanted in OF_DOCUMENTS:
        return documents_in(comparison, wanted)
    ids = {c.document_id for c in chunks_in(comparison, wanted, "document")}
    return tuple(d for d in comparison.documents if d.document_id in ids)


def chunk_table(chunks: Sequence[ChunkChange], order: Order) -> list[Row]:
    """One row a chunk, in the order given."""
    return [
        {
            "change": movement_text(c, order),
            "document": c.title or c.document_id,
            "passage": chunk_name(c)[1],
            "position A": c.at("a", order),
            "position B": c.at("b", order),
            "score": c.score,
            "tokens": c.token_count,
            "why": _chunk_why(c),
        }
        for c in chunks
    ]


def _chunk_why(chunk: ChunkChange) -> str:
    if chunk.left_because is not None:
        return departure_text(chunk.left_because)
    return "its text differs in B" if chunk.text_b is not None else ""


def document_table(documents: Sequence[DocumentChange], titles: dict[str, str], judged: Judged) -> list[Row]:
    """One row a document, in the order given; ``titles``: document_id → title, for its reasons.

    ``judged`` is ``None`` in the rows of documents that nobody judged for the question.
    """
    return [
        {
            "change": _CHANGES[d.change],
            "document": d.title or d.document_id,
            "id": d.document_id,
            "judged": verdict_words(judged[d.document_id]) if d.document_id in judged else None,
            "score": d.score,
            "role A": _ROLES.get(d.role_a, ""),
            "role B": _ROLES.get(d.role_b, ""),
            "position A": d.place_a,
            "position B": d.place_b,
            "passages A": d.n_chunks_a,
            "passages B": d.n_chunks_b,
            "tokens A": d.n_tokens_a,
            "tokens B": d.n_tokens_b,
            "why": document_why(d, titles),
        }
        for d in documents
    ]


def document_why(document: DocumentChange, titles: dict[str, str]) -> str:
    """Why a document came in (its reasons in B) or left; empty for a seed that was kept."""
    if document.left_because is not None:
        return departure_text(document.left_because)
    if document.role_b != "expanded":
        return "a match in B, by its own score" if document.change == "added" else ""
    reasons = [
        f"{titles.get(r.from_document_id, r.from_document_id)} — {r.via}{to_sections(r)}" for r in document.reasons
    ]
    return "; ".join(reasons)


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
