"""What keeps a document out of a plan, and the change of the request that would include it, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.explanation import Obstacle
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.views.words import counts


def obstacle_words(obstacle: Obstacle) -> str:
    """One sentence for an obstacle; its edges are shown beside it, so they are not repeated."""
    value = obstacle.value or 0
    match obstacle.kind:
        case "cut_by_limit" if obstacle.limit not in (None, "max_seeds"):
            would = f", next at position {obstacle.place:,}" if obstacle.place else ""
            return f"Related, but {counts.left_out(obstacle.limit or '', value)}{would}"
        case "type_off":
            types = sorted({via for _, via, _ in obstacle.edges})
            return f"{counts.plural(len(types), 'type')} switched off: {', '.join(types)}"
        case "reasons_only":
            types = sorted({via for _, via, _ in obstacle.edges})
            return f"Related only through {', '.join(types)}, which gives reasons but adds no document"
        case "relationships_off":
            return "Relationships are switched off; one of them leads to it"
        case "incoming_only":
            return "It links to a document of the plan; only links from the plan are followed"
        case "two_hops":
            return "Two relationships away; a plan follows only one"
        case "from_non_expanding_seed":
            return f"A match links to it, but only {counts.plural(value, 'match is', 'matches are')} followed"
    return obstacle.text[:1].upper() + obstacle.text[1:]


_MOST = {"max_documents": 100, "max_expanded": 100, "max_expanding_seeds": 100, "max_fan_out": 100}


def changed(request: RetrievalRequest, remedy: Mapping[str, Any]) -> RetrievalRequest | None:
    """The request with the remedy's fields; ``None`` when they are no valid request or change nothing."""
    known = {k: v for k, v in remedy.items() if k in RetrievalRequest.model_fields}
    if any(k in _MOST and isinstance(v, int) and v > _MOST[k] for k, v in known.items()):
        return None
    try:
        new = RetrievalRequest.model_validate({**request.model_dump(), **known})
    except ValueError:
        return None
    return new if new != request else None


def remedy_words(request: RetrievalRequest, plan: RetrievalPlan, remedy: Mapping[str, Any], *, title: str = "") -> str:
    """``Raise the document limit to 7``, ``Follow references``, ``Add as a match``: a button's label (plain text)."""
    parts = []
    limits = plan.constraints
    if "use_relationships" in remedy:
        parts.append("use relationships")
    if "relation_types" in remedy:
        before = set(limits.relation_types) if limits.relation_types is not None else None
        wanted = remedy["relation_types"] or ()
        added = [t for t in wanted if before is not None and t not in before]
        adding = [t for t in wanted if t in limits.reasons_only_types]
        parts.append(
            f"follow {', '.join(added)}"
            if added
            else f"let {', '.join(adding)} add documents"
            if adding
            else "follow all types"
        )
    if "max_documents" in remedy:
        parts.append(f"raise the document limit to {remedy['max_documents']}")
    elif "max_expanded" in remedy:
        parts.append(f"raise the related-document limit to {remedy['max_expanded']}")
    if "max_expanding_seeds" in remedy:
        parts.append(f"follow {counts.plural(remedy['max_expanding_seeds'], 'match', 'matches')}")
    if "max_fan_out" in remedy:
        parts.append(f"follow {remedy['max_fan_out']} relationships per match")
    if "max_linked_percent" in remedy:
        parts.append("lift the hub limit")
    if "seed_document_ids" in remedy:
        parts.append(f"add “{title}” as a match" if title else "add as a match")
    if "overrides" in remedy:
        parts += _overrides_in_words(request, remedy["overrides"])
    if "where" in remedy:
        parts.append("remove the filter")
    if "scope_mode" in remedy:
        parts.append("do not filter by scope")
    label = ", ".join(parts)
    return label[:1].upper() + label[1:]


def _overrides_in_words(request: RetrievalRequest, wanted: Mapping[str, Any]) -> list[str]:
    """What a draft leaves out and gets back: ``follow 1 relationship``, ``restore the match``."""
    now = request.overrides
    n_edges = len(now.without_edges) - len(wanted.get("without_edges", ()))
    types = sorted(set(now.without_types) - set(wanted.get("without_types", ())))
    parts = [f"follow {', '.join(types)}"] if types else []
    if n_edges > 0:
        parts.append(f"follow {counts.plural(n_edges, 'relationship')}")
    if len(now.dropped_seed_ids) > len(wanted.get("dropped_seed_ids", ())):
        parts.append("restore the match")
    return parts
