"""The focus graph's component: what it is given to draw, to say, and to select at a click."""

from __future__ import annotations

import json
from typing import Any

from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import EdgeKey
from docgraph.ui.parts.lanes.focus import STOPS, payload
from docgraph.views.lanes.layout import edge_id, node_id
from docgraph.views.relationships.edges.focus import PROPOSED, focus_graph
from docgraph.views.relationships.edges.neighbours import Document


def _sent(*keys: EdgeKey, edge: EdgeKey | None = None) -> dict[str, Any]:
    edges = [Relationship(from_document_id=a, relation_type=via, to_document_id=b) for a, via, b in keys]
    documents = {i: Document(i, i.upper(), "guide") for i in "abxyz"}
    graph = focus_graph(documents["a"], documents["b"], edges, documents=documents, edge=edge)
    return json.loads(json.dumps(payload(graph, selected="doc:x")))


def test_the_component_is_given_boxes_lines_and_the_widths_of_the_lanes() -> None:
    sent = _sent(("a", "explains", "b"), ("x", "explains", "a"), ("b", "explains", "y"))
    assert {box["id"]: box["lane"] for box in sent["boxes"]} == {
        **dict.fromkeys((node_id("a"), node_id("b")), "centre"),
        node_id("x"): "in",
        node_id("y"): "out",
    }
    assert sorted(line["ends"] for line in sent["lines"]) == [
        ["doc:a", "doc:b"],
        ["doc:b", "doc:y"],
        ["doc:x", "doc:a"],
    ]
    assert sent["selected"] == "doc:x"
    assert len(sent["stops"]) == len(STOPS)


def test_boxes_and_lines_are_told_in_words() -> None:
    sent = _sent(("a", "explains", "b"), ("a", "implements", "gone"))
    assert [box["spoken"] for box in sent["boxes"]] == [
        "A, document A, guide",
        "B, document B, guide",
        "gone, related to A or B, not stored",
    ]
    assert [box["look"] for box in sent["boxes"]] == ["", "", "missing"]
    assert sorted(line["spoken"] for line in sent["lines"]) == ["A —explains→ B", "A —implements→ gone"]
    assert sent["alt"].startswith("A is A, B is B; 3 documents, 2 relationships, all shown.")


def test_a_click_on_one_relationship_selects_it_and_on_several_selects_the_neighbour() -> None:
    one = ("a", "explains", "y")
    sent = _sent(one, *(("x", f"t{i}", "a") for i in range(5)))
    chosen = {line["label"]: (line["chooses"], line["hovers"] == line["id"]) for line in sent["lines"]}
    assert chosen == {"explains": (edge_id(one), True), "5 types": (node_id("x"), True)}


def test_the_relationship_in_question_is_drawn_over_the_others_and_a_proposed_one_dashed() -> None:
    asked = ("a", "implements", "b")
    sent = _sent(("a", "explains", "b"), ("x", "explains", "a"), edge=asked)
    *others, last = sent["lines"]
    assert (last["ids"], last["look"]) == ([edge_id(asked)], "between asked proposed")
    assert (tuple(last["dash"]), last["spoken"]) == (PROPOSED, "A —implements→ B, proposed")
    assert not any(line["asked"] or line["proposed"] for line in others)
