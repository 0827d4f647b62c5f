"""Impact of edits: the saved questions, and what edits would change in their answers; nothing is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docgraph.assembly.context import assemble
from docgraph.boundary.records import as_records, as_request
from docgraph.comparison.compare import compare
from docgraph.curation.edit_words import edits_label, edits_note, edits_untouched
from docgraph.curation.impact import decides_the_same, find_effects
from docgraph.curation.overlay import EditedSnapshot
from docgraph.domain.baselines import BASELINES, EDITED, TODAY
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.context import RetrievedContext
from docgraph.domain.edit import Edit
from docgraph.domain.impact import ImpactReport
from docgraph.domain.judgment import of_documents
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.query_set import QuerySetSummary
from docgraph.domain.request import RetrievalRequest, parse_request
from docgraph.domain.run import Run
from docgraph.domain.saved_run import KnownPlan, RunSummary, SavedQuestion
from docgraph.errors import NotFoundError, RequestError
from docgraph.execution.executor import execute_plan
from docgraph.orchestration.caches import Known, ranked, recorded
from docgraph.orchestration.comparisons import Question
from docgraph.orchestration.document_ids import with_stored_ends
from docgraph.orchestration.judgments import counting, relevant_documents
from docgraph.orchestration.pipeline import Tracer, run_on
from docgraph.orchestration.plans import asked_on, with_reranker
from docgraph.orchestration.saved_runs import loaded, summaries
from docgraph.orchestration.session import HasSession, Session
from docgraph.planning.planner import make_plan
from docgraph.planning.seeds import NOTHING, ranking_of
from docgraph.ports import Probe, Progress, Snapshot

MAX_MEMBERS = 500
"""Members of query sets that are asked beside the saved runs: by the sets' names, in the order of each set."""


@dataclass(frozen=True)
class SavedQuestions:
    """What there is to ask: ``rows`` = saved runs, ``members`` = requests of sets whose text no saved run holds."""

    session: Session
    rows: Sequence[RunSummary]
    members: Sequence[RetrievalRequest]

    @property
    def counts(self) -> Mapping[str, int]:
        """How many there are, as ``ImpactReport`` counts them."""
        return {"n_saved_runs": len(self.rows), "n_in_sets": len(self.members)}

    def __len__(self) -> int:
        return len(self.rows) + len(self.members)

    def __iter__(self) -> Iterator[SavedQuestion]:
        """One at a time: saved runs in the order of ``rows``, then the members."""
        yield from map(SavedQuestion.of, loaded(self.session, self.rows))
        yield from self.of_sets()

    def of_sets(self) -> Iterator[SavedQuestion]:
        """The members, with the plan that is known of each."""
        known, embedder_id = self.session.adapters.known_plans, self.session.embedder.embedder_id
        for request in self.members:
            plan = known.plan_of(self.session.workspace, embedder_id, request)
            yield SavedQuestion(request, request.query, known=plan)

    def once(self) -> Iterator[SavedQuestion]:
        """The first of each different request."""
        seen: set[str] = set()
        for question in self:
            request = question.request.model_dump_json()
            if request not in seen:
                seen.add(request)
                yield question


def saved_questions(session: Session, *, runs: int, newest: bool = False) -> SavedQuestions:
    """Those of at most ``runs`` saved runs, and of the sets; pinned runs first, or the ``newest``."""
    rows = summaries(session, limit=runs)
    if newest:
        rows = tuple(sorted(sorted(rows, key=lambda row: row.run_id), key=lambda row: row.saved_at, reverse=True))
    return SavedQuestions(session, rows, _members(session, {row.query for row in rows}))


def _members(session: Session, saved: set[str]) -> tuple[RetrievalRequest, ...]:
    """The first ``MAX_MEMBERS`` different questions of the sets beside ``saved``, asked by default limits."""
    found: dict[str, RetrievalRequest] = {}
    for summary in session.query_sets.query_sets(session.workspace):
        for text in _texts(session, summary):
            if len(found) == MAX_MEMBERS:
                return tuple(found.values())
            try:
                request = parse_request({"query": text})
            except RequestError:
                continue  # a set may hold what no request can ask
            if request.query not in saved:
                found.setdefault(request.query, with_reranker(request, session.adapters))
    return tuple(found.values())


def _texts(session: Session, summary: QuerySetSummary) -> tuple[str, ...]:
    """The questions of a set, as many as can be asked; none of one that somebody removes meanwhile."""

    def read() -> tuple[str, ...]:
        stored = session.query_sets.query_set(session.workspace, summary.name)
        return tuple(each.query for each in stored.query_set.queries[: 2 * MAX_MEMBERS])

    try:
        return session.adapters.known_plans.texts_of(summary.fingerprint, read)
    except NotFoundError:
        return ()


GivenEdit = Edit | Mapping[str, Any]
MAX_RUNS = 20_000
"""Saved runs that are looked through for different questions, pinned ones first."""


def impact(
    self: HasSession, edits: Sequence[GivenEdit], *, limit: int = 1_000, progress: Progress | None = None
) -> ImpactReport:
    """What ``edits``, applied in order, would change in the answers to the saved questions; read-only.

    The first ``limit`` distinct questions are planned on one snapshot, without and with the edits, and executed where
    the plans differ: saved runs, newest first, then members of query sets that no run has, by default limits. Added and
    removed documents are counted by relevance. ``progress`` receives the number of questions and may stop the work,
    which the report then says. Raises NotFoundError for an edit of a missing relationship, ConflictError for one whose
    result exists, and UserError for one that changes nothing.
    """
    return effects(self, [edits], limit=limit, progress=progress)[0]


