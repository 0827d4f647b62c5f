"""Gates: what is reached, what is not known, what is worse than it was."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.domain.evaluation import Answer, Configuration, Evaluation, Figure, Gate, Outcome
from docgraph.errors import NotFoundError, RequestError
from docgraph.evaluation.gates import check_against, check_gates, parse_gate

MEASURE = "recall@5"


def evaluation(*values: float | None, mean: float | None = None, failure: str = "", **update: Any) -> Evaluation:
    """One configuration, ``on``, over one question a value."""
    outcomes = tuple(
        Outcome(
            query_id=f"q{number}",
            query="?",
            answers={"on": Answer(failure=failure)},
            values={"on": {MEASURE: value, "tokens": 5.0}},
        )
        for number, value in enumerate(values, start=1)
    )
    made = Evaluation(
        name="set",
        workspace="w",
        n=len(values),
        configurations=(Configuration(name="on", label="With relationships"),),
        measures=(MEASURE, "tokens"),
        outcomes=outcomes,
        figures=(Figure(configuration="on", measure=MEASURE, mean=mean, n=len(values)),),
    )
    return made.model_copy(update=update)


def sentences(results: Any) -> list[tuple[bool, str]]:
    return [(each.passed, each.sentence) for each in results]


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("recall@5=0.85", Gate(measure="recall@5", at_least=0.85)),
        ("on: nDCG@10 =1", Gate(measure="ndcg@10", at_least=1.0, configuration="on")),
        ("a:b:hit@1=0", Gate(measure="hit@1", at_least=0.0, configuration="a:b")),
    ],
)
def test_a_gate_is_a_measure_and_its_minimum(text: str, gate: Gate) -> None:
    assert parse_gate(text) == gate


@pytest.mark.parametrize(
    "text", ["recall@5", "recall@5=", "=0.5", "recall@5=1.2", "recall@5=-1", "recall@5=nan", "on:=1"]
)
def test_what_is_no_gate_is_refused(text: str) -> None:
    with pytest.raises(RequestError, match="is no gate"):
        parse_gate(text)


@pytest.mark.parametrize(
    ("mean", "told"),
    [
        (0.85, (True, "on: recall@5 0.850 ≥ 0.85")),
        (0.85 - 1e-12, (True, "on: recall@5 0.850 ≥ 0.85")),
        (0.8499, (False, "on: recall@5 0.850 < 0.85")),
        (None, (False, "on: recall@5 is not known: no question is judged")),
    ],
)
def test_a_mean_reaches_its_minimum_or_the_gate_fails(mean: float | None, told: tuple[bool, str]) -> None:
    assert sentences(check_gates(evaluation(0.5, mean=mean), [parse_gate("recall@5=0.85")])) == [told]


def test_a_question_without_an_answer_fails_the_gate_whatever_the_mean() -> None:
    (result,) = check_gates(evaluation(None, 1.0, mean=1.0, failure="away"), [parse_gate("recall@5=0.1")])
    assert (result.passed, result.queries) == (False, ("q1", "q2"))


def test_a_gate_over_what_was_not_measured_or_costs_is_an_error_not_a_pass() -> None:
    with pytest.raises(NotFoundError):
        check_gates(evaluation(1.0, mean=1.0), [parse_gate("off:recall@5=0.1")])
    with pytest.raises(RequestError):
        check_gates(evaluation(1.0, mean=1.0), [parse_gate("tokens=0.1")])


@pytest.mark.parametrize(
    ("then", "now", "told"),
    [
        ((0.5, 1.0), (0.5, 1.0), (True, "on: recall@5 0.750 → 0.750")),
        ((0.5, 1.0), (1.0, 0.75), (True, "on: recall@5 0.750 → 0.875, worse: q2")),
        ((0.5, 1.0), (0.5, 0.5), (False, "on: recall@5 0.750 → 0.500, worse: q2")),
        ((0.5, 1.0), (0.5, None), (False, "on: recall@5: q2 had a value and has none now")),
        ((None,), (None,), (True, "on: recall@5 is not known, then as now")),
        ((0.5,), (0.5, 0.0), (True, "on: recall@5 0.500 → 0.500")),
    ],
)
def test_against_an_earlier_evaluation_means_may_not_fall(then: Any, now: Any, told: tuple[bool, str]) -> None:
    assert sentences(check_against(evaluation(*now), evaluation(*then))) == [told]


def test_an_earlier_evaluation_of_something_else_is_an_error_not_a_pass() -> None:
    other = evaluation(1.0, configurations=(Configuration(name="off", label="Off"),))
    with pytest.raises(RequestError, match="no configuration"):
        check_against(evaluation(1.0), other)
    with pytest.raises(RequestError, match="no question"):
        check_against(evaluation(1.0), evaluation())
    with pytest.raises(RequestError, match="no measure"):
        check_against(evaluation(1.0), evaluation(1.0, measures=("tokens",)))
