"""What would let something that left stay: the one limit or switch to change, as a request."""

from __future__ import annotations

from typing import Any

from docgraph.domain.comparison import Departure
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.views.plan.remedies import changed


def remedy(cause: Departure, document_id: str, run: Run) -> tuple[str, RetrievalRequest] | None:
    """(label, request) of the what-if that undoes a departure from ``run``; ``None`` where no one change does."""
    label, fields = _fields(cause, document_id, run)
    new = changed(run.request, fields) if fields else None
    return (label, new) if new is not None else None


def _fields(cause: Departure, document_id: str, run: Run) -> tuple[str, dict[str, Any]]:
    request, limits = run.request, run.plan.constraints
    wanted = cause.place or (cause.value or 0) + 1
    match cause.cause:
        case "max_chunks" | "max_chunks_per_document" | "max_fan_out":
            name = str(cause.cause)
            return f"raise to {wanted}", {name: wanted} if wanted > getattr(limits, name) else {}
        case "max_expanded":
            documents = max(cause.place or 0, limits.max_documents + 1)
            if request.preset == "literal":  # it reserves nothing: what the seeds leave is for related documents
                return f"max docs {documents}", {"max_documents": documents}
            related = limits.max_expanded + documents - limits.max_documents
            return f"max docs {documents}", {"max_documents": documents, "max_expanded": related}
        case "max_linked_percent":
            return "let it in", {"max_linked_percent": 100}
        case "max_seeds" if cause.place is not None and request.max_seeds is not None:
            room = request.max_documents and request.max_documents + wanted - request.max_seeds
            return f"seeds {wanted}", {"max_seeds": wanted, "max_documents": room}
        case "max_seeds" if cause.place is not None:
            documents = limits.max_documents + max(wanted - limits.max_seeds, 1)
            return f"max docs {documents}", {"max_documents": documents, "max_expanded": limits.max_expanded}
        case "relationships_off":
            return "switch on", {"use_relationships": True}
        case "type_off":
            return _types_on(cause, request)
        case "edge_off":
            kept = tuple(e for e in request.overrides.without_edges if e[2] != document_id)
            return "put back", {"overrides": request.overrides.model_copy(update={"without_edges": kept})}
        case "seed_dropped":
            kept_ids = tuple(i for i in request.overrides.dropped_seed_ids if i != document_id)
            return "put back", {"overrides": request.overrides.model_copy(update={"dropped_seed_ids": kept_ids})}
        case _:
            return "", {}


def _types_on(cause: Departure, request: RetrievalRequest) -> tuple[str, dict[str, Any]]:
    hidden = tuple(t for t in request.overrides.without_types if t not in cause.relation_types)
    fields: dict[str, Any] = {"overrides": request.overrides.model_copy(update={"without_types": hidden})}
    if request.relation_types is not None:
        fields["relation_types"] = tuple({*request.relation_types, *cause.relation_types})
    return "switch on", fields
