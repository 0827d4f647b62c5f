"""Two documents and their one-hop neighbourhood as data: who stands in which lane, and which lines run where.

Left stand documents that only point at the two, in the middle the two with everything between them, right the ones
that they point at. So relationships run from left to right, as in a plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docgraph.domain.frozen import fingerprint
from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import EdgeKey
from docgraph.views.plan.graph import edge_id, node_id
from docgraph.views.plan.legend import Dash, dash
from docgraph.views.relationships.edges.neighbours import Document, Lane, Near, first, inside, neighbours
from docgraph.views.words.counts import plural

PER_LANE = 8
"""Documents that one lane shows; the rest are counted, and the table names them."""

MAX_BETWEEN = 4
"""Relationships between the two that have a line of their own."""

HEAD, NODE, PITCH = 32, 48, 58
"""Height of a lane's head and of a document, and the distance from one document to the next, in pixels."""

HUB = 66
"""Height of the two in the middle."""

GAP, STEP, FOOT = 46, 22, 12
"""Distance between the two with nothing between them, more for each line, and what stays free below."""

PORT = 15
"""Distance of lines where they reach one neighbour: as far apart as a label is high."""


@dataclass(frozen=True)
class FocusNode:
    """One document. ``y`` = its middle, ``hub`` = ``A`` or ``B`` for the two in the middle."""

    id: str
    document_id: str
    title: str
    doc_type: str
    lane: Lane
    y: float
    h: float
    hub: str = ""
    missing: bool = False


@dataclass(frozen=True)
class FocusLine:
    """One line: the relationships from one document to another that it stands for, and where it begins and ends.

    ``x`` = shift from the middle of a line between the two, in pixels; ``label_y`` = middle of its label.
    """

    id: str
    keys: tuple[EdgeKey, ...]
    start: str
    end: str
    label: str
    dash: Dash
    from_y: float
    to_y: float
    label_y: float
    x: float = 0.0
    between: bool = False
    asked: bool = False
    proposed: bool = False


@dataclass(frozen=True)
class FocusGraph:
    """The picture and its counts; ``rows`` = every relationship of the neighbourhood, those between the two first."""

    nodes: tuple[FocusNode, ...]
    lines: tuple[FocusLine, ...]
    rows: tuple[Relationship, ...]
    height: float
    heads: tuple[tuple[str, str], ...]
    n_documents: int
    n_shown: int
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def shown(self) -> str:
        """``showing 12 of 40 documents``; ``all 5 documents shown``."""
        if self.n_shown == self.n_documents:
            return f"{plural(self.n_documents, 'document')}, {plural(len(self.rows), 'relationship')}, all shown"
        return f"showing {self.n_shown:,} of {self.n_documents:,} documents; the table has all"

    def title(self, document_id: str) -> str:
        """What a person knows a document by."""
        return self.titles.get(document_id) or document_id

    @property
    def data(self) -> dict[str, Any]:
        """What the component draws, as plain values."""
        lines = [vars(line) | {"ids": [edge_id(key) for key in line.keys], "keys": None} for line in self.lines]
        return {
            "nodes": [vars(node) for node in self.nodes],
            "lines": lines,
            "heads": list(self.heads),
            "height": self.height,
            "head": HEAD,
        }


def focus_graph(
    a: Document,
    b: Document,
    edges: Iterable[Relationship],
    *,
    documents: Mapping[str, Document],
    edge: EdgeKey | None = None,
    keep: Sequence[str] = (),
    per_lane: int = PER_LANE,
) -> FocusGraph:
    """The neighbourhood of two documents (the same one twice for a relationship to itself).

    ``edges`` = all relationships at either of them, in any order; ``edge`` = the one in question, drawn as proposed
    when it is not among them; ``keep`` = document_ids that are drawn whatever the limit. Equal input gives an equal
    picture.
    """
    rows = sorted({e.key: e for e in edges}.values(), key=lambda e: e.key)
    hubs = (a.document_id, b.document_id)
    named = {a.document_id: a, b.document_id: b}
    near = neighbours(rows, hubs, lambda i: named.get(i) or documents.get(i) or Document(i, stored=False))
    lanes = {lane: [n for n in near if n.lane == lane] for lane in ("in", "out")}
    drawn = {lane: first(found, keep, per_lane) for lane, found in lanes.items()}
    between = _between(rows, hubs, edge)
    centre = _centre(hubs, len(between))
    height = HEAD + max(centre, *(len(found) * PITCH for found in drawn.values())) + FOOT
    nodes = [*_hub_nodes(a, b, height, len(between))]
    y_of = {node.document_id: node.y for node in nodes}
    lines = list(_between_lines(between, hubs, y_of, edge, there={e.key for e in rows}))
    for lane in ("in", "out"):
        placed = _placed(drawn[lane], lane, height)
        nodes += placed
        lines += _lane_lines(list(zip(drawn[lane], placed, strict=True)), hubs, y_of)
    n = len(near) + len(set(hubs))
    names = {i: d.title for i, d in {**{x.document.document_id: x.document for x in near}, **named}.items() if d.title}
    return FocusGraph(
        tuple(nodes),
        tuple(lines),
        tuple(sorted(rows, key=lambda e: (not inside(e, hubs), e.key))),
        height,
        heads=_heads(lanes, drawn),
        n_documents=n,
        n_shown=len(nodes),
        titles=names,
    )


