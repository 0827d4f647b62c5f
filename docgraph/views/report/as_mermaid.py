"""Both plans of a comparison as one Mermaid flowchart, with labels in which no text can be more than text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docgraph.domain.comparison import Comparison
from docgraph.domain.plan import RetrievalPlan
from docgraph.views.lanes.layout import Edge
from docgraph.views.report.rows import Mark, document_names, mark
from docgraph.views.words.texts import excerpt

MAX_EDGES = 400
"""Mermaid refuses a chart of 500 edges and more; those from the question count too."""

MAX_NODES = 60
MAX_LABEL = 60
_CODED = re.compile(r"[^\w ,()/.-]|(?<=[-.])[-.]")
_LIST = re.compile(r"^(?=[\d_.-])")
_SIGNS: dict[Mark, str] = {"added": "#43; added", "left": "#8722; removed", "moved": "moved", "kept": "kept"}
_CLASSES: dict[Mark, str] = {
    "added": "stroke:#0072B2,stroke-width:2px",
    "left": "stroke:#E69F00,stroke-dasharray:5 4",
    "moved": "stroke:#7A8592",
    "kept": "stroke:#7A8592",
}


def flowchart(comparison: Comparison) -> str:
    """The plans of A and B in one chart, from left to right: question, seeds, related documents.

    What left, and edges that only A follows, are dashed; edges between seeds, which changed nothing, are not drawn. At
    most 60 documents and 400 edges are drawn; a node says how many are not.
    """
    return "\n".join(_lines(comparison)) + "\n"


def label(text: str, limit: int = MAX_LABEL) -> str:
    """``text`` inside the quotes of a label: at most ``limit`` characters, every mark as an entity code (``#91;``).

    That covers quotes, brackets, backticks, pipes, comments and directives; a joiner in front keeps what begins like
    a list from being read as one, and others keep two dollars from being read as a formula.
    """
    coded = _CODED.sub(lambda found: f"#{ord(found.group())};", excerpt(text, limit)).replace("#36;", "#36;#8288;")
    return _LIST.sub("#8288;", coded) or "#8288;"


def _lines(comparison: Comparison) -> Iterator[str]:
    documents = comparison.documents[:MAX_NODES]
    nodes = {d.document_id: f"d{i}" for i, d in enumerate(documents, start=1)}
    titles = document_names(comparison)
    yield "flowchart LR"
    yield f'  q(["{label(comparison.b.run.request.query)}"])'
    for d in documents:
        yield f'  {nodes[d.document_id]}["{label(titles[d.document_id])}<br/>{_SIGNS[mark(d)]}"]:::{mark(d)}'
    if len(comparison.documents) > len(documents):
        yield f'  more["{len(comparison.documents) - len(documents)} more documents"]:::kept'
    edges = tuple(_edges(comparison, nodes))
    yield from (f"  {text}" for text in edges[:MAX_EDGES])
    if len(edges) > MAX_EDGES:
        yield f'  moreedges["{len(edges) - MAX_EDGES} more relationships"]:::kept'
    yield from (f"  classDef {name} {style}" for name, style in _CLASSES.items())


def _edges(comparison: Comparison, nodes: dict[str, str]) -> Iterator[str]:
    for d in comparison.documents:
        if d.document_id in nodes and "seed" in (d.role_a, d.role_b):
            yield f"q {'-->' if d.role_b == 'seed' else '-.->'} {nodes[d.document_id]}"
    followed = _expanding(comparison.b.run.plan)
    only_a = tuple(edge for edge in _expanding(comparison.a.run.plan) if edge not in set(followed))
    for arrow, edges in (("-->", followed), ("-.->", only_a)):
        for source, via, target in edges:
            if source in nodes and target in nodes:
                yield f'{nodes[source]} {arrow}|"{label(via, 40)}"| {nodes[target]}'


def _expanding(plan: RetrievalPlan) -> tuple[Edge, ...]:
    """The edges that bring a document in, in plan order."""
    return tuple(edge for edge in plan.edges if edge[2] in set(plan.expanded_document_ids))
