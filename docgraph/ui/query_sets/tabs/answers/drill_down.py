"""From a question of an evaluation to its two plans: compared here, and opened on the Compare page."""

from __future__ import annotations

from collections.abc import Mapping

from docgraph.boundary.records import as_request
from docgraph.domain.baselines import BASELINES, TODAY, baseline_request
from docgraph.domain.comparison import Comparison
from docgraph.domain.evaluation import Configuration, Outcome
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import DocgraphError
from docgraph.ui.frame import resources
from docgraph.ui.parts.comparison import beside, with_edits
from docgraph.views.query_sets.part import Part
from docgraph.views.relationships.edges.edit_link import EDITS, packed_edits
from docgraph.views.words.address import BASELINE, inputs_of, text_of


def request_of(configuration: Configuration, query: str) -> RetrievalRequest:
    """The request of a configuration for one question. Raises RequestError."""
    return baseline_request(as_request({**configuration.fields, "query": query}), configuration.baseline or TODAY)


def requests(part: Part, query: str) -> tuple[RetrievalRequest, RetrievalRequest] | None:
    """Those of A and B; ``None`` where one of them is no request, or edits are on the wrong side to compare."""
    if part.a.source != "request" or part.b.source != "request" or part.a.edits:
        return None
    try:
        a, b = request_of(part.a, query), request_of(part.b, query)
    except DocgraphError:
        return None
    return None if part.b.edits and a != b else (a, b)


def compare_query(part: Part, query: str) -> Mapping[str, list[str]] | None:
    """What the address of the Compare page says for these two sides, in the workspace that is open.

    ``None`` where it cannot show them.
    """
    both = requests(part, query)
    if both is None:
        return None
    a, b = both
    found = inputs_of(b)
    if part.b.edits:
        try:
            return {**found, EDITS: [packed_edits(part.b.edits)]}
        except DocgraphError:
            return None
    named = next((name for name in BASELINES if name != TODAY and baseline_request(b, name) == a), None)
    return {**found, BASELINE: [named or text_of(a)]}


def compared(part: Part, outcome: Outcome, workspace: str) -> Comparison | None:
    """The comparison of the two plans that the evaluation made; ``None`` when today's are others."""
    both = requests(part, outcome.query)
    if both is None:
        return None
    try:
        if part.b.edits:
            made = with_edits(both[1], packed_edits(part.b.edits), workspace)
        else:
            made = beside(*(resources.run(each, workspace) for each in both))
    except DocgraphError:
        return None
    then = tuple(outcome.answers[each.name].plan_id for each in (part.a, part.b))
    return made if then == (made.a.run.plan.plan_id, made.b.run.plan.plan_id) else None
