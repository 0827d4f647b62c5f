"""Whether a reranker is asked, and what becomes of its answer: it may change the order, never a confidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docgraph.domain.packet import ContextCandidate, RerankType
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
    """The candidates in their final order; ``applied`` = an answer really put them there."""

    candidates: tuple[Merged, ...]
    applied: bool
    why: str


def policy(*, allowed: bool, allowed_why: str, native: bool, n_candidates: int, reranker: str) -> RerankPolicy:
    """``allowed`` = the mode lets an external reranker work; ``native`` = a provider that found something reranks."""
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


def reordered(candidates: Sequence[Merged], answer: Any) -> Ordered:
    """The candidates by the reranker's scores, highest first; one without a valid score keeps its place after those.

    An index out of range or given twice, None and NaN are skipped; scores are clamped to 0…1. An answer without one
    valid score changes nothing. The scores stand in the metadata (``rerank_score``); confidences stay as they are.
    """
    scores, n_bad = _scores(answer, len(candidates))
    if not scores:
        return Ordered(tuple(candidates), applied=False, why="the reranker gave no usable score; the order is kept")
    order = sorted(range(len(candidates)), key=lambda i: (i not in scores, -scores.get(i, 0.0), i))
    n_missing = len(candidates) - len(scores)
    said = "" if not (n_bad or n_missing) else f"; {n_missing} without a usable score kept their order at the end"
    return Ordered(
        tuple(_noted(candidates[i], scores.get(i)) for i in order),
        applied=True,
        why=f"{len(scores)} of {len(candidates)} candidates were reranked{said}",
    )


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
