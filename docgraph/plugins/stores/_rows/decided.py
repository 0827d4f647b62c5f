"""The one rule by which an import meets what people decided: decisions stand, and what disagrees is remembered."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docgraph.domain.decisions import REVIEW, is_reviewed, takes_away
from docgraph.domain.frozen import fingerprint
from docgraph.plugins.stores._rows.writing import cleaned

if TYPE_CHECKING:
    from docgraph.domain.curation import Contested
    from docgraph.domain.decisions import Judged
    from docgraph.domain.graph import Relationship
    from docgraph.domain.overrides import EdgeKey


@dataclass(frozen=True)
class Decided:
    """What an import becomes: ``edges`` to be stored beside those that people made, and what is ``contested``."""

    edges: tuple[Relationship, ...]
    contested: tuple[Contested, ...]


def decide(
    incoming: Iterable[Relationship],
    decided: Mapping[EdgeKey, Judged],
    *,
    manual: Collection[EdgeKey],
    reviewed: Mapping[EdgeKey, Relationship],
    at: str,
    whole: bool = True,
) -> Decided:
    """Merge what comes in with what is stored and what was decided about it.

    ``manual`` = stored relationships that a person made: they stay, and an incoming one at their key is dropped.
    ``reviewed`` = stored, imported ones that a person accepted: an incoming one takes their place and keeps the review;
    where ``whole`` (the import states all there is of a document) those that it does not state stay, contested. An
    incoming one that a standing decision took away is contested and does not come back.
    """
    from docgraph.domain.curation import Contested  # a reading contests nothing

    edges: dict[EdgeKey, Relationship] = {}
    contested: list[Contested] = []
    stated: set[EdgeKey] = set()
    for edge in incoming:
        key = edge.key
        stated.add(key)
        if key in manual:
            continue
        entry = decided.get(key)
        if entry is not None and takes_away(entry, key):
            contested.append(Contested(kind="stated", relationship=edge, entry_id=entry.entry_id, at=at))
        else:
            edges[key] = _with_review(edge, reviewed[key]) if key in reviewed else edge
    for key in sorted(reviewed.keys() - stated) if whole else ():
        entry = decided.get(key)
        if takes_away(entry, key):
            continue
        edges[key] = reviewed[key]
        number = entry.entry_id if entry else 0
        contested.append(Contested(kind="unstated", relationship=reviewed[key], entry_id=number, at=at))
    return Decided(tuple(edges[key] for key in sorted(edges)), tuple(contested))


def reviewed_of(edges: Iterable[Relationship]) -> dict[EdgeKey, Relationship]:
    """Those that a person accepted, by key."""
    return {edge.key: edge for edge in edges if is_reviewed(edge)}


def _with_review(edge: Relationship, accepted: Relationship) -> Relationship:
    metadata = {**edge.relationship_metadata, REVIEW: accepted.relationship_metadata[REVIEW]}
    return edge.model_copy(update={"relationship_metadata": cleaned(metadata)})


def key_hash(key: EdgeKey) -> str:
    """A relationship's key at a length that fits into every index."""
    return fingerprint(list(key))
