"""The lines of one picture of a comparison: which edges share a line, where it leaves, where it arrives, its label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.plan import Reason
from docgraph.views.lanes.layout import Dash, Edge, Line, Span, bundled, by_source, dash, fanned
from docgraph.views.lanes.text import plain
from docgraph.views.words.counts import plural

LABEL_STEP = 16
"""Distance of two lines where they arrive: as far apart as a label is high, so labels never overlap."""

LEAST_GAP = 3
"""Least distance of two boxes in a lane."""

LABEL_SHARE = (0.2, 22.0)
"""Of the gap between the lanes: the share in which lines bend, and the least of it in pixels."""

LABEL_PAD = 4
"""Free room on both sides of a label."""

PORT_STEP = 5
"""Distance of two lines where they leave a seed."""

_LEFT_DASH: Dash = (5, 4)


@dataclass(frozen=True, kw_only=True)
class TwinLine(Line):
    """A line of one side; ``left`` = only A follows it. ``spoken`` is every edge with the titles of its ends."""

    look: Literal["kept", "left"]
    spoken: str

    @property
    def short(self) -> str:
        """Its label where there is little room: several relationships are counted, one is named."""
        return plural(len(self.edges), "relationship") if len(self.edges) > 1 else self.label


def into(
    target: str, reasons: Sequence[Reason], seed_rows: Mapping[str, int]
) -> tuple[tuple[tuple[Edge, ...], ...], int]:
    """The groups of edges into one document that share a line, by seed row, and how many edges start out of sight."""
    seen = [(r.from_document_id, r.via, target) for r in reasons if r.from_document_id in seed_rows]
    ordered = sorted(seen, key=lambda edge: (seed_rows[edge[0]], edge))
    return bundled(ordered, by_source), len(reasons) - len(seen)


def routed(
    groups: Sequence[tuple[tuple[Edge, ...], Literal["kept", "left"]]],
    seeds: Mapping[str, Span],
    expanded: Mapping[str, Span],
    titles: Mapping[str, str],
) -> tuple[TwinLine, ...]:
    """Lines for groups of edges, in the order given, between boxes whose upper edge and height are known."""
    arriving: dict[str, list[int]] = {}
    for i, (edges, _) in enumerate(groups):
        arriving.setdefault(edges[0][2], []).append(i)
    to_y = {
        i: y
        for target, indices in arriving.items()
        for i, y in zip(indices, _arrivals(expanded[target], len(indices)), strict=True)
    }
    ports = _ports(groups, seeds, to_y)
    return tuple(_line(edges, look, ports, to_y, i, titles) for i, (edges, look) in enumerate(groups))


def _ports(
    groups: Sequence[tuple[tuple[Edge, ...], str]], seeds: Mapping[str, Span], to_y: Mapping[int, float]
) -> dict[tuple[int, str], float]:
    leaving: dict[str, list[int]] = {}
    for i, (edges, _) in enumerate(groups):
        for source in dict.fromkeys(edge[0] for edge in edges):
            leaving.setdefault(source, []).append(i)
    found = {}
    for source, indices in leaving.items():
        ys = fanned(_middle(seeds[source]), len(indices), PORT_STEP, room=seeds[source][1] - 12)
        for i, y in zip(sorted(indices, key=lambda i: (to_y[i], i)), ys, strict=True):
            found[i, source] = round(y, 1)
    return found


def _arrivals(span: Span, n: int) -> tuple[float, ...]:
    """Where lines arrive at a box: closer than a label is high only where boxes stand so close."""
    return fanned(_middle(span), n, LABEL_STEP, room=span[1] + LEAST_GAP - LABEL_STEP)


def _middle(span: Span) -> float:
    return span[0] + span[1] / 2


def _line(
    edges: tuple[Edge, ...],
    look: Literal["kept", "left"],
    ports: Mapping[tuple[int, str], float],
    to_y: Mapping[int, float],
    i: int,
    titles: Mapping[str, str],
) -> TwinLine:
    sources = tuple(dict.fromkeys(edge[0] for edge in edges))
    first = edges[0][1]
    label = plural(len(edges), "relationship") if len(sources) > 1 else plain(first)
    if len(sources) == 1 and len(edges) > 1:
        label += f" +{len(edges) - 1}"
    style = dash(first) if len(sources) == 1 else ()
    spoken = "\n".join(f"{titles[source]} —{plain(via)}→ {titles[target]}" for source, via, target in edges)
    return TwinLine(
        edges=edges,
        label=label,
        dash=(style or _LEFT_DASH) if look == "left" else style,
        from_ys=tuple(ports[i, source] for source in sources),
        to_y=to_y[i],
        look=look,
        spoken=spoken,
    )
