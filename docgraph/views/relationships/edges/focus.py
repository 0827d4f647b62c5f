"""Two documents and their one-hop neighbourhood as data: who stands in which lane, and which lines run where.

Left stand documents that only point at the two, in the middle the two with everything between them, right the ones
that they point at. So relationships run from left to right, as in a plan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import EdgeKey
from docgraph.views.lanes.layout import Box, Line, edge_id, fanned, labelled, node_id
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


PROPOSED = (5.0, 4.0)
"""Dashes of a relationship that is not stored."""

_ROLES = {"in": "leads to A or B", "out": "related to A or B"}


@dataclass(frozen=True, kw_only=True)
class FocusNode(Box):
    """One document; ``hub`` = ``A`` or ``B`` for the two in the middle."""

    doc_type: str
    hub: str = ""
    missing: bool = False

    @property
    def id(self) -> str:
        """Its id in the picture."""
        return node_id(self.document_id)

    @property
    def sent(self) -> dict[str, Any]:
        """What the component draws of it, and says."""
        role = f"document {self.hub}" if self.hub else _ROLES[self.lane]
        parts = (self.title, role, "not stored" if self.missing else self.doc_type)
        spoken = ", ".join(filter(None, parts))
        return vars(self) | {"id": self.id, "look": "missing" if self.missing else "", "spoken": spoken}


@dataclass(frozen=True, kw_only=True)
class FocusLine(Line):
    """One line, from one document to another.

    ``x`` = shift from the middle of a line between the two, in pixels; ``label_y`` = middle of its label.
    """

    label_y: float
    x: float = 0.0
    between: bool = False
    asked: bool = False
    proposed: bool = False

    def sent(self, graph: FocusGraph) -> dict[str, Any]:
        """What the component draws of it, and says; a click on several relationships chooses the neighbour."""
        start, _, end = self.edges[0]
        other = next((i for i in (start, end) if i not in graph.hubs), end)
        looks = {"between": self.between, "asked": self.asked, "proposed": self.proposed}
        return vars(self) | {
            "id": self.id,
            "ids": [edge_id(edge) for edge in self.edges],
            "ends": (node_id(start), node_id(end)),
            "from_y": self.from_y,
            "dash": PROPOSED if self.proposed else self.dash,
            "look": " ".join(name for name, so in looks.items() if so),
            "hovers": self.id,
            "chooses": self.id if len(self.edges) == 1 else node_id(other),
            "spoken": f"{graph.title(start)} —{self.label}→ {graph.title(end)}{', proposed' if self.proposed else ''}",
        }


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
        return f"showing {self.n_shown:,} of {self.n_documents:,} documents; the table lists all"

    def title(self, document_id: str) -> str:
        """What a person knows a document by."""
        return self.titles.get(document_id) or document_id

    @property
    def hubs(self) -> frozenset[str]:
        """The ids of the two."""
        return frozenset(node.document_id for node in self.nodes if node.hub)

    @property
    def data(self) -> dict[str, Any]:
        """What the component draws, as plain values; the relationship in question goes last, over the others."""
        return {
            "boxes": [node.sent for node in self.nodes],
            "lines": [line.sent(self) for line in sorted(self.lines, key=lambda line: line.asked)],
            "heads": self.heads,
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
    middle_of = {node.document_id: node.middle for node in nodes}
    lines = list(_between_lines(between, hubs, middle_of, edge, there={e.key for e in rows}))
    for lane in ("in", "out"):
        placed = _placed(drawn[lane], lane, height)
        nodes += placed
        lines += _lane_lines(list(zip(drawn[lane], placed, strict=True)), hubs, middle_of)
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

    return (("Lead to A or B", note("in")), ("A and B", ""), ("A or B lead to", note("out")))


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


def _node(document: Document, lane: Lane, middle: float, h: float, *, hub: str = "") -> FocusNode:
    return FocusNode(
        document_id=document.document_id,
        title=document.title or document.document_id,
        lane=lane,
        y=round(middle, 1) - h / 2,
        h=h,
        doc_type=document.doc_type,
        hub=hub,
        missing=not document.stored,
    )


def _between_lines(
    between: Sequence[tuple[EdgeKey, ...]],
    hubs: tuple[str, str],
    middle_of: Mapping[str, float],
    edge: EdgeKey | None,
    *,
    there: set[EdgeKey],
) -> Iterable[FocusLine]:
    top = middle_of[hubs[0]] + HUB / 2
    bottom = middle_of[hubs[1]] - HUB / 2 if hubs[0] != hubs[1] else top + _gap(len(between))
    for i, (keys, x) in enumerate(zip(between, fanned(0, len(between), 30), strict=True)):
        yield _line(
            keys,
            (top, bottom) if keys[0][0] == hubs[0] else (bottom, top),
            top + GAP / 2 + STEP * i,
            x=x,
            between=True,
            asked=edge in keys or (edge is None and i == 0),
            proposed=keys[0] not in there,
        )


def _placed(drawn: Sequence[Near], lane: Any, height: float) -> list[FocusNode]:
    """A lane is centred on the two, so that lines stay short."""
    top = HEAD + (height - HEAD - FOOT - len(drawn) * PITCH) / 2
    return [_node(near.document, lane, top + i * PITCH + PITCH / 2, NODE) for i, near in enumerate(drawn)]


def _lane_lines(
    placed: Sequence[tuple[Near, FocusNode]], hubs: tuple[str, str], middle_of: Mapping[str, float]
) -> list[FocusLine]:
    ports = Counter(hub for near, _ in placed for hub, _, _ in near.lines)
    free = {hub: iter(fanned(middle_of[hubs[hub]], n, 8, room=HUB - 14)) for hub, n in ports.items()}
    lines = []
    for near, node in placed:
        own_ys = fanned(node.middle, len(near.lines), PORT)
        for (hub, out, keys), own_y in zip(near.lines, own_ys, strict=True):
            ys = (round(next(free[hub]), 1), round(own_y, 1))
            lines.append(_line(keys, ys if out else ys[::-1], ys[1]))
    return lines


def _line(keys: tuple[EdgeKey, ...], ys: tuple[float, float], label_y: float, **more: Any) -> FocusLine:
    many = plural(len(keys), "relationship" if more.get("between") else "type")
    label, style = labelled(keys, many)
    return FocusLine(edges=keys, label=label, dash=style, from_ys=ys[:1], to_y=ys[1], label_y=label_y, **more)
