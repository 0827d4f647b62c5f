"""Who stands around two documents: neighbours, the lane that each belongs to, and which of them are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import EdgeKey
from docgraph.views.lanes.layout import MAX_LINES

Lane = Literal["in", "centre", "out"]


@dataclass(frozen=True)
class Document:
    """What the picture says of a document; ``stored`` is False for one that only a relationship names."""

    document_id: str
    title: str = ""
    doc_type: str = ""
    stored: bool = True


@dataclass(frozen=True)
class Near:
    """A neighbour with its relationships by (hub index, outgoing from the hub)."""

    document: Document
    links: tuple[tuple[int, bool, tuple[EdgeKey, ...]], ...]

    @property
    def lines(self) -> tuple[tuple[int, bool, tuple[EdgeKey, ...]], ...]:
        """As ``links``, one for each relationship; of more than ``MAX_LINES`` those that run alike share one."""
        single = tuple((hub, out, (key,)) for hub, out, keys in self.links for key in keys)
        return single if len(single) <= MAX_LINES else self.links

    @property
    def lane(self) -> Lane:
        """Right when one of the two points at it."""
        return "out" if any(out for _, out, _ in self.links) else "in"

    @property
    def order(self) -> tuple[int, str, str]:
        """Beside A, beside both, beside B; then by title."""
        ends = {hub for hub, _, _ in self.links}
        place = 1 if len(ends) > 1 else 2 * min(ends)
        return (place, self.document.title.casefold(), self.document.document_id)


def inside(edge: Relationship, hubs: tuple[str, str]) -> bool:
    """Whether both ends are among the two."""
    return edge.from_document_id in hubs and edge.to_document_id in hubs


def neighbours(rows: Sequence[Relationship], hubs: tuple[str, str], document: Callable[[str], Document]) -> list[Near]:
    """Everyone that a relationship joins to one of the two, from top to bottom."""
    found: dict[str, dict[tuple[int, bool], list[EdgeKey]]] = {}
    for edge in rows:
        if inside(edge, hubs):
            continue
        out = edge.from_document_id in hubs
        hub, other = edge.from_document_id, edge.to_document_id
        if not out:
            hub, other = other, hub
        if hub in hubs:
            found.setdefault(other, {}).setdefault((hubs.index(hub), out), []).append(edge.key)
    near = [
        Near(document(other), tuple((hub, out, tuple(keys)) for (hub, out), keys in sorted(links.items())))
        for other, links in found.items()
    ]
    return sorted(near, key=lambda n: n.order)


def first(lane: Sequence[Near], keep: Sequence[str], per_lane: int) -> list[Near]:
    """The first of a lane, taken in turn from those beside A, both and B, and those to be kept; in the lane's order."""
    turns: dict[int, int] = {}
    ranks = []
    for near in lane:
        place = near.order[0]
        turns[place] = turns.get(place, 0) + 1
        ranks.append((near.document.document_id not in keep, turns[place], near.order))
    room = max(per_lane, sum(not rank[0] for rank in ranks))
    chosen = sorted(range(len(lane)), key=lambda i: ranks[i])[:room]
    return [lane[i] for i in sorted(chosen)]
