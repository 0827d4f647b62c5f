"""The plan of a question and what keeps its documents from holding, and nothing of what comes after it."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.standing import Standing
from docgraph.orchestration.readings.asked import asked_on
from docgraph.orchestration.readings.standings import standings_of
from docgraph.orchestration.session import Session, with_new_vectors
from docgraph.planning.planner import make_plan
from docgraph.ports import Probe


@with_new_vectors
def plan_on(
    session: Session, request: RetrievalRequest, query_vector: Sequence[float] | None = None, *, plainly: bool = False
) -> RetrievalPlan:
    """Which documents may take part, on one snapshot of the workspace. Raises EmbeddingMismatchError.

    ``plainly`` = without numpy, where that is possible.
    """
    vector = session.plain_vector(request.query) if plainly else None
    if vector is None:
        vector = session.vector(request.query, query_vector)
    with session.reading() as snapshot:
        return make_plan(asked_on(snapshot, request, session.adapters), Probe(vector, request.query), snapshot)


def standings_on(session: Session, plan: RetrievalPlan) -> dict[str, Standing]:
    """document_id → what keeps a planned document from holding; a fact beside the plan, which it does not change."""
    if not plan.document_ids:
        return {}
    with session.reading() as snapshot:
        return standings_of(plan.document_ids, snapshot)
