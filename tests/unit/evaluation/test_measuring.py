"""Values of answers: the measures of trec_eval, costs, evidence; what is not known is no number."""

from __future__ import annotations

import json

import pytest

from docgraph import plugins
from docgraph.domain.evaluation import Answer
from docgraph.domain.query_set import JudgedQuery
from docgraph.errors import NotFoundError, RequestError
from docgraph.evaluation.measuring import canonical, default_measures, named_measures
from tests import ROOT

INSTALLED = tuple(plugins.build("measures", name) for name in plugins.available("measures"))
GOLDEN = json.loads((ROOT / "tests" / "golden" / "measures_by_trec_eval.json").read_text(encoding="utf-8"))
JUDGED = JudgedQuery(query_id="q", query="Why?", grades={"a": 2, "b": 0, "c": 1})


def value(name: str, answer: Answer, query: JudgedQuery = JUDGED) -> float | None:
    (measure,) = named_measures([name], INSTALLED)
    return measure.value(answer, query)


@pytest.mark.parametrize("name", sorted({name for case in GOLDEN["cases"] for name in case["values"]}))
def test_random_runs_are_worth_what_trec_eval_says(name: str) -> None:
    assert len(GOLDEN["cases"]) == 60
    for case in GOLDEN["cases"]:
        query = JudgedQuery(query_id="q", query="?", grades=case["grades"])
        found = value(name, Answer(documents=tuple(case["ranking"])), query)
        assert found == pytest.approx(case["values"][name], abs=1e-9), case


def test_perfect_is_one_only_where_everything_relevant_is_read() -> None:
    assert value("perfect@2", Answer(documents=("a", "c"))) == 1
    assert value("perfect@2", Answer(documents=("a", "b", "c"))) == 0


def test_a_question_without_judgments_has_no_value_rather_than_nought() -> None:
    answer = Answer(documents=("a",), tokens=7)
    nobody, not_relevant = JUDGED.model_copy(update={"grades": {}}), JUDGED.model_copy(update={"grades": {"a": 0}})
    for query in (nobody, not_relevant):
        assert [value(name, answer, query) for name in default_measures()] == [None, None, None, 7, 1]


def test_an_answer_that_failed_has_no_value_at_all() -> None:
    failed = Answer(failure="the database is away")
    assert [value(name, failed) for name in (*default_measures(), "evidence", "milliseconds")] == [None] * 7


def test_costs_are_counted_and_never_guessed() -> None:
    assert value("documents", Answer(documents=("a", "b"))) == 2
    assert value("tokens", Answer(documents=("a",))) is None
    assert value("latency", Answer(milliseconds=4.5)) == 4.5


def test_passages_are_read_within_so_many_chunks_or_tokens() -> None:
    answer = Answer(has_evidence=True, evidence_rank=3, within_tokens={"2000": False, "4000": True})
    values = {name: value(name, answer) for name in ("evidence", "passage@2", "passage@3", "passage@4000t")}
    assert values == {"evidence": 1, "passage@2": 0, "passage@3": 1, "passage@4000t": 1}
    assert (value("passage@2000t", answer), value("passage@3000t", answer)) == (0, None)
    assert value("passage@9", Answer(has_evidence=False)) == 0


def test_a_passage_that_is_not_known_has_no_value() -> None:
    for name in ("evidence", "passage@10", "passage@2000t"):
        assert value(name, Answer(documents=("a",))) is None


@pytest.mark.parametrize("name", ["passage", "passage@0", "passage@1001", "passage@49t", "passage@200001t", "ndcg@9t"])
def test_a_passage_measure_without_a_number_that_can_be_is_refused(name: str) -> None:
    with pytest.raises(RequestError):
        named_measures([name], INSTALLED)


def test_where_passages_are_known_they_decide_which_questions_improve() -> None:
    assert default_measures(6, passages=True)[:3] == ("passage@2000t", "passage@4000t", "ndcg@6")
    assert default_measures(6)[0] == "ndcg@6"
    assert canonical(" Passage@02000T ") == "passage@2000t"


def test_measures_are_named_as_the_field_names_them_each_once() -> None:
    names = [each.name for each in named_measures(["MRR@5", "reciprocal_rank@5", "map@10", "latency"], INSTALLED)]
    assert names == ["reciprocal_rank@5", "average_precision@10", "milliseconds"]


@pytest.mark.parametrize("name", ["recall", "recall@0", "recall@1001", "tokens@5", "re call@5", ""])
def test_a_measure_that_cannot_be_is_refused_with_what_can(name: str) -> None:
    with pytest.raises(RequestError):
        named_measures([name], INSTALLED)


@pytest.mark.parametrize("name", ["beauty@5", "spearman@5", "kendall@5"])
def test_a_measure_that_is_not_there_or_compares_two_rankings_is_unknown(name: str) -> None:
    with pytest.raises(NotFoundError, match=r"there is no measure.*recall@5"):
        named_measures([name], INSTALLED)


def test_no_measure_at_all_is_refused() -> None:
    with pytest.raises(RequestError, match="no measure"):
        named_measures([], INSTALLED)
