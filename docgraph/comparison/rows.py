"""The rows of a comparison: every document and every chunk of either run, with its place on both sides."""

from __future__ import annotations

from collections.abc import Collection

from docgraph.comparison.displaced import chunk_removal, document_removal
from docgraph.comparison.overlap import ChunkKey, Indexed
from docgraph.domain.comparison import Change, ChunkChange, DocumentChange, Role
from docgraph.domain.plan import ExpandedDocument, SeedDocument


def document_rows(a: Indexed, b: Indexed, *, gone: Collection[str] = ()) -> tuple[DocumentChange, ...]:
    """B's documents in plan order, then those that left, in A's plan order."""
    left = [document_id for document_id in a.planned if document_id not in b.planned]
    return tuple(_document(i, a, b, gone=gone) for i in (*b.planned, *left))


def chunk_rows(a: Indexed, b: Indexed, *, gone: Collection[str] = ()) -> tuple[ChunkChange, ...]:
    """B's chunks in reading order, then those that left, by their rank in A."""
    left = [key for key in a.chunks if key not in b.chunks]
    left.sort(key=lambda key: a.chunks[key][2].rank)
    return tuple(_chunk(key, a, b, gone=gone) for key in (*b.chunks, *left))


def _document(document_id: str, a: Indexed, b: Indexed, *, gone: Collection[str]) -> DocumentChange:
    before, after = a.planned.get(document_id), b.planned.get(document_id)
    own = after or before
    assert own is not None, "a row is made for a document of either side"
    departure = document_removal(document_id, a, b, gone=gone) if after is None else None
    return DocumentChange(
        document_id=document_id,
        title=own.title,
        change=_change(before, after),
        place_a=before.place if before else None,
        place_b=after.place if after else None,
        role_a=_role(before),
        role_b=_role(after),
        score=_best(document_id, a, b),
        n_chunks_a=len(a.chunks_of(document_id)),
        n_chunks_b=len(b.chunks_of(document_id)),
        n_tokens_a=a.tokens.get(document_id, 0),
        n_tokens_b=b.tokens.get(document_id, 0),
        reasons=own.reasons,
        left_because=departure,
    )


def _best(document_id: str, a: Indexed, b: Indexed) -> float | None:
    """The similarity of its best chunk on the side that reads it; B's where the question or the data differ."""
    for side in (b, a):
        found = side.evidence.get(document_id)
        if found is not None and found.score is not None:
            return found.score
    return None


def _chunk(key: ChunkKey, a: Indexed, b: Indexed, *, gone: Collection[str]) -> ChunkChange:
    before, after = a.chunks.get(key), b.chunks.get(key)
    _, document, chunk = after or a.chunks[key]
    first = before[2] if before else chunk
    return ChunkChange(
        document_id=key[0],
        title=document.document.title,
        chunk_id=chunk.chunk_id,
        chunk_index=chunk.chunk_index,
        heading_path=chunk.heading_path,
        change=_change(before, after),
        rank_a=before[2].rank if before else None,
        rank_b=after[2].rank if after else None,
        place_a=before[0] if before else None,
        place_b=after[0] if after else None,
        score_a=before[2].score if before else None,
        score_b=after[2].score if after else None,
        token_count=chunk.token_count,
        text=first.text,
        text_b=chunk.text if chunk.text != first.text else None,
        left_because=chunk_removal(key, a, b, gone=gone) if after is None else None,
    )


def _change(before: object, after: object) -> Change:
    if before is None:
        return "added"
    return "left" if after is None else "kept"


def _role(document: SeedDocument | ExpandedDocument | None) -> Role | None:
    if document is None:
        return None
    return "seed" if isinstance(document, SeedDocument) else "expanded"
