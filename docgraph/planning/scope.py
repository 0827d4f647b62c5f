"""Finds the dominant scope of the candidates: the cluster most of the evidence comes from (ADR-003 step 3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from docgraph.domain.plan import DominantScope
from docgraph.domain.request import RetrievalRequest, ScopeField
from docgraph.ports import RankedDocument


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
