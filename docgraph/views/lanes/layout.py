"""Documents in lanes as plain data: boxes, the lines between them, and the rules by which every picture places both.

Whatever draws a plan or a comparison (canvas, buttons over SVG, static SVG) is given these values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Any

from docgraph.domain.frozen import fingerprint

Edge = tuple[str, str, str]
"""(from, via, to)."""

Dash = tuple[float, ...]
"""Lengths of dashes and gaps in pixels; empty = a solid line."""

Span = tuple[float, float]
"""Left edge and width of a lane, or upper edge and height of a box."""

Stops = Sequence[tuple[int, Sequence[tuple[int, int]]]]
"""Width of the panel → a span for each lane; between two stops everything moves in proportion."""

_DASHES: dict[str, Dash] = {
    "explains": (),
    "decision_for": (7, 4),
    "implements": (1.5, 4),
    "depends_on": (4, 3),
    "supersedes": (11, 3, 1.5, 3),
    "derived_from": (7, 3, 1.5, 3),
    "example_of": (3, 3, 1.5, 3),
}
_LONG_DASH: Dash = (11, 5)
_BY_FREQUENCY: tuple[Dash, ...] = ((), (7, 4), (1.5, 4), (7, 3, 1.5, 3))
"""Styles for types without one of their own, for the commonest type first."""

MAX_LINES = 3
"""Lines into one document before edges share one: as many labels as stand beside it."""


@dataclass(frozen=True, kw_only=True)
class Box:
    """One document in one lane: ``y`` is its upper edge and ``h`` its height, in pixels; the lane gives the rest."""

    document_id: str
    title: str
    lane: str
    y: float
    h: float

    @property
    def middle(self) -> float:
        """Height of its middle."""
        return self.y + self.h / 2


@dataclass(frozen=True, kw_only=True)
class Line:
    """Edges into one document, drawn as one: leaving at ``from_ys`` (one for each source), arriving at ``to_y``."""

    edges: tuple[Edge, ...]
    label: str
    dash: Dash
    from_ys: tuple[float, ...]
    to_y: float

    @property
    def id(self) -> str:
        """The id of its edge, or one of its own when it stands for several."""
        return edge_id(self.edges[0]) if len(self.edges) == 1 else f"lines:{_digest([list(e) for e in self.edges])}"

    @property
    def sources(self) -> tuple[str, ...]:
        """Where its edges start, each once."""
        return tuple(dict.fromkeys(edge[0] for edge in self.edges))

    @property
    def target(self) -> str:
        """The document in which it ends."""
        return self.edges[0][2]

    @property
    def from_y(self) -> float:
        """Where it leaves its first source."""
        return self.from_ys[0]


def node_id(document_id: str) -> str:
    """A picture's id of a document."""
    return f"doc:{document_id}"


def edge_id(edge: Edge) -> str:
    """A picture's id of an edge: stable over plans, safe for any document id."""
    return f"edge:{_digest(list(edge))}"


def dash(relation_type: str) -> Dash:
    """The line style of a type; types without one of their own share the long dash (the word tells them apart)."""
    return _DASHES.get(relation_type, _LONG_DASH)


def dashes(counts: Mapping[str, int]) -> dict[str, Dash]:
    """A line style for each type of a corpus (``counts``: its edges by type).

    Types with a style of their own keep it; of the others the commonest take those that are left, so that no two of
    them look alike, and the rest share the long dash.
    """
    own = {name: _DASHES[name] for name in counts if name in _DASHES}
    free = [style for style in _BY_FREQUENCY if style not in own.values()]
    others = sorted((name for name in counts if name not in own), key=lambda name: (-counts[name], name))
    return own | {name: free[i] if i < len(free) else _LONG_DASH for i, name in enumerate(others)}


def labelled(edges: Sequence[Edge], many: str, styles: Mapping[str, Dash] = _DASHES) -> tuple[str, Dash]:
    """Label and style of a line: those of its only edge, or the number of its edges as ``many`` says it."""
    via = edges[0][1]
    return (via, styles.get(via, dash(via))) if len(edges) == 1 else (many, ())


def bundled(edges: Sequence[Edge], *alike: Callable[[Edge], Hashable]) -> tuple[tuple[Edge, ...], ...]:
    """Edges into one document as lines: those that are ``alike`` share one; all of them do if nothing else is enough.

    Of several ways to be alike the first that needs at most ``MAX_LINES`` lines is taken.
    """
    for key in alike:
        groups: dict[Hashable, list[Edge]] = {}
        for edge in edges:
            groups.setdefault(key(edge), []).append(edge)
        if len(groups) <= MAX_LINES:
            return tuple(map(tuple, groups.values()))
    return (tuple(edges),)


def by_edge(edge: Edge) -> Hashable:
    """A line for each edge."""
    return edge


def by_source(edge: Edge) -> Hashable:
    """A line for each document in which edges start."""
    return edge[0]


def fanned(middle: float, n: int, step: float, *, room: float = inf) -> tuple[float, ...]:
    """Heights of ``n`` lines that meet at ``middle``, ``step`` apart, closer when ``room`` does not hold them."""
    step = min(step, room / max(n - 1, 1))
    return tuple(middle + (i - (n - 1) / 2) * step for i in range(n))


def spans(stops: Stops, width: float) -> tuple[Span, ...]:
    """Left edge and width of each lane in a panel of ``width``, not rounded; ``laneAt`` of drawing.js does the same."""
    inner = min(max(width, stops[0][0]), stops[-1][0])
    (low, left), (high, right) = next(pair for pair in pairwise(stops) if inner <= pair[1][0])
    share = (inner - low) / (high - low)
    return tuple(
        (x0 + (x1 - x0) * share, w0 + (w1 - w0) * share) for (x0, w0), (x1, w1) in zip(left, right, strict=True)
    )


def _digest(content: Any) -> str:
    return fingerprint(content)[:16]
