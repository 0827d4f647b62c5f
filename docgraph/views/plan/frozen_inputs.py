"""The inputs of a saved run as facts: what was asked for, and what differs from the defaults."""

from __future__ import annotations

from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.views.plan.legend import TypeEntry, legend
from docgraph.views.words import counts
from docgraph.views.words.address import default_documents

_DEFAULTS = RetrievalRequest(query="-")
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