# ------------------------------------------------------------ lanes


def _heads(lanes: Mapping[str, Sequence[Near]], drawn: Mapping[str, Sequence[Near]]) -> tuple[tuple[str, str], ...]:
    def note(lane: str) -> str:
        n, m = len(drawn[lane]), len(lanes[lane])
        return f"{n:,} of {m:,}" if n < m else f"{m:,}"

    return (("Point at A or B", note("in")), ("A and B", ""), ("A or B point at", note("out")))


# ------------------------------------------------------------ the two in the middle


def _between(rows: Sequence[Relationship], hubs: tuple[str, str], edge: EdgeKey | None) -> list[tuple[EdgeKey, ...]]:
    """Keys between the two, the one in question first; the last line bundles those that have none of their own."""
    keys = [e.key for e in rows if inside(e, hubs) and (hubs[0] != hubs[1]) == (e.key[0] != e.key[2])]
    if edge is not None and {edge[0], edge[2]} == set(hubs):
        keys = [edge, *(key for key in keys if key != edge)]
    if len(keys) <= MAX_BETWEEN:
        return [(key,) for key in keys]
    return [*((key,) for key in keys[: MAX_BETWEEN - 1]), tuple(keys[MAX_BETWEEN - 1 :])]


def _gap(n_lines: int) -> float:
    return GAP + STEP * max(n_lines - 1, 0)


def _centre(hubs: tuple[str, str], n_lines: int) -> float:
    return HUB * (1 if hubs[0] == hubs[1] else 2) + _gap(n_lines) + 16


def _hub_nodes(a: Document, b: Document, height: float, n_lines: int) -> tuple[FocusNode, ...]:
    middle = HEAD + (height - HEAD - FOOT) / 2
    if a.document_id == b.document_id:
        return (_node(a, "centre", middle - _gap(n_lines) / 2, HUB, hub="A = B"),)
    away = (HUB + _gap(n_lines)) / 2
    return (_node(a, "centre", middle - away, HUB, hub="A"), _node(b, "centre", middle + away, HUB, hub="B"))


def _node(document: Document, lane: Lane, y: float, h: float, *, hub: str = "") -> FocusNode:
    return FocusNode(
        node_id(document.document_id),
        document.document_id,
        document.title or document.document_id,
        document.doc_type,
        lane,
        round(y, 1),
        h,
        hub=hub,
        missing=not document.stored,
    )


def _between_lines(
    between: Sequence[tuple[EdgeKey, ...]],
    hubs: tuple[str, str],
    y_of: Mapping[str, float],
    edge: EdgeKey | None,
    *,
    there: set[EdgeKey],
) -> Iterable[FocusLine]:
    top = y_of[hubs[0]] + HUB / 2
    bottom = y_of[hubs[1]] - HUB / 2 if hubs[0] != hubs[1] else top + _gap(len(between))
    for i, keys in enumerate(between):
        down = keys[0][0] == hubs[0]
        label_y = top + GAP / 2 + STEP * i
        x = (i - (len(between) - 1) / 2) * 30
        proposed = keys[0] not in there
        yield _line(
            keys,
            (top, bottom) if down else (bottom, top),
            label_y,
            x=x,
            between=True,
            asked=edge in keys or (edge is None and i == 0),
            proposed=proposed,
        )


def _placed(drawn: Sequence[Near], lane: Any, height: float) -> list[FocusNode]:
    """A lane is centred on the two, so that lines stay short."""
    top = HEAD + (height - HEAD - FOOT - len(drawn) * PITCH) / 2
    return [_node(near.document, lane, top + i * PITCH + PITCH / 2, NODE) for i, near in enumerate(drawn)]


def _lane_lines(
    placed: Sequence[tuple[Near, FocusNode]], hubs: tuple[str, str], y_of: Mapping[str, float]
) -> list[FocusLine]:
    ports: dict[int, int] = {}
    for near, _ in placed:
        for hub, _, _ in near.lines:
            ports[hub] = ports.get(hub, 0) + 1
    used: dict[int, int] = {}
    lines = []
    for near, node in placed:
        for i, (hub, out, keys) in enumerate(near.lines):
            n = used[hub] = used.get(hub, 0) + 1
            step = min(8.0, (HUB - 14) / max(ports[hub] - 1, 1))
            hub_y = round(y_of[hubs[hub]] + (n - 1 - (ports[hub] - 1) / 2) * step, 1)
            own_y = round(node.y + (i - (len(near.lines) - 1) / 2) * PORT, 1)
            lines.append(_line(keys, (hub_y, own_y) if out else (own_y, hub_y), own_y))
    return lines


def _line(
    keys: tuple[EdgeKey, ...],
    ys: tuple[float, float],
    label_y: float,
    *,
    x: float = 0.0,
    between: bool = False,
    asked: bool = False,
    proposed: bool = False,
) -> FocusLine:
    one = len(keys) == 1
    label = keys[0][1] if one else plural(len(keys), "relationship" if between else "type")
    return FocusLine(
        edge_id(keys[0]) if one else f"lines:{fingerprint([list(key) for key in keys])[:16]}",
        keys,
        node_id(keys[0][0]),
        node_id(keys[0][2]),
        label,
        dash(keys[0][1]) if one else (),
        ys[0],
        ys[1],
        label_y,
        x=x,
        between=between,
        asked=asked,
        proposed=proposed,
    )
