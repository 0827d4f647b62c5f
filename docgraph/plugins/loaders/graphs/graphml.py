"""Reads graphs in GraphML, and the working folder of LightRAG, whose graph is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from docgraph.boundary.confined import Confined
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._graphs.nodes import RELATED, edge, edge_type, mapped, node_document, read_json
from docgraph.plugins.loaders._graphs.xml_graph import read_graph, said
from docgraph.plugins.loaders._markdown_outline import markdown_sections

LIGHT_RAG = "lightrag"
GRAPH, DOCUMENTS, CHUNKS = "graph_chunk_entity_relation.graphml", "kv_store_full_docs.json", "kv_store_text_chunks.json"
FOUND_IN, HOLDS = "found_in", "holds"
_SEPARATOR = "<SEP>"
_OWN = ("kv_store_", "vdb_", "graph_chunk_entity_relation", "faiss_index_", "lightrag.log")


def groups(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """(graph, others) of each folder that has LightRAG's graph and documents."""
    there = set(names)
    for name in names:
        folder, slash, file = name.rpartition("/")
        if file == GRAPH and f"{folder}{slash}{DOCUMENTS}" in there:
            beside = (other for other in names if other.rpartition("/")[0] == folder and other != name)
            yield (name, *(other for other in beside if other.rpartition("/")[2].startswith(_OWN)))


def read_folder(
    read_file: Callable[[str], bytes], names: Sequence[str]
) -> Iterator[Document | Relationship | Rejected]:
    """Documents, entities, then relationships: an entity is ``found_in`` a document, which ``holds`` it.

    LightRAG's graph has no directions: what relates two entities goes both ways, under the type ``related_to``, its
    keywords and description beside it. Raises ValueError with one line, and OSError.
    """
    source = names[0]
    folder = source.rpartition("/")[0]
    beside = f"{folder}/" if folder else ""
    written = mapped(read_json(read_file(f"{beside}{DOCUMENTS}")))
    chunks = mapped(read_json(read_file(f"{beside}{CHUNKS}"))) if f"{beside}{CHUNKS}" in names else {}
    nodes, edges, _ = read_graph(read_file(source))
    for document_id, value in written.items():
        yield _document(str(document_id), mapped(value), source)
    found: dict[tuple[str, str], None] = {}
    for number, (node_id, attributes) in enumerate(nodes, start=1):
        try:
            yield node_document(node_id, attributes, source, text=_text(attributes) or None)
        except ValueError as error:
            yield Rejected(reason=f"node {number}: {error}", place=f"node {number}")
            continue
        found.update(dict.fromkeys((node_id, each) for each in _documents(attributes, chunks, written)))
    order = 0
    for start, end, attributes in edges:
        told = {"keywords": said(attributes, "keywords"), "weight": attributes.get("weight")}
        for one, other in ((start, end), (end, start)) if start != end else ((start, end),):
            yield edge(
                one, RELATED, other, reader=LIGHT_RAG, source=source, order=order, text=_text(attributes), **told
            )
            order += 1
    for node_id, document_id in found:
        yield edge(node_id, FOUND_IN, document_id, reader=LIGHT_RAG, source=source, order=order)
        yield edge(document_id, HOLDS, node_id, reader=LIGHT_RAG, source=source, order=order)
        order += 1


def _document(document_id: str, value: Mapping[str, Any], source: str) -> Document | Rejected:
    text = value.get("content")
    path = said(value, "file_path")
    title = PurePosixPath(path).stem if path and path != "unknown_source" else ""
    try:
        if not isinstance(text, str) or not text.strip():
            raise ValueError("the document has no content")
        heading, sections = markdown_sections(text)
        more = {name: told for name, told in value.items() if name != "content"}
        name = heading or title
        return node_document(document_id, more, source, title=name, text=text, doc_type="document", sections=sections)
    except ValueError as error:
        return Rejected(reason=f"document {document_id[:80]}: {error}", place=f"document {document_id[:80]}")


def _text(attributes: Mapping[str, Any]) -> str:
    """What was said of an entity or a relation, at each place where it was found, one paragraph each."""
    return "\n\n".join(part.strip() for part in said(attributes, "description").split(_SEPARATOR) if part.strip())


def _documents(attributes: Mapping[str, Any], chunks: Mapping[str, Any], written: Mapping[str, Any]) -> Iterator[str]:
    """The documents in whose passages an entity was found."""
    for name in said(attributes, "source_id").split(_SEPARATOR):
        document_id = mapped(chunks.get(name)).get("full_doc_id", name)
        if isinstance(document_id, str) and document_id in written:
            yield document_id


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

    groups, load_group = staticmethod(groups), staticmethod(read_folder)


build = GraphMLLoader
