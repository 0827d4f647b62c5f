"""A canvas is a document: its cards in reading order, links to the files that it shows, edges between them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import docgraph
from docgraph import plugins
from docgraph.domain.graph import Document, Relationship
from docgraph.plugins.loaders.graphs import canvas


def card(name: str, y: int, x: int = 0, **more: Any) -> dict[str, Any]:
    return {"id": name, "type": "text", "x": x, "y": y, "width": 100, "height": 50, **more}


def load(nodes: Any, edges: Any = ()) -> list[Any]:
    data = json.dumps({"nodes": nodes, "edges": list(edges)}).encode()
    return list(plugins.build("loaders", "canvas").load(data, source="Boards/Plan.canvas"))


def edges_of(*edges: dict[str, Any]) -> set[tuple[str, str, str]]:
    files = [{**card(name, 0), "type": "file", "file": f"{name}.md"} for name in "abc"]
    pictures = [{**card("p", 0), "type": "file", "file": "p.png"}, card("t", 0, text="words")]
    found = load([*files, *pictures], edges)
    return {each.key for each in found if isinstance(each, Relationship)}


def test_cards_are_read_from_top_to_bottom_and_in_their_groups() -> None:
    nodes = [
        card("late", 300, text="Last of all."),
        card("g", 100, type="group", label="Later", width=500, height=150),
        card("in", 120, text="In the group."),
        card("right", 0, 300, text="Second."),
        card("first", 0, text="First."),
        card("file", 140, 200, type="file", file="Notes/Queue.md", subpath="#Limits"),
        card("web", 50, type="link", url="https://a.example/x"),
        card("picture", 60, type="file", file="a.png"),
    ]
    (document,) = load(nodes)
    assert isinstance(document, Document)
    assert (document.document_id, document.title, document.doc_type) == ("Boards/Plan", "Plan", "canvas")
    lines = [line for line in document.text.split("\n") if line]
    assert lines == [
        *("First.", "Second.", "<https://a.example/x>", "Last of all."),
        *("## Later", "In the group.", "[[Notes/Queue#Limits]]"),
    ]


def test_edges_go_where_their_arrows_point_and_are_called_by_their_label() -> None:
    assert edges_of({"id": "1", "fromNode": "a", "toNode": "b"}) == {("a", "links_to", "b")}
    back = {"id": "1", "fromNode": "a", "toNode": "b", "toEnd": "none", "fromEnd": "arrow", "label": "Refined by"}
    assert edges_of(back) == {("b", "refined_by", "a")}
    both = {"id": "1", "fromNode": "a", "toNode": "b", "fromEnd": "arrow"}
    assert edges_of(both) == {("a", "links_to", "b"), ("b", "links_to", "a")}
    none = {"id": "1", "fromNode": "a", "toNode": "c", "toEnd": "none", "label": "a label that is a whole sentence"}
    assert edges_of(none) == {("a", "links_to", "c")}
    assert edges_of(*({"id": each, "fromNode": "a", "toNode": each} for each in ("a", "p", "t", "gone"))) == set()


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([], "no cards"),
        ([{"type": "text"}], "no cards"),
        ([card("a", 0, text=" ")], "no text"),
        ([card("a", float("1e300"), type="file", file="[[x]].md")], "no text"),
        ("words", "no cards"),
    ],
)
def test_what_holds_nothing_is_refused(value: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        load(value)


def test_more_cards_than_anybody_draws_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "MAX_NODES", 3)
    with pytest.raises(ValueError, match="4 cards; at most 3 are read"):
        load([card(str(n), n, text="x") for n in range(4)])


def test_broken_json_is_told_with_its_place() -> None:
    with pytest.raises(ValueError, match="line 2"):
        list(plugins.build("loaders", "canvas").load(b'{"nodes":\n oh}', source="a.canvas"))


def test_a_vault_with_a_canvas_has_its_relationships(tmp_path: Path) -> None:
    for name in ("Queue", "Crane"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\n## Limits\n\nWords of {name}.\n", encoding="utf-8")
    nodes = [
        card("q", 0, type="file", file="Queue.md", subpath="#Limits"),
        card("c", 100, type="file", file="Crane.md"),
        card("t", 200, text="See [[Crane]]."),
    ]
    edges = [{"id": "1", "fromNode": "q", "toNode": "c", "label": "feeds"}]
    (tmp_path / "Board.canvas").write_text(json.dumps({"nodes": nodes, "edges": edges}), encoding="utf-8")
    with docgraph.connect(store="memory", workspace="vault") as dg:
        report = dg.ingest(tmp_path)
        stated = {edge.key for edge in dg.relationships.list() if edge.relation_type != "mentions"}
    assert report.n_rejected == 0
    assert stated == {("Board", "links_to", "Queue"), ("Board", "links_to", "Crane"), ("Queue", "feeds", "Crane")}
