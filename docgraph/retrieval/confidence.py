"""Turns raw scores into confidences: monotone, so the order of one provider's candidates never changes by it."""

from __future__ import annotations

import math
from collections.abc import Mapping

from docgraph.domain.packet import Calibration

UNCALIBRATED = "uncalibrated"
PROBABILITY = "probability"
"""The kind of scores that are confidences already."""


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
