"""Graphs that exist already: GraphML, node-link JSON, Neo4j's CSV, the folders of LightRAG and GraphRAG."""

from __future__ import annotations

import io
import json
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from docgraph import plugins
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Rejected

Loaded = tuple[dict[str, Document], list[tuple[str, str, str]], list[str]]

GRAPHML = """<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="t" for="node" attr.name="text" attr.type="string"/><key id="n" for="node" attr.name="name" attr.type="string"/>
<key id="k" for="edge" attr.name="relation" attr.type="string"/>
<graph edgedefault="{direction}"><node id="a"><data key="t">All about sailing.</data><data key="n">Sailing</data></node>
<node id="b"><data key="n">Boats</data></node>
<edge source="a" target="b"><data key="k">needs</data></edge><edge source="b" target="c"/></graph></graphml>"""
NODE_LINK = {
    "directed": True,
    "nodes": [{"id": "a", "title": "Sailing", "content": "All about sailing."}, {"id": 2, "text": "Boats."}],
    "links": [{"source": "a", "target": 2, "type": "needs", "weight": 3}],
}


def sorted_out(items: Any) -> Loaded:
    found = list(items)
    documents = {item.document_id: item for item in found if isinstance(item, Document)}
    edges = [item.key for item in found if isinstance(item, Relationship)]
    return documents, edges, [item.reason for item in found if isinstance(item, Rejected)]


def load(name: str, data: bytes | str, source: str) -> Loaded:
    loader = plugins.build("loaders", name)
    return sorted_out(loader.load(data.encode() if isinstance(data, str) else data, source=source))


def load_folder(name: str, files: dict[str, bytes]) -> Loaded:
    loader = plugins.build("loaders", name)
    (names,) = loader.groups(tuple(sorted(files)))
    return sorted_out(loader.load_group(files.__getitem__, names))


def table(rows: list[dict[str, Any]]) -> bytes:
    made = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows), made)
    return made.getvalue()


class TestGraphML:
    def test_nodes_are_documents_and_edges_relationships(self) -> None:
        documents, edges, refused = load("graphml", GRAPHML.format(direction="directed"), "g.graphml")
        assert {name: (each.title, each.text) for name, each in documents.items()} == {
            "a": ("Sailing", "All about sailing."),
            "b": ("Boats", "name: Boats"),
        }
        assert edges == [("a", "needs", "b"), ("b", "related_to", "c")]
        assert not refused

    def test_edges_of_an_undirected_graph_go_both_ways(self) -> None:
        _, edges, _ = load("graphml", GRAPHML.format(direction="undirected"), "g.graphml")
        assert edges == [("a", "needs", "b"), ("b", "needs", "a"), ("b", "related_to", "c"), ("c", "related_to", "b")]

    def test_an_edge_says_where_it_comes_from(self) -> None:
        loader = plugins.build("loaders", "graphml")
        items = loader.load(GRAPHML.format(direction="directed").encode(), source="x/g.graphml")
        first = next(item for item in items if isinstance(item, Relationship))
        assert first.relationship_metadata == {
            "attributes": {"relation": "needs"},
            "extractor": "graphml",
            "place": "record",
            "order": 0,
            "source": "x/g.graphml",
        }

    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            ("<graphml", "not XML: "),
            ("<a/>", "not GraphML: its root is <a>"),
            ("plain text", "not XML: "),
            ('<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>', "for safety"),
            ('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>', "for safety"),
            ('<!DOCTYPE x SYSTEM "http://example.org/x.dtd"><x/>', "for safety"),
            ("<a>" * 2_000_001, "2,000,001 tags; at most 2,000,000"),
            (GRAPHML.replace('attr.type="string"', 'attr.type="strange"'), "not valid GraphML"),
            (GRAPHML.replace("</graph>", "<hyperedge/></graph>"), "hyperedges"),
            (GRAPHML[:300], "not XML: "),
            (GRAPHML.split("<graph ")[0] + "<graph/></graphml>", "has no nodes"),
        ],
    )
    def test_a_refusal_names_what_was_found(self, data: str, reason: str) -> None:
        with pytest.raises(ValueError, match=reason):
            load("graphml", data, "g.graphml")

    def test_deep_nesting_ends_in_a_reason(self) -> None:
        deep = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">' + "<a>" * 200_000
        with pytest.raises(ValueError, match="not XML"):
            load("graphml", deep, "g.graphml")
        with pytest.raises(ValueError, match="not GraphML"):
            load("graphml", deep + "</a>" * 200_000 + "</graphml>", "g.graphml")


