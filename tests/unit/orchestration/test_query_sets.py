"""Query sets that a workspace keeps: run, stopped, gone on with, and measured by what people judged."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph import plugins
from docgraph.domain.evaluation import Evaluation, Figure, Outcome
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.judgment import Judgment, PassageJudgment, grades_said, passage_hash
from docgraph.errors import ConflictError, NotFoundError, RequestError, UserError
from docgraph.evaluation.summing_up import figures
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

QUESTIONS = [{"query": f"why {each} queue?", "grades": {each: 2}} for each in "abcacaca"]
"""More of them than are asked ahead, so that stopping after one always leaves some."""


class Stops:
    """Progress that asks to stop after so many questions."""

    def __init__(self, after: int) -> None:
        self.after, self.done = after, 0

    def update(self, done: int, total: int, message: str) -> None:
        """How far it is."""
        self.done = done

    def cancelled(self) -> bool:
        """Whether it is enough."""
        return self.done >= self.after


def made() -> Docgraph:
    """Three documents, one relationship."""
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(16),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
        now=lambda: "2026-01-01T00:00:00+00:00",
        measures=[plugins.build("measures", name) for name in ("ndcg", "recall", "reciprocal_rank")],
    )
    docgraph = Docgraph(adapters, "test")
    docgraph.ingest_records(
        [Document(document_id=each, title=each, text=f"{each} queue") for each in "abc"],
        [Relationship(from_document_id="a", relation_type="explains", to_document_id="b")],
    )
    return docgraph


@pytest.fixture
def dg() -> Docgraph:
    return made()


def untimed(evaluation: Evaluation) -> Evaluation:
    """All but how long it took."""
    return evaluation.model_copy(update={"seconds": 0.0})


def test_what_is_stopped_and_gone_on_with_is_what_was_never_stopped(dg: Docgraph) -> None:
    dg.query_sets.keep(QUESTIONS, name="mine")
    part = dg.query_sets.run("mine", workers=1, progress=Stops(1), note="first", by="Ann")
    assert (part.whole, part.n_asked, part.note, part.by) == (False, 8, "first", "Ann")
    assert 1 <= part.n < 8
    assert dg.query_sets.result(part.evaluation_id).stopped
    whole = dg.query_sets.run("mine", go_on=part.evaluation_id[:6])
    assert (whole.evaluation_id, whole.whole, whole.n) == (part.evaluation_id, True, 8)
    assert dg.query_sets.runs("mine") == (whole,)
    assert untimed(dg.query_sets.result(whole.evaluation_id)) == untimed(
        dg.evaluate(dg.query_sets.get("mine").query_set)
    )


def test_an_evaluation_does_not_go_on_over_other_data(dg: Docgraph) -> None:
    dg.query_sets.keep(QUESTIONS, name="mine")
    part = dg.query_sets.run("mine", workers=1, progress=Stops(1))
    dg.ingest_records([Document(document_id="d", title="d", text="d queue")])
    with pytest.raises(ConflictError, match="data have changed"):
        dg.query_sets.run("mine", go_on=part.evaluation_id)
    assert dg.query_sets.runs("mine") == (part,)


def test_judgments_made_meanwhile_do_not_keep_an_evaluation_from_going_on(dg: Docgraph) -> None:
    """It asks what it was begun with."""
    dg.query_sets.keep(["a", "c", "d", "e", "f", "why b queue?"], name="mine")
    part = dg.query_sets.run("mine", workers=1, progress=Stops(1))
    dg.judgments.judge_passage("why b queue?", "b#0", 2, by="Ann")
    assert dg.query_sets.run("mine", go_on=part.evaluation_id).figures[0].n == 0
    assert dg.query_sets.run("mine").figures[0].n == 1


def test_a_retriever_that_fails_on_one_question_is_told_and_is_needed_again_to_go_on(dg: Docgraph) -> None:
    def own(query: str) -> list[tuple[str, float]]:
        if " b " in query:
            raise ValueError("out of order")
        return [("a", 1.0)]

    dg.query_sets.keep(QUESTIONS, name="mine")
    part = dg.query_sets.run("mine", {"own": own, "on": "on"}, workers=1, progress=Stops(1))
    with pytest.raises(RequestError, match="'own' is needed again"):
        dg.query_sets.run("mine", go_on=part.evaluation_id)
    whole = dg.query_sets.run("mine", {"own": own}, go_on=part.evaluation_id)
    assert whole.whole
    assert dg.query_sets.result(whole.evaluation_id).failures == (("q2", "own", "ValueError: out of order"),)


def test_what_is_held_of_many_outcomes_is_their_values_alone(dg: Docgraph, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten thousand questions with what was read for them would be hundreds of megabytes."""
    held: list[Outcome] = []

    def watched(outcomes: Sequence[Outcome], *given: Any, **named: Any) -> tuple[Figure, ...]:
        held.extend(outcomes)
        return figures(outcomes, *given, **named)

    monkeypatch.setattr("docgraph.orchestration.evaluating.query_sets.figures", watched)
    dg.query_sets.keep(QUESTIONS, name="mine")
    kept = dg.query_sets.run("mine")
    assert [each.values for each in held] == [o.values for o in dg.query_sets.result(kept.evaluation_id).outcomes]
    assert len({id(each.answers) for each in held[:8]}) == 1
    assert not any(answer.documents or answer.chunks for each in held[:8] for answer in each.answers.values())


