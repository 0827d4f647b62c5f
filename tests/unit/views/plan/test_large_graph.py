"""A plan of many documents: rows for cards, groups with one arrow, lines from every seed, nothing cut silently."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.comparison.compare import compare
from docgraph.domain.comparison import Side
from docgraph.views.lanes.layout import dash, dashes, edge_id, node_id
from docgraph.views.plan import lanes
from docgraph.views.plan.arrangement import GROUP_CAP, LANE_CAP, MANY_DOCUMENTS, TWO_COLUMNS
from docgraph.views.plan.draft.marks import draft_marks
from docgraph.views.plan.graph import GraphOptions, PlanGraph, arrangement_of, plan_graph

SEEDS = [f"s{i:02}" for i in range(9)]
EXPANDED = [f"x{i:02}" for i in range(6)]
EDGES = [
    ("s00", "mentions", "x00"),
    ("s03", "mentions", "x00"),
    ("s00", "mentions", "x01"),
    ("s03", "replaces", "x02"),
    ("s00", "mentions", "x02"),
    ("s01", "mentions", "x03"),
    ("s01", "mentions", "x04"),
    ("s01", "mentions", "x05"),
]


def _nodes(graph: PlanGraph) -> dict[str, Any]:
    return {node["id"]: node for node in graph.data["nodes"]}


def _lines(graph: PlanGraph) -> list[Any]:
    return [edge for edge in graph.data["edges"] if edge["kind"] == "edge" and not edge["route"]["aside"]]


def _run(make_run: Any, n_seeds: int, n_expanded: int, n_sources: int) -> Any:
    seeds, expanded = [f"s{i:02}" for i in range(n_seeds)], [f"x{i:02}" for i in range(n_expanded)]
    return make_run(seeds, expanded, [(seeds[i % n_sources], "mentions", x) for i, x in enumerate(expanded)])


def test_a_plan_of_many_documents_has_rows_and_the_question_as_a_bracket(make_run: Any) -> None:
    few, many = plan_graph(_run(make_run, 8, 4, 2)), plan_graph(_run(make_run, 8, 5, 2))
    assert (few.data["rows"], few.data["bracket"], few.data["node_height"]) == (False, None, lanes.NODE)
    assert (many.data["rows"], many.data["node_height"]) == (True, lanes.ROWS.node)
    assert not [edge for edge in many.data["edges"] if edge["kind"] == "query"]
    nodes = _nodes(many)
    assert many.data["bracket"]["top"] == nodes[node_id("s00")]["y"]
    assert many.data["bracket"]["bottom"] == nodes[node_id("s07")]["y"]


def test_documents_are_grouped_by_their_rarest_type_and_the_first_seed_that_gives_it(make_run: Any) -> None:
    groups = plan_graph(make_run(SEEDS, EXPANDED, EDGES)).data["groups"]
    assert [(g["label"], g["n"], g["members"]) for g in groups] == [
        ("mentions", "2", [node_id("x00"), node_id("x01")]),
        ("mentions", "3", [node_id("x03"), node_id("x04"), node_id("x05")]),
        ("replaces", "1", [node_id("x02")]),
    ]
    assert groups[0]["tip"] == "mentions: 2 documents over 3 relationships from 2 matches"


def test_a_group_has_a_line_from_every_seed_that_has_a_reason_in_it(make_run: Any) -> None:
    graph = plan_graph(make_run(SEEDS, EXPANDED, EDGES))
    lines = {line["id"]: line for line in _lines(graph)}
    starts = [[lines[i]["sources"][0] for i in group["lines"]] for group in graph.data["groups"]]
    assert starts == [
        [node_id("s00"), node_id("s03")],
        [node_id("s01")],
        [node_id("s00"), node_id("s03")],
    ]
    assert sorted(i for line in lines.values() for i in line["ids"]) == sorted(map(edge_id, EDGES))
    assert graph.n_edges == len(EDGES)
    mains = [[lines[i]["main"] for i in group["lines"]] for group in graph.data["groups"]]
    assert mains == [[True, False], [True], [False, True]]


def test_edges_between_seeds_are_counted_and_wait_to_be_asked_for(make_run: Any) -> None:
    run = make_run(SEEDS, EXPANDED, [*EDGES, ("s00", "mentions", "s01"), ("s03", "mentions", "s01")])
    graph = plan_graph(run)
    assert (graph.n_between, graph.n_drawable, graph.n_edges) == (2, 2, len(EDGES))
    assert graph.shown == f"15 documents, {len(EDGES)} relationships, all shown"
    assert graph.data["between"] is False
    assert plan_graph(run, GraphOptions(between=True)).data["between"] is True


@given(st.integers(0, 40), st.integers(0, 50), st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_nobody_stands_on_another_and_all_stand_inside(make_run: Any, n_seeds: int, n_expanded: int, n: int) -> None:
    run = _run(make_run, n_seeds + n, n_expanded, n)
    graph = plan_graph(run)
    nodes = [node for node in graph.data["nodes"] if node["id"] != "query"]
    spots = [(node["x"], node["column"], node["y"]) for node in nodes]
    assert len(set(spots)) == len(spots)
    for lane in (1, 2):
        for column in (0, 1):
            ys = sorted(y for x, c, y in spots if (x, c) == (lane, column))
            assert all(b - a >= graph.data["node_height"] for a, b in pairwise(ys))
    assert all(a["top"] + a["height"] < b["top"] for a, b in pairwise(graph.data["groups"]))
    assert all(0 < y < graph.data["height"] for _, _, y in spots)
    assert all(block["top"] < graph.data["height"] for block in graph.data["blocks"])
    assert graph.data == plan_graph(run).data


def test_from_so_many_documents_on_the_expanded_ones_have_two_columns(make_run: Any) -> None:
    one, two = plan_graph(_run(make_run, 5, TWO_COLUMNS - 1, 2)), plan_graph(_run(make_run, 5, TWO_COLUMNS, 2))
    assert {node.get("column") for node in one.data["nodes"]} == {None, 0}
    assert {node.get("column") for node in two.data["nodes"]} == {None, 0, 1}


def test_seeds_after_the_first_are_counted_unless_an_edge_starts_at_them(make_run: Any) -> None:
    seeds, expanded = [f"s{i:02}" for i in range(30)], ["x"]
    run = make_run(seeds, expanded, [("s27", "mentions", "x")])
    graph = plan_graph(run)
    shown = [i for i in graph.document_ids if i in seeds]
    assert shown == [*seeds[:LANE_CAP], "s27"]
    (rest,) = [block for block in graph.data["blocks"] if block["kind"] == "rest"]
    assert rest["head"] == "9 more matches"
    assert len(rest["scores"]) == 9
    assert graph.folded
    assert graph.shown == "showing 22 of 31 documents"
    assert plan_graph(run, GraphOptions(show_all=True)).shown == "31 documents, 1 relationship, all shown"


def test_a_very_large_plan_shows_the_first_of_each_group_and_counts_the_rest(make_run: Any) -> None:
    run = _run(make_run, 4, MANY_DOCUMENTS - 4, 4)
    graph = plan_graph(run)
    size = (MANY_DOCUMENTS - 4) // 4
    assert [(g["n"], len(g["members"]), g["more"]) for g in graph.data["groups"]] == [
        (str(size), GROUP_CAP, f"{size - GROUP_CAP} more")
    ] * 4
    n, edges = 4 + 4 * GROUP_CAP, f"{4 * GROUP_CAP} of {4 * size} relationships"
    assert graph.shown == f"showing {n} of {MANY_DOCUMENTS} documents and {edges}"
    shown = set(_nodes(graph))
    assert all(edge["from"] in shown and set(edge["targets"]) <= shown for edge in _lines(graph))
    everything = plan_graph(run, GraphOptions(show_all=True))
    assert not everything.folded
    assert all(not group["more"] for group in everything.data["groups"])


def test_seeds_keep_their_places_when_relationships_are_switched_off(make_run: Any) -> None:
    """With two columns the seeds' lane is narrower; it was wide without relationships, and every seed moved."""
    with_edges, without = _run(make_run, 24, 22, 22), make_run([f"s{i:02}" for i in range(46)])
    before, after = plan_graph(with_edges), plan_graph(without, GraphOptions(like=arrangement_of(with_edges)))
    assert after.data["stops"] == before.data["stops"]
    kept = [node for node in before.data["nodes"] if node.get("kind") == "seed"]
    assert len(kept) == 22
    assert all(_nodes(after)[node["id"]]["y"] == node["y"] for node in kept)