class TestNodeLink:
    def test_nodes_are_documents_and_links_relationships(self) -> None:
        documents, edges, refused = load("json", json.dumps(NODE_LINK), "g.json")
        assert {name: (each.title, each.text) for name, each in documents.items()} == {
            "a": ("Sailing", "All about sailing."),
            "2": ("2", "Boats."),
        }
        assert (edges, refused) == ([("a", "needs", "2")], [])

    def test_edges_may_be_called_so_go_both_ways_and_name_nodes_by_place(self) -> None:
        graph = {"directed": False, "nodes": [{"name": "a"}, {"name": "b"}], "edges": [{"source": 0, "target": 1}]}
        assert load("json", json.dumps(graph), "g.json")[1] == [("a", "related_to", "b"), ("b", "related_to", "a")]

    def test_a_bad_node_and_a_bad_edge_are_refused_one_by_one(self) -> None:
        graph = {
            "nodes": [{"id": "a"}, 3, {"id": ["x"]}],
            "links": [{"source": "a"}, 7, {"source": "a", "target": "b"}],
        }
        documents, edges, refused = load("json", json.dumps(graph), "g.json")
        assert (list(documents), edges) == (["a"], [("a", "related_to", "b")])
        assert [reason.split(":")[0] for reason in refused] == ["node 2", "node 3", "edge 1", "edge 2"]

    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            ("{}", "neither a node-link graph"),
            ('{"name": "package", "version": "1"}', "neither a node-link graph"),
            ('{"nodes": [', "not JSON"),
            ('{"nodes": ' + "[" * 5_000, "nested 5,001 levels deep"),
            ('{"nodes": [' + "{}," * 3_000_001, "values; at most 3,000,000"),
            ("\x00", "NUL byte"),
        ],
    )
    def test_a_refusal_names_what_was_found(self, data: str, reason: str) -> None:
        with pytest.raises(ValueError, match=reason):
            load("json", data, "g.json")


class TestNeo4j:
    def test_nodes_with_spaces_labels_and_lists(self) -> None:
        data = (
            'personId:ID(Person),name,tags:string[],:LABEL\n1,Ada,"a;b",Person;Author\n2,"Bob, B.\nof here",,Person\n'
        )
        documents, edges, refused = load("csv", data, "nodes.csv")
        ada = documents["Person:1"]
        assert (ada.title, ada.doc_type, ada.metadata["tags"]) == ("Ada", "Person, Author", ["a", "b"])
        assert documents["Person:2"].metadata["name"] == "Bob, B.\nof here"
        assert (edges, refused) == ([], [])

    def test_relationships_with_types(self) -> None:
        data = ":START_ID(Person);since:int;:END_ID(Book);:TYPE\n1;1999;7;WROTE\n;;7;WROTE\n2;;8;\n"
        _, edges, refused = load("csv", data, "wrote.csv")
        assert edges == [("Person:1", "WROTE", "Book:7"), ("Person:2", "related_to", "Book:8")]
        assert refused == ["line 3: the relationship has no start or no end"]

    def test_an_export_of_apoc_holds_both(self) -> None:
        data = (
            '"_id","_labels","name","_start","_end","_type","how"\n"0",":Person","Ada",,,,\n,,,"0","1","KNOWS","well"\n'
        )
        documents, edges, _ = load("csv", data, "all.csv")
        assert (documents["0"].title, documents["0"].doc_type) == ("Ada", "Person")
        assert edges == [("0", "KNOWS", "1")]

    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            ("a,b\n1,2\n", "neither a graph as Neo4j writes it"),
            ("|", "every cell is empty"),
            (",,\n", "every cell is empty"),
            ('id:ID,text\n1,"never closed\n', "cannot be read from line"),
            ("id:ID," + "," * 1_001 + "\n", "1,003 cells; at most 1,000"),
            ("id:ID,text\n1," + "x" * 1_000_001 + "\n", "field larger than field limit"),
            (b"\xff\xfea", "starts like utf-16"),
        ],
    )
    def test_a_refusal_names_what_was_found(self, data: str, reason: str) -> None:
        with pytest.raises(ValueError, match=reason):
            load("csv", data, "a.csv")


LIGHT_RAG = {
    "rag/kv_store_full_docs.json": json.dumps(
        {"doc-1": {"content": "# Boats\n\nAda builds boats.", "file_path": "boats.md"}, "doc-2": {"content": ""}}
    ).encode(),
    "rag/kv_store_text_chunks.json": json.dumps({"chunk-1": {"content": "…", "full_doc_id": "doc-1"}}).encode(),
    "rag/vdb_entities.json": b"not read",
    "rag/graph_chunk_entity_relation.graphml": b"""<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="entity_type" attr.type="string"/>
<key id="d1" for="node" attr.name="description" attr.type="string"/>
<key id="d2" for="node" attr.name="source_id" attr.type="string"/>
<key id="d3" for="edge" attr.name="keywords" attr.type="string"/>
<key id="d4" for="edge" attr.name="description" attr.type="string"/><graph edgedefault="undirected">
<node id="ADA"><data key="d0">person</data><data key="d1">A builder&lt;SEP&gt;of boats.</data>
<data key="d2">chunk-1&lt;SEP&gt;chunk-9</data></node><node id="BOAT"><data key="d1">It floats.</data></node>
<edge source="ADA" target="BOAT"><data key="d3">builds</data><data key="d4">Ada builds it.</data></edge>
</graph></graphml>""",
    "rag/other.json": b"{}",
    "notes.md": b"# Note",
}


