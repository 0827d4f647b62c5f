"""How alike two configurations read, per question: against sums of their own, and neither better nor worse."""

from __future__ import annotations

import pytest

from docgraph.errors import RequestError
from docgraph.orchestration.evaluating.gating import gated, parse_gates
from tests.unit.orchestration.evaluating.sets import QUESTIONS, workspace


def _rbo(a: tuple[str, ...], b: tuple[str, ...], p: float) -> float:
    """Equation 32 of Webber, Moffat and Zobel, term by term."""
    s, t = sorted((a, b), key=len)
    common = {d: len(set(s[:d]) & set(t[:d])) for d in range(1, len(t) + 1)}
    total = sum(common[d] / d * p**d for d in common)
    total += sum(common[len(s)] * (d - len(s)) / (len(s) * d) * p**d for d in range(len(s) + 1, len(t) + 1))
    tail = (common[len(t)] - common[len(s)]) / len(t) + common[len(s)] / len(s)
    return (1 - p) / p * total + tail * p ** len(t)


def test_overlaps_are_those_of_the_first_configuration_and_count_no_question() -> None:
    dg = workspace()
    rankings = {each.query_id: ["D1", "D5", "D2"] for each in QUESTIONS[:-1]}
    names = ("jaccard", "rbo_90", "rbo_50")
    found = dg.evaluate(QUESTIONS, {"on": "on", "off": "off", "theirs": rankings}, measures=("recall@4", *names))
    for outcome in found.outcomes:
        first = outcome.answers["on"].documents
        for name, answer in outcome.answers.items():
            values = outcome.values[name]
            if answer.failure:
                assert [values[each] for each in names] == [None] * 3
                continue
            assert values["jaccard"] == len({*first} & {*answer.documents}) / len({*first} | {*answer.documents})
            assert values["rbo_90"] == pytest.approx(_rbo(first, answer.documents, 0.9))
            assert values["rbo_50"] == pytest.approx(_rbo(first, answer.documents, 0.5))
    figure = found.figure("on", "jaccard")
    assert figure is not None
    assert figure.mean == 1.0
    difference = found.difference("off", "rbo_90")
    assert difference is not None
    assert (difference.p, difference.improved, difference.worse) == (None, 0, 0)


def test_an_overlap_needs_no_judgment_has_no_cut_and_decides_nothing() -> None:
    dg = workspace()
    found = dg.evaluate(["What of the queue?"], ("off", "on"), measures=("jaccard", "documents"))
    assert found.outcomes[0].value("off", "jaccard") == 1.0
    with pytest.raises(RequestError, match="has no cut"):
        dg.evaluate(QUESTIONS[:1], ("off",), measures=("jaccard@5",))
    with pytest.raises(RequestError):
        gated(found, parse_gates(["jaccard=0.5"], ("off", "on"), found.measures))
    with pytest.raises(RequestError):
        dg.relationships.scoreboard(QUESTIONS[:1], measure="jaccard")
