"""The focus graph: who stands in which lane, how lines run, what is left out and counted."""

from __future__ import annotations

import itertools
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import EdgeKey
from docgraph.views.relationships.edges.focus import HEAD, FocusGraph, focus_graph
from docgraph.views.relationships.edges.neighbours import Document


def edge(start: str, end: str, via: str = "explains") -> Relationship:
    return Relationship(from_document_id=start, relation_type=via, to_document_id=end)


def graph(*edges: Relationship, a: str = "a", b: str = "b", asked: EdgeKey | None = None, **more: object) -> FocusGraph:
    ids = {i for e in edges for i in (e.from_document_id, e.to_document_id)} | {a, b}
    documents = {i: Document(i, i.upper()) for i in ids if i != "gone"}
    return focus_graph(documents[a], documents[b], edges, documents=documents, edge=asked, **more)  # type: ignore[arg-type]


def lanes(found: FocusGraph) -> dict[str, str]:
    return {node.document_id: node.lane for node in found.nodes}


def test_documents_that_only_point_at_the_two_stand_left_and_those_that_they_point_at_right() -> None:
    found = graph(edge("a", "b"), edge("x", "a"), edge("b", "y"), edge("z", "a"), edge("a", "z"))
    assert lanes(found) == {"a": "centre", "b": "centre", "x": "in", "y": "out", "z": "out"}
    assert found.shown == "5 documents, 5 relationships, all shown"


def test_the_relationship_in_question_comes_first_and_is_emphasised_alone() -> None:
    asked = ("b", "mentions", "a")
    found = graph(edge("a", "b"), edge(*("b", "a"), "mentions"), asked=asked)
    between = [line for line in found.lines if line.between]
    assert [(line.edges[0], line.asked) for line in between] == [(asked, True), (("a", "explains", "b"), False)]
    assert between[0].from_y > between[0].to_y, "it points upwards, from B to A"


def test_a_relationship_that_is_not_stored_is_drawn_as_proposed() -> None:
    (line,) = graph(asked=("a", "explains", "b")).lines
    assert (line.proposed, line.asked) == (True, True)


def test_a_relationship_of_a_document_to_itself_has_one_box() -> None:
    found = graph(edge("a", "a"), edge("a", "x"), a="a", b="a")
    assert [node.hub for node in found.nodes if node.hub] == ["A = B"]
    assert [line.sources == (line.target,) for line in found.lines if line.between] == [True]


def test_a_target_that_is_not_stored_is_marked() -> None:
    found = graph(edge("a", "b"), edge("a", "gone"))
    assert [node.document_id for node in found.nodes if node.missing] == ["gone"]


def test_a_lane_is_limited_with_counts_and_keeps_who_was_asked_for() -> None:
    many = [edge("a", f"n{i:02}") for i in range(40)]
    found = graph(edge("a", "b"), *many, keep=["n39"])
    assert found.heads[2] == ("A or B lead to", "8 of 40")
    assert "n39" in lanes(found)
    assert found.shown == "showing 10 of 42 documents; the table lists all"
    assert len(found.rows) == 41


def test_both_sides_get_their_share_of_a_full_lane() -> None:
    found = graph(*(edge("a", f"m{i}") for i in range(20)), *(edge("b", f"n{i}") for i in range(20)))
    drawn = [node.document_id[0] for node in found.nodes if node.lane == "out"]
    assert (drawn.count("m"), drawn.count("n")) == (4, 4)


def test_few_relationships_have_a_line_each_and_many_of_one_pair_share_one() -> None:
    few = graph(*(edge("a", "x", f"t{i}") for i in range(3)))
    many = graph(*(edge("a", "x", f"t{i}") for i in range(5)))
    assert sorted(line.label for line in few.lines) == ["t0", "t1", "t2"]
    assert [line.label for line in many.lines] == ["5 types"]
    bundle = graph(*(edge("a", "b", f"t{i}") for i in range(7)))
    assert [line.label for line in bundle.lines] == ["t0", "t1", "t2", "4 relationships"]


names = st.sampled_from(["a", "b", "c", "d", "e", "f"])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(names, names, st.sampled_from(["x", "y"])), max_size=20), st.randoms(use_true_random=False))
def test_the_picture_follows_from_the_relationships_and_not_from_their_order(
    keys: list[tuple[str, str, str]], shuffled: object
) -> None:
    edges = [edge(*key) for key in keys if "a" in key[:2] or "b" in key[:2]]
    other = list(edges)
    shuffled.shuffle(other)  # type: ignore[attr-defined]
    found, again = graph(*edges), graph(*other)
    assert json.dumps(found.data) == json.dumps(again.data)
    boxes = sorted((node.lane, node.y, node.y + node.h) for node in found.nodes)
    assert all(one[0] != two[0] or one[2] <= two[1] for one, two in itertools.pairwise(boxes)), "none overlap"
    assert all(top >= HEAD and end <= found.height for _, top, end in boxes)