@given(st.sets(st.sampled_from(EXPANDED), max_size=5), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_a_draft_of_a_large_plan_moves_nobody(make_run: Any, out: set[str], n_new: int) -> None:
    new = [f"n{i}" for i in range(n_new)]
    base = make_run(SEEDS, EXPANDED, EDGES)
    edges = [e for e in EDGES if e[2] not in out] + [("s02", "mentions", i) for i in new]
    draft = make_run(SEEDS, [i for i in EXPANDED if i not in out] + new, edges)
    comparison = compare(Side(name="a", label="A", run=base), Side(name="b", label="B", run=draft), ())
    marks = draft_marks(comparison, arrangement_of(base), ["mentions", "replaces"])
    before, after = plan_graph(base), plan_graph(draft, GraphOptions(draft=marks))
    nodes = _nodes(after)
    assert all(nodes[i]["y"] == node["y"] for i, node in _nodes(before).items())
    tops = {group["id"]: (group["top"], group["height"]) for group in before.data["groups"]}
    assert tops.items() <= {group["id"]: (group["top"], group["height"]) for group in after.data["groups"]}.items()
    assert all(nodes[node_id(i)]["change"] == "left" for i in out)
    assert {i for i in new if nodes[node_id(i)]["change"] == "added"} == set(new)


def test_the_commonest_types_have_lines_of_their_own() -> None:
    styles = dashes({"mentions": 1679, "replaces": 42, "requires": 39, "superseded_by": 32, "rare": 1, "explains": 5})
    common = [styles[name] for name in ("replaces", "requires", "mentions", "explains")]
    assert len({styles["explains"], *common}) == 4
    assert styles["explains"] == dash("explains"), "a type that has a style of its own keeps it"
    assert styles["superseded_by"] == styles["rare"] == dash("rare")
