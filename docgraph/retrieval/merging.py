"""Merges what several providers found: one candidate a chunk, in the order of reciprocal rank fusion."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docgraph.domain.packet import Calibration, ContextCandidate, ProviderHit
from docgraph.domain.ranking import RRF_K
from docgraph.retrieval.confidence import calibration_for, calibration_name, confidence

Found = Sequence[tuple[str, Sequence[ProviderHit]]]
"""(provider, its hits, best first), in the order of the route."""


@dataclass(frozen=True)
class Merged:
    """A candidate of the packet with what decides about it: the channels it belongs to."""

    candidate: ContextCandidate
    channels: frozenset[str]


@dataclass
class _Group:
    """All hits that are one candidate: (provider, rank from 1, hit, its calibration)."""

    hits: list[tuple[str, int, ProviderHit, Calibration | None]] = field(default_factory=list)

    @property
    def fused(self) -> float:
        """Reciprocal rank fusion; a provider that names a candidate twice counts with its better rank."""
        ranks: dict[str, int] = {}
        for provider, rank, _, _ in self.hits:
            ranks.setdefault(provider, rank)
        return sum(1.0 / (RRF_K + rank) for rank in ranks.values())

    @property
    def best(self) -> tuple[str, int, ProviderHit, Calibration | None]:
        """The hit with the highest confidence; of equal ones the first."""
        return max(self.hits, key=lambda hit: confidence(hit[2].score, hit[3]))


def merge(found: Found, calibrations: Mapping[str, Calibration], *, limit: int) -> tuple[Merged, ...]:
    """One candidate for hits of equal key, and for hits of equal text; the best ``limit`` of them.

    Order: sum of 1 / (60 + rank) over the providers, then the higher confidence, then who was found first. The
    confidence is the highest of the calibrated ones.
    """
    groups = _grouped(found, calibrations)
    made = [(group.fused, _candidate(group)) for group in groups]
    order = sorted(range(len(made)), key=lambda i: (-made[i][0], -made[i][1].candidate.confidence, i))
    return tuple(made[i][1] for i in order[:limit])


def _grouped(found: Found, calibrations: Mapping[str, Calibration]) -> list[_Group]:
    by_key: dict[tuple[str, str], _Group] = {}
    by_text: dict[str, _Group] = {}
    groups: list[_Group] = []
    for provider, hits in found:
        for rank, hit in enumerate(hits, start=1):
            text = _text_hash(hit.content)
            group = by_key.get(hit.key) or by_text.get(text)
            if group is None:
                group = _Group()
                groups.append(group)
            by_key.setdefault(hit.key, group)
            by_text.setdefault(text, group)
            group.hits.append((provider, rank, hit, calibration_for(hit.score_kind, calibrations)))
    return groups


def _candidate(group: _Group) -> Merged:
    _, _, hit, calibration = group.best
    metadata: dict[str, Any] = {
        **hit.metadata,
        "raw_score": hit.score,
        "score_kind": hit.score_kind,
        "calibration_id": calibration_name(hit.score_kind, calibration),
        "providers": {provider: rank for provider, rank, _, _ in reversed(group.hits)},
        "rrf": round(group.fused, 9),
    }
    first = group.hits[0][2]
    candidate = ContextCandidate(
        id="/".join(part.replace("%", "%25").replace("/", "%2F") for part in first.key),
        content=hit.content,
        source=hit.source,
        confidence=confidence(hit.score, calibration),
        metadata=metadata,
    )
    return Merged(candidate, frozenset(channel for _, _, each, _ in group.hits for channel in each.channels if channel))


def _text_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
