"""Passages in query sets: what single calls assemble, what people mark, what retrievers of one's own name."""

from __future__ import annotations

import pytest

from docgraph.domain.passages.evidence import Evidence
from docgraph.domain.query_set import JudgedQuery
from docgraph.errors import RequestError
from docgraph.evaluation.gates import check_gates, parse_gate
from docgraph.orchestration.docgraph import Docgraph
from tests.unit.orchestration.evaluating.sets import QUESTIONS, N, workspace

MEASURES = ("passage@1", "passage@8", "passage@50t", "passage@100t", "evidence")
EIGHT = {"max_documents": 8, "max_chunks": 8, "evidence_rule": "one_per_document"}


@pytest.fixture(scope="module")
def opened() -> Docgraph:
    return workspace()


def _answering(query_id: str) -> int:
    return (int(query_id[1:]) * 7 + 3) % N


def asked() -> list[JudgedQuery]:
    """The sentence of the document that a relationship leads to is what answers."""
    return [
        each.model_copy(update={"evidence": (Evidence(pattern=rf"yard {_answering(each.query_id)} is \w+"),)})
        for each in QUESTIONS
        if each.relevant
    ]


def test_a_passage_is_read_when_a_relevant_chunk_of_the_text_that_is_assembled_holds_it(opened: Docgraph) -> None:
    found = opened.evaluate(asked(), ("off", "on"), measures=MEASURES, request=EIGHT)
    seen = set()
    for outcome in found.outcomes:
        number = _answering(outcome.query_id)
        for budget in (50, 100):
            run = opened.run({"query": outcome.query, **EIGHT, "token_budget": budget})
            value = outcome.value("on", f"passage@{budget}t")
            assert value == float(f"yard {number} is" in run.assembled.text.split("# Evidence")[-1])
            seen.add((budget, value))
        rank = outcome.answers["on"].evidence_rank
        assert outcome.value("on", "passage@1") == float(rank == 1)
        assert outcome.value("on", "passage@8") == outcome.value("on", "evidence") == float(rank is not None)
    assert {(50, 0.0), (100, 1.0)} <= seen


def test_without_evidence_a_passage_is_not_known_and_with_it_comes_first(opened: Docgraph) -> None:
    known = opened.evaluate(asked(), ("off", "on"), request=EIGHT)
    assert known.measures[:3] == ("passage@2000t", "passage@4000t", "ndcg@8")
    bare = [each.model_copy(update={"evidence": ()}) for each in asked()]
    assert opened.evaluate(bare, ("off", "on"), request=EIGHT).measures[0] == "ndcg@8"
    figure = opened.evaluate(bare, ("off", "on"), measures=["passage@2000t"], request=EIGHT).figure(
        "on", "passage@2000t"
    )
    assert figure is not None
    assert (figure.mean, figure.n) == (None, 0)


def test_a_gate_takes_a_passage_measure(opened: Docgraph) -> None:
    found = opened.evaluate(asked(), ("off", "on"), measures=["passage@2000t", "passage@50t"], request=EIGHT)
    passed, missed = check_gates(found, [parse_gate("passage@2000T=0.1"), parse_gate("passage@50t=1")])
    assert (passed.passed, missed.passed) == (True, False)


def test_a_question_with_evidence_in_two_documents_needs_both_passages(opened: Docgraph) -> None:
    both = (Evidence(pattern="yard 1 is", document_id="D1"), Evidence(pattern="yard 2 is", document_id="d2"))
    for text, n, value in (("yard 1 is, yard 2 is", 8, 1.0), ("yard 1 is, yard 2 is", 1, 0.0)):
        question = JudgedQuery(query_id="q", query=text, grades={"D1": 2, "D2": 2}, evidence=both)
        fields = {"max_documents": n, "max_chunks": n, "seed_signal": "chunk"}
        (outcome,) = opened.evaluate([question], ("off",), measures=["passage@10"], request=fields).outcomes
        assert outcome.value("off", "passage@10") == value


def test_what_a_person_marks_is_evidence_of_a_kept_set_and_no_more_when_taken_back() -> None:
    there = workspace()
    query = "Which yard has a crane?"
    there.query_sets.keep([{"query_id": "q", "query": query}], name="mine")
    read = there.run({"query": query, **EIGHT}).context.ranked_chunks[0][1].chunk_id
    there.judgments.judge_passage(query, read, 1, by="ann")
    assert there.query_sets.get("mine").query_set.queries[0].evidence == ()
    there.judgments.judge_passage(query, read, 2, by="ann")
    (question,) = there.query_sets.get("mine").query_set.queries
    assert len(question.evidence[0].text_hashes) == 1
    kept = there.query_sets.run("mine", ("off", "on"), request=EIGHT)
    assert kept.measures[0] == "passage@2000t"
    assert [f.mean for f in kept.figures if (f.measure, f.configuration) == ("passage@2000t", "on")] == [1.0]
    there.judgments.withdraw_passage(query, read, by="ann")
    assert there.query_sets.get("mine").query_set.queries[0].evidence == ()


def test_of_a_retriever_of_ones_own_passages_are_known_where_it_names_chunks(opened: Docgraph) -> None:
    question = asked()[3]
    own = f"D{_answering(question.query_id)}"
    ways = {"chunks": lambda _: [("D9#0", 3.0), (f"{own.lower()}#0", 2.0)], "documents": lambda _: [(own, 1.0)]}
    (outcome,) = opened.evaluate([question], ways, measures=["passage@1", "passage@2", "passage@90t"]).outcomes
    assert [outcome.value("chunks", f"passage@{k}") for k in (1, 2)] == [0, 1]
    assert outcome.value("chunks", "passage@90t") is None
    assert outcome.value("documents", "passage@2") is None


def test_a_pattern_that_takes_too_long_leaves_its_own_question_without_an_answer(opened: Docgraph) -> None:
    slow = {"query": "What of the queue in yard 0?", "evidence": "(?:(?:.{1,900}){1,900}){1,900}§"}
    found = opened.evaluate([slow, asked()[0]], ("on",), measures=["passage@8"], request=EIGHT)
    first, second = found.outcomes
    assert "takes more than 0.5 seconds" in first.answers["on"].failure or first.value("on", "passage@8") == 0
    assert second.value("on", "passage@8") is not None


def test_evidence_that_is_no_pattern_is_an_error_that_names_the_question(opened: Docgraph) -> None:
    with pytest.raises(RequestError, match=r"question 2: .*not a regular expression"):
        opened.evaluate(["One?", {"query": "Two?", "evidence": "printf("}])
