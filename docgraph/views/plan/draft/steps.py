"""One step of a what-if: the request with an edge off or on again, a seed added, dropped or taken back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from docgraph.domain.request import RetrievalRequest
from docgraph.views.lanes.layout import Edge
from docgraph.views.plan.draft.changes import allowed_types, off_by
from docgraph.views.plan.remedies import changed

Step = RetrievalRequest | None
"""The new request; ``None`` when the step is impossible or changes nothing."""


def without_edge(request: RetrievalRequest, edge: Edge) -> Step:
    """The edge is read as if it were not stored."""
    return _overridden(request, without_edges=(*request.overrides.without_edges, edge))


def with_edge(request: RetrievalRequest, edge: Edge, default_types: Collection[str]) -> Step:
    """The edge is followed again: it is taken off the list, or its type is switched on."""
    overrides = request.overrides
    if off_by(request, edge, default_types) == "edge":
        return _overridden(request, without_edges=tuple(e for e in overrides.without_edges if e != edge))
    types = allowed_types(request, default_types) | {edge[1]}
    hidden = tuple(name for name in overrides.without_types if name != edge[1])
    chosen = None if types == frozenset(default_types) else tuple(sorted(types))
    return changed(request, {"relation_types": chosen, "overrides": overrides.model_dump() | {"without_types": hidden}})


def add_seed(request: RetrievalRequest, document_id: str) -> Step:
    """The document becomes a seed before all others; it is no longer dropped."""
    overrides = request.overrides
    return _overridden(
        request,
        added_seed_ids=(*overrides.added_seed_ids, document_id),
        dropped_seed_ids=tuple(i for i in overrides.dropped_seed_ids if i != document_id),
    )


def drop_seed(request: RetrievalRequest, document_id: str) -> Step:
    """The document is no seed; one that the draft added is taken back instead."""
    overrides = request.overrides
    if document_id in overrides.added_seed_ids:
        return _overridden(request, added_seed_ids=tuple(i for i in overrides.added_seed_ids if i != document_id))
    return _overridden(request, dropped_seed_ids=(*overrides.dropped_seed_ids, document_id))


def keep_seed(request: RetrievalRequest, document_id: str) -> Step:
    """The document is no longer dropped."""
    kept = tuple(i for i in request.overrides.dropped_seed_ids if i != document_id)
    return _overridden(request, dropped_seed_ids=kept)


def with_types_named(request: RetrievalRequest, default_types: Collection[str]) -> RetrievalRequest:
    """The same request with types that the overrides hide written as a choice of types, as the inputs show them."""
    if not request.overrides.without_types:
        return request
    overrides = request.overrides.model_copy(update={"without_types": ()})
    types = tuple(sorted(allowed_types(request, default_types)))
    return request.model_copy(update={"relation_types": types, "overrides": overrides})


def as_step(request: RetrievalRequest, remedy: Mapping[str, Any]) -> Step:
    """What a remedy makes of a request; a seed that it names is added before the others, and none is replaced."""
    named = remedy.get("seed_document_ids")
    return add_seed(request, str(named[-1])) if named else changed(request, remedy)


def _overridden(request: RetrievalRequest, **lists: object) -> Step:
    return changed(request, {"overrides": request.overrides.model_dump() | lists})
