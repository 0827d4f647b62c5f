"""The graph's geometry and model: fixed rows, whole edges, nothing cut in silence."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.domain.plan import CutDocument, CutTotal
from docgraph.views.lanes.layout import edge_id, node_id, spans
from docgraph.views.plan import lanes
from docgraph.views.plan.arrangement import arrange
from docgraph.views.plan.cuts import expanded_blocks, seed_block
from docgraph.views.plan.graph import GraphOptions, arrangement_of, plan_graph
from docgraph.views.plan.routes import routes

EDGES = [("a", "explains", "x"), ("a", "explains", "y"), ("b", "decision_for", "x"), ("b", "implements", "x")]
IDS = st.lists(st.sampled_from("abcdefghij"), unique=True, max_size=8)


def _nodes(graph: Any) -> dict[str, Any]:
    return {node["id"]: node for node in graph.data["nodes"]}


def test_the_same_run_gives_the_same_picture(make_run: Any) -> None:
    one, other = (plan_graph(make_run(["a", "b"], ["x", "y"], EDGES)) for _ in range(2))
    assert one.data == other.data
    assert json.loads(json.dumps(one.data)) == json.loads(json.dumps(other.data))


def test_rows_stand_in_plan_order_in_their_lane(make_run: Any) -> None:
    nodes = _nodes(plan_graph(make_run(["a", "b"], ["x", "y"], EDGES)))
    assert [nodes[node_id(i)]["y"] for i in "ab"] == [lanes.row_centre(0), lanes.row_centre(1)]
    assert [nodes[node_id(i)]["y"] for i in "xy"] == [lanes.row_centre(0), lanes.row_centre(1)]
    assert [nodes[node_id(i)]["kind"] for i in "abxy"] == ["seed", "seed", "expanded", "expanded"]


def test_a_seed_keeps_its_pixel_when_relationships_are_switched_off(make_run: Any) -> None:
    with_edges = make_run(["a", "b"], ["x", "y"], EDGES)
    without = make_run(["c", "b", "x"])
    like = arrangement_of(with_edges)
    before, after = _nodes(plan_graph(with_edges)), _nodes(plan_graph(without, GraphOptions(like=like)))
    assert after[node_id("b")]["y"] == before[node_id("b")]["y"]


@given(IDS, st.dictionaries(st.sampled_from("abcdefghij"), st.integers(0, 12), max_size=6))
@settings(max_examples=60, deadline=None)
def test_two_documents_never_share_a_row(ids: list[str], wanted: dict[str, int]) -> None:
    kept = {document_id: row for row, document_id in {row: i for i, row in wanted.items()}.items()}
    rows = lanes.assign_rows(ids, kept)
    assert set(rows) == set(ids)
    assert len(set(rows.values())) == len(ids)
    assert all(rows[i] == kept[i] for i in ids if i in kept)


@given(st.floats(200, 3000), st.sampled_from([lanes.STOPS, lanes.ROW_STOPS, lanes.WIDE_STOPS]))
@settings(max_examples=100, deadline=None)
def test_lanes_never_overlap_at_any_width(width: float, stops: lanes.Stops) -> None:
    found = spans(stops, width)
    assert all(x + w < next_x for (x, w), (next_x, _) in pairwise(found))
    assert found[-1][0] + found[-1][1] <= max(width, stops[0][0])


def test_every_edge_of_the_plan_is_on_exactly_one_line(make_run: Any) -> None:
    run = make_run(["a", "b"], ["x", "y"], [*EDGES, ("a", "references", "b")])
    lines = routes(run.plan, arrange(run.plan))
    assert sorted(edge for line in lines for edge in line.edges) == sorted(run.plan.edges)
    assert [line.aside for line in lines if line.edges == (("a", "references", "b"),)] == [True]


def test_labels_into_one_document_are_as_far_apart_as_a_label_is_high(make_run: Any) -> None:
    run = make_run(["a", "b"], ["x", "y"], EDGES)
    ends = sorted(r.to_y for r in routes(run.plan, arrange(run.plan)) if r.edges[0][2] == "x")
    assert [b - a for a, b in pairwise(ends)] == [lanes.LABEL_STEP, lanes.LABEL_STEP]
    assert abs(ends[0] - lanes.row_centre(0)) < lanes.NODE / 2


def test_more_than_three_edges_into_a_document_become_lines_with_their_number(make_run: Any) -> None:
    edges = [("a", via, "x") for via in ("explains", "implements", "references", "supersedes")]
    graph = plan_graph(make_run(["a"], ["x"], edges))
    lines = [edge for edge in graph.data["edges"] if edge["kind"] == "edge"]
    assert [line["label"] for line in lines] == ["4 relationships"]
    assert sorted(lines[0]["ids"]) == sorted(edge_id(edge) for edge in edges)
    assert graph.n_edges == 4


def test_the_line_to_the_same_row_is_straight(make_run: Any) -> None:
    edges = [("a", "explains", "x"), ("a", "implements", "y")]
    plan = make_run(["a"], ["x", "y"], edges).plan
    lines = routes(plan, arrange(plan))
    assert lines[0].from_y == lines[0].to_y
    assert lines[1].from_y != lines[0].from_y


def test_everything_stands_inside_the_height(make_run: Any) -> None:
    graph = plan_graph(make_run([f"s{i}" for i in range(9)], ["x"], [("s0", "explains", "x")]))
    assert max(node["y"] for node in graph.data["nodes"]) + lanes.NODE / 2 < graph.data["height"]


def test_hostile_titles_travel_as_data_only(make_run: Any) -> None:
    run = make_run(["a"], ["<img src=x onerror=alert(1)>"], [("a", "</script>", "<img src=x onerror=alert(1)>")])
    graph = plan_graph(run)
    assert "<img src=x onerror=alert(1)>" in _nodes(graph)[node_id("<img src=x onerror=alert(1)>")]["label"]
    assert [e["label"] for e in graph.data["edges"] if e["kind"] == "edge"] == ["</script>"]
    assert all("title" not in node for node in graph.data["nodes"]), "vis-network would render a title"


# ---------------------------------------------------------------- cut lists


def _cut(document_id: str, limit: str, value: int, **more: Any) -> CutDocument:
    return CutDocument.model_validate(
        {"document_id": document_id, "title": f"Title {document_id}", "limit": limit, "value": value, **more}
    )


def test_the_seed_list_counts_everybody_and_marks_who_came_back_over_an_edge(make_run: Any) -> None:
    cut = [_cut(f"c{i}", "max_seeds", 1, rank=i, score=0.2) for i in (2, 3, 4, 6)]
    totals = [CutTotal(limit="max_seeds", value=1, kept=1, total=5)]
    block = seed_block(make_run(["a"], ["x"], [("a", "explains", "x")], cut=cut, cut_totals=totals).plan, max_rows=3)
    assert block is not None
    assert block.head == "5 of 6 left out (limit: 1)"
    assert [row.document_id for row in block.rows] == ["c2", "c3", "c4"]
    assert block.more == 2
    whole = seed_block(make_run(["a"], ["x"], [("a", "explains", "x")], cut=cut, cut_totals=totals).plan, max_rows=None)
    assert whole is not None
    assert [row.document_id for row in whole.rows if row.back] == ["x"]
    assert whole.foot == "1 of these 5 returns as related"


def test_what_too_many_link_to_says_how_many_and_how_to_let_it_in(make_run: Any) -> None:
    cut = [_cut("g", "max_linked_percent", 25, rank=9, score=0.1, linked_by=1_551, n_documents=2_949)]
    totals = [CutTotal(limit="max_linked_percent", value=25, kept=1, total=2)]
    run = make_run(["a"], ["x"], [("a", "explains", "x")], cut=cut, cut_totals=totals)
    (block,) = expanded_blocks(run.plan, max_rows=5)
    assert block.rows[0].tail == "linked from 1,551 of 2,949"
    assert (block.fix, block.fix_label) == ({"max_linked_percent": 100}, "Remove limit")


def test_a_cut_relation_says_its_place_and_how_to_let_it_in(make_run: Any) -> None:
    cut = [_cut("g", "max_expanded", 1, place=3, rank=9, score=0.1)]
    totals = [CutTotal(limit="max_expanded", value=1, kept=1, total=2)]
    run = make_run(["a"], ["x"], [("a", "explains", "x")], cut=cut, cut_totals=totals)
    (block,) = expanded_blocks(run.plan, max_rows=5)
    assert block.head == "1 of 2 left out (limit: 1)"
    assert block.rows[0].tail == "position 3"
    assert block.fix == {"max_documents": 3, "max_expanded": 2}
    assert block.fix_label == "Raise limit to 3"


def test_boilerplate_says_how_many_documents_link_to_it_and_is_lifted_by_one_click(make_run: Any) -> None:
    cut = [_cut("licence", "max_linked_percent", 25, linked_by=551, n_documents=949)]
    totals = [CutTotal(limit="max_linked_percent", value=25, kept=1, total=2)]
    run = make_run(["a"], ["x"], [("a", "explains", "x")], cut=cut, cut_totals=totals)
    (block,) = expanded_blocks(run.plan, max_rows=0)
    assert block.head == "1 of 2 linked from over 25 % of all"
    assert [row.tail for row in block.rows] == ["linked from 551 of 949"], "named even where lists are folded"
    assert block.fix == {"max_linked_percent": 100}


def test_a_list_says_every_edge_once_below_its_seed_in_plan_order(make_run: Any) -> None:
    """Also edges of which the drawing makes one line."""
    run = make_run(["a", "b"], ["x", "y"], EDGES)
    leads = plan_graph(run).data["leads"]
    assert [(lead["from"], lead["type"], lead["to"]) for lead in leads] == [
        (node_id(start), via, node_id(end)) for start, via, end in (EDGES[0], EDGES[1], EDGES[2], EDGES[3])
    ]
    assert [lead["id"] for lead in leads] == [edge_id(edge) for edge in EDGES]


def test_a_picture_names_its_plan_and_is_an_overview_from_sixty_documents_on(make_run: Any) -> None:
    """What somebody zoomed or dragged is kept for this plan, and for no other."""
    few, many = make_run(["a", "b"], ["x"], EDGES[:1]), make_run([f"d{n:02}" for n in range(60)])
    assert plan_graph(few).data["plan"] == few.plan.plan_id != many.plan.plan_id
    assert [plan_graph(run).data["overview"] for run in (few, many)] == [False, True]
    assert plan_graph(few, GraphOptions(between=True)).data["plan"] == few.plan.plan_id
