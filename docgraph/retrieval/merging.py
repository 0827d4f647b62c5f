"""Merges what several providers found: one candidate a chunk; a plan's keep their places, the others fill the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from docgraph.domain.judgment import passage_hash
from docgraph.domain.packet import ContextCandidate, ProviderHit
from docgraph.domain.ranking import RRF_K
from docgraph.retrieval.confidence import Confidences

Found = Sequence[tuple[str, Sequence[ProviderHit]]]
"""(provider, its hits, best first), in the order of the route."""


FIRST_SHARE = 0.4
"""Of the places, those that providers who go first may take where a plan needs all of them; at least one."""


@dataclass(frozen=True)
class Merged:
    """A candidate of the packet with what decides about it.

    ``channels`` = those it belongs to; ``keeps`` = a plan put it here, so that nobody takes its place.
    """

    candidate: ContextCandidate
    channels: frozenset[str]
    keeps: bool = False


@dataclass
class _Group:
    """All hits that are one candidate: (provider, rank from 1, hit, its confidence)."""

    hits: list[tuple[str, int, ProviderHit, float]] = field(default_factory=list)

    @property
    def fused(self) -> float:
        """Reciprocal rank fusion; a provider that names a candidate twice counts with its better rank."""
        ranks: dict[str, int] = {}
        for provider, rank, _, _ in self.hits:
            ranks.setdefault(provider, rank)
        return sum(1.0 / (RRF_K + rank) for rank in ranks.values())

    def rank(self, providers: Set[str]) -> int:
        """The best rank that one of ``providers`` gave it; 0 when none of them found it."""
        return min((rank for provider, rank, _, _ in self.hits if provider in providers), default=0)

    @property
    def best(self) -> tuple[str, int, ProviderHit, float]:
        """The hit with the highest confidence; of equal ones the first."""
        return max(self.hits, key=lambda hit: hit[3])


def merge(
    found: Found,
    sure: Confidences,
    *,
    limit: int,
    top: int | None = None,
    keeping: Set[str] = frozenset(),
    first: Set[str] = frozenset(),
) -> tuple[Merged, ...]:
    """One candidate for hits of equal key, and for hits of equal text; ``limit`` of them.

    What the providers in ``keeping`` found stands in their own order, and nobody displaces it: a list that is blind to
    relationships would push out whom only a relationship brings in. The others fill what is left, by reciprocal rank
    fusion: sum of 1 / (60 + rank) over the providers, then the higher confidence, then who was found first. Providers
    in ``first`` (a conversation's memory) stand before both; where places are short they have 40 % of them.
    A candidate's confidence is the highest of its hits'; the best of the first ``top`` (None: of all) is as sure as
    what is found.
    """
    groups = _grouped(found, sure)
    made = [_candidate(group, sure, keeps=group.rank(keeping) > 0) for group in groups]
    fused = sorted(range(len(groups)), key=lambda i: (-groups[i].fused, -made[i].candidate.confidence, i))
    ahead = [i for i in fused if groups[i].rank(first)]
    kept = sorted((i for i in fused if made[i].keeps and i not in ahead), key=lambda i: (groups[i].rank(keeping), i))
    n_ahead = min(len(ahead), max(limit - len(kept), int(FIRST_SHARE * limit), 1))
    chosen = [*ahead[:n_ahead], *_fitting(kept, made, limit - n_ahead), *fused]
    merged = [made[i] for i in list(dict.fromkeys(chosen))[:limit]]
    return _as_sure_as_found(merged, sure, limit if top is None else top)


def _as_sure_as_found(merged: Sequence[Merged], sure: Confidences, top: int) -> tuple[Merged, ...]:
    """The best candidate that is shown has the confidence of what is found, where a better one has no place."""
    shown = merged[:top]
    factors: dict[str, float] = {}
    for kind, whole in sure.found.items():
        best = max((c.confidence for c in _of_kind(shown, kind)), default=0.0)
        factors[kind] = whole[0] / best if best else 1.0
    return tuple(_scaled(each, factors, sure) for each in merged)


def _of_kind(merged: Sequence[Merged], kind: str) -> list[ContextCandidate]:
    return [each.candidate for each in merged if each.candidate.metadata["score_kind"] == kind]


def _scaled(merged: Merged, factors: Mapping[str, float], sure: Confidences) -> Merged:
    candidate, kind = merged.candidate, merged.candidate.metadata["score_kind"]
    if kind not in factors:
        return merged
    confidence = round(min(candidate.confidence * factors[kind], sure.found[kind][0]), 6)
    return replace(merged, candidate=candidate.model_copy(update={"confidence": confidence}))


def _fitting(kept: Sequence[int], made: Sequence[Merged], room: int) -> list[int]:
    """``room`` of a plan's candidates, in its order: further chunks of a document go first, and then the last one of
    the larger part, seeds or related ones, so that a shorter list has related documents in it as a smaller plan would.
    """
    left = list(kept)
    while len(left) > max(room, 0):
        said = [made[i].candidate.metadata for i in left]
        documents = [each.get("document_id") for each in said]
        again = [n for n, one in enumerate(documents) if one is not None and one in documents[:n]]
        related = [n for n, each in enumerate(said) if each.get("role") == "expanded"]
        seeds = [n for n in range(len(left)) if n not in related]
        del left[(again or (seeds if len(seeds) > len(related) else related))[-1]]
    return left


def _grouped(found: Found, sure: Confidences) -> list[_Group]:
    by_key: dict[tuple[str, str], _Group] = {}
    by_text: dict[str, _Group] = {}
    groups: list[_Group] = []
    for provider, hits in found:
        for rank, hit in enumerate(hits, start=1):
            text = passage_hash(hit.content)
            group = by_key.get(hit.key) or by_text.get(text)
            if group is None:
                group = _Group()
                groups.append(group)
            by_key.setdefault(hit.key, group)
            by_text.setdefault(text, group)
            group.hits.append((provider, rank, hit, sure.of(hit)))
    return groups


def _candidate(group: _Group, sure: Confidences, *, keeps: bool) -> Merged:
    _, _, hit, confidence = group.best
    metadata: dict[str, Any] = {
        **hit.metadata,
        "raw_score": hit.score,
        "score_kind": hit.score_kind,
        "calibration_id": sure.name(hit),
        "providers": {provider: rank for provider, rank, _, _ in reversed(group.hits)},
        "rrf": round(group.fused, 9),
    }
    first = group.hits[0][2]
    candidate = ContextCandidate(
        id="/".join(part.replace("%", "%25").replace("/", "%2F") for part in first.key),
        content=hit.content,
        source=hit.source,
        confidence=confidence,
        metadata=metadata,
    )
    channels = frozenset(channel for _, _, each, _ in group.hits for channel in each.channels if channel)
    return Merged(candidate, channels, keeps)
