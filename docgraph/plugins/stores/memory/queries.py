"""Distances of vectors in the reference store, and candidates by the same rule as in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from docgraph.domain import ranking
from docgraph.domain.graph import PreparedDocument, Vector
from docgraph.domain.ranking import NO_CANDIDATE, best_first
from docgraph.domain.workspace import VectorSearch


def shortlist(
    documents: Iterable[PreparedDocument], vector: Vector, n: int, *, search: VectorSearch
) -> set[tuple[str, int]]:
    """(document_id, chunk_index) of the chunks with the fewest signs that differ; zero is no plus, as in pgvector.

    By ``hnsw``, of the nearest chunks: what an approximate index would find if it never missed one.
    """
    asked = np.asarray(vector, dtype=np.float32) > 0
    found: list[tuple[float, str, int]] = []
    for prepared in documents:
        signs = ((prepared.chunk_vectors > 0) != asked).sum(axis=1) if prepared.chunks else ()
        unlike = signs if search == "quantized" else distances(prepared.chunk_vectors, vector)
        found += [
            (float(each), chunk.document_id, chunk.chunk_index)
            for chunk, each in zip(prepared.chunks, unlike, strict=True)
        ]
    return {(document_id, place) for _, document_id, place in sorted(found)[:n]}


def by_candidates(
    documents: Sequence[PreparedDocument],
    vector: Vector,
    *,
    search: VectorSearch,
    summaries: Mapping[str, float] | None,
    exact: Mapping[str, float],
) -> dict[str, float]:
    """What the chunks of each document count as: ``exact`` for the likely ones, less than an estimate for the others.

    Likely are documents by what the shortlist says of their chunks, and by their ``summaries`` where these count.
    """
    near = shortlist(documents, vector, ranking.n_near(search), search=search)
    estimates: dict[str, float] = {}
    for prepared in documents:
        rows = zip(prepared.chunks, distances(prepared.chunk_vectors, vector).tolist(), strict=True)
        found = [1 - distance for chunk, distance in rows if (chunk.document_id, chunk.chunk_index) in near]
        if found:
            estimates[prepared.document.document_id] = max(found)
    floor = min(estimates.values(), default=0.0)
    order = estimates if summaries is None else {i: s + estimates.get(i, floor) for i, s in summaries.items()}
    likely = set(best_first(order)[: ranking.N_LIKELY])
    return {i: score if i in likely else estimates.get(i, floor) + NO_CANDIDATE for i, score in exact.items()}


def distances(rows: NDArray[np.float32], vector: Vector) -> NDArray[np.float64]:
    """Cosine distance of each row, in float64; a row without direction (all zeros) is at distance 1.

    Multiplied and summed row by row, not by a matrix product: equal rows must give equal numbers wherever they stand.
    """
    a, b = rows.astype(np.float64), np.asarray(vector, dtype=np.float64)
    norms = np.sqrt((a * a).sum(axis=1) * (b * b).sum())
    products = (a * b).sum(axis=1)
    similarities: NDArray[np.float64] = np.divide(products, norms, out=np.zeros_like(products), where=norms > 0)
    return 1.0 - similarities.clip(-1.0, 1.0)
