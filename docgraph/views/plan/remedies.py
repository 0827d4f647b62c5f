"""What-if steps in words: which inputs of a request change, from what to what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.views.plan.limits import NAMES
from docgraph.views.words import counts

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


def in_words(request: RetrievalRequest, plan: RetrievalPlan, remedy: Mapping[str, Any], *, title: str = "") -> str:
    """``documents 6 → 7``, ``references on``, ``add as a match``: a what-if button's label (plain text)."""
    parts = []
    limits = plan.constraints
    if "use_relationships" in remedy:
        parts.append("relationships on")
    if "relation_types" in remedy:
        before = set(limits.relation_types) if limits.relation_types is not None else None
        wanted = remedy["relation_types"] or ()
        added = [t for t in wanted if before is not None and t not in before]
        adding = [t for t in wanted if t in limits.reasons_only_types]
        parts.append(
            f"{', '.join(added or adding)} {'on' if added else 'adds documents'}" if added or adding else "types on"
        )
    if "max_documents" in remedy:
        now = request.max_documents or limits.max_documents
        parts.append(f"{NAMES['max_documents']} {now} → {remedy['max_documents']}")
    elif "max_expanded" in remedy:
        parts.append(f"related documents {limits.max_expanded} → {remedy['max_expanded']}")
    for name in ("max_expanding_seeds", "max_fan_out"):
        if name in remedy:
            parts.append(f"{NAMES[name]} {getattr(limits, name)} → {remedy[name]}")
    if "max_linked_percent" in remedy:
        parts.append("however many link to it")
    if "seed_document_ids" in remedy:
        parts.append(f"add “{title}” as a match" if title else "add as a match")
    if "overrides" in remedy:
        parts += _overrides_in_words(request, remedy["overrides"])
    if "where" in remedy:
        parts.append("without the filter")
    if "scope_mode" in remedy:
        parts.append("scope as label only")
    return ", ".join(parts)


def _overrides_in_words(request: RetrievalRequest, wanted: Mapping[str, Any]) -> list[str]:
    """What comes back when a what-if is lifted: ``1 relationship on``, ``references on``, ``match again``."""
    now = request.overrides
    n_edges = len(now.without_edges) - len(wanted.get("without_edges", ()))
    types = sorted(set(now.without_types) - set(wanted.get("without_types", ())))
    parts = [f"{', '.join(types)} on"] if types else []
    if n_edges > 0:
        parts.append(f"{counts.plural(n_edges, 'relationship')} on")
    if len(now.dropped_seed_ids) > len(wanted.get("dropped_seed_ids", ())):
        parts.append("match again")
    return parts