def test_two_sets_run_at_once(dg: Docgraph) -> None:
    for name in ("one", "two"):
        dg.query_sets.keep(QUESTIONS, name=name)
    threads = [threading.Thread(target=dg.query_sets.run, args=(name,)) for name in ("one", "two")]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [(line.name, line.n_runs) for line in dg.query_sets.list()] == [("one", 1), ("two", 1)]
    assert all(dg.query_sets.runs(name)[0].whole for name in ("one", "two"))


def test_what_people_judged_raises_the_grades_of_a_set_and_is_counted(dg: Docgraph) -> None:
    dg.query_sets.keep(["why b queue?", "why c queue?"], name="mine")
    assert dg.query_sets.list()[0].n_judged == 0
    dg.judgments.judge("why b queue?", "b", False, by="Ann")
    dg.judgments.judge_passage("why b queue?", "b#0", 2, by="Ann")
    dg.judgments.judge_passage("why b queue?", "b#0", 1, by="Ben")
    dg.judgments.judge_passage("why c queue?", "c#0", None, by="Ann")
    first, second = dg.query_sets.get("mine").query_set.queries
    assert (first.grades, second.grades) == ({"b": 1}, {})
    assert dg.query_sets.list()[0].n_judged == 1
    assert dg.judgments.withdraw_passage("why b queue?", "b#0", by="Ann")
    assert not dg.judgments.withdraw_passage("why b queue?", "b#0", by="Ann")
    with pytest.raises(NotFoundError, match="'b#9'"):
        dg.judgments.judge_passage("why b queue?", "b#9", 1, by="Ann")
    with pytest.raises(RequestError, match="3 is not a grade"):
        dg.judgments.judge_passage("why b queue?", "b#0", 3, by="Ann")


def test_a_document_counts_the_same_in_a_comparison_and_in_a_set(dg: Docgraph) -> None:
    question = "why b queue?"
    dg.judgments.judge(question, "c", True, by="Ann")
    dg.judgments.judge(question, "b", False, by="Ann")
    dg.judgments.judge_passage(question, "b#0", 1, by="Ben")
    dg.judgments.judge_passage(question, "a#0", 0, by="Ben")
    dg.query_sets.keep([question], name="mine")
    (asked,) = dg.query_sets.get("mine").query_set.queries
    counts = dg.judgments.of_documents(question)
    assert [(each.document_id, each.relevant, each.by) for each in counts] == [
        ("a", False, "Ben"),
        ("b", True, "Ben"),
        ("c", True, "Ann"),
    ]
    assert {each.document_id: bool(asked.grades[each.document_id]) for each in counts} == {
        each.document_id: each.relevant for each in counts
    }
    made, of_runs = dg.compare(question), dg.runs.compare(*[dg.compare(question).b] * 2)
    for found in (made, of_runs):
        assert {each.document_id for each in found.relevant} == set(asked.relevant) == {"b", "c"}
        assert {each.n_relevant for each in found.judged} == {2}
    recall = dg.query_sets.run("mine", ["on"], measures=["recall@3"]).figures[0].mean
    assert recall == next(each.b for each in made.judged if each.name == "recall")


def test_a_set_needs_a_name_and_an_evaluation_is_named_by_its_beginning(dg: Docgraph) -> None:
    with pytest.raises(UserError, match="needs a name"):
        dg.query_sets.keep(QUESTIONS, name=" ")
    dg.query_sets.keep(QUESTIONS, name="mine")
    kept = dg.query_sets.run("mine")
    assert dg.query_sets.pin(kept.evaluation_id[:4]).pinned
    dg.query_sets.remove_run(kept.evaluation_id)
    with pytest.raises(NotFoundError, match="no evaluation"):
        dg.query_sets.result(kept.evaluation_id)
    dg.query_sets.remove("mine")
    with pytest.raises(NotFoundError, match="no query set 'mine'"):
        dg.query_sets.runs("mine")


@settings(max_examples=10, deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from("abcx"), st.integers(0, 2)), min_size=1, max_size=4))
def test_a_summary_has_the_figures_of_an_evaluation(grades: list[dict[str, int]]) -> None:
    dg, asked = made(), [{"query": f"queue {n}?", "grades": each} for n, each in enumerate(grades)]
    dg.query_sets.keep(asked, name="mine")
    kept, plain = dg.query_sets.run("mine"), dg.evaluate(asked)
    assert (kept.figures, kept.differences) == (plain.figures, plain.differences)


def test_the_median_of_judges_is_rounded_down_and_the_best_passage_counts() -> None:
    def said(text: str, grade: int | None, by: str) -> PassageJudgment:
        return PassageJudgment(
            query="q", document_id="a", chunk_id="a#0", text_hash=passage_hash(text), grade=grade, by=by, at=""
        )

    passages = [said("x", 2, "Ann"), said("x", 1, "Ben"), said("y", 0, "Ann"), said("z", None, "Ann")]
    assert grades_said([], passages) == {"q": {"a": 1}}
    assert grades_said([Judgment(query="q", document_id="a", relevant=True, by="", at="")], passages) == {"q": {"a": 2}}
