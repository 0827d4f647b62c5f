"""Distances of vectors in the reference store, and two-stage search by the same rule as in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from docgraph.domain import ranking
from docgraph.domain.graph import PreparedDocument, Vector
from docgraph.domain.ranking import SEED_RRF_K, best_first, seed_scores
from docgraph.domain.request import SeedSignal
from docgraph.domain.workspace import VectorSearch


def shortlist(
    documents: Iterable[PreparedDocument], vector: Vector, n: int, *, search: VectorSearch
) -> set[tuple[str, int]]:
    """(document_id, chunk_index) of the chunks with the fewest bits that differ.

    By ``hnsw``, of the nearest chunks: what an approximate index would find if it never missed one.
    """
    found: list[tuple[float, str, int]] = []
    for prepared in documents:
        rows = prepared.chunk_vectors
        differing = unlike if search == "quantized" else distances
        found += [
            (float(each), chunk.document_id, chunk.chunk_index)
            for chunk, each in zip(prepared.chunks, differing(rows, vector), strict=True)
        ]
    return {(document_id, place) for _, document_id, place in sorted(found)[:n]}


@dataclass(frozen=True)
class Known:
    """What a two-stage search knows of the documents it may look at, whatever the signal.

    ``summary`` and ``chunk`` = exact similarities, of which it uses no more than PostgreSQL does; ``words`` = fits.
    """

    summary: Mapping[str, float]
    chunk: Mapping[str, float]
    words: Mapping[str, float]


def two_stage(
    documents: Sequence[PreparedDocument],
    vector: Vector,
    signal: SeedSignal,
    *,
    search: VectorSearch,
    known: Known,
    limit: int,
) -> dict[str, tuple[int, float]]:
    """document_id → rank and score by ``signal`` of every document: see "How candidates are used" in docs/retrieval.md.

    A shortlist of documents is ranked, its best ones rescored before the others; every other document comes behind it.
    """
    estimates = _estimates(documents, vector, search=search)
    floor = min(estimates.values(), default=0.0)
    summary = dict.fromkeys(known.summary, 0.0) if signal == "chunk" else known.summary
    fitting = best_first(known.words)[: ranking.N_FIT]
    found = {*best_first(estimates)[: ranking.N_POOL], *fitting}
    if signal != "chunk":
        found.update(_nearest_summaries(documents, vector))
    rest = sorted((known.chunk if signal == "chunk" else known.summary).keys() - found)
    listed = [*sorted(found), *rest[: max(ranking.N_POOL - len(found), limit - len(found), 0)]]
    rough = {i: summary[i] + estimates.get(i, floor) for i in listed}
    rescored = best_first(rough)[: ranking.N_LIKELY]
    values = rough | {i: summary[i] + known.chunk.get(i, 0.0) for i in rescored}
    vectors = best_first({i: values[i] for i in rescored})
    vectors += best_first({i: values[i] for i in listed if i not in set(rescored)})
    exact = seed_scores("mean" if signal == "hybrid" else signal, summary=summary, chunk=known.chunk, words={})
    if signal != "hybrid":
        return {i: (len(listed) + 1, score) for i, score in exact.items()} | {
            i: (rank, exact[i]) for rank, i in enumerate(vectors, start=1)
        }
    asked = {*rescored, *fitting}
    words = {i: score for i, score in known.words.items() if i in asked}
    by_words = {i: n for n, i in enumerate(best_first(words))}
    fused = {i: _fused(n, by_words.get(i)) for n, i in enumerate(vectors)}
    ranks = {i: rank for rank, i in enumerate(best_first(fused), start=1)}
    for i in exact.keys() - fused.keys():
        n_better = sum(value > 2 * exact[i] for value in values.values())
        n_fitter = sum(score > known.words[i] for score in words.values()) if i in known.words else None
        fused[i] = _fused(n_better, n_fitter)
    return {i: (ranks.get(i, len(listed) + 1), score) for i, score in fused.items()}


def _fused(*before: int | None) -> float:
    """Reciprocal rank fusion for a document that so many stand before, in two rankings; None where it has no place."""
    return sum((SEED_RRF_K + 1) / (SEED_RRF_K + 1 + n) / len(before) for n in before if n is not None)


def _estimates(documents: Sequence[PreparedDocument], vector: Vector, *, search: VectorSearch) -> dict[str, float]:
    """What the chunks of the shortlist say of their documents."""
    near = shortlist(documents, vector, ranking.n_near(search), search=search)
    estimates: dict[str, float] = {}
    for prepared in documents:
        rows = zip(prepared.chunks, distances(prepared.chunk_vectors, vector).tolist(), strict=True)
        found = [1 - distance for chunk, distance in rows if (chunk.document_id, chunk.chunk_index) in near]
        if found:
            estimates[prepared.document.document_id] = max(found)
    return estimates


def _nearest_summaries(documents: Iterable[PreparedDocument], vector: Vector) -> list[str]:
    """The documents whose summaries, or titles of long ones, have the fewest bits that differ."""
    alike = {p.document.document_id: -float(unlike(heads(p), vector).min()) for p in documents}
    return best_first(alike)[: ranking.N_POOL]


def unlike(rows: NDArray[np.float32], vector: Vector) -> NDArray[np.float64]:
    """How many bits of each row differ from the vector's."""
    counts: NDArray[np.float64] = (_bits(rows) != _bits(np.asarray(vector)[None, :])).sum(axis=1, dtype=np.float64)
    return counts


def _bits(rows: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Three a number: over the edge, over zero, over the edge on the other side, where the row is of length 1.

    What is exactly at one of them is not over it, as in pgvector; a row without direction has the bits of zeros.
    """
    lengths = np.sqrt(np.square(rows.astype(np.float64)).sum(axis=1, keepdims=True))
    units = np.divide(rows, lengths, out=np.zeros(rows.shape), where=lengths > 0).astype(np.float32)
    edge = np.float32(ranking.EDGE / np.sqrt(rows.shape[1]))
    return np.concatenate([units - edge > 0, units > 0, units + edge > 0], axis=1)


def heads(prepared: PreparedDocument) -> NDArray[np.float32]:
    """The vectors that stand for the whole document, shape (1 or 2, dimension): summary, title of a long one."""
    if prepared.title_vector is None:
        return prepared.vector[None, :]
    return np.stack([prepared.vector, prepared.title_vector])


def summary_similarity(prepared: PreparedDocument, vector: Vector) -> float:
    """That of the summary, or of a long document's title where it is more similar; zeros say nothing."""
    found = [float(each) for each in distances(heads(prepared), vector)]
    known = prepared.title_vector is not None and bool(np.any(prepared.title_vector)) and bool(np.any(vector))
    return 1 - (min(found) if known else found[0])


def distances(rows: NDArray[np.float32], vector: Vector) -> NDArray[np.float64]:
    """Cosine distance of each row, in float64; a row without direction (all zeros) is at distance 1.

    Multiplied and summed row by row, not by a matrix product: equal rows must give equal numbers wherever they stand.
    """
    a, b = rows.astype(np.float64), np.asarray(vector, dtype=np.float64)
    norms = np.sqrt((a * a).sum(axis=1) * (b * b).sum())
    products = (a * b).sum(axis=1)
    similarities: NDArray[np.float64] = np.divide(products, norms, out=np.zeros_like(products), where=norms > 0)
    return 1.0 - similarities.clip(-1.0, 1.0)
