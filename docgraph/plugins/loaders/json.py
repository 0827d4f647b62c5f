"""Reads JSON files that hold documents: node-link graphs, needs.json of sphinx-needs, OpenAPI descriptions."""

from __future__ import annotations

from collections.abc import Iterator

from docgraph.boundary.confined import Confined
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._graphs import node_link
from docgraph.plugins.loaders._graphs.json_file import read_json
from docgraph.plugins.loaders._trees import needs, openapi


class JSONLoader:
    """What the file is shows in its keys: ``nodes`` and ``links`` (or ``edges``), ``versions`` with ``needs``,
    ``openapi`` or ``swagger``.
    """

    name = "json"
    suffixes: tuple[str, ...] = (".json",)
    holds_many = True
    confined = Confined(from_bytes=1_000_000)

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Relationship | Rejected]:
        """Documents, then relationships. Raises ValueError with a one-line reason."""
        value = read_json(data)
        if node_link.is_graph(value):
            yield from node_link.read(value, source)
        elif needs.is_needs(value):
            yield from needs.read(value, source)
        elif openapi.is_description(value):
            yield from openapi.read(value, source)
        else:
            raise ValueError(
                "the JSON is neither a node-link graph (nodes, links), nor needs.json, nor an OpenAPI description; "
                "records are read one per line, as .jsonl"
            )


def build() -> JSONLoader:
    """The loader; it has no options."""
    return JSONLoader()
