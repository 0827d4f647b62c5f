"""The edge scoreboard: every question planned with its relationships, and again without each that can matter."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docgraph.boundary.records import as_request
from docgraph.domain.context import RetrievedContext
from docgraph.domain.evaluation import Answer
from docgraph.domain.overrides import MAX_OVERRIDES, EdgeKey, Overrides
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.query_set import JudgedQuery, QuerySet
from docgraph.domain.request import MAX_LINKED_PERCENT, RetrievalRequest
from docgraph.domain.scoreboard import BoilerplateTarget, EdgeScore, Scoreboard
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError, RequestError
from docgraph.evaluation.measuring import NamedMeasure, named_measures
from docgraph.evaluation.scoring import (
    Scored,
    Without,
    boilerplate_targets,
    brought,
    can_matter,
    edge_scores,
    group_scores,
    in_order,
)
from docgraph.execution.executor import execute_plan
from docgraph.orchestration.caches import recorded
from docgraph.orchestration.evaluating.evaluate import GivenQuery, documents_of, matched_set, set_of
from docgraph.orchestration.plans import asked_on
from docgraph.orchestration.session import HasSession, Session
from docgraph.planning.limits import decide_limits
from docgraph.planning.planner import make_plan
from docgraph.ports import Probe, Progress, Snapshot


def scoreboard(
    self: HasSession,
    queries: QuerySet | Iterable[GivenQuery],
    *,
    measure: str = "",
    request: Mapping[str, Any] | None = None,
    leave_out: bool = True,
    max_dead: int = 1_000,
    progress: Progress | None = None,
) -> Scoreboard:
    """Scores of every relationship over a query set: questions that use it, passages added, documents displaced.

    ``request`` = fields of every request, ``measure`` as ``NAME@K`` (recall of as many documents as the request reads).
    With ``leave_out`` every question is planned and executed again without each relationship that its answer can depend
    on, and nothing else changed: what gets worse and better is exact. A relationship that many questions depend on is
    still one row. ``progress`` is told n of N questions and may stop the work. Raises UserError as ``evaluate`` does.
    """
    session, fields = self.session, dict(request or {})
    asked, _, _ = matched_set(session, set_of(queries))
    (wanted,) = named_measures([measure or f"recall@{documents_of(fields)}"], session.adapters.measures)
    if wanted.is_cost:
        raise RequestError(f"{wanted.name} is a cost: no relationship is good or bad by it", hint="name recall@6")
    base = as_request({**fields, "query": "?"})
    if not base.use_relationships:
        raise RequestError("without relationships there is nothing to score", hint="leave use_relationships on")
    started = time.monotonic()
    with session.reading() as snapshot:
        workspace = snapshot.workspace
        known = {edge.key for edge in snapshot.relationships()}
        leading = {edge.key for edge in snapshot.relationships(dangling=False)}
    scoring = _Scoring(session, base, wanted, leave_out=leave_out)
    scoring.all_of(asked.queries, progress)
    scored = scoring.scored
    rows = edge_scores(scored, tested=leave_out)
    dead = sorted(known - rows.keys())
    return Scoreboard(
        name=asked.name,
        workspace=workspace.name,
        revision=workspace.revision,
        measure=wanted.name,
        n=len(scored),
        n_judged=scoring.n_judged,
        n_relationships=len(known),
        n_dead=len(dead),
        edges=(*in_order(rows), *(_dead(key) for key in dead[:max_dead])),
        types=group_scores(scored, lambda each: each.key[1]),
        extractors=group_scores(scored, lambda each: each.extractor),
        boilerplate=_targets(leading, base, scored=scored, workspace=workspace),
        failures=tuple(scoring.failures),
        stopped=scoring.stopped,
        seconds=time.monotonic() - started,
    )


def _targets(
    keys: Iterable[EdgeKey], request: RetrievalRequest, *, scored: Sequence[Scored], workspace: Workspace
) -> tuple[BoilerplateTarget, ...]:
    """Over the types that the request follows; one that names none follows those that nobody switched off."""
    allowed, off, limits = request.relation_types, workspace.off_relation_types, decide_limits(request)
    followed = [key for key in keys if (key[1] not in off if allowed is None else key[1] in allowed)]
    return boilerplate_targets(
        followed,
        scored,
        is_boilerplate=lambda linked_by: limits.is_boilerplate(linked_by, workspace.n_documents),
        percent=MAX_LINKED_PERCENT,
    )


def _dead(key: EdgeKey) -> EdgeScore:
    return EdgeScore(key=key, relation_type=key[1], edge_class="dead")


@dataclass
class _Scoring:
    """Scores one question after the other, and keeps what came of them."""

    session: Session
    base: RetrievalRequest
    measure: NamedMeasure
    leave_out: bool
    scored: list[Scored] = field(default_factory=list)
    failures: list[tuple[str, str]] = field(default_factory=list)
    n_judged: int = 0
    stopped: bool = False

    def all_of(self, queries: Sequence[JudgedQuery], progress: Progress | None) -> None:
        """Every question, until it is stopped; one that fails is no other's loss."""
        for number, query in enumerate(queries):
            if progress is not None:
                progress.update(number, len(queries), query.query)
                self.stopped = progress.cancelled()
                if self.stopped:
                    return
            try:
                made, value = self.question(query)
            except DocgraphError as error:
                self.failures.append((query.query_id, str(error)))
                continue
            self.scored.append(made)
            self.n_judged += value is not None
        if progress is not None:
            progress.update(len(queries), len(queries), "")

    def question(self, query: JudgedQuery) -> tuple[Scored, float | None]:
        """What the relationships do in one question, and its value; all of it on one snapshot."""
        probe = self.session.probe(query.query)
        with self.session.reading() as snapshot:
            seen = recorded(snapshot)  # what a plan without one relationship reads is mostly what the plan read
            request = asked_on(seen, self.base.model_copy(update={"query": query.query}), self.session.adapters)
            plan, context = self._asked(request, probe, seen)
            value = self._value(context, query)
            here = {chunk.chunk_id for each in context.documents for chunk in each.chunks}
            without = []
            for key in can_matter(plan) if self.leave_out else ():
                _, other = self._asked(_without(request, key), probe, seen)
                there = {chunk.chunk_id for each in other.documents for chunk in each.chunks}
                without.append(
                    Without(key=key, value=value, value_without=self._value(other, query), came_back=len(there - here))
                )
        return Scored(query.query_id, brought(plan, context, query), tuple(without)), value

    def _asked(
        self, request: RetrievalRequest, probe: Probe, snapshot: Snapshot
    ) -> tuple[RetrievalPlan, RetrievedContext]:
        plan = make_plan(request, probe, snapshot)
        return plan, execute_plan(plan, probe.vector, snapshot, reranker=self.session.adapters.passage_reranker)

    def _value(self, context: RetrievedContext, query: JudgedQuery) -> float | None:
        read = tuple(each.document.document_id for each in context.documents if each.chunks)
        return self.measure.value(Answer(documents=read), query)


def _without(request: RetrievalRequest, key: EdgeKey) -> RetrievalRequest:
    """The request as if one relationship more were not stored. Raises RequestError where no more can be left out."""
    given = request.overrides
    if len(given.without_edges) >= MAX_OVERRIDES:
        raise RequestError(f"the request leaves out {MAX_OVERRIDES} relationships already", hint="leave out fewer")
    overrides = Overrides.model_validate(given.model_dump() | {"without_edges": (*given.without_edges, key)})
    return request.model_copy(update={"overrides": overrides})
