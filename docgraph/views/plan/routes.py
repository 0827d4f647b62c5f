"""How edges run from the seeds' lane to the expanded documents: ports, labels and bends that never collide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from docgraph.domain.plan import RetrievalPlan
from docgraph.views.lanes.layout import Dash, Edge, Line, bundled, by_edge, by_source, fanned, labelled
from docgraph.views.plan.arrangement import Arrangement
from docgraph.views.plan.lanes import LABEL_STEP, PORT_STEP, row_centre

Styles = Mapping[str, Dash]


@dataclass(frozen=True, kw_only=True)
class Route(Line):
    """One line of a plan; ``bend`` = how early it bends, ``aside`` = between two seeds, drawn beside their lane."""

    bend: int
    aside: bool = False


def routes(
    plan: RetrievalPlan, arrangement: Arrangement, *, gone: Sequence[Edge] = (), styles: Styles = MappingProxyType({})
) -> tuple[Route, ...]:
    """All lines of a plan drawn as cards, by target row, then by source row, then by type.

    ``gone`` are edges that a draft does not follow: they keep their lines, so that no other line moves.
    """
    seed_rows, expanded_rows = arrangement.seed_rows, arrangement.expanded_rows
    bundles = _bundles((*plan.edges, *gone), seed_rows, expanded_rows)
    leaving: dict[str, list[int]] = {}
    for i, bundle in enumerate(bundles):
        leaving.setdefault(bundle[0][0], []).append(i)
    from_y = {
        i: row_centre(seed_rows[source]) + (n - level) * PORT_STEP
        for source, indices in leaving.items()
        for level in (_level(indices, bundles, seed_rows, expanded_rows),)
        for n, i in enumerate(indices)
    }
    arriving: dict[str, list[int]] = {}
    for i, bundle in enumerate(bundles):
        arriving.setdefault(bundle[0][2], []).append(i)
    to_y = {
        i: y
        for target, indices in arriving.items()
        for i, y in zip(indices, fanned(row_centre(expanded_rows[target]), len(indices), LABEL_STEP), strict=True)
    }
    lines = [_route(bundle, (from_y[i], to_y[i]), bend=i, styles=styles) for i, bundle in enumerate(bundles)]
    return (*lines, *asides((*plan.edges, *gone), arrangement, styles))


def _bundles(
    all_edges: Sequence[Edge], seed_rows: Mapping[str, int], expanded_rows: Mapping[str, int]
) -> list[tuple[Edge, ...]]:
    """Edges that share a line, sorted by (target row, source row, type)."""
    found: list[tuple[Edge, ...]] = []
    for target in expanded_rows:
        edges = [e for e in all_edges if e[2] == target and e[0] in seed_rows]
        found += bundled(sorted(edges, key=lambda e: (seed_rows[e[0]], e[1], e[0])), by_edge, by_source)
    return sorted(found, key=lambda b: (expanded_rows[b[0][2]], seed_rows[b[0][0]], b[0]))


def _level(
    indices: list[int], bundles: list[tuple[Edge, ...]], seed_rows: Mapping[str, int], expanded_rows: Mapping[str, int]
) -> float:
    """Which of a seed's lines leaves at its middle: the one to its own row (it runs straight), else the middle one."""
    n = len(indices)
    rows = [expanded_rows[bundles[i][0][2]] - seed_rows[bundles[i][0][0]] for i in indices]
    middle = float(rows.index(0)) if 0 in rows else (n - 1) / 2
    return min(max(middle, n - 4), 3.0) if n <= 7 else (n - 1) / 2


def asides(all_edges: Sequence[Edge], arrangement: Arrangement, styles: Styles) -> tuple[Route, ...]:
    """The edges between seeds: beside their lane, and only when they are asked for."""
    rows = arrangement.seed_rows
    edges = [e for e in all_edges if e[0] in rows and e[2] in rows]
    edges.sort(key=lambda e: (rows[e[2]], rows[e[0]], e))
    off = arrangement.density.node * 2 // 5
    return tuple(
        _route(
            (e,),
            (arrangement.seed_y(e[0]) + off, arrangement.seed_y(e[2]) - off),
            bend=i,
            aside=True,
            styles=styles,
        )
        for i, e in enumerate(edges)
    )


def _route(
    edges: tuple[Edge, ...], ys: tuple[float, float], *, bend: int, styles: Styles, aside: bool = False
) -> Route:
    label, style = labelled(edges, f"{len(edges)} relationships", styles)
    return Route(edges=edges, label=label, dash=style, from_ys=ys[:1], to_y=ys[1], bend=bend, aside=aside)
