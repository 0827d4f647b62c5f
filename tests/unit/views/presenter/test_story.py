"""What the presenter says and where it stands: counted sentences, honest causes, and seeds that never move."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.comparison.compare import compare
from docgraph.domain.comparison import Comparison, RelevantDocument, Side
from docgraph.domain.run import Run
from docgraph.views.lanes.layout import MAX_LINES
from docgraph.views.presenter import story
from docgraph.views.presenter.picture import MAX_FOUND, MAX_RELATED, dot_x, picture, score_range
from tests.unit.views.conftest import MakeRun

EDGES = [("a", "explains", "x"), ("a", "explains", "y"), ("b", "decision_for", "x")]


def compared(before: Run, after: Run) -> Comparison:
    """Two runs made by hand beside each other; scores follow ranks in them, so their drift is set to none."""
    sides = Side(name="ms3", label="MS3", run=before), Side(name="run", label="MS5", run=after)
    return compare(*sides, ()).model_copy(update={"score_drift": 0.0})


def text(line: story.Line) -> str:
    return "".join(part.text for part in line)


def texts(comparison: Comparison) -> list[str]:
    return [text(line) for line in story.changed(comparison)]


@pytest.mark.parametrize(("given_text", "step"), [("1", 1), ("3", 3), ("4", 1), ("x", 1), ("", 1), (None, 1), ("²", 1)])
def test_a_step_that_is_none_is_the_first(given_text: str | None, step: int) -> None:
    assert story.step_of(given_text) == step


@pytest.mark.parametrize(
    ("seeds", "sentence"),
    [
        ((), "Without relationships nothing is found."),
        (("a",), "Without relationships: 1 document, 1 passage."),
        (("a", "b", "c"), "Without relationships: 3 documents, 3 passages."),
    ],
)
def test_step_one_counts_what_is_found_without_relationships(
    make_run: MakeRun, seeds: tuple[str, ...], sentence: str
) -> None:
    run = make_run(seeds)
    assert text(story.found(compared(run, run))) == sentence


def test_step_two_says_how_many_documents_are_reached_and_who_makes_room(make_run: MakeRun) -> None:
    after = make_run(("a", "b"), ("x", "y"), EDGES)
    line, under = story.related(compared(make_run(("a", "b", "c", "d")), after))
    assert (text(line), under) == (
        "Relationships lead to 2 more documents.",
        "The plan reads 4 documents, so 2 others make room. The 2 best stay where they are.",
    )
    line, under = story.related(compared(make_run(("a", "b")), after))
    assert under == "The plan reads 4 documents, and none leaves. The 2 best stay where they are."
    line, _ = story.related(compared(make_run(("a", "b", "x")), after))
    assert text(line) == "Relationships lead to 2 documents, 1 of them new."
    one = make_run(("a",), ("x",), EDGES[:1])
    line, _ = story.related(compared(make_run(("a", "x")), one))
    assert text(line) == "Relationships lead to 1 document, it was found before."


def test_the_last_step_counts_documents_of_the_same_pair_as_every_other_screen(make_run: MakeRun) -> None:
    """The price once counted from another baseline than the headline."""
    after = make_run(("a",), ("x", "y"), EDGES[:2])
    found = compared(make_run(("a", "b"), chunks={"b": 2}), after)
    assert texts(found) == ["Relationships: 2 documents in, 1 document out."]
    assert [fact.text for fact in story.facts(found, contract=False)][:2] == ["2 documents in", "1 document out"]
    assert story.counted(found, "left") == "1 document, 2 passages"


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (((True, True), (False, True)), "2 of 2 relevant documents are read. Without: 1."),
        (((True, True),), "1 of 1 relevant document is read, with and without."),
        (((True, False), (False, True)), "1 relevant document is lost, 1 gained: still 1 of 2."),
        (((True, False), (True, True)), "1 relevant document is lost: 2 → 1 of 2."),
    ],
)
def test_what_is_judged_goes_first_and_a_loss_before_all(
    make_run: MakeRun, read: tuple[tuple[bool, bool], ...], said: str
) -> None:
    found = compared(make_run(("a", "b")), make_run(("a",), ("x",), EDGES[:1]))
    relevant = [RelevantDocument(document_id=f"r{n}", title="R", in_a=a, in_b=b) for n, (a, b) in enumerate(read)]
    judged = found.model_copy(update={"relevant": tuple(relevant)})
    assert texts(judged) == [said, "Relationships: 1 document in, 1 document out."]
    assert [(row.before, row.after) for row in story.read_rows(judged)] == list(read)


def test_what_came_in_shows_relationships_first_each_with_its_line_style(make_run: MakeRun) -> None:
    before, after = make_run(("a", "b"), chunks={"a": 1}), make_run(("a", "b", "c"), ("x",), EDGES, chunks={"a": 2})
    rows = story.arrivals(compared(before, after))
    assert [row.document_id for row in rows] == ["x", "c", "a"]
    assert [(mark.from_title, mark.via, mark.dash) for mark in rows[0].reasons] == [
        ("Title a", "explains", ()),
        ("Title b", "decision_for", (7, 4)),
    ]
    assert [row.passages for row in rows] == ["1 passage", "1 passage", "1 passage more"]
    assert rows[2].note == "was found before"


def test_a_cost_names_the_document_its_place_and_the_text_that_is_not_read(make_run: MakeRun) -> None:
    after = make_run(("a",), ("x",), EDGES[:1], max_seeds=1)
    (cost,) = story.costs(compared(make_run(("a", "b"), chunks={"b": 2}), after))
    assert (cost.title, cost.heading, cost.text) == ("Title b", "2 passages", "The queue of b was full.")
    assert cost.why == "place 2 of 2, now for a related document"


def test_an_identical_answer_says_that_this_is_the_point(make_run: MakeRun) -> None:
    after = make_run(("a", "b"))
    found = compared(make_run(("a", "b"), use_relationships=False), after)
    assert texts(found) == [story.POINT]
    assert story.why_same(found) != ""
    assert story.same_facts(found) == (
        "The same 2 documents",
        "The same 2 passages, each in its place",
        "The same scores",
    )


def test_a_score_that_differs_is_a_broken_promise_and_not_a_figure(make_run: MakeRun) -> None:
    found = compared(make_run(("a", "b")), make_run(("a",), ("x",), EDGES[:1]))
    broken = found.model_copy(update={"score_drift": 0.02})
    assert story.Fact("Score drift 0.02", kept=False) in story.facts(broken, contract=True)
    assert story.Fact("1 kept, same place, same score") in story.facts(found, contract=True)


@pytest.mark.parametrize(
    ("metadata", "said"), [({"status": "Superseded by ADR-7"}, True), ({"status": "live"}, False), (None, False)]
)
def test_a_superseded_document_is_known_by_its_status(metadata: Any, said: bool) -> None:
    assert story.superseded(metadata) is said


# ---------------------------------------------------------------- the picture

DOCUMENTS = [f"d{n}" for n in range(14)]


@given(st.integers(0, 12), st.integers(1, 8), st.integers(0, 6))
@settings(max_examples=60, deadline=None)
def test_every_seed_of_the_second_step_has_a_row_and_no_two_share_one(
    make_run: MakeRun, n_before: int, n_seeds: int, n_related: int
) -> None:
    seeds = DOCUMENTS[3 : 3 + min(n_seeds, 7)]
    related = [f"x{n}" for n in range(n_related)]
    edges = [(seed, "explains", target) for seed in seeds for target in related]
    drawn = picture(compared(make_run(DOCUMENTS[:n_before]), make_run(seeds, related, edges, max_fan_out=9)))
    assert len(drawn.found) <= MAX_FOUND
    assert len(drawn.related) <= MAX_RELATED
    assert set(seeds) <= {box.document_id for box in drawn.found}
    assert len({box.y for box in drawn.found}) == len(drawn.found)
    assert len(drawn.found) + drawn.n_more_found == len({*DOCUMENTS[:n_before], *seeds})
    assert len(drawn.related) + drawn.n_more_related == n_related
    for box in drawn.related:
        assert 1 <= sum(arrow.target == box.document_id for arrow in drawn.arrows) <= MAX_LINES


def test_more_than_three_relationships_into_one_document_share_a_line(make_run: MakeRun) -> None:
    edges = [(seed, "explains", "x") for seed in "abcd"]
    drawn = picture(compared(make_run("abcd"), make_run("abcd", ("x",), edges)))
    assert [arrow.label for arrow in drawn.arrows] == ["4 relationships"]


def test_dots_stand_inside_the_axis_whatever_the_scores(make_run: MakeRun) -> None:
    boxes = picture(compared(make_run(("a", "b")), make_run(("a", "b")))).found
    ends = score_range(boxes)
    assert ends == (0.7, 0.8)
    assert all(dot_x(ends[0], ends) <= dot_x(s, ends) <= dot_x(ends[1], ends) for box in boxes for s in box.scores)
    assert score_range(()) == (0.0, 1.0)
