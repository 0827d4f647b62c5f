"""Impact before saving equals the truth: make the edits on a copy, run everything, and see the same differences."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.domain import impact as limits
from docgraph.domain.comparison import Side
from docgraph.domain.edit import Edit
from docgraph.domain.impact import Gains, ImpactReport, QuestionImpact
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.errors import NotFoundError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.measures import recall
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, WordTokenizer
from tests.builders import RecordingProgress
from tests.corpora import EMBEDDER, Corpus, corpus, requests
from tests.unit.curation.edited_worlds import World, edited_corpora

ADD = Edit(action="add", key=("queue", "explains", "alarm"))
REMOVE = Edit(action="remove", key=("queue", "explains", "slot"))
WORLD = corpus(
    ("queue", ["queue hold", "queue retry"], [("explains", "slot")]),
    ("slot", ["slot payment"], []),
    ("alarm", ["alarm gateway"], [("implements", "route")]),
    ("route", ["route sailing"], []),
)
verdicts = st.dictionaries(st.sampled_from([f"d{i}" for i in range(10)]), st.booleans(), max_size=8)
LIMITS = {"max_documents": 2, "max_expanding_seeds": 1, "seed_signal": "mean"}
QUEUE = RetrievalRequest(query="queue", **LIMITS)
ALARM = RetrievalRequest(query="alarm", **LIMITS)


@contextmanager
def workspace(*given: Corpus) -> Iterator[Docgraph]:
    ticks, moments = itertools.count(), itertools.count()
    database = memory.build()
    store = database.create_workspace("test", EMBEDDER.info)
    for each in given:
        store.write(each.documents)
    adapters = Adapters(
        database=database,
        embedder=EMBEDDER,
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        measures=(recall.build(),),
        clock=lambda: float(next(ticks)),
        now=lambda: f"2026-01-01T00:00:{next(moments):06}Z",
    )
    with Docgraph(adapters, "test") as dg:
        yield dg


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    with workspace(WORLD) as docgraph:
        docgraph.runs.save(QUEUE, name="Queue")
        docgraph.runs.save(ALARM, name="Alarm")
        yield docgraph


def difference(before: Run, after: Run) -> tuple[set[Any], ...]:
    """Documents and chunks gained and lost, straight from the two runs."""
    sides = [(set(r.plan.document_ids), {(i, c.chunk_id) for i, c in r.context.ranked_chunks}) for r in (before, after)]
    (documents_a, chunks_a), (documents_b, chunks_b) = sides
    return documents_b - documents_a, documents_a - documents_b, chunks_b - chunks_a, chunks_a - chunks_b


def judge(dg: Docgraph, query: str, said: Mapping[str, bool]) -> set[str]:
    """Judge those that are stored; the ids of the relevant ones."""
    stored = dg.documents.by_id(list(said))
    for document_id in stored:
        dg.judgments.judge(query, document_id, said[document_id], by="Ann")
    return {i for i in stored if said[i]}


def relevant_told(question: QuestionImpact) -> tuple[set[str] | None, ...]:
    """The judged-relevant documents gained and lost; None where it is not known."""
    for gains in (question.gained, question.lost):
        assert gains.n_relevant in (None, len(gains.relevant))
    sides = (question.gained, question.lost)
    return tuple(None if g.n_relevant is None else {d.document_id for d in g.relevant} for g in sides)


def told(question: QuestionImpact) -> tuple[object, ...]:
    def ids(gains: Gains) -> tuple[set[str], set[tuple[str, str]]]:
        assert (gains.n_documents, gains.n_chunks) == (len(gains.documents), len(gains.chunks))
        return {d.document_id for d in gains.documents}, {(c.document_id, c.chunk_id) for c in gains.chunks}

    (documents_in, chunks_in), (documents_out, chunks_out) = ids(question.gained), ids(question.lost)
    return documents_in, documents_out, chunks_in, chunks_out


def reading(run: Run) -> object:
    return [(e.document.document_id, [c.chunk_id for c in e.chunks]) for e in run.context.documents]


def without_reasons(run: Run) -> str:
    """The assembled text without what it says in brackets of each document: one reason more changes nothing else."""
    return re.sub(r" \([^()\n]*\)", "", run.assembled.text)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(edited_corpora(), st.lists(requests(), min_size=1, max_size=4), st.booleans(), verdicts)
def test_impact_equals_the_truth(
    world: World, asked: Sequence[RetrievalRequest], stale: bool, said: dict[str, bool]
) -> None:
    """Of documents, of chunks, and of what is judged relevant to the question."""
    before, edits, after = world
    with workspace(before) as dg, workspace(after) as really:
        saved = {dg.runs.save(request).run_id: request for request in asked}
        relevant = {query: judge(dg, query, said) for query in {request.query for request in asked[:2]}}
        if stale:  # then no saved plan is today's, and every question is planned anew
            dg.relationships.set_off_types(["never-there"])
        report = dg.relationships.impact(edits)
        found = {q.run_id: told(q) for q in report.questions}
        helpful = {q.run_id: relevant_told(q) for q in report.questions}
        assert (report.n_questions, report.n_left_out, report.complete) == (len(set(asked)), 0, True)
        assert len(found) == report.n_changed <= report.n_changed_plans
        for run_id, request in saved.items():
            a, b = dg.run(request), really.run(request)
            assert found.get(run_id, (set(), set(), set(), set())) == difference(a, b)
            changes = (reading(a), without_reasons(a)) != (reading(b), without_reasons(b))
            assert not changes or run_id in found
            if run_id in found:
                gained, lost, *_ = difference(a, b)
                known = relevant.get(request.query) or None
                assert helpful[run_id] == ((gained & known, lost & known) if known else (None, None))


@settings(max_examples=25, deadline=None)
@given(edited_corpora(), st.lists(requests(), min_size=1, max_size=4, unique=True), st.booleans())
def test_effects_are_the_impact_of_each_alternative_over_the_same_questions(
    world: World, asked: Sequence[RetrievalRequest], stale: bool
) -> None:
    before, edits, _ = world
    with workspace(before) as dg:
        saved = [dg.runs.save(request).run_id for request in asked]
        if stale:
            dg.relationships.set_off_types(["never-there"])
        alternatives = [edits[:n] for n in range(len(edits) + 1)]
        reports = dg.relationships.effects(alternatives)
        assert reports == tuple(dg.relationships.impact(each) for each in alternatives)
        assert {tuple(q.run_id for q in report.asked) for report in reports} == {tuple(reversed(saved))}
        for report in reports:
            assert {q.run_id for q in report.asked if q.changed} == {q.run_id for q in report.questions}


@settings(max_examples=40, deadline=None)
@given(edited_corpora(), requests(), verdicts)
def test_comparing_with_edits_equals_the_truth(world: World, request: RetrievalRequest, said: dict[str, bool]) -> None:
    before, edits, after = world
    with workspace(before) as dg, workspace(after) as really:
        judge(dg, request.query, said)
        made = dg.relationships.compare_edits(request, edits)
        a, b = dg.run(request), really.run(request)
        assert (reading(made.a.run), reading(made.b.run)) == (reading(a), reading(b))
        assert (made.a.run.assembled.text, made.b.run.assembled.text) == (a.assembled.text, b.assembled.text)
        assert all(check.passed for side in (made.a, made.b) for check in side.run.contract)
        assert [(c.name, c.passed) for c in made.b.run.contract] == [(c.name, c.passed) for c in b.contract]
        assert made.labels[-1].startswith("B = the data with this ")
        assert made.identical or not made.why_identical
        sides = (Side(name=name, label=name, run=run) for name, run in (("a", a), ("b", b)))
        assert made.judged == dg.runs.compare(*sides).judged


def test_no_alternatives_have_no_reports_and_one_that_cannot_be_applied_is_refused(dg: Docgraph) -> None:
    assert dg.relationships.effects([]) == ()
    with pytest.raises(NotFoundError, match="there is no relationship"):
        dg.relationships.effects([[ADD], [Edit(action="remove", key=("queue", "explains", "nowhere"))]])


def test_a_question_is_embedded_once_for_all_alternatives(dg: Docgraph) -> None:
    n = EMBEDDER.n_texts
    dg.relationships.effects([[ADD], [REMOVE], [ADD, REMOVE]])
    assert EMBEDDER.n_texts - n == 1


def test_effects_can_be_stopped_after_a_question_and_all_reports_say_so(dg: Docgraph) -> None:
    stopped = dg.relationships.effects([[ADD], [REMOVE]], progress=RecordingProgress(cancel_after=1))
    assert [(r.complete, r.n_questions, len(r.asked), r.n_not_asked) for r in stopped] == [(False, 1, 1, 1)] * 2


def test_a_comparison_with_edits_names_them_with_titles_and_writes_nothing(dg: Docgraph) -> None:
    before = (dg.workspace, list(dg.relationships.list()))
    made = dg.relationships.compare_edits(QUEUE, [ADD, REMOVE])
    named = "add Queue —explains→ Alarm; remove Queue —explains→ Slot"
    assert made.labels == (f"B = the data with this set of 2 edits (not saved): {named}",)
    assert (made.a.label, made.b.label, made.identical) == ("Today", "this set of 2 edits", False)
    untouched = dg.relationships.compare_edits(ALARM, [ADD])
    assert untouched.why_identical == "This edit changes no relationship that this plan follows."
    assert (dg.workspace, list(dg.relationships.list())) == before


def test_only_questions_that_change_are_listed_with_what_they_gain_and_lose(dg: Docgraph) -> None:
    report = dg.relationships.impact([ADD, REMOVE])
    assert report.sentence == "1 of 2 saved questions changes"
    [question] = report.questions
    assert (question.name, question.query) == ("Queue", "queue")
    assert [d.title for d in question.gained.documents] == ["Alarm"]
    assert [d.document_id for d in question.lost.documents] == ["slot"]
    assert [c.chunk_id for c in question.lost.chunks] == ["slot#0"]
    assert (question.gained.n_relevant, question.lost.n_relevant, question.lost.relevant) == (None, None, ())
    assert question.sentence.startswith("This set of 2 edits adds 1 document; 1 document is removed.")
    assert report == ImpactReport.model_validate_json(report.model_dump_json())


def test_what_is_judged_relevant_is_counted_and_named_and_0_is_not_unknown(dg: Docgraph) -> None:
    dg.judgments.judge("queue", "slot", True, by="Ann")
    dg.judgments.judge("queue", "alarm", False, by="Ann")
    [question] = dg.relationships.impact([ADD, REMOVE]).questions
    assert (question.gained.n_relevant, question.gained.relevant) == (0, ())
    assert (question.lost.n_relevant, [d.title for d in question.lost.relevant]) == (1, ["Slot"])
    recalled = dg.relationships.compare_edits(QUEUE, [ADD, REMOVE]).judged[0]
    assert (recalled.a, recalled.b, recalled.n_judged_a, recalled.n_judged_b) == (1, 0, 1, 1)


def test_nothing_is_written(dg: Docgraph) -> None:
    before = (dg.workspace, list(dg.relationships.list()), dg.runs.list())
    dg.relationships.impact([ADD])
    assert (dg.workspace, list(dg.relationships.list()), dg.runs.list()) == before


def test_a_question_is_embedded_once_and_not_at_all_when_its_saved_plan_is_not_touched(dg: Docgraph) -> None:
    n = EMBEDDER.n_texts
    dg.relationships.impact([ADD])
    assert EMBEDDER.n_texts - n == 1
    dg.relationships.impact([Edit(action="add", key=("route", "explains", "slot"))])
    assert EMBEDDER.n_texts - n == 1


def test_equal_questions_are_asked_once_under_their_newest_name(dg: Docgraph) -> None:
    dg.documents.delete(["route"])
    dg.runs.save(QUEUE, name="Queue again")
    report = dg.relationships.impact([ADD])
    assert (report.n_saved_runs, report.n_questions, [q.name for q in report.questions]) == (3, 2, ["Queue again"])


def test_the_newest_questions_are_asked_and_the_rest_is_counted(dg: Docgraph) -> None:
    report = dg.relationships.impact([ADD], limit=1)
    assert (report.n_questions, report.n_saved_runs, report.n_not_asked, report.n_changed) == (1, 2, 1, 0)
    assert report.sentence == "0 of 1 saved question changes"


def test_a_question_without_a_plan_today_is_counted_with_the_reason(dg: Docgraph) -> None:
    dg.runs.save(RetrievalRequest(query="sailing", seed_document_ids=("route",)), name="Sailing")
    dg.documents.delete(["route"])
    report = dg.relationships.impact([ADD])
    assert (report.n_questions, report.n_left_out, report.n_changed) == (2, 1, 1)
    [row] = report.left_out
    assert (row.name, row.reason) == ("Sailing", "no document has the id 'route', named as a seed")


def test_it_can_be_stopped_and_says_so(dg: Docgraph) -> None:
    told, stopping = RecordingProgress(), RecordingProgress(cancel_after=1)
    assert dg.relationships.impact([ADD], progress=told).complete
    assert [update[:2] for update in told.updates] == [(1, 2), (2, 2)]
    stopped = dg.relationships.impact([ADD], progress=stopping)
    assert (stopped.complete, stopped.n_questions, stopped.n_not_asked) == (False, 1, 1)


def test_what_is_listed_is_bounded_and_all_of_it_is_counted(dg: Docgraph, monkeypatch: pytest.MonkeyPatch) -> None:
    dg.runs.save(QUEUE.model_copy(update={"max_chunks": 9}))
    monkeypatch.setattr("docgraph.curation.impact.MAX_LISTED_QUESTIONS", 1)
    monkeypatch.setattr("docgraph.curation.impact.MAX_LISTED", 0)
    report = dg.relationships.impact([ADD, REMOVE])
    assert (len(report.questions), report.n_changed) == (1, 2)
    lost = report.questions[0].lost
    assert (lost.n_documents, lost.documents, lost.chunks) == (1, (), ())
    assert (limits.MAX_LISTED, limits.MAX_LISTED_QUESTIONS) == (50, 200)


def test_an_edit_of_what_is_not_there_is_refused(dg: Docgraph) -> None:
    with pytest.raises(NotFoundError, match="there is no relationship"):
        dg.relationships.impact([Edit(action="remove", key=("queue", "explains", "nowhere"))])


def test_accepting_changes_no_question(dg: Docgraph) -> None:
    report = dg.relationships.impact([Edit(action="accept", key=("queue", "explains", "slot"))])
    assert (report.n_questions, report.n_changed_plans, report.n_changed) == (2, 0, 0)
