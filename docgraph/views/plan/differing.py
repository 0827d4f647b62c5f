"""What of the settings of a plan is not at its default, in a few words each: the closed drawer says it."""

from __future__ import annotations

from collections.abc import Collection

from docgraph.domain.request import RetrievalRequest
from docgraph.views.words import counts

_DEFAULTS = RetrievalRequest(query="-")
_SIGNALS = {"hybrid": "vectors and words", "mean": "passages and summary", "chunk": "best passage"}
_RULES = {"one_per_document": "one of each document first", "similarity": "by similarity alone"}


def differing(request: RetrievalRequest, names: Collection[str], default_types: Collection[str]) -> tuple[str, ...]:
    """``6 documents``, ``2 types off``, ``filter status=accepted``; empty where all is at its default.

    ``names`` are the relation types of the workspace, ``default_types`` those that are followed unless told otherwise.
    """
    words = (
        *(_preset(request), *_types(request, names, default_types)),
        *_numbers(request),
        *_rules(request),
        f"filter {request.where.words}" if request.where else "",
    )
    return tuple(filter(None, words))


def _preset(request: RetrievalRequest) -> str:
    mode = "" if request.mode == _DEFAULTS.mode else request.mode
    return ", ".join(filter(None, ("literal" if request.preset == "literal" else "", mode)))


def _types(request: RetrievalRequest, names: Collection[str], default: Collection[str]) -> tuple[str, ...]:
    if request.relation_types is None:
        return ()
    chosen = set(request.relation_types)
    off, on = len(set(default) - chosen), len((chosen & set(names)) - set(default))
    return (
        counts.plural(off, "type off", "types off") if off else "",
        counts.plural(on, "type on", "types on") if on else "",
    )


def _numbers(request: RetrievalRequest) -> tuple[str, ...]:
    literal = request.preset == "literal"
    every = (
        ("max_documents", "document", "documents", ""),
        ("max_seeds", "match", "matches", ""),
        ("max_expanded", "related document", "related documents", ""),
        ("max_expanding_seeds", "match followed", "matches followed", ""),
        ("max_chunks", "passage", "passages", ""),
        ("token_budget", "token", "tokens", ""),
        ("max_chunks_per_document", "passage", "passages", " per document"),
        ("max_fan_out", "related document", "related documents", " per match"),
    )
    fixed = ("max_chunks_per_document", "max_fan_out", "max_seeds", "max_expanded", "max_expanding_seeds")
    found = []
    for field, one, many, behind in every:
        value = getattr(request, field)
        if value is not None and value != getattr(_DEFAULTS, field) and not (literal and field in fixed):
            found.append(counts.plural(value, one, many) + behind)
    if request.seed_document_ids:
        found.append(counts.plural(len(request.seed_document_ids), "named match", "named matches"))
    return tuple(found)


def _rules(request: RetrievalRequest) -> tuple[str, ...]:
    if request.preset == "literal":
        ranked = names = linked = read = ""
    else:
        same = request.seed_signal == _DEFAULTS.seed_signal
        ranked = "" if same else f"ranked by {_SIGNALS.get(request.seed_signal, request.seed_signal)}"
        names = "" if request.find_names else "names not searched"
        percent = request.max_linked_percent
        linked = "" if percent == _DEFAULTS.max_linked_percent else f"hub limit {percent} %"
        read = "" if request.evidence_rule == _DEFAULTS.evidence_rule else _RULES.get(request.evidence_rule, "")
    scope = "" if request.scope_mode == _DEFAULTS.scope_mode else "matches from the dominant scope alone"
    field = f"scope by {request.scope_field}" if request.scope_field else ""
    return (ranked, names, linked, read, scope, field)
