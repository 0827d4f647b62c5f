"""Whether a reranker is asked, and what becomes of its answer: order and membership, never a confidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import islice
from numbers import Integral
from typing import Any

from docgraph.domain.packet import MAX_TOP_K, ContextCandidate, RerankType
from docgraph.domain.ranking import RRF_K
from docgraph.ports.retrieval import Reranked
from docgraph.retrieval.answers import number
from docgraph.retrieval.merging import Merged


@dataclass(frozen=True)
class RerankPolicy:
    """What is done about the order, and why."""

    ask: bool
    rerank_type: RerankType
    why: str


@dataclass(frozen=True)
class Scores:
    """What a reranker said: place of a text → score, 0 to 1, and how many things in its answer were none.

    ``broken`` = the answer as a whole could not be read.
    """

    by_index: Mapping[int, float] = field(default_factory=dict)
    n_bad: int = 0
    broken: bool = False


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


def in_order_of_one(candidates: Sequence[Merged], providers: Set[str]) -> bool:
    """Whether the order is that of one of these providers: it found every candidate, and they stand as it ranked them.

    A list that another provider is merged into has an order that no reranker gave it.
    """
    for provider in sorted(providers):
        ranks = [each.candidate.metadata["providers"].get(provider, 0) for each in candidates]
        if ranks and all(ranks) and ranks == sorted(ranks):
            return True
    return False


def reranked_text(candidate: ContextCandidate) -> str:
    """What a reranker reads of a candidate: where it comes from (title and headings) on the first line, then its text.

    Without a source the first line is empty.
    """
    return f"{' '.join(candidate.source.split())}\n{candidate.content}"


def scores_in(answer: Any, n: int) -> Scores:
    """The usable scores among the first 2 ``n`` things of a reranker's answer; ``n`` = texts that it was given.

    An index out of range or given twice, None and NaN are skipped; scores are clamped to 0…1. Raises nothing, whatever
    the answer is; like ``answers.take`` it belongs into the reranker's own thread.
    """
    scores: dict[int, float] = {}
    try:
        items = list(islice(answer, 2 * n)) if isinstance(answer, list | tuple) else []
        for item in items:
            index, score = _score(item, n)
            if score is not None:
                scores.setdefault(index, score)
    except BaseException:  # a list of its own kind may do anything while it is read
        return Scores(broken=True)
    return Scores(scores, len(items) - len(scores))


def reordered(pool: Sequence[Merged], said: Scores, *, limit: int, channel: str | None = None) -> Ordered:
    """``limit`` of the merged candidates, by the reranker's scores, highest first; those without a valid one follow.

    Whoever keeps its place (``Merged.keeps``) stays: a reranker orders what a plan found and chooses for the places
    that the plan left free. For those both orders, merged and reranked, decide (reciprocal rank fusion), after, of the
    first ``limit``, the most confident one and the most confident one of the ``channel``, and the reranker's first.
    An answer without one valid score changes nothing. The scores stand in the metadata (``rerank_score``);
    confidences stay as they are.
    """
    scores, n_bad = said.by_index, said.n_bad
    if not scores:
        kept = tuple(pool[:limit])
        return Ordered(kept, applied=False, why="the reranker gave no usable score; the order is kept")
    order = sorted(range(len(pool)), key=lambda i: (i not in scores, -scores.get(i, 0.0), i))
    staying = _staying(pool, order, limit=limit, channel=channel)
    n_missing = len(pool) - len(scores)
    left = "" if not (n_bad or n_missing) else f"; {n_missing} without a usable score kept their order at the end"
    cut = f"; {limit} are delivered" if len(pool) > limit else ""
    return Ordered(
        tuple(_noted(pool[i], scores.get(i)) for i in order if i in staying),
        applied=any(i in scores for i in staying),
        why=f"{len(scores)} of {len(pool)} candidates were reranked{left}{cut}",
    )


def _staying(pool: Sequence[Merged], order: Sequence[int], *, limit: int, channel: str | None) -> set[int]:
    """Indices of the ``limit`` candidates that are delivered; ``order`` = all indices as they were reranked."""
    place = {index: rank for rank, index in enumerate(order, start=1)}
    fused = sorted(place, key=lambda i: (-(1.0 / (RRF_K + i + 1) + 1.0 / (RRF_K + place[i])), i))
    keeping = [i for i, each in enumerate(pool[:limit]) if each.keeps]
    return set(list(dict.fromkeys([*keeping, *_deciding(pool[:limit], channel), order[0], *fused]))[:limit])


def _deciding(merged: Sequence[Merged], channel: str | None) -> list[int]:
    """Who makes the branch what it is without a reranker: were they left out, *proceed* could become a question."""
    surest = sorted(range(len(merged)), key=lambda i: (-merged[i].candidate.confidence, i))
    return surest[:1] + [i for i in surest if channel in merged[i].channels][:1]


def _score(item: Any, n: int) -> tuple[int, float | None]:
    """(index, score), the score None when the item says nothing usable about one of ``n`` texts."""
    try:
        if not isinstance(item, Reranked):
            return 0, None
        index, score = item.index, number(item.score)
        if isinstance(index, bool) or not isinstance(index, Integral) or not 0 <= index < n or score is None:
            return 0, None
        return int(index), round(min(1.0, max(0.0, score)), 6)
    except Exception:
        return 0, None


def _noted(merged: Merged, score: float | None) -> Merged:
    if score is None:
        return merged
    metadata = {**merged.candidate.metadata, "rerank_score": score}
    return replace(merged, candidate=merged.candidate.model_copy(update={"metadata": metadata}))
