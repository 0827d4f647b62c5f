"""Two runs side by side: a question with one of its baselines, or any two sides that are there already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from docgraph.boundary.records import as_record, as_request
from docgraph.comparison.compare import compare as compared
from docgraph.domain.baselines import BASELINES, MS3, baseline_request
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.judgment import Judgment, PassageJudgment, marked_passages, of_documents
from docgraph.domain.passages.evidence import Evidence, with_marked
from docgraph.domain.query_set import JudgedQuery
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.saved_run import SavedRun
from docgraph.errors import NotFoundError
from docgraph.orchestration.caches import Newest, recorded
from docgraph.orchestration.judgments import counting, judgments_that_count, question_as_kept
from docgraph.orchestration.pipeline import embedded, run, run_on
from docgraph.orchestration.plans import asked_on
from docgraph.orchestration.session import HasSession, Session

MAX_KNOWN = 32
_KNOWN = Newest[str, Mapping[str, tuple[Evidence, ...]]](MAX_KNOWN)
"""Fingerprint of a set → question → its evidence: a set is read once, however many comparisons ask."""

Question = RetrievalRequest | Mapping[str, Any] | str
"""A retrieval request, its fields, or the text of its question."""


def compare(
    self: HasSession, question: Question | Run | SavedRun, baseline: str | Run | SavedRun = MS3, *, anyway: bool = False
) -> Comparison:
    """What changes from the baseline (A) to the run of ``question`` (B).

    ``baseline`` = ``ms3`` (the same request without relationships), ``plain`` (plain vector search), ``literal``,
    ``today``, the id of a saved run, or a run. A question and its named baseline read one snapshot; a saved run is
    compared with the baselines saved with it. Raises ComparisonError for another corpus or embedder unless ``anyway``,
    and NotFoundError.
    """
    if isinstance(baseline, Run | SavedRun):
        b = question if isinstance(question, Run | SavedRun) else run(self.session, as_request(question))
        return compare_sides(self, Side.of(baseline), Side.of(b), anyway=anyway)
    if isinstance(question, Run | SavedRun):
        return compare_sides(self, baseline_of(self, question, baseline), Side.of(question), anyway=anyway)
    asked = as_request(question)
    if baseline in BASELINES:
        return self.session.with_new_vectors(lambda: _on_one_snapshot(self, asked, baseline, anyway=anyway))
    saved = Side.of(self.session.archive.load(baseline))
    return compare_sides(self, saved, Side.of(run(self.session, asked)), anyway=anyway)


def _on_one_snapshot(self: HasSession, request: RetrievalRequest, baseline: str, *, anyway: bool) -> Comparison:
    """A question beside one of its baselines, both on the same data; what one side read the other does not ask for."""
    session = self.session
    trace, probe = embedded(session, request)
    said = session.store().said(request.query)
    given, evidence = of_documents(*said), known_evidence(session, request.query, said[1])
    with session.reading() as snapshot:
        seen = recorded(snapshot)
        asked = asked_on(seen, request, session.adapters)
        b = run_on(seen, asked, probe=probe, trace=trace.copy(), adapters=session.adapters)
        of_a = baseline_request(b.request, baseline)
        a = run_on(seen, of_a, probe=probe, trace=trace.copy(), adapters=session.adapters)
        judgments = counting(given, seen)
    side = Side(name=baseline, label=BASELINES[baseline][0], run=a)
    return compare_sides(self, side, Side.of(b), anyway=anyway, judgments=judgments, evidence=evidence)


def baseline_of(self: HasSession, question: Run | SavedRun, name: str) -> Side:
    """A baseline of a run by name, as one side of a comparison. Raises NotFoundError."""
    if name not in BASELINES:
        return Side.of(self.session.archive.load(name))
    if isinstance(question, SavedRun) and name in question.baselines:
        return Side(name=name, label=BASELINES[name][0], run=question.baselines[name])
    there = self.session.at(question.workspace) if isinstance(question, SavedRun) else self.session
    made = question.run if isinstance(question, SavedRun) else as_record(question, Run)
    return Side(name=name, label=BASELINES[name][0], run=run(there, baseline_request(made.request, name)))


def compare_sides(
    self: HasSession,
    a: Side,
    b: Side,
    *,
    anyway: bool = False,
    gone: Iterable[str] = (),
    judgments: Sequence[Judgment] | None = None,
    evidence: Sequence[Evidence] | None = None,
) -> Comparison:
    """What changes between two existing runs. Raises ComparisonError.

    ``judgments`` = those to measure by, of stored documents, ``evidence`` = the passages that answer; None = those of
    the runs' workspace now, which is the only read of the database.
    """
    if judgments is None:
        judgments = judgments_that_count(self.session, b.run.plan.workspace, b.run.plan.query)
    if evidence is None:
        evidence = evidence_that_counts(self.session, b.run.plan.workspace, b.run.plan.query)
    measures = self.session.adapters.measures
    return compared(a, b, measures, anyway=anyway, gone=frozenset(gone), judgments=judgments, evidence=evidence)


def evidence_that_counts(session: Session, workspace: str, query: str) -> tuple[Evidence, ...]:
    """The evidence of a question in a workspace of the database; none where the workspace is not there."""
    if not query:
        return ()
    try:
        passages = session.store_of(workspace).said(query)[1]
    except NotFoundError:
        return ()
    return known_evidence(session, query, passages, workspace=workspace)


def known_evidence(
    session: Session, query: str, passages: Iterable[PassageJudgment], *, workspace: str = ""
) -> tuple[Evidence, ...]:
    """Evidence of the first query set (by name) that has any, and marked passages; ``passages`` = their judgments."""
    asked, found = question_as_kept(query), tuple[Evidence, ...]()
    there = workspace or session.workspace
    for summary in session.query_sets.query_sets(there):
        found = found or _of_set(session, there, summary.name, fingerprint=summary.fingerprint).get(asked, ())
    marked = marked_passages(passages).get(asked, {})
    return with_marked(found, marked, marked)


def _placed(query: JudgedQuery) -> tuple[Evidence, ...]:
    """The evidence, in the only relevant document where there is one and nothing else is said."""
    if len(query.relevant) != 1:
        return query.evidence
    (only,) = query.relevant
    return tuple(each if each.document_id else each.model_copy(update={"document_id": only}) for each in query.evidence)


def _of_set(session: Session, workspace: str, name: str, *, fingerprint: str) -> Mapping[str, tuple[Evidence, ...]]:
    known = _KNOWN.get(fingerprint)
    if known is None:
        try:
            stored = session.query_sets.query_set(workspace, name)
        except NotFoundError:  # removed meanwhile
            return {}
        known = {question_as_kept(each.query): _placed(each) for each in stored.query_set.queries if each.evidence}
        _KNOWN.put({fingerprint: known})
    return known
