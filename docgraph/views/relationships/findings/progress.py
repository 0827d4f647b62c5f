"""How far the judging is: relationships that a person looked at, of all that somebody stated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from docgraph.domain.decisions import review_state
from docgraph.domain.graph import Relationship

_MENTIONS = "mentions"
"""The type of relationships that were only found in running text; nobody judges those one by one."""


@dataclass(frozen=True)
class Judged:
    """``n`` of ``total`` typed relationships are judged."""

    n: int
    total: int

    @property
    def share(self) -> float:
        """Between 0.0 and 1.0."""
        return self.n / self.total if self.total else 0.0


def judged(relationships: Iterable[Relationship], content_hashes: Mapping[str, str]) -> Judged:
    """Counts typed relationships that are judged; ``content_hashes`` = those of all stored documents."""
    n = total = 0
    for edge in relationships:
        if edge.relation_type != _MENTIONS:
            total += 1
            n += is_judged(edge, content_hashes)
    return Judged(n, total)


def is_judged(edge: Relationship, content_hashes: Mapping[str, str]) -> bool:
    """Whether a review of this relationship still holds (both texts are as they were), or a person made it so."""
    data = edge.relationship_metadata
    if (state := review_state(edge, content_hashes)) != "unreviewed":
        return state == "accepted"
    return isinstance(data.get("edited"), Mapping) or data.get("extractor") == "manual"