class TestLightRAG:
    def test_the_folder_is_read_as_one(self) -> None:
        documents, edges, refused = load_folder("graphml", LIGHT_RAG)
        assert {name: (each.title, each.doc_type) for name, each in documents.items()} == {
            "doc-1": ("Boats", "document"),
            "ADA": ("ADA", "person"),
            "BOAT": ("BOAT", ""),
        }
        assert documents["ADA"].text == "A builder\n\nof boats."
        assert edges == [
            ("ADA", "related_to", "BOAT"),
            ("BOAT", "related_to", "ADA"),
            ("ADA", "found_in", "doc-1"),
            ("doc-1", "holds", "ADA"),
        ]
        assert refused == ["document doc-2: the document has no content"]

    def test_it_takes_its_own_files_only(self) -> None:
        (names,) = plugins.build("loaders", "graphml").groups(tuple(LIGHT_RAG))
        assert set(LIGHT_RAG) - set(names) == {"rag/other.json", "notes.md"}

    def test_a_graph_alone_is_no_such_folder(self) -> None:
        names = ("rag/graph_chunk_entity_relation.graphml", "other/kv_store_full_docs.json")
        assert list(plugins.build("loaders", "graphml").groups(names)) == []

    @pytest.mark.parametrize("part", ["kv_store_full_docs.json", "kv_store_text_chunks.json"])
    def test_a_broken_part_is_refused(self, part: str) -> None:
        with pytest.raises(ValueError, match="not JSON"):
            load_folder("graphml", {**LIGHT_RAG, f"rag/{part}": b'{"a'})


GRAPH_RAG: dict[str, list[dict[str, Any]]] = {
    "documents": [{"id": "d1", "title": "boats.txt", "text": "Ada builds boats.", "text_unit_ids": ["u1"]}],
    "text_units": [{"id": "u1", "text": "Ada builds boats.", "document_ids": ["d1"]}],
    "entities": [
        {"id": "e1", "title": "ADA", "type": "PERSON", "description": "A builder.", "text_unit_ids": ["u1"]},
        {"id": "e2", "title": "BOAT", "type": "THING", "description": "It floats.", "text_unit_ids": ["u7"]},
    ],
    "relationships": [{"id": "r1", "source": "ADA", "target": "BOAT", "description": "builds it", "weight": 2.0}],
    "communities": [{"id": "c", "community": 0, "entity_ids": ["e1", "e2"]}],
    "community_reports": [
        {"id": "x", "community": 0, "title": "Boats", "summary": "All of it.", "full_content": "# Boats\n\nAll of it."}
    ],
}


class TestGraphRAG:
    @pytest.mark.parametrize("name", ["{}.parquet", "create_final_{}.parquet"])
    def test_the_folder_is_read_as_one(self, name: str) -> None:
        files = {f"out/{name.format(kind)}": table(rows) for kind, rows in GRAPH_RAG.items()}
        files |= {"out/stats.json": b"", "out/lancedb/x.lance/data": b"", "out/mine.md": b"", "mine.md": b""}
        documents, edges, refused = load_folder("parquet", files)
        assert {key: (each.title, each.doc_type) for key, each in documents.items()} == {
            "d1": ("boats.txt", "document"),
            "ADA": ("ADA", "PERSON"),
            "BOAT": ("BOAT", "THING"),
            "community report 0": ("Boats", "community_report"),
        }
        assert edges == [
            ("ADA", "related_to", "BOAT"),
            ("ADA", "found_in", "d1"),
            ("d1", "holds", "ADA"),
            ("community report 0", "covers", "ADA"),
            ("community report 0", "covers", "BOAT"),
        ]
        assert not refused
        (names,) = plugins.build("loaders", "parquet").groups(tuple(files))
        assert set(files) - set(names) == {"out/mine.md", "mine.md"}

    def test_a_table_of_documents_alone_is_read(self) -> None:
        documents, _, _ = load("parquet", table([{"id": "a", "title": "T", "text": "Words."}]), "a.parquet")
        assert documents["a"].text == "Words."

    def test_a_table_that_expands_without_end_is_refused(self) -> None:
        made = io.BytesIO()
        parquet.write_table(pyarrow.table({"id": pyarrow.nulls(1_000_001, pyarrow.string())}), made)
        assert len(made.getvalue()) < 100_000
        with pytest.raises(ValueError, match="1,000,001 rows"):
            load("parquet", made.getvalue(), "a.parquet")

    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            (b"PAR1" + b"x" * 40 + b"PAR1", "not a Parquet table"),
            (table([{"id": "a", "text": "b"}])[:-9], "not a Parquet table"),
            (table([{"size": 3}]), "holds no documents"),
            (b"", "0 bytes"),
        ],
    )
    def test_a_refusal_names_what_was_found(self, data: bytes, reason: str) -> None:
        with pytest.raises(ValueError, match=reason):
            load("parquet", data, "a.parquet")
