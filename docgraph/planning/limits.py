"""Turns a request's mode and numbers into the limits a plan is made under."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from docgraph.domain.plan import DominantScope
from docgraph.domain.request import MIN_LINKING, MODES, ModeLimits, RetrievalRequest, ScopeField
from docgraph.ports import RankedDocument

MAX_EDGES_PER_SEED = 200
"""Edges read per seed: bounds the work on a hub; what lies beyond is counted and named."""

MAX_LITERAL_DOCUMENTS = 100
"""Documents of a plan by the preset ``literal``, when the request says nothing: ADR-003 caps them, and names no number
that would leave room for every seed."""

CANDIDATE_MARGIN = 14
"""Candidates ranked beyond the plan's size, so that the plan can name who just missed it."""


@dataclass(frozen=True)
class Limits:
    """Numbers that decide a plan: documents in all, places for related ones, seeds that expand, edges per seed.

    ``exact_seeds`` = the number of seeds that was asked for; ``None`` = places that no relationship fills become seeds.
    """

    max_documents: int
    max_expanded: int
    max_expanding_seeds: int
    max_fan_out: int
    max_linked_percent: int = 100
    max_edges_per_seed: int = MAX_EDGES_PER_SEED
    exact_seeds: int | None = None

    @property
    def max_seeds(self) -> int:
        """Places left for seeds when every place for related documents is taken."""
        return self.exact_seeds or self.max_documents - self.max_expanded

    @property
    def max_candidates(self) -> int:
        """How many documents are ranked."""
        return self.max_documents + CANDIDATE_MARGIN

    def seeds_beside(self, n_expanded: int) -> int:
        """Places for seeds beside so many related documents: free ones are theirs, unless a number was asked for."""
        return self.exact_seeds or self.max_documents - n_expanded

    def is_boilerplate(self, linked_by: int, n_documents: int) -> bool:
        """Whether too many of ``n_documents`` documents link to one for its links to say anything."""
        return linked_by > MIN_LINKING and 100 * linked_by > self.max_linked_percent * n_documents


def decide_limits(request: RetrievalRequest) -> Limits:
    """The limits of a request: given numbers win, the rest follows from its preset and mode ("60/40 plan").

    Related places are rounded half up, at least one from two documents on, and always leave one place to a seed.
    ``literal`` reserves none: what the seeds leave is for related documents (``beside``).
    """
    if request.preset == "literal":
        documents = request.max_documents or max(MAX_LITERAL_DOCUMENTS, request.chunk_limit)
        return _limits(request, documents, expanded=0, expanding=documents)
    mode = MODES[request.mode]
    documents, expanded = request.max_documents or mode.max_documents, request.max_expanded
    if request.max_seeds is not None:
        documents, expanded = _around_seeds(request, request.max_seeds, mode)
    if expanded is None:
        expanded = related_places(mode, documents)
    expanded = min(expanded, documents - 1) if request.use_relationships else 0
    expanding = mode.max_expanding_seeds if request.max_expanding_seeds is None else request.max_expanding_seeds
    return _limits(request, documents, expanded=expanded, expanding=expanding)


def beside(limits: Limits, n_seeds: int, *, use_relationships: bool) -> Limits:
    """The limits of ``literal`` once its seeds are known: every one expands, into every place that is left."""
    room = limits.max_documents - n_seeds if use_relationships else 0
    return replace(limits, max_expanded=room, exact_seeds=n_seeds or None)


def related_places(mode: ModeLimits, documents: int) -> int:
    """Places that a mode reserves for related documents among so many."""
    return max(math.floor(mode.related_share * documents + 0.5), 1)


def _around_seeds(request: RetrievalRequest, seeds: int, mode: ModeLimits) -> tuple[int, int]:
    """(documents, places for related ones) of a request for exactly so many seeds.

    A number of documents that is not asked for grows with the seeds, so that it keeps the places the mode reserves.
    """
    reserved = related_places(mode, mode.max_documents) if request.max_expanded is None else request.max_expanded
    documents = request.max_documents or max(mode.max_documents, min(seeds + reserved, 100))
    room = documents - seeds
    return documents, room if request.max_expanded is None else min(request.max_expanded, room)


def _limits(request: RetrievalRequest, documents: int, *, expanded: int, expanding: int) -> Limits:
    seeds = request.max_seeds or documents - expanded
    return Limits(
        max_documents=documents,
        max_expanded=expanded,
        max_expanding_seeds=min(expanding, seeds),
        max_fan_out=request.max_fan_out,
        max_linked_percent=request.max_linked_percent,
        exact_seeds=request.max_seeds,
    )


def find_scope(candidates: Sequence[RankedDocument], request: RetrievalRequest, *, size: int) -> DominantScope:
    """The dominant scope among the first ``size`` candidates.

    The field is the request's, else the first of doc_type and ingestion_id of which one value holds more than half
    of the candidates (and not every one of several), else ``cluster``: the candidates above the widest score gap.
    """
    head = candidates[:size]
    if not head:
        return DominantScope(mode=request.scope_mode, field=request.scope_field)
    field = request.scope_field or _telling_field(head)
    value = _cluster_value(head) if field == "cluster" else _dominant_value(head, field)
    inside = [c for i, c in enumerate(head) if _is_inside(c, i, field, value)]
    return DominantScope(
        mode=request.scope_mode, field=field, value=value, n_inside=len(inside), n_candidates=len(head)
    )


def keep_inside(candidates: Sequence[RankedDocument], scope: DominantScope) -> tuple[RankedDocument, ...]:
    """The candidates inside the scope, in their order."""
    if scope.field is None or scope.value is None:
        return tuple(candidates)
    return tuple(c for i, c in enumerate(candidates) if _is_inside(c, i, scope.field, scope.value))


def _telling_field(head: Sequence[RankedDocument]) -> ScopeField:
    fields: tuple[ScopeField, ...] = ("doc_type", "ingestion_id")
    for field in fields:
        value = _dominant_value(head, field)
        count = sum(getattr(c, field) == value for c in head)
        if value and len(head) / 2 < count and (count < len(head) or len(head) == 1):
            return field
    return "cluster"


def _dominant_value(head: Sequence[RankedDocument], field: ScopeField) -> str:
    """The value with the greatest sum of scores; ties go to the smaller value."""
    weights: dict[str, float] = defaultdict(float)
    for candidate in head:
        weights[getattr(candidate, field)] += max(candidate.score, 0.0)
    return min(weights, key=lambda value: (-weights[value], value))


def _cluster_value(head: Sequence[RankedDocument]) -> str:
    """How many candidates stand above the widest gap between neighbouring scores ("top 3")."""
    gaps = [(round(a.score - b.score, 6), -i) for i, (a, b) in enumerate(pairwise(head))]
    return f"top {1 - max(gaps)[1]}" if gaps else "top 1"


def _is_inside(candidate: RankedDocument, position: int, field: ScopeField, value: str) -> bool:
    if field == "cluster":
        return position < int(value.removeprefix("top "))
    return bool(getattr(candidate, field) == value)
