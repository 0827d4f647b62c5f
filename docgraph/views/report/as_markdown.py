"""Blocks as Markdown for a pull request, and the chart of a comparison; text of documents stays text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from docgraph.domain.comparison import Comparison
from docgraph.domain.plan import RetrievalPlan
from docgraph.views.blocks import Block, Chart, Facts, Heading, Item, Line, Rest, Table, Title
from docgraph.views.lanes.layout import Edge
from docgraph.views.report.rows import Mark, document_names, mark
from docgraph.views.words.counts import cell_text
from docgraph.views.words.texts import excerpt, line

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

_JOINER = "\u2060"
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|!~&$])")
_PLAIN = re.compile(r"[\w.:+/-]+")
_LINKED_LATER = re.compile(r"(?<=[:@#])(?=\S)|(?<=[wW]{3})(?=\.)|(?<=[gG][hH]-)(?=\d)")
"""Places at which a host turns finished text into links: addresses, mentions, issue numbers, emoji names."""


def inert(text: str) -> str:
    """``text`` on one line, so that Markdown shows it letter by letter: no link, image, HTML, mention or cell border.

    Marks are escaped with a backslash; a joiner of no width breaks what a host links in finished text.
    """
    return _MARKS.sub(r"\\\1", _LINKED_LATER.sub(_JOINER, line(text)))


def code(text: str) -> str:
    """A hash, an id or a time as code, so that it can be copied as it is; any other text is inert."""
    return f"`{text}`" if _PLAIN.fullmatch(text) else inert(text)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, copied: bool = False) -> Iterator[str]:
    """A table and the empty line behind it; ``none`` when it has no rows."""
    body = [_row([inert(cells[0]), *map(code if copied else inert, cells[1:])]) for cells in rows]
    if body:
        yield from (_row(list(map(inert, head))), "|" + " --- |" * len(head), *body, "")
    else:
        yield from ("none", "")


def written(blocks: Iterable[Block]) -> str:
    """Blocks as GitHub's Markdown; every text is inert."""
    text = "\n".join(part for block in blocks for part in _written(block))
    return re.sub("\n{3,}", "\n\n", text).strip("\n") + "\n"


def _written(block: Block) -> Iterator[str]:
    match block:
        case Title(text):
            yield from (f"## {inert(text)}", "")
        case Heading(text, aside):
            yield from ("", f"### {inert(text)}{f': {inert(aside)}' if aside else ''}", "")
        case Line(text, tone, label):
            marks = "**" if tone == "strong" else ""
            yield from (f"{f'{inert(label)}: ' if label else ''}{marks}{inert(text)}{marks}", "")
        case Table(columns, rows, copied=copied):
            yield from table(columns, ([cell_text(cell) for cell in row] for row in rows), copied=copied)
        case Item(text, mark, aside, fix, notes):
            said = f"{f'**{inert(mark)}** ' if mark else ''}{inert(text)}{f' ({inert(aside)})' if aside else ''}."
            fixed = [f"_Fix:_ {inert(fix)}"] if fix else []
            yield f"- {' '.join([said, *fixed, *(f'_{inert(note)}._' for note in notes)])}"
        case Facts(rows):
            yield from (*(f"- {inert(name)}: {inert(text)}" for name, text in rows), "")
        case Chart(source):
            yield from ("```mermaid", source.rstrip("\n"), "```", "")
        case Rest(shown, total):
            yield f"- {shown:,} of {total:,} shown"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


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
