"""What every picture of lanes is placed by: lines that meet in one point, widths between two stops, ids of lines."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.views.lanes.layout import (
    MAX_LINES,
    Edge,
    Line,
    bundled,
    by_edge,
    by_source,
    dash,
    edge_id,
    fanned,
    labelled,
    spans,
)

STOPS = ((400, ((0, 100), (200, 150))), (600, ((20, 200), (300, 250))))
ONE: Edge = ("a", "implements", "x")
TWO: Edge = ("b", "explains", "x")


def _line(*edges: Edge) -> Line:
    return Line(edges=edges, label="", dash=(), from_ys=(1.0, 2.0), to_y=3.0)


@given(st.integers(1, 12), st.floats(1, 40), st.floats(0, 60))
def test_lines_fan_out_evenly_around_the_middle_and_stay_in_their_room(n: int, step: float, room: float) -> None:
    ys = fanned(100, n, step, room=room)
    assert len(ys) == n
    assert sum(ys) / n == pytest.approx(100)
    assert ys[-1] - ys[0] <= room + 1e-6
    gaps = [below - above for above, below in pairwise(ys)]
    assert gaps == pytest.approx([min(step, room / max(n - 1, 1))] * (n - 1), abs=1e-6)


def test_lines_are_a_step_apart_where_nothing_is_narrow() -> None:
    assert fanned(50, 3, 10) == (40, 50, 60)
    assert fanned(50, 2, 10, room=4) == (48, 52)
    assert fanned(50, 0, 10) == ()


@pytest.mark.parametrize(
    ("width", "found"),
    [
        (100, ((0, 100), (200, 150))),
        (400, ((0, 100), (200, 150))),
        (500, ((10, 150), (250, 200))),
        (600, ((20, 200), (300, 250))),
        (9_000, ((20, 200), (300, 250))),
    ],
)
def test_lanes_move_in_proportion_between_two_stops_and_no_further(width: float, found: tuple[object, ...]) -> None:
    assert spans(STOPS, width) == found


def test_a_line_of_one_edge_has_its_id_and_one_of_several_has_its_own() -> None:
    assert _line(ONE).id == edge_id(ONE)
    both, other = _line(ONE, TWO), _line(TWO, ONE)
    assert both.id.startswith("lines:")
    assert both.id == _line(ONE, TWO).id
    assert len({both.id, other.id, edge_id(ONE), edge_id(TWO)}) == 4


def test_a_line_knows_its_ends() -> None:
    line = _line(ONE, TWO, ("a", "explains", "x"))
    assert (line.sources, line.target, line.from_y) == (("a", "b"), "x", 1.0)


def test_a_line_is_named_by_its_edge_or_by_how_many_there_are() -> None:
    assert labelled([ONE], "1 edge") == ("implements", dash("implements"))
    assert labelled([ONE, TWO], "2 relationships") == ("2 relationships", ())


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("uvw"), st.just("x")), unique=True, max_size=12))
def test_edges_share_lines_only_when_there_are_too_many_and_none_is_lost(edges: list[Edge]) -> None:
    lines = bundled(edges, by_edge, by_source)
    assert sorted(edge for line in lines for edge in line) == sorted(edges)
    assert len(lines) <= MAX_LINES
    if len(edges) <= MAX_LINES:
        assert lines == tuple((edge,) for edge in edges)
    elif len({edge[0] for edge in edges}) <= MAX_LINES:
        assert all(len({edge[0] for edge in line}) == 1 for line in lines)
    else:
        assert lines == (tuple(edges),)
