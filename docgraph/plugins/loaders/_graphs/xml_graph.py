"""Reads GraphML by networkx, after the XML was read by a parser that refuses entities and other documents."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import Any

from docgraph.boundary.limits import MAX_GRAPH_BYTES, MAX_GRAPH_TAGS
from docgraph.boundary.text import check_size, one_line

WITHOUT_EXTRA = "this format needs an optional package that is not installed: pip install 'docgraph[graphs]'"
"""Why such a file is refused where the extra is missing."""
Node = tuple[str, dict[str, Any]]
Edge = tuple[str, str, dict[str, Any]]


def read_graph(data: bytes) -> tuple[list[Node], list[Edge], bool]:
    """(nodes with attributes, edges with attributes, whether they are directed), of all graphs in the file.

    Raises ValueError with one line: too large, not XML, a DTD in it, not GraphML.
    """
    root = parsed_xml(data)
    if not str(root.tag).endswith("}graphml") or not any(str(child.tag).endswith("}graph") for child in root):
        raise ValueError(f"the file is XML but not GraphML: its root is <{one_line(str(root.tag), 60)}>")
    nodes: dict[str, dict[str, Any]] = {}
    edges: list[Edge] = []
    directed = True
    declared = {str(node.get("id")) for node in root.iter() if str(node.tag).endswith("}node")}
    for graph in _graphs(root):
        directed = directed and graph.is_directed()
        for name, attributes in graph.nodes(data=True):
            if str(name) in declared:  # what only an edge names is no node: the edge dangles
                nodes.setdefault(str(name), {}).update(attributes)
        edges += [(str(start), str(end), dict(attributes)) for start, end, attributes in graph.edges(data=True)]
    return list(nodes.items()), edges, directed


def parsed_xml(data: bytes) -> Any:
    """The root of an XML file. Raises ValueError with one line: too large, not XML, a document type or entities."""
    check_size(data, MAX_GRAPH_BYTES)
    if not data.strip():
        raise ValueError("the file has no text: only white space")
    n_tags = data.count(b"<")
    if n_tags > MAX_GRAPH_TAGS:
        raise ValueError(f"the file has {n_tags:,} tags; at most {MAX_GRAPH_TAGS:,} are read: split it")
    return _parsed(data)


def _parsed(data: bytes) -> Any:
    from xml.etree.ElementTree import ParseError

    try:
        from defusedxml.common import DefusedXmlException
        from defusedxml.ElementTree import fromstring
    except ImportError:
        raise ValueError(WITHOUT_EXTRA) from None
    try:
        return fromstring(data, forbid_dtd=True)
    except ParseError as error:
        raise ValueError(f"the file is not XML: {one_line(str(error), 150)}") from None
    except DefusedXmlException:
        raise ValueError("the file has a document type or entities of its own, which are not read for safety") from None
    except (LookupError, RecursionError, MemoryError, ValueError) as error:
        raise ValueError(f"the file cannot be read as XML: {one_line(str(error), 150)}") from None


def _graphs(root: Any) -> Iterator[Any]:
    """networkx's reader on the tree: it would parse the file by itself otherwise."""
    try:
        import networkx
        from networkx.readwrite.graphml import GraphMLReader
    except ImportError:
        raise ValueError(WITHOUT_EXTRA) from None
    reader = GraphMLReader()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            keys, defaults = reader.find_graphml_keys(root)
            for graph in root.findall(f"{{{reader.NS_GRAPHML}}}graph"):
                yield reader.make_graph(graph, keys, defaults)
    except networkx.NetworkXError as error:
        raise ValueError(f"the graph cannot be read: {one_line(str(error), 200)}") from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"the graph is not valid GraphML: {one_line(repr(error), 200)}") from None


def said(attributes: Mapping[str, Any], name: str) -> str:
    """An attribute's text, "" for none."""
    value = attributes.get(name)
    return value if isinstance(value, str) else ""
