"""The settings of a plan in words: what differs from the defaults, and all of a saved run."""

from __future__ import annotations

from collections.abc import Collection

from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.views.plan.legend import TypeEntry, legend
from docgraph.views.words import counts
from docgraph.views.words.address import default_documents

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


_MORE = (
    ("max_expanded", "Related documents"),
    ("max_expanding_seeds", "Matches followed"),
    ("max_fan_out", "Related per match"),
    ("seed_signal", "Ranked by"),
    ("evidence_rule", "Passages by"),
    ("reranker", "Reranker"),
    ("max_chunks_per_document", "Passages per document"),
    ("find_names", "Look for names"),
    ("max_linked_percent", "Hub limit, %"),
    ("scope_mode", "Scope"),
    ("scope_field", "Scope by"),
)
"""Inputs that are said only when they are not at their defaults."""


def input_facts(request: RetrievalRequest) -> tuple[tuple[str, str], ...]:
    """(name, value) of the inputs in the order of the page; the rarer ones only where they were changed."""
    documents = request.max_documents or default_documents(request.mode)
    seeds = "auto" if request.max_seeds is None else str(request.max_seeds)
    facts = [
        ("Relationships", "with" if request.use_relationships else "without"),
        ("Mode", request.mode),
        ("Matches", seeds),
        ("Documents in total", str(documents)),
        ("Tokens", f"{request.token_budget:,}"),
        ("Passages", "auto" if request.max_chunks is None else str(request.max_chunks)),
    ]
    for field, name in _MORE:
        value = getattr(request, field)
        if value != getattr(_DEFAULTS, field):
            facts.append((name, _value(value)))
    overrides = request.overrides
    what_ifs = (
        (overrides.without_types, "type off", "types off"),
        (overrides.without_edges, "relationship off", "relationships off"),
        (overrides.added_seed_ids, "match added", "matches added"),
        (overrides.dropped_seed_ids, "match removed", "matches removed"),
    )
    facts += [("Draft", counts.plural(len(ids), one, many)) for ids, one, many in what_ifs if ids]
    if request.where is not None:
        facts.append(("Filter", request.where.words))
    if request.seed_document_ids:
        facts.append(("Named matches", str(len(request.seed_document_ids))))
    return tuple(facts)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,}" if isinstance(value, int) else str(value)


def type_facts(run: Run) -> tuple[TypeEntry, ...]:
    """The relation types that the run followed with their edges in the plan; of those allowed but unused only names
    that the request gives."""
    used = {via for _, via, _ in run.plan.edges} | {r.via for cut in run.plan.cut for r in cut.reasons}
    names = tuple(sorted(used | set(run.request.relation_types or ())))
    return legend({}, names, allowed=frozenset(names), plan=run.plan)
