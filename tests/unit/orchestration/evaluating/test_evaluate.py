"""Query sets in several configurations: every number against single calls, stops, failures, retrievers of one's own."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from docgraph import RetrievalRequest
from docgraph.boundary.judgments.query_sets import read_query_set
from docgraph.domain.evaluation import Evaluation
from docgraph.domain.query_set import JudgedQuery
from docgraph.errors import ConflictError, RequestError, StoreError, UserError
from docgraph.orchestration import caches as readings
from docgraph.orchestration.docgraph import Docgraph
from tests.unit.orchestration.evaluating.sets import QUESTIONS, workspace

MEASURES = ("recall@4", "ndcg@4", "perfect@4", "evidence", "tokens", "documents")
FOUR = {"max_documents": 4, "max_chunks": 4}


@pytest.fixture(scope="module")
def opened() -> Docgraph:
    return workspace()


@pytest.fixture(scope="module")
def made(opened: Docgraph) -> Evaluation:
    return opened.evaluate(QUESTIONS, ("off", "on", "vectors"), measures=MEASURES, request=FOUR, workers=4)


class Stopping:
    """Progress that stops after ``n`` questions."""

    def __init__(self, n: int) -> None:
        self.n, self.told = n, list[tuple[int, int]]()

    def update(self, done: int, total: int, message: str) -> None:
        self.told.append((done, total))

    def cancelled(self) -> bool:
        return self.told[-1][0] >= self.n


def without_time(evaluation: Evaluation) -> Evaluation:
    return evaluation.model_copy(update={"seconds": 0.0})


def test_every_answer_is_that_of_a_single_call(opened: Docgraph, made: Evaluation) -> None:
    assert [outcome.query_id for outcome in made.outcomes] == [query.query_id for query in QUESTIONS]
    for outcome in made.outcomes:
        for name, fields in (("off", {"use_relationships": False}), ("on", {})):
            run = opened.run(RetrievalRequest.model_validate({"query": outcome.query, **FOUR, **fields}))
            answer = outcome.answers[name]
            read = [each for each in run.context.documents if each.chunks]
            assert answer.plan_id == run.plan.plan_id
            assert answer.documents == tuple(each.document.document_id for each in read)
            assert answer.chunks == tuple(chunk.chunk_id for each in read for chunk in each.chunks)
            assert answer.tokens == run.assembled.total_tokens
        plain = opened.runs.baseline(opened.run({"query": outcome.query, **FOUR}), "plain").run
        assert outcome.answers["vectors"].plan_id == plain.plan.plan_id


def test_means_and_counts_are_those_of_the_rows(made: Evaluation) -> None:
    judged = [query for query in QUESTIONS if query.relevant]
    for measure in MEASURES:
        values = [outcome.value("on", measure) for outcome in made.outcomes]
        known = [value for value in values if value is not None]
        figure = made.figure("on", measure)
        assert figure is not None
        assert (figure.n, figure.mean) == (len(known), pytest.approx(sum(known) / len(known)))
    recall = made.difference("on", "recall@4")
    assert recall is not None
    counted = Counter(outcome.change("off", "on", "recall@4") for outcome in made.outcomes)
    assert recall.n == len(judged) == len(QUESTIONS) - recall.not_judged
    assert (recall.improved, recall.worse, recall.equal) == (counted["improved"], counted["worse"], counted["equal"])
    assert recall.improved > 0
    assert recall.improved + recall.worse + recall.equal + recall.not_judged + recall.failed == made.n
    assert recall.low is not None
    assert recall.mean is not None
    assert recall.high is not None
    assert recall.low <= recall.mean <= recall.high
    assert recall.n_tests == 2 * 4  # two configurations beside the first, four measures that are no costs
    tokens = made.difference("on", "tokens")
    assert tokens is not None
    assert tokens.p is None
    assert tokens.improved == tokens.worse == tokens.equal == 0


def test_slices_divide_the_questions_by_kind_and_by_half(made: Evaluation) -> None:
    assert [(each.by, each.name) for each in made.slices] == [
        ("kind", "one"),
        ("kind", "two"),
        ("half", "tune"),
        ("half", "hold_out"),
    ]
    for by in ("kind", "half"):
        mine = [each for each in made.slices if each.by == by]
        assert sum(each.n for each in mine) == made.n
        whole = made.figure("on", "recall@4")
        parts = [
            figure
            for each in mine
            for figure in each.figures
            if (figure.configuration, figure.measure) == ("on", "recall@4")
        ]
        assert whole is not None
        assert whole.mean is not None
        assert sum((part.mean or 0) * part.n for part in parts) / whole.n == pytest.approx(whole.mean)


def test_the_number_of_questions_at_a_time_changes_nothing(opened: Docgraph, made: Evaluation) -> None:
    one = opened.evaluate(QUESTIONS, ("off", "on", "vectors"), measures=MEASURES, request=FOUR, workers=1)
    assert without_time(one) == without_time(made)


def test_stopped_in_the_middle_and_gone_on_with_it_is_the_same_and_nothing_is_asked_twice(
    opened: Docgraph, made: Evaluation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    probe = type(opened.session).probe
    monkeypatch.setattr(type(opened.session), "probe", lambda self, query: asked.append(query) or probe(self, query))
    given: Any = {"measures": MEASURES, "request": FOUR, "keep": tmp_path / "kept", "workers": 3}
    part = opened.evaluate(QUESTIONS, ("off", "on", "vectors"), progress=Stopping(5), **given)
    assert part.stopped
    assert 5 <= len(part.outcomes) < len(QUESTIONS)
    assert part.outcomes == made.outcomes[: len(part.outcomes)]
    finished, before = len(part.outcomes), len(asked)
    whole = opened.evaluate(QUESTIONS, ("off", "on", "vectors"), **given)
    assert without_time(whole) == without_time(made)
    assert len(asked) - before == len(QUESTIONS) - finished
    told = Stopping(10**9)
    again = opened.evaluate(QUESTIONS, ("off", "on", "vectors"), progress=told, **given)
    assert without_time(again) == without_time(made)
    assert len(asked) - before == len(QUESTIONS) - finished, "a finished evaluation asked again"
    assert told.told[-1] == (made.n, made.n)
    with pytest.raises(ConflictError, match="another evaluation"):
        opened.evaluate(QUESTIONS, ("off", "on"), **given)


@pytest.mark.parametrize(
    ("first", "second"), [("off", "on"), ("on", "vectors"), ("http://127.0.0.1:9/a", "http://127.0.0.1:9/b")]
)
def test_what_is_kept_of_one_way_is_not_taken_for_another_under_the_same_name(
    opened: Docgraph, tmp_path: Path, first: str, second: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docgraph.orchestration.evaluating.configurations.as_retriever", lambda _: lambda query: [])
    opened.evaluate(QUESTIONS[:2], {"mine": first}, measures=["recall@4"], keep=tmp_path / "kept")
    with pytest.raises(ConflictError, match="another evaluation"):
        opened.evaluate(QUESTIONS[:2], {"mine": second}, measures=["recall@4"], keep=tmp_path / "kept")


def test_a_question_that_fails_is_told_and_the_others_go_on(opened: Docgraph, monkeypatch: pytest.MonkeyPatch) -> None:
    probe = type(opened.session).probe

    def failing(self: Any, query: str) -> Any:
        if "yard 3?" in query:
            raise StoreError("the database is away", hint="start it")
        return probe(self, query)

    monkeypatch.setattr(type(opened.session), "probe", failing)
    found = opened.evaluate(QUESTIONS[:6], measures=["recall@4"])
    assert found.failures == (
        ("q03", "off", "the database is away (start it)"),
        ("q03", "on", "the database is away (start it)"),
    )
    difference = found.difference("on", "recall@4")
    assert difference is not None
    assert (difference.failed, difference.n, len(found.outcomes)) == (1, 5, 6)


def test_a_bug_in_docgraph_is_not_told_as_an_answer(opened: Docgraph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings.Recorded, "at_once", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        opened.evaluate(QUESTIONS[:2], measures=["recall@4"])


def test_a_retriever_of_ones_own_stands_beside_docgraph(opened: Docgraph) -> None:
    def own(query: str) -> list[tuple[str, float]]:
        if query.endswith("yard 2?"):
            raise OSError("no route to the retriever")
        return [("d1", 0.2), ("D2#0", 0.9), ("Paper 3", 0.1), ("nowhere", 0.05), ("D1", 0.15)]

    found = opened.evaluate(QUESTIONS[:4], {"mine": own, "docgraph": {"mode": "fast"}}, measures=["recall@4", "tokens"])
    answer = found.outcomes[0].answers["mine"]
    assert (answer.documents, answer.chunks, answer.unknown) == (("D2", "D1", "D3"), ("D2#0",), ("nowhere",))
    assert answer.tokens is None
    assert [(each.name, each.source) for each in found.configurations] == [
        ("mine", "retriever"),
        ("docgraph", "request"),
    ]
    assert found.failures == (("q02", "mine", "OSError: no route to the retriever"),)
    difference = found.difference("docgraph", "recall@4")
    assert difference is not None
    assert (difference.n, difference.failed) == (3, 1)


def test_a_file_of_rankings_is_measured_by_the_ids_of_questions(opened: Docgraph) -> None:
    rankings = {query.query_id: [*query.grades, "D23"] for query in QUESTIONS[1:4]}
    found = opened.evaluate(QUESTIONS[:4], {"theirs": rankings}, measures=["recall@4", "perfect@4"])
    assert [outcome.value("theirs", "perfect@4") for outcome in found.outcomes] == [None, 1, 1, 1]
    assert found.failures == (("q00", "theirs", "the rankings do not have the question 'q00'"),)


def test_edits_that_nobody_saved_are_a_configuration(opened: Docgraph) -> None:
    edge = next(iter(opened.relationships.list()))
    without = [{"action": "remove", "key": each.key} for each in opened.relationships.list()]
    found = opened.evaluate(
        QUESTIONS[:8], {"off": "off", "bare": {"edits": without}, "on": "on"}, measures=["recall@4"], request=FOUR
    )
    for outcome in found.outcomes:
        assert outcome.answers["bare"].documents == outcome.answers["off"].documents
    assert any(outcome.answers["on"].documents != outcome.answers["off"].documents for outcome in found.outcomes)
    assert edge.key in {each.key for each in opened.relationships.list()}, "a configuration changed the data"


def test_judged_documents_that_are_not_stored_are_named_and_count_as_not_read(opened: Docgraph) -> None:
    query = {"query": "What of the queue in yard 0?", "grades": {"d0": 2, "gone": 2}}
    found = opened.evaluate([query], measures=["recall@4"])
    assert [each.place for each in found.unmatched] == ["gone"]
    assert found.outcomes[0].value("on", "recall@4") == 0.5


def test_data_that_change_meanwhile_are_told() -> None:
    opened = workspace()

    class Changing(Stopping):
        def update(self, done: int, total: int, message: str) -> None:
            super().update(done, total, message)
            if done == 3:
                opened.documents.delete(["D20"])

    found = opened.evaluate(QUESTIONS[:8], measures=["documents"], workers=1, progress=Changing(99))
    assert len(found.revisions) == 2


@pytest.mark.parametrize(
    ("queries", "configurations", "more", "what"),
    [
        ([], ("on",), {}, "holds no question"),
        ("Why?", ("on",), {}, "one question is not a query set"),
        (["Why?"], (), {}, "needs configurations"),
        (["Why?"], "on", {}, "needs configurations"),
        (["Why?"], ("on", "on"), {}, "one name"),
        (["Why?"], ("sideways",), {}, "no configuration 'sideways'"),
        (["Why?"], {"x": {"max_documents": 0}}, {}, "max_documents"),
        (["Why?"], {"x": 3}, {}, "cannot answer questions"),
        (["Why?"], ("on",), {"workers": 0}, "0 questions at a time"),
        (["Why?"], ("on",), {"request": {"colour": "red"}}, "colour"),
        (
            [{"query": "a", "query_id": "x"}, {"query": "b", "query_id": "x"}],
            ("on",),
            {},
            "two questions have the id 'x'",
        ),
    ],
)
def test_what_cannot_be_an_evaluation_is_told_before_anything_is_asked(
    opened: Docgraph, queries: Any, configurations: Any, more: dict[str, Any], what: str
) -> None:
    with pytest.raises(UserError, match=what):
        opened.evaluate(queries, configurations, **more)


def test_without_measures_as_many_documents_count_as_are_read(opened: Docgraph) -> None:
    assert opened.evaluate(["Why?"]).measures[0] == "ndcg@6"
    assert opened.evaluate(["Why?"], request={"mode": "fast"}).measures[0] == "ndcg@5"
    assert opened.evaluate(["Why?"], request=FOUR).measures[0] == "ndcg@4"


def test_questions_of_a_file_get_their_halves_and_ids(opened: Docgraph) -> None:
    found = opened.evaluate(read_query_set(b'{"query": "a"}\n{"query": "b"}', name="x"), measures=["documents"])
    assert sorted(outcome.half for outcome in found.outcomes) == ["hold_out", "tune"]
    plain = opened.evaluate(["a", JudgedQuery(query_id="z", query="b", half="hold_out")], measures=["documents"])
    assert [outcome.query_id for outcome in plain.outcomes] == ["q1", "z"]
    with pytest.raises(RequestError):
        opened.evaluate([], measures=["documents"])
