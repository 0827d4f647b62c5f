"""Turns raw scores into confidences: that of what is found for a question, and of it that of each passage.

The packet's: what is found holds an answer with the confidence ``sigmoid(slope · top score + words · share +
intercept)``; a hit's ``share`` = of the question's words that which it holds, weighed by how similar it is, and the
packet's the mean of the three highest. A rare word weighs up to twice as much as one that every document holds.

A candidate's: the packet's times ``exp((evidence - best evidence) / 4)``; the evidence of a hit is made of its own
score and its own share. The best one has the packet's, so that the packet's is the highest of its candidates'.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docgraph.domain.content_words import content_words, held_stems, stem
from docgraph.domain.packet import Calibration, ContextCandidate, ProviderHit
from docgraph.domain.ranking import rarity

UNCALIBRATED = "uncalibrated"
PROBABILITY = "probability"
"""The kind of scores that are confidences already."""
MAX_QUESTION, MAX_TEXT = 2_000, 10_000
"""Characters of a question, and of a hit, whose words are compared."""
MAX_WORDS = 64
"""Words of a question that are compared."""
UNASKED = 4.0
"""The weight of words that nobody asked for and no hit holds: of a question of two words a strange passage soon holds
one by chance, of ten never five."""
FROM_WORDS = 0.3
"""What a hit's words count where it is not similar at all; they count twice as much at a cosine of 0.3."""
PER_SCORE, PER_SHARE = 0.3, 0.5
"""What a passage's own score and its own share of the words count beside another's of the same question."""
N_HOLDING = 3
"""Hits whose shares of words count: one alone may hold the words by chance."""
FALL = 2.5
"""Evidence by which a passage lies behind the best one where it is e times less likely to be of an answer; measured."""
PASSAGE_SLOPE, PASSAGE_INTERCEPT = 0.543, -1.505
"""How sure the passage is, of how sure its document is, both as logits: fitted on 262 questions of six sets whose
passage is known, and as many without an answer (docs/calibration.md)."""


def question_words(query: str) -> tuple[str, ...]:
    """The words of a question that are compared."""
    return content_words(query[:MAX_QUESTION], limit=MAX_WORDS)


def word_weights(query: str, holding: Mapping[str, int], *, n_documents: int) -> dict[str, float]:
    """Stem → weight of each word of a question: 1 where every document holds it, 2 where none does.

    ``holding`` = word → number of documents that hold it; a word that is absent weighs 1: it was not counted.
    """
    weights: dict[str, float] = {}
    for word in question_words(query):
        n = min(holding.get(word, n_documents), n_documents)
        weight = 1.0 + (rarity(n, n_documents) / rarity(0, n_documents) if word in holding else 0.0)
        weights[stem(word)] = min(weight, weights.get(stem(word), weight))
    return weights


def share_held(hit: ProviderHit, weights: Mapping[str, float]) -> float:
    """The share of a question's words that a hit holds, in its text or its source, 0 to 1; ``UNASKED`` ones count."""
    held = held_stems(f"{hit.source[:MAX_TEXT]} {hit.content[:MAX_TEXT]}")
    return sum(weight for word, weight in weights.items() if word in held) / (sum(weights.values()) + UNASKED)


def share_near(hit: ProviderHit, weights: Mapping[str, float]) -> float:
    """The share of a question's words that a hit holds, the more the more similar it is (``near``)."""
    return share_held(hit, weights) * near(hit.score if hit.score is not None else 0.0)


def near(score: float) -> float:
    """What the words of a hit with this score count: score + 0.3; a score below 0, or none, counts as 0."""
    return FROM_WORDS + (max(score, 0.0) if math.isfinite(score) else 0.0)


def share_found(shares: Iterable[float]) -> float:
    """What the hits' shares say about all that is found: the mean of the three highest."""
    best = sorted(shares, reverse=True)[:N_HOLDING]
    return sum(best) / len(best) if best else 0.0


