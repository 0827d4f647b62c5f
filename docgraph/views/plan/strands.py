"""How edges run in a plan drawn in rows: from every seed that has a reason in a group, meeting before its one arrow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docgraph.domain.frozen import fingerprint
from docgraph.views.lanes.layout import Dash, Edge, dash, edge_id, fanned, node_id
from docgraph.views.plan.arrangement import Arrangement, Group
from docgraph.views.words import counts

PORT_STEP, PORT_ROOM = 6, 18
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
        for n, y in zip(ns, fanned(arrangement.seed_y(source), len(ns), PORT_STEP, room=PORT_ROOM), strict=True)
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
