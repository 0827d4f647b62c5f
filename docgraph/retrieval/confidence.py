"""Turns raw scores into confidences: monotone, so the order of one provider's candidates never changes by it.

What is found for a question holds an answer with the confidence ``sigmoid(slope · top score + words · share +
intercept)``; ``share`` = the largest share of the question's content words that a single hit holds. A candidate's own
confidence puts its own score there: the highest of them is that of the packet.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from docgraph.domain.content_words import content_words, stem, words
from docgraph.domain.packet import Calibration, ProviderHit

UNCALIBRATED = "uncalibrated"
PROBABILITY = "probability"
"""The kind of scores that are confidences already."""
MAX_QUESTION, MAX_TEXT = 2_000, 10_000
"""Characters of a question, and of a hit, whose words are compared."""


def for_question(
    calibrations: Mapping[str, Calibration], query: str, found: Iterable[ProviderHit]
) -> dict[str, Calibration]:
    """The calibrations as they hold for one question: what its words say is part of the intercept."""
    if not any(each.words for each in calibrations.values()):
        return dict(calibrations)
    share = share_of_words(query, [hit for hit in found if hit.score_kind in calibrations])
    return {
        kind: each.model_copy(update={"intercept": each.intercept + each.words * share})
        for kind, each in calibrations.items()
    }


def share_of_words(query: str, hits: Sequence[ProviderHit]) -> float:
    """The largest share of the question's content words (by stem) that one hit holds, in its text or its source."""
    wanted = {stem(word) for word in content_words(query[:MAX_QUESTION])}
    if not wanted:
        return 0.0
    return max((len(wanted & _stems(hit)) / len(wanted) for hit in hits), default=0.0)


def _stems(hit: ProviderHit) -> frozenset[str]:
    said = words(f"{hit.source[:MAX_TEXT]} {hit.content[:MAX_TEXT]}")
    return frozenset(map(stem, {*said, *(part for word in said for part in word.split("-"))}))


def confidence(score: float | None, calibration: Calibration | None) -> float:
    """``sigmoid(slope · score + intercept)``, 0 to 1, rounded to 6 digits; without a calibration the clipped score.

    No score, NaN and infinity give 0: nothing is known of such a candidate.
    """
    if score is None or not math.isfinite(score):
        return 0.0
    value = score if calibration is None else _sigmoid(calibration.slope * score + calibration.intercept)
    return round(min(1.0, max(0.0, value)), 6)


def calibration_for(score_kind: str, calibrations: Mapping[str, Calibration]) -> Calibration | None:
    """The calibration of a kind of scores; None for probabilities and for kinds that nobody calibrated."""
    return None if score_kind == PROBABILITY else calibrations.get(score_kind)


def calibration_name(score_kind: str, calibration: Calibration | None) -> str:
    """What the candidate's metadata say about the way from score to confidence."""
    if calibration is not None:
        return calibration.calibration_id
    return PROBABILITY if score_kind == PROBABILITY else UNCALIBRATED


def _sigmoid(x: float) -> float:
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-min(x, 700.0)))
    e = math.exp(max(x, -700.0))
    return e / (1.0 + e)
