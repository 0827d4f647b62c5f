"""The lines of the plan graph: relationships between documents, and bundles of them into groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from docgraph.domain.frozen import fingerprint
from docgraph.domain.plan import RetrievalPlan
from docgraph.views.lanes.layout import (
    Dash,
    Edge,
    Line,
    bundled,
    by_edge,
    by_source,
    dash,
    edge_id,
    fanned,
    labelled,
    node_id,
)
from docgraph.views.plan.arrangement import Arrangement, Group
from docgraph.views.plan.lanes import LABEL_STEP, PORT_STEP, row_centre
from docgraph.views.words import counts

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


BUNDLE_STEP, BUNDLE_ROOM = 6, 18
"""Distance of lines where they leave a seed, and the height that they have for it."""


@dataclass(frozen=True, kw_only=True)
class Strand:
    """The edges from one seed into one group, as one line; the ``main`` one starts at the seed that names the group."""

    edges: tuple[Edge, ...]
    dash: Dash
    main: bool
    group: int
    from_y: float
    to_y: float

    @property
    def id(self) -> str:
        """The id of its edge, or one of its own when it stands for several."""
        if len(self.edges) == 1:
            return edge_id(self.edges[0])
        return f"strand:{fingerprint([list(edge) for edge in self.edges])[:16]}"

    @property
    def source(self) -> str:
        """The seed at which it starts."""
        return self.edges[0][0]

    @property
    def targets(self) -> tuple[str, ...]:
        """The documents that it reaches, each once."""
        return tuple(dict.fromkeys(edge[2] for edge in self.edges))


def strands(
    edges: Sequence[Edge], arrangement: Arrangement, styles: Mapping[str, Dash], *, gone: Collection[Edge] = ()
) -> tuple[Strand, ...]:
    """All lines, group by group, in each by the rows of their seeds; ``gone`` = what a draft does not follow."""
    rows, found = arrangement.seed_rows, dict[tuple[int, str], list[Edge]]()
    group_of = {i: n for n, group in enumerate(arrangement.groups) for i in group.members}
    for edge in sorted(edges, key=lambda e: (rows.get(e[0], 0), e)):
        if edge[0] in rows and edge[2] in group_of:
            found.setdefault((group_of[edge[2]], edge[0]), []).append(edge)
    leaving: dict[str, list[int]] = {}
    for n, source in sorted(found):
        leaving.setdefault(source, []).append(n)
    ports = {
        (n, source): y
        for source, ns in leaving.items()
        for n, y in zip(ns, fanned(arrangement.seed_y(source), len(ns), BUNDLE_STEP, room=BUNDLE_ROOM), strict=True)
    }
    lines = []
    for (n, source), own in sorted(found.items(), key=lambda item: (item[0][0], rows[item[0][1]])):
        group = arrangement.groups[n]
        via = _telling_type(own, group, gone)
        lines.append(
            Strand(
                edges=tuple(own),
                dash=styles.get(via, dash(via)),
                main=source == group.source,
                group=n,
                from_y=ports[n, source],
                to_y=group.middle,
            )
        )
    return tuple(lines)


def _telling_type(edges: Sequence[Edge], group: Group, gone: Collection[Edge]) -> str:
    """The group's own type where one of the edges that are followed has it, else the commonest of them."""
    found = Counter(via for _, via, _ in [e for e in edges if e not in gone] or edges)
    return group.relation_type if group.relation_type in found else min(found, key=lambda via: (-found[via], via))


def frames(
    arrangement: Arrangement,
    lines: Sequence[Strand],
    styles: Mapping[str, Dash],
    *,
    here: Collection[str],
    gone: Collection[Edge] = (),
) -> list[dict[str, Any]]:
    """The groups for the component: frame, label with the number of documents ``here``, and the ids of their lines."""
    found = []
    for n, group in enumerate(arrangement.groups):
        own = [line for line in lines if line.group == n]
        inside = [i for i in group.document_ids if i in here]
        edges = [edge for line in own for edge in line.edges]
        via = _telling_type(edges, group, gone) if edges else group.relation_type
        followed = [edge for edge in edges if edge not in gone]
        n_edges, n_sources = len(followed), len({edge[0] for edge in followed})
        hidden = len(group.document_ids) - group.n_shown
        found.append(
            {
                "id": f"group:{fingerprint([group.relation_type, group.source])[:16]}",
                "top": group.top,
                "height": group.height,
                "y": group.middle,
                "label": via,
                "n": str(len(inside)),
                "dash": styles.get(via, dash(via)),
                "lines": [line.id for line in own],
                "members": [node_id(i) for i in group.members],
                "more": f"{hidden} more" if hidden else "",
                "tip": f"{via}: {counts.plural(len(inside), 'document')} over "
                f"{counts.plural(n_edges, 'relationship')} from {counts.plural(n_sources, 'match', 'matches')}",
            }
        )
    return found