def effects(
    self: HasSession, alternatives: Sequence[Sequence[GivenEdit]], *, limit: int = 200, progress: Progress | None = None
) -> tuple[ImpactReport, ...]:
    """The impact of each of several sets of edits, all on one snapshot; see ``impact``.

    Work that does not depend on the edits is done once; every report has the same questions in ``asked``, in the same
    order. Raises what ``impact`` raises, for the first set that cannot be applied.
    """
    asked = [as_records(edits, Edit) for edits in alternatives]
    questions = saved_questions(self.session, runs=MAX_RUNS, newest=True)
    judgments = of_documents(*self.session.store().said())
    with self.session.reading() as snapshot:
        return find_effects(
            [with_stored_ends(snapshot, edits) for edits in asked],
            questions,
            Stages(self.session, snapshot),
            snapshot=snapshot,
            counts=questions.counts,
            limit=limit,
            relevant=relevant_documents(judgments, snapshot),
            progress=progress,
        )


def compare_edits(self: HasSession, request: Question, edits: Sequence[GivenEdit]) -> Comparison:
    """Today's run (A) compared with the run if ``edits`` were saved (B), on one snapshot; read-only.

    ``labels`` end with the edits written out. Raises what ``impact`` raises, and NotFoundError for a seed that the
    request names and that is not stored.
    """
    adapters, asked, wanted = self.session.adapters, as_request(request), as_records(edits, Edit)
    probe = Probe(self.session.vector(asked.query), asked.query)
    given = of_documents(*self.session.store().said(asked.query))
    with self.session.reading() as snapshot:
        asked, wanted = asked_on(snapshot, asked, adapters), with_stored_ends(snapshot, wanted)
        seen = recorded(snapshot)
        views = (seen, EditedSnapshot(seen, wanted))
        a, b = (run_on(view, asked, probe=probe, trace=Tracer(adapters.clock), adapters=adapters) for view in views)
        ends = sorted({end for e in wanted for key in (e.key, e.result or e.key) for end in (key[0], key[2])})
        titles = {i: document.title for i, document in snapshot.documents_by_id(ends).items()}
        judgments = counting(given, snapshot)
    today = Side(name=TODAY, label=BASELINES[TODAY][0], run=a)
    edited = Side(name=EDITED, label=edits_label(wanted), run=b)
    made = compare(today, edited, adapters.measures, judgments=judgments)
    said: dict[str, Any] = {"labels": (*made.labels, edits_note(wanted, titles))}
    if made.identical and decides_the_same(a.plan, b.plan):
        said["why_identical"] = edits_untouched(wanted)
    return made.model_copy(update=said)


@dataclass
class Stages:
    """The stages that a question goes through (``curation.impact.Asking``).

    Remembers of one question its vector, its ranking and what its plans read: alternatives share the side without them.
    """

    session: Session
    snapshot: Snapshot
    probe: Probe | None = None
    asked: RetrievalRequest | None = None
    runs: dict[str, Run] = field(default_factory=dict)
    known: Known = field(default_factory=Known)

    def plan(
        self, request: RetrievalRequest, snapshot: Snapshot, *, like: RetrievalPlan | None = None
    ) -> RetrievalPlan:
        """The plan on a snapshot, ranked as ``like`` was, else once; one of today's data is remembered."""
        self._begin(request)
        if like is not None and self.known.ranking == NOTHING:
            self.known.ranking = ranking_of(like, request, self.snapshot)
        made = make_plan(request, self._probe(request.query), ranked(snapshot, self.known))
        if snapshot is self.snapshot:
            content = snapshot.workspace.content_revision
            self.session.adapters.known_plans.remember(request, KnownPlan(made, content))
        return made

    def compare(
        self, request: RetrievalRequest, before: RetrievalPlan, after: RetrievalPlan, *, label: str
    ) -> Comparison:
        """What two plans of one question read; edits change no chunk, so both are executed on the snapshot."""
        a, b = (self._run(request, plan) for plan in (before, after))
        today = Side(name=TODAY, label=BASELINES[TODAY][0], run=a)
        return compare(today, Side(name=EDITED, label=label, run=b), measures=())

    def evidence(self, request: RetrievalRequest, plan: RetrievalPlan) -> RetrievedContext:
        """What a plan of the question reads on the snapshot."""
        vector, reranker = self._probe(request.query).vector, self.session.adapters.passage_reranker
        return execute_plan(plan, vector, self.snapshot, reranker=reranker)

    def _run(self, request: RetrievalRequest, plan: RetrievalPlan) -> Run:
        self._begin(request)
        if plan.plan_id not in self.runs:
            context = self.evidence(request, plan)
            text = assemble(context, self.session.adapters.counting, token_budget=request.token_budget)
            self.runs[plan.plan_id] = Run(request=request, plan=plan, context=context, assembled=text)
        return self.runs[plan.plan_id]

    def _begin(self, request: RetrievalRequest) -> None:
        if self.asked != request:
            self.asked, self.runs, self.known = request, {}, Known()

    def _probe(self, query: str) -> Probe:
        if self.probe is None or self.probe.text != query:
            self.probe = Probe(self.session.vector(query), query)
        return self.probe
