"""Picks chunks under the plan's limits and groups them by document; nothing here knows why a document is planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.domain.context import ChunkGround, ScoredChunk
from docgraph.domain.graph import StoredChunk
from docgraph.domain.passages.windows import Span
from docgraph.domain.request import EvidenceRule
from docgraph.ports import ChunkHit


@dataclass(frozen=True)
class ChunkLimits:
    """The plan's evidence rule and its two chunk limits."""

    rule: EvidenceRule
    max_chunks: int
    max_chunks_per_document: int


def pick(
    hits: Sequence[ChunkHit], document_order: Sequence[str], limits: ChunkLimits
) -> dict[str, tuple[ScoredChunk, ...]]:
    """document_id → its chunks by similarity, every one with its rank over the whole context.

    ``similarity``: the best ``max_chunks`` of all. ``one_per_document``: the best chunk of each document in plan
    order until ``max_chunks``, then the best remaining ones. Order: raw distance, document_id, chunk_index.
    """
    ordered = sorted(hits, key=_by_distance)
    first = _best_of_each(ordered, document_order) if limits.rule == "one_per_document" else []
    chosen: list[tuple[ChunkHit, ChunkGround]] = [(hit, "best_of_document") for hit in first[: limits.max_chunks]]
    taken = {_key(hit) for hit, _ in chosen}
    counts = {hit.chunk.document_id: 1 for hit, _ in chosen}
    for hit in ordered:
        if len(chosen) >= limits.max_chunks:
            break
        document_id = hit.chunk.document_id
        if _key(hit) not in taken and counts.get(document_id, 0) < limits.max_chunks_per_document:
            chosen.append((hit, "similarity"))
            counts[document_id] = counts.get(document_id, 0) + 1
    return _grouped(chosen)


def _best_of_each(ordered: Sequence[ChunkHit], document_order: Sequence[str]) -> list[ChunkHit]:
    best: dict[str, ChunkHit] = {}
    for hit in ordered:
        best.setdefault(hit.chunk.document_id, hit)
    return [best[document_id] for document_id in document_order if document_id in best]


def _grouped(chosen: Sequence[tuple[ChunkHit, ChunkGround]]) -> dict[str, tuple[ScoredChunk, ...]]:
    groups: dict[str, list[ScoredChunk]] = {}
    for rank, (hit, ground) in enumerate(sorted(chosen, key=lambda pair: _by_distance(pair[0])), start=1):
        groups.setdefault(hit.chunk.document_id, []).append(as_scored(hit.chunk, hit.score, rank=rank, ground=ground))
    return {document_id: tuple(chunks) for document_id, chunks in groups.items()}


def as_scored(
    chunk: StoredChunk,
    score: float,
    *,
    rank: int,
    ground: ChunkGround,
    words: float | None = None,
    excerpt: tuple[Span, ...] = (),
) -> ScoredChunk:
    """A stored chunk as it is read, with its figures."""
    return ScoredChunk(
        chunk_id=chunk.chunk_id,
        chunk_index=chunk.chunk_index,
        text=chunk.text,
        score=score,
        rank=rank,
        ground=ground,
        heading_path=chunk.heading_path,
        token_count=chunk.token_count,
        place=chunk.place,
        words=words,
        excerpt=excerpt,
    )


def _by_distance(hit: ChunkHit) -> tuple[float, str, int]:
    return (hit.distance, hit.chunk.document_id, hit.chunk.chunk_index)


def _key(hit: ChunkHit) -> tuple[str, int]:
    return (hit.chunk.document_id, hit.chunk.chunk_index)
