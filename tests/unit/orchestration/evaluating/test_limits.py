"""Cap pressure: every point against the evaluation of its value, and a suggestion that the tune half alone chooses."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.domain.query_set import JudgedQuery
from docgraph.domain.scoreboard import CapPressure, LimitField
from docgraph.errors import NotFoundError, UserError
from docgraph.evaluation.significance import interval
from docgraph.orchestration.docgraph import Docgraph
from tests.unit.orchestration.evaluating.sets import QUESTIONS, workspace

FEW = {"max_documents": 2, "max_chunks": 4}
VALUES: dict[LimitField, tuple[int, ...]] = {
    "max_documents": (1, 3, 6),
    "max_expanded": (0,),
    "max_expanding_seeds": (0, 1),
    "max_fan_out": (1, 5),
}


@pytest.fixture(scope="module")
def opened() -> Docgraph:
    return workspace()


@pytest.fixture(scope="module")
def made(opened: Docgraph) -> CapPressure:
    return opened.query_sets.limits(QUESTIONS, request=FEW, values=VALUES)


@pytest.mark.slow
def test_a_sweep_is_what_evaluating_every_value_by_hand_gives(opened: Docgraph, made: CapPressure) -> None:
    for sweep in made.sweeps:
        assert {each.value for each in sweep.points} == {*VALUES[sweep.field], sweep.today}
        for points, off in ((sweep.points, {}), (sweep.without, {"use_relationships": False})):
            for each in points:
                fields = {**FEW, **off, sweep.field: each.value}
                by_hand = opened.evaluate(QUESTIONS, {"it": fields}, measures=["recall@100", "tokens", "documents"])
                figures = [by_hand.figure("it", name) for name in by_hand.measures]
                assert [f.mean for f in figures if f] == [each.mean, each.tokens, each.documents]
                hits = [
                    len({*outcome.answers["it"].documents} & {*query.relevant})
                    for outcome, query in zip(by_hand.outcomes, QUESTIONS, strict=True)
                ]
                assert (each.n, each.found) == (figures[0].n if figures[0] else 0, sum(hits))
    found = {each.field: {p.found for p in each.points} for each in made.sweeps}
    assert {field for field, hits in found.items() if len(hits) > 1} == {
        "max_documents",
        "max_expanded",
        "max_expanding_seeds",
    }


def test_today_stands_in_every_sweep_as_the_same_point(opened: Docgraph, made: CapPressure) -> None:
    today = {(p.mean, p.tokens, p.documents, p.found) for each in made.sweeps if (p := each.at(each.today))}
    assert len(today) == 1
    assert [each.today for each in made.sweeps] == [2, 1, 1, 3], "as planning decides the limits of the request"
    assert [each.field for each in made.sweeps if each.without] == ["max_documents"]


@pytest.mark.slow
def test_a_change_that_holds_is_suggested_with_the_paired_difference_of_the_hold_out_half(opened: Docgraph) -> None:
    """With one document a plan has no place for a related one, and of every question one is relevant."""
    asked = {"max_documents": 1, "max_chunks": 4}
    made = opened.query_sets.limits(QUESTIONS, request=asked, values={"max_documents": (2, 3)})
    change = made.suggested
    assert change is not None
    assert (change.field, change.before, change.after) == ("max_documents", 1, 2), "3 finds no more, and costs more"
    by_hand = opened.evaluate(
        [each for each in QUESTIONS if each.half == "hold_out"],
        {"today": asked, "it": {**asked, "max_documents": 2}},
        measures=["recall@100"],
    )
    difference = by_hand.difference("it", "recall@100")
    assert difference is not None
    known = ("mean", "low", "high", "p", "p_corrected", "n", "improved", "worse", "equal", "not_judged")
    assert [getattr(change.hold_out.difference, name) for name in known] == [getattr(difference, n) for n in known]
    values = [v for each in by_hand.outcomes if (v := each.difference("today", "it", "recall@100")) is not None]
    assert (difference.low, difference.high) == interval(values)
    assert (change.tune.difference.low, change.tune.difference.p) == (None, None), "it chose: it tests nothing"
    assert change.hold_out.found[1] - change.hold_out.found[0] == sum(round(2 * value) for value in values)


def held_out_otherwise(query: JudgedQuery) -> JudgedQuery:
    return query if query.half == "tune" else query.model_copy(update={"grades": {query.query_id: 2}})


@pytest.mark.slow
def test_the_hold_out_half_has_no_part_in_choosing(opened: Docgraph) -> None:
    """Judged as if nothing could be found there, the same change is tested, and does not hold."""
    asked: dict[str, Any] = {"max_documents": 1, "max_chunks": 4}
    wanted: dict[LimitField, tuple[int, ...]] = {"max_documents": (2, 4), "max_fan_out": (1,)}
    as_it_is = opened.query_sets.limits(QUESTIONS, request=asked, values=wanted)
    otherwise = opened.query_sets.limits([held_out_otherwise(q) for q in QUESTIONS], request=asked, values=wanted)
    assert [(c.field, c.after, c.tune) for c in as_it_is.changes] == [
        (c.field, c.after, c.tune) for c in otherwise.changes
    ]
    assert as_it_is.suggested is not None
    assert otherwise.changes
    assert otherwise.suggested is None
    tuned = opened.query_sets.limits([q for q in QUESTIONS if q.half == "tune"], request=asked, values=wanted)
    assert [c.after for c in tuned.changes] == [c.after for c in as_it_is.changes]
    assert tuned.suggested is None, "nothing is held out, so nothing is borne out"


def test_a_gain_of_few_held_out_questions_may_be_chance_and_is_not_suggested(opened: Docgraph) -> None:
    asked = {"max_documents": 1, "max_chunks": 4}
    made = opened.query_sets.limits(QUESTIONS[:8], request=asked, values={"max_documents": (2,)})
    (change,) = made.changes
    tested = change.hold_out.difference
    assert (tested.improved, tested.worse, tested.p) == (4, 0, 0.125)
    assert not change.holds
    assert made.suggested is None


def test_without_relationships_in_the_data_every_limit_of_them_is_flat(opened: Docgraph) -> None:
    bare = workspace()
    for edge in list(bare.relationships.list()):
        bare.relationships.remove(edge.key, reason="none", by="Ann")
    made = bare.query_sets.limits(QUESTIONS[:8], values={"max_expanded": (0, 1), "max_fan_out": (1,)})
    assert made.changes == ()
    for sweep in made.sweeps:
        assert len({(p.mean, p.tokens, p.documents, p.found) for p in sweep.points}) == 1


def test_of_an_unjudged_set_the_costs_are_known_and_nothing_else(opened: Docgraph) -> None:
    made = opened.query_sets.limits(["What of the queue?", "And the tide?"], values={"max_documents": (1, 2)})
    assert (made.n, made.n_judged, made.n_relevant, made.changes) == (2, 0, 0, ())
    assert {(p.mean, p.found, p.n) for p in made.sweeps[0].points} == {(None, None, 0)}
    assert [p.documents for p in made.sweeps[0].points] == [1.0, 2.0, 6.0]
    assert all(p.tokens for p in made.sweeps[0].points)


def test_a_kept_set_is_named_and_counts_what_people_judged(opened: Docgraph) -> None:
    opened.query_sets.keep([q.model_copy(update={"grades": {}}) for q in QUESTIONS[:4]], name="bare")
    opened.judgments.judge(QUESTIONS[0].query, "D0", relevant=True, by="Ann")
    made = opened.query_sets.limits("bare", values={"max_fan_out": (1,)})
    assert (made.name, made.n, made.n_judged, made.n_relevant) == ("bare", 4, 1, 1)
    with pytest.raises(NotFoundError):
        opened.query_sets.limits("no such set")


def test_it_can_be_stopped_with_what_is_finished(opened: Docgraph) -> None:
    class Stopping:
        done = 0

        def update(self, done: int, total: int, message: str) -> None:
            self.done = done

        def cancelled(self) -> bool:
            return self.done >= 3

    made = opened.query_sets.limits(QUESTIONS, values={"max_fan_out": (1,)}, workers=1, progress=Stopping())
    assert made.stopped
    assert 3 <= made.n < len(QUESTIONS)


def test_a_limit_that_the_preset_fixes_is_not_swept(opened: Docgraph) -> None:
    made = opened.query_sets.limits(QUESTIONS[:2], request={"preset": "literal", "max_documents": 12})
    assert [each.field for each in made.sweeps] == ["max_documents"]


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"request": {"use_relationships": False}}, "mean nothing"),
        ({"measure": "tokens"}, "is a cost"),
        ({"measure": "beauty@2"}, "no measure"),
        ({"request": {"max_documents": 0}}, "max_documents"),
        ({"values": {"max_beauty": (1,)}}, "not a limit"),
        ({"values": {"max_fan_out": ("a",)}}, "whole numbers"),
    ],
)
def test_what_cannot_be_swept_is_told_first(opened: Docgraph, given: dict[str, Any], what: str) -> None:
    with pytest.raises(UserError, match=what):
        opened.query_sets.limits(QUESTIONS, **given)
