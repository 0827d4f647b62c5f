"""Reads node-link JSON as networkx and d3 write it: ``nodes`` with an id, ``links`` or ``edges`` with two ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._graphs.nodes import edge, edge_type, mapped, node_document

READER = "node_link"
_ENDS = frozenset(("source", "target", "key", "id"))


def is_graph(value: Any) -> bool:
    """Whether a JSON value is such a graph."""
    return isinstance(value, Mapping) and isinstance(value.get("nodes"), list) and _edges(value) is not None


def read(value: Mapping[str, Any], source: str) -> Iterator[Document | Relationship | Rejected]:
    """Nodes, then edges; of an undirected graph each edge in both directions. Edges may name nodes by their place."""
    nodes = value["nodes"]
    ids: list[Any] = []
    for number, node in enumerate(nodes):
        place = f"node {number + 1}"
        attributes = mapped(node)
        node_id = next((attributes[name] for name in ("id", "key", "name") if attributes.get(name) is not None), None)
        ids.append(node_id)
        try:
            if node_id is None or isinstance(node_id, (dict, list)):
                raise ValueError("the node has no id")
            yield node_document(node_id, {**attributes, **mapped(attributes.get("attributes"))}, source)
        except ValueError as error:
            yield Rejected(reason=f"{place}: {error}", place=place)
    known = {str(node_id) for node_id in ids}
    directed = value.get("directed", mapped(value.get("options")).get("type") == "directed" or "options" not in value)
    for number, link in enumerate(_edges(value) or ()):
        place = f"edge {number + 1}"
        attributes = mapped(link)
        more = {name: told for name, told in attributes.items() if name not in _ENDS}
        try:
            start, end = (_end(attributes.get(name), ids, known) for name in ("source", "target"))
            kind = edge_type(attributes) or (key if isinstance(key := attributes.get("key"), str) else "")
            yield edge(start, kind, end, reader=READER, source=source, order=number, attributes=more)
            if directed is False and start != end:
                told: dict[str, Any] = {"attributes": more, "undirected": True}
                yield edge(end, kind, start, reader=READER, source=source, order=number, **told)
        except ValueError as error:
            yield Rejected(reason=f"{place}: {error}", place=place)


def _edges(value: Mapping[str, Any]) -> list[Any] | None:
    return next((value[name] for name in ("links", "edges") if isinstance(value.get(name), list)), None)


def _end(name: Any, ids: list[Any], known: set[str]) -> Any:
    """The id that an edge's end names: as it stands, or by the node's place, as d3 does where nodes have no such id."""
    if isinstance(name, Mapping):  # d3 puts the node itself there while it draws
        name = name.get("id")
    if name is None or isinstance(name, (list, dict)):
        raise ValueError("the edge has no source or no target")
    if isinstance(name, int) and str(name) not in known and 0 <= name < len(ids) and ids[name] is not None:
        return ids[name]
    return name
