"""Reads graphs in GraphML, and the working folder of LightRAG, whose graph is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from docgraph.boundary.confined import Confined
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._graphs import light_rag
from docgraph.plugins.loaders._graphs.nodes import edge, edge_type, node_document
from docgraph.plugins.loaders._graphs.xml_graph import read_graph, said

READER = "graphml"


class GraphMLLoader:
    """A document for each node, a relationship for each edge; those of an undirected graph go both ways.

    ``graph_chunk_entity_relation.graphml`` beside ``kv_store_full_docs.json`` is LightRAG's: its documents are read
    too, its entities say in which of them they were found.
    """

    name = "graphml"
    suffixes: tuple[str, ...] = (".graphml",)
    holds_many = True
    confined = Confined(imports=("networkx", "networkx.readwrite.graphml", "defusedxml.ElementTree"))

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Relationship | Rejected]:
        """Nodes, then edges, each in the file's order. Raises ValueError with a one-line reason."""
        nodes, edges, directed = read_graph(data)
        if not nodes:
            raise ValueError("the graph has no nodes")
        for number, (node_id, attributes) in enumerate(nodes, start=1):
            place = f"node {number}"
            try:
                yield node_document(node_id, attributes, source)
            except ValueError as error:
                yield Rejected(reason=f"{place}: {error}", place=place)
        for number, (start, end, attributes) in enumerate(edges):
            place = f"edge {number + 1}"
            kind, text = edge_type(attributes), said(attributes, "description")
            told: dict[str, Any] = {
                "reader": READER,
                "source": source,
                "order": number,
                "text": text,
                "attributes": attributes,
            }
            try:
                yield edge(start, kind, end, **told)
                if not directed and start != end:
                    yield edge(end, kind, start, **told, undirected=True)
            except ValueError as error:
                yield Rejected(reason=f"{place}: {error}", place=place)

    def groups(self, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Files that are read as one: (the graph of a LightRAG folder, everything else in it)."""
        return light_rag.groups(names)

    def load_group(
        self, read: Callable[[str], bytes], names: Sequence[str]
    ) -> Iterator[Document | Relationship | Rejected]:
        """What such a folder holds. Raises ValueError with a one-line reason, and OSError."""
        return light_rag.read(read, names)


def build() -> GraphMLLoader:
    """The loader; it has no options."""
    return GraphMLLoader()
