"""Both plans in one picture: nothing overlaps, nobody disappears uncounted, what changed is drawn before the rest."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.comparison.compare import compare
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.plan import CutDocument, CutTotal
from docgraph.views.lanes.rows import FITTING
from docgraph.views.lanes.text import shortened, text_width
from docgraph.views.lanes.union import DENSE, FOLD, FOOT, HEAD, STOPS, Union, lanes_at, union

pytestmark = pytest.mark.slow

Plan = tuple[list[str], list[str], list[tuple[str, str, str]]]
IDS = "abcdefghijklmnopqrst"
TYPES = ("explains", "implements", "references", "a_type_with_a_very_long_name_indeed")
ALL = 100


@st.composite
def plans(draw: st.DrawFn, max_documents: int = 20) -> Plan:
    """Seeds, expanded documents and edges that a plan may have: every expanded one is reached from a seed."""
    ids = draw(st.lists(st.sampled_from(IDS), unique=True, min_size=1, max_size=max_documents))
    n = draw(st.integers(1, len(ids)))
    seeds, expanded = ids[:n], ids[n:]
    edge = st.tuples(st.sampled_from(seeds), st.sampled_from(TYPES))
    found = {(source, via, to) for to in expanded for source, via in draw(st.lists(edge, min_size=1, max_size=6))}
    return seeds, expanded, sorted(found)


def _compared(make_run: Any, a: Plan, b: Plan, **of_b: Any) -> Comparison:
    return compare(
        Side(name="a", label="MS3", run=make_run(*a)), Side(name="b", label="MS5", run=make_run(*b, **of_b)), ()
    )


def _members(a: Plan, b: Plan) -> set[str]:
    return {f"seed:{i}" for plan in (a, b) for i in plan[0]} | {f"expanded:{i}" for plan in (a, b) for i in plan[1]}


def _kept(a: Plan, b: Plan) -> set[str]:
    return {f"seed:{i}" for i in {*a[0]} & {*b[0]}} | {f"expanded:{i}" for i in {*a[1]} & {*b[1]}}


@given(plans(), plans(), st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_boxes_and_folds_never_overlap_and_stay_inside(make_run: Any, a: Plan, b: Plan, fitting: int) -> None:
    drawn = union(_compared(make_run, a, b), fitting=fitting)
    for lane in ("seed", "expanded"):
        rows = [(box.y, box.h) for box in drawn.boxes if box.lane == lane]
        rows = sorted(rows + [(fold.y, FOLD) for fold in drawn.folds if fold.lane == lane])
        assert all(y + h <= lower for (y, h), (lower, _) in pairwise(rows))
        assert all(y >= HEAD and y + h <= drawn.height + FOOT for y, h in rows)


@given(plans(), plans(), st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_what_came_and_left_is_drawn_and_the_unchanged_are_drawn_or_counted(
    make_run: Any, a: Plan, b: Plan, fitting: int
) -> None:
    drawn = union(_compared(make_run, a, b), fitting=fitting, max_rows=ALL)
    here = {box.key for box in drawn.boxes}
    assert _members(a, b) - _kept(a, b) <= here
    assert here <= _members(a, b)
    assert sum(fold.n for fold in drawn.folds) == len(_members(a, b) - here)
    assert not [note for note in drawn.notes if "more document" in note]


@given(plans(), plans())
@settings(max_examples=40, deadline=None)
def test_changes_beyond_the_most_rows_are_counted(make_run: Any, a: Plan, b: Plan) -> None:
    drawn = union(_compared(make_run, a, b), fitting=2, max_rows=3)
    missing = _members(a, b) - _kept(a, b) - {box.key for box in drawn.boxes}
    n = len({key.partition(":")[2] for key in missing})
    assert bool(n) == any(note.startswith(f"{n} more document") for note in drawn.notes)


@given(plans(), plans())
@settings(max_examples=40, deadline=None)
def test_every_edge_into_a_drawn_document_is_on_exactly_one_line(make_run: Any, a: Plan, b: Plan) -> None:
    drawn = union(_compared(make_run, a, b), fitting=ALL, max_rows=ALL)
    found = [edge for line in drawn.lines if line.look == "kept" for edge in line.edges]
    assert sorted(found) == sorted(b[2])


@given(plans(), plans())
@settings(max_examples=40, deadline=None)
def test_equal_comparisons_give_equal_pictures(make_run: Any, a: Plan, b: Plan) -> None:
    one, other = (union(_compared(make_run, a, b)) for _ in range(2))
    assert json.dumps(asdict(one)) == json.dumps(asdict(other))


def test_a_lane_that_does_not_fit_folds_what_is_unchanged_into_one_line_of_its_own(make_run: Any) -> None:
    seeds = [f"s{i:02}" for i in range(12)]
    after = ([*seeds[:10]], ["x"], [("s08", "explains", "x")])
    drawn = union(_compared(make_run, (seeds, [], []), after))
    [fold] = drawn.folds
    boxes = [box for box in drawn.boxes if box.lane == "seed"]
    assert len(boxes) + fold.n == 12
    assert len(boxes) == FITTING - 1
    assert "seed:s08" in {box.key for box in boxes}, "the seed of what came in stays"
    assert [box.key for box in boxes if box.look == "left"] == ["seed:s10", "seed:s11"]
    assert all((box.y > fold.y) == (box.look == "left") for box in boxes), "what left stands below the fold's line"
    assert drawn.height <= HEAD + FITTING * DENSE[1] + FOLD


def _union(make_run: Any) -> Union:
    a: Plan = (["a", "b", "c"], [], [])
    b: Plan = (["a", "n"], ["c", "x"], [("a", "explains", "x"), ("a", "implements", "x"), ("n", "depends_on", "c")])
    cut = [
        CutDocument(document_id="y", title="Title y", limit="max_expanded", value=2, place=5),
        CutDocument(document_id="b", title="Title b", limit="max_seeds", value=2, rank=3),
    ]
    totals = [CutTotal(limit="max_expanded", value=2, kept=2, total=3)]
    return union(_compared(make_run, a, b, cut=cut, cut_totals=totals, max_documents=4))


def test_every_change_says_what_it_is(make_run: Any) -> None:
    drawn = _union(make_run)
    assert {box.key: (box.look, box.note) for box in drawn.boxes} == {
        "seed:a": ("kept", "a"),
        "seed:n": ("added", "n"),
        "seed:c": ("ghost", "related now"),
        "seed:b": ("left", "removed: limit 2 matches"),
        "expanded:x": ("added", "x"),
        "expanded:c": ("moved", "found before"),
    }
    assert "position 3" in next(box.tip for box in drawn.boxes if box.key == "seed:b")


def test_edges_between_the_same_two_documents_share_a_line_with_their_number(make_run: Any) -> None:
    lines = {line.target: line for line in _union(make_run).lines}
    assert (lines["x"].label, lines["x"].short) == ("explains +1", "2 relationships")
    assert lines["x"].spoken == "Title a —explains→ Title x\nTitle a —implements→ Title x"
    assert lines["c"].label == "depends_on"


def test_a_cut_is_counted_with_its_limit_and_names_whom_it_kept_out(make_run: Any) -> None:
    drawn = _union(make_run)
    assert drawn.cut_head.startswith("1 of 3 left out")
    assert [(row.title, row.would_be) for row in drawn.cut] == [("Title y", "position 5")], "as the plan's own picture"


def test_an_expanded_document_that_left_keeps_its_edges_dashed(make_run: Any) -> None:
    drawn = union(_compared(make_run, (["a"], ["x"], [("a", "explains", "x")]), (["a"], [], [])))
    assert [(line.look, line.label, bool(line.dash)) for line in drawn.lines] == [("left", "explains", True)]


def test_where_changes_have_no_room_the_seeds_that_lead_to_what_is_drawn_stay(make_run: Any) -> None:
    seeds = [f"s{i:02}" for i in range(30)]
    edges = [(seeds[20], "explains", "x"), (seeds[25], "implements", "y")]
    drawn = union(_compared(make_run, (seeds[:5], [], []), (seeds, ["x", "y"], edges)), fitting=6, max_rows=6)
    assert {"x", "y", "s20", "s25", "s00", "s05"} <= {box.document_id for box in drawn.boxes}
    assert len(drawn.lines) == 2


def test_expanded_documents_stand_in_the_order_of_the_seeds_that_lead_to_them(make_run: Any) -> None:
    edges = [("b", "explains", "x"), ("a", "explains", "y")]
    drawn = union(_compared(make_run, (["a", "b"], [], []), (["a", "b"], ["x", "y"], edges)))
    assert [box.document_id for box in drawn.boxes if box.lane == "expanded"] == ["y", "x"]


def test_lanes_keep_their_order_and_a_gap_for_labels_at_every_width() -> None:
    for width in range(200, 1600, 7):
        (x0, w0), (x1, w1) = lanes_at(width)
        assert x0 > 14
        assert x0 + w0 + 80 <= x1
        assert x1 + w1 <= max(width, STOPS[0][0])


@given(st.text(max_size=60), st.floats(20, 300))
@settings(max_examples=80, deadline=None)
def test_shortened_text_fits(text: str, room: float) -> None:
    assert text_width(shortened(text, room)) <= room or shortened(text, room) == "…"
