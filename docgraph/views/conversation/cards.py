"""The candidates of a packet as cards: what was found, how sure, by whom, and why it is in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docgraph.domain.packet import ContextCandidate, RetrievalResponse
from docgraph.views.words.counts import UNKNOWN, score
from docgraph.views.words.highlight import Segment, segments, terms
from docgraph.views.words.reading import readable

MAX_EXCERPT = 1_200
"""Characters of a passage that a card shows."""


@dataclass(frozen=True)
class Card:
    """One candidate; ``raw`` is what the provider measured, ``relevance`` its confidence in the packet."""

    place: int
    candidate_id: str
    document_id: str
    source: str
    doc_type: str
    relevance: float
    raw: str
    raw_kind: str
    calibration: str
    role: str
    reason: str
    found_by: str
    text: tuple[Segment, ...]
    cut: str


def cards(response: RetrievalResponse, query: str, *, limit: int) -> tuple[Card, ...]:
    """The first ``limit`` candidates in order; words of ``query`` are marked in their texts."""
    wanted = terms(query)
    found = response.context_packet.candidates[:limit]
    return tuple(_card(place, candidate, wanted) for place, candidate in enumerate(found, start=1))


def _card(place: int, candidate: ContextCandidate, wanted: frozenset[str]) -> Card:
    said = candidate.metadata
    raw = said.get("raw_score")
    text = readable(candidate.content[:MAX_EXCERPT])
    n = len(candidate.content)
    role, reason = _role(said)
    return Card(
        place=place,
        candidate_id=candidate.id,
        document_id=_text(said.get("document_id")),
        source=candidate.source or candidate.id,
        doc_type=_text(said.get("doc_type")),
        relevance=candidate.confidence,
        raw=score(raw) if isinstance(raw, int | float) else UNKNOWN,
        raw_kind=_text(said.get("score_kind")) or "score",
        calibration=_text(said.get("calibration_id")),
        role=role,
        reason=reason,
        found_by=_found_by(said),
        text=segments(text, wanted) if wanted else ((text, False),),
        cut=f"{MAX_EXCERPT:,} of {n:,} characters shown" if n > MAX_EXCERPT else "",
    )


def _role(said: Mapping[str, Any]) -> tuple[str, str]:
    """Role of the document in its plan, and over which relationships it came in."""
    if _text(said.get("memory_id")):
        return "memory", "from an earlier conversation"
    role = _text(said.get("role"))
    if role == "expanded":
        ways = [_way(reason) for reason in said.get("reasons") or () if isinstance(reason, Mapping)]
        return "related", "; ".join(way for way in ways if way)
    if role == "seed":
        return "match", "similar to the question"
    return ("full text", "contains words of the question") if "ts_rank_cd" in said else ("found", "")


def _way(reason: Mapping[str, Any]) -> str:
    via = reason.get("via")
    types = ", ".join(str(each) for each in via) if isinstance(via, list | tuple) else _text(via)
    return f"{_text(reason.get('from'))} {types} it".strip()


def _found_by(said: Mapping[str, Any]) -> str:
    """``graph 1st, lexical 3rd`` as ``graph #1, lexical #3``."""
    ranks = said.get("providers")
    if not isinstance(ranks, Mapping):
        return UNKNOWN
    return ", ".join(f"{name} #{rank}" for name, rank in sorted(ranks.items(), key=lambda item: (item[1], item[0])))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