@dataclass(frozen=True)
class Confidences:
    """The confidences of one question's hits: ``of`` each of them; ``for_question`` makes it."""

    calibrations: Mapping[str, Calibration] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    found: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Kind of score → (confidence of what is found, best evidence)."""

    def of(self, hit: ProviderHit) -> float:
        """The hit's confidence, 0 to 1, rounded to 6 digits; without a calibration the clipped score.

        No score, NaN and infinity give 0: nothing is known of such a hit.
        """
        calibration = self.calibration(hit)
        if hit.score is None or not math.isfinite(hit.score):
            return 0.0
        if calibration is None:
            return round(min(1.0, max(0.0, hit.score)), 6)
        whole, best = self.found[hit.score_kind]
        held = share_held(hit, self.weights)
        shown = evidence(hit.score, held, calibration.slope, calibration.words)
        behind = best - shown if shown < best else 0.0  # both may be ∞, whose difference is no number
        return round(whole * math.exp(-behind / FALL), 6)

    def calibration(self, hit: ProviderHit) -> Calibration | None:
        """That of the hit's score; None for probabilities, and for kinds that nobody calibrated."""
        return self.calibrations.get(hit.score_kind) if hit.score_kind in self.found else None

    def name(self, hit: ProviderHit) -> str:
        """What the candidate's metadata say about the way from score to confidence."""
        calibration = self.calibrations.get(hit.score_kind)
        if hit.score_kind == PROBABILITY:
            return PROBABILITY
        return UNCALIBRATED if calibration is None else calibration.calibration_id


def passage_confidence(confidence: float) -> float:
    """How likely the passage that answers is read, where a document that answers is found with this confidence.

    sigmoid(0.543 · logit(confidence) − 1.505), 0 to 1, rounded to 6 digits; it rises with the confidence, and says
    nothing of one that no calibration made.
    """
    p = min(max(confidence, 1e-9), 1.0 - 1e-9)
    return round(_sigmoid(PASSAGE_SLOPE * math.log(p / (1.0 - p)) + PASSAGE_INTERCEPT), 6)


def passage_of(candidates: Sequence[ContextCandidate]) -> float | None:
    """``passage_confidence`` of what is found; None without candidates, and where no calibration made the highest."""
    best = max(candidates, key=lambda each: each.confidence, default=None)
    if best is None or best.metadata.get("calibration_id", UNCALIBRATED) in (UNCALIBRATED, PROBABILITY):
        return None
    return passage_confidence(best.confidence)


def for_question(
    calibrations: Mapping[str, Calibration], found: Iterable[ProviderHit], weights: Mapping[str, float]
) -> Confidences:
    """How sure each of the hits is that were ``found`` for one question; ``weights`` are those of its words."""
    known: dict[str, list[ProviderHit]] = {}
    for hit in found:
        if hit.score_kind not in calibrations or hit.score_kind == PROBABILITY:
            continue
        if hit.score is not None and math.isfinite(hit.score):
            known.setdefault(hit.score_kind, []).append(hit)
    return Confidences(
        calibrations=calibrations,
        weights=weights,
        found={kind: _found(hits, calibrations[kind], weights) for kind, hits in known.items()},
    )


def _found(hits: Sequence[ProviderHit], calibration: Calibration, weights: Mapping[str, float]) -> tuple[float, float]:
    """(Confidence of what is found, best evidence) of hits with scores."""
    rows = [(hit.score or 0.0, share_held(hit, weights)) for hit in hits]
    top = max(score for score, _ in rows)
    share = share_found(share * near(score) for score, share in rows)
    whole = _sigmoid(calibration.slope * top + calibration.words * share + calibration.intercept)
    return whole, max(evidence(score, held, calibration.slope, calibration.words) for score, held in rows)


def evidence(score: Any, share: Any, slope: float, words: float) -> Any:
    """How much speaks for passages, in the same unit as a packet's: ``share`` of words as ``share_held`` counts it.

    The product of score and share of ``share_near``, made a sum around a share of 0.3 and a score of 0.2: of
    passages of one question this tells those that answer from the others better than the product.
    """
    return slope * score + words * (PER_SCORE * score + PER_SHARE * share)


def _sigmoid(x: float) -> float:
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-min(x, 700.0)))
    e = math.exp(max(x, -700.0))
    return e / (1.0 + e)
