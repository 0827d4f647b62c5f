"""The lines of one picture of a comparison: which edges share a line, where it leaves, where it arrives, its label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.plan import Reason
from docgraph.views.lanes.rows import Edge
from docgraph.views.lanes.text import plain
from docgraph.views.plan.legend import Dash, dash
from docgraph.views.words.counts import plural

MAX_LINES = 3
"""More lines than this into one document become one line that names their number."""

LABEL_STEP = 16
"""Distance of two lines where they arrive: as far apart as a label is high, so labels never overlap."""

PORT_STEP = 5
"""Distance of two lines where they leave a seed."""

_LEFT_DASH: Dash = (5, 4)
Span = tuple[float, float]
"""Upper edge and height."""


@dataclass(frozen=True)
class Line:
    """Edges that are drawn as one: from the seeds in ``sources`` (leaving at ``from_ys``) to ``target`` at ``to_y``.

    ``spoken`` is every edge with the titles of its ends.
    """

    key: str
    edges: tuple[Edge, ...]
    sources: tuple[str, ...]
    target: str
    label: str
    dash: Dash
    look: Literal["kept", "left"]
    from_ys: tuple[float, ...]
    to_y: float
    spoken: str

    @property
    def short(self) -> str:
        """Its label where there is little room: several edges are counted, one is named."""
        return plural(len(self.edges), "edge") if len(self.edges) > 1 else self.label


def bundled(
    target: str, reasons: Sequence[Reason], seed_rows: Mapping[str, int]
) -> tuple[tuple[tuple[Edge, ...], ...], int]:
    """The groups of edges into one document that share a line, by seed row, and how many edges start out of sight."""
    by_source: dict[str, list[Edge]] = {}
    for reason in reasons:
        if reason.from_document_id in seed_rows:
            edge = (reason.from_document_id, reason.via, target)
            by_source.setdefault(reason.from_document_id, []).append(edge)
    ordered = sorted(by_source, key=lambda source: (seed_rows[source], source))
    groups = tuple(tuple(sorted(by_source[source])) for source in ordered)
    unseen = len(reasons) - sum(len(group) for group in groups)
    if len(groups) <= MAX_LINES:
        return groups, unseen
    return (tuple(edge for group in groups for edge in group),), unseen


def routed(
    groups: Sequence[tuple[tuple[Edge, ...], Literal["kept", "left"]]],
    seeds: Mapping[str, Span],
    expanded: Mapping[str, Span],
    titles: Mapping[str, str],
) -> tuple[Line, ...]:
    """Lines for groups of edges, in the order given, between boxes whose upper edge and height are known."""
    arriving: dict[str, list[int]] = {}
    for i, (edges, _) in enumerate(groups):
        arriving.setdefault(edges[0][2], []).append(i)
    to_y = {
        i: expanded[target][0] + expanded[target][1] / 2 + (n - (len(indices) - 1) / 2) * LABEL_STEP
        for target, indices in arriving.items()
        for n, i in enumerate(indices)
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
        top, height = seeds[source]
        step = min(PORT_STEP, (height - 12) / max(len(indices) - 1, 1))
        for n, i in enumerate(sorted(indices, key=lambda i: (to_y[i], i))):
            found[i, source] = round(top + height / 2 + (n - (len(indices) - 1) / 2) * step, 1)
    return found


def _line(
    edges: tuple[Edge, ...],
    look: Literal["kept", "left"],
    ports: Mapping[tuple[int, str], float],
    to_y: Mapping[int, float],
    i: int,
    titles: Mapping[str, str],
) -> Line:
    sources = tuple(dict.fromkeys(edge[0] for edge in edges))
    first = edges[0][1]
    label = plural(len(edges), "edge") if len(sources) > 1 else plain(first)
    if len(sources) == 1 and len(edges) > 1:
        label += f" +{len(edges) - 1}"
    style = dash(first) if len(sources) == 1 else ()
    spoken = "\n".join(f"{titles[source]} —{plain(via)}→ {titles[target]}" for source, via, target in edges)
    return Line(
        key="|".join("\x1f".join(edge) for edge in edges),
        edges=edges,
        sources=sources,
        target=edges[0][2],
        label=label,
        dash=(style or _LEFT_DASH) if look == "left" else style,
        look=look,
        from_ys=tuple(ports[i, source] for source in sources),
        to_y=to_y[i],
        spoken=spoken,
    )
