"""The tables of a comparison: its chunks and its documents, one row each, with both places and why they left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docgraph.domain.comparison import ChunkChange, Comparison, DocumentChange, Order
from docgraph.views.words.changes import (
    OF_DOCUMENTS,
    Filter,
    chunk_name,
    chunks_in,
    departure_text,
    documents_in,
    movement_text,
)
from docgraph.views.words.judgments import Judged, verdict_words
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
