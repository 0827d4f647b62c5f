"""Whether a reranker is asked, and what becomes of its answer: order and membership, never a confidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docgraph.domain.packet import MAX_TOP_K, ContextCandidate, RerankType
from docgraph.domain.ranking import RRF_K
from docgraph.ports.retrieval import Reranked
from docgraph.retrieval.merging import Merged


@dataclass(frozen=True)
class RerankPolicy:
    """What is done about the order, and why."""

    ask: bool
    rerank_type: RerankType
    why: str


@dataclass(frozen=True)
class Ordered:
    """The candidates that are delivered, in their final order; ``applied`` = an answer really put them there."""

    candidates: tuple[Merged, ...]
    applied: bool
    why: str


def pool_size(top_k: int) -> int:
    """How many merged candidates a reranker may choose ``top_k`` from: twice as many, at most 100."""
    return min(2 * top_k, MAX_TOP_K)


def policy(*, allowed: bool, allowed_why: str, native: bool, n_candidates: int, reranker: str) -> RerankPolicy:
    """``allowed`` = the mode lets an external reranker work; ``native`` = a provider that found something reranks.

    ``n_candidates`` = how many are delivered without one.
    """
    if native:
        return RerankPolicy(ask=False, rerank_type="provider-native", why="the provider reranks by itself")
    if not allowed:
        return RerankPolicy(ask=False, rerank_type="none", why=allowed_why)
    if not reranker:
        return RerankPolicy(ask=False, rerank_type="none", why="no reranker is configured")
    if n_candidates < 2:
        said = "a single candidate has no order" if n_candidates else "there is nothing to order"
        return RerankPolicy(ask=False, rerank_type="none", why=said)
    return RerankPolicy(ask=True, rerank_type="external", why=f"{reranker} orders {n_candidates} candidates")


def reranked_text(candidate: ContextCandidate) -> str:
    """What a reranker reads of a candidate: where it comes from (title and headings) on the first line, then its text.

    Without a source the first line is empty.
    """
    return f"{' '.join(candidate.source.split())}\n{candidate.content}"


def reordered(pool: Sequence[Merged], answer: Any, *, limit: int, channel: str | None = None) -> Ordered:
    """``limit`` of the merged candidates, by the reranker's scores, highest first; those without a valid one follow.

    Both orders, merged and reranked, decide who stays (reciprocal rank fusion). In any case these stay: of the first
    ``limit``, the most confident one and the most confident one of the ``channel``, then the reranker's first.
    An index out of range or given twice, None and NaN are skipped; scores are clamped to 0…1. An answer without one
    valid score changes nothing. The scores stand in the metadata (``rerank_score``); confidences stay as they are.
    """
    scores, n_bad = _scores(answer, len(pool))
    if not scores:
        kept = tuple(pool[:limit])
        return Ordered(kept, applied=False, why="the reranker gave no usable score; the order is kept")
    order = sorted(range(len(pool)), key=lambda i: (i not in scores, -scores.get(i, 0.0), i))
    staying = _staying(pool, order, limit=limit, channel=channel)
    n_missing = len(pool) - len(scores)
    said = "" if not (n_bad or n_missing) else f"; {n_missing} without a usable score kept their order at the end"
    cut = f"; {limit} are delivered" if len(pool) > limit else ""
    return Ordered(
        tuple(_noted(pool[i], scores.get(i)) for i in order if i in staying),
        applied=True,
        why=f"{len(scores)} of {len(pool)} candidates were reranked{said}{cut}",
    )


def _staying(pool: Sequence[Merged], order: Sequence[int], *, limit: int, channel: str | None) -> set[int]:
    """Indices of the ``limit`` candidates that are delivered; ``order`` = all indices as they were reranked."""
    place = {index: rank for rank, index in enumerate(order, start=1)}
    fused = sorted(place, key=lambda i: (-(1.0 / (RRF_K + i + 1) + 1.0 / (RRF_K + place[i])), i))
    return set(list(dict.fromkeys([*_deciding(pool[:limit], channel), order[0], *fused]))[:limit])


def _deciding(merged: Sequence[Merged], channel: str | None) -> list[int]:
    """Who makes the branch what it is without a reranker: were they left out, *proceed* could become a question."""
    surest = sorted(range(len(merged)), key=lambda i: (-merged[i].candidate.confidence, i))
    return surest[:1] + [i for i in surest if channel in merged[i].channels][:1]


def _scores(answer: Any, n: int) -> tuple[dict[int, float], int]:
    scores: dict[int, float] = {}
    items = answer if isinstance(answer, list | tuple) else ()
    for item in items:
        if isinstance(item, Reranked) and _is_index(item.index, n) and item.index not in scores and _is_score(item):
            scores[item.index] = round(min(1.0, max(0.0, float(item.score))), 6)
    return scores, len(items) - len(scores)


def _is_index(index: Any, n: int) -> bool:
    return isinstance(index, int) and not isinstance(index, bool) and 0 <= index < n


def _is_score(item: Reranked) -> bool:
    score: Any = item.score
    return isinstance(score, int | float) and not isinstance(score, bool) and math.isfinite(score)


def _noted(merged: Merged, score: float | None) -> Merged:
    if score is None:
        return merged
    metadata = {**merged.candidate.metadata, "rerank_score": score}
    return Merged(merged.candidate.model_copy(update={"metadata": metadata}), merged.channels)
