"""Platt scaling: fits ``sigmoid(slope · score + intercept)`` to labelled scores, and measures how well it holds.

Platt (1999), *Probabilistic outputs for support vector machines*: targets are smoothed, (N₊ + 1) / (N₊ + 2) for
relevant pairs and 1 / (N₋ + 2) for the others. Lin, Lin and Weng (2007), *A note on Platt's probabilistic outputs*:
Newton's method with backtracking, on a loss that cannot overflow. Relevant and irrelevant pairs weigh alike: how many
irrelevant ones there are depends on how deep one looks and on the size of the corpus, and says nothing about a score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docgraph.domain.calibration import ReliabilityBin
from docgraph.errors import UserError

MIN_PAIRS = 20
MIN_OF_EACH = 5
N_BINS = 10
MAX_STEPS = 100
_RIDGE = 1e-12
_SMALLEST_STEP = 1e-10
_GRADIENT = 1e-9

Floats = NDArray[np.float64]


def fit(scores: Sequence[float] | Floats, relevant: Sequence[bool], weights: Any = None) -> tuple[float, float]:
    """(slope, intercept) of scores with labels; ``weights`` = how much each pair counts within its class (None: 1).

    Deterministic. Raises UserError for fewer than 20 pairs, for fewer than 5 of a class, and when scores do not rise
    with relevance.
    """
    x, y = np.asarray(scores, dtype=np.float64), np.asarray(relevant, dtype=bool)
    check_enough(y)
    w = balanced(y, weights)
    n_relevant, n_others = int(y.sum()), int((~y).sum())
    targets = np.where(y, (n_relevant + 1) / (n_relevant + 2), 1 / (n_others + 2))
    slope, intercept = _newton(x, targets, w)
    if not (np.isfinite(slope) and np.isfinite(intercept)) or slope <= _GRADIENT:
        raise UserError(
            f"scores do not rise with relevance: the fitted slope is {slope:.3g}",
            hint="are the document ids of this workspace's, and is it the right embedder?",
        )
    return float(slope), float(intercept)


def check_enough(relevant: Sequence[bool] | NDArray[np.bool_]) -> None:
    """Raises UserError for fewer than 20 pairs, or fewer than 5 of a class."""
    n, n_relevant = len(relevant), int(np.sum(relevant))
    if n < MIN_PAIRS or min(n_relevant, n - n_relevant) < MIN_OF_EACH:
        raise UserError(
            f"{n} pairs of which {n_relevant} are relevant are too few to fit a calibration",
            hint=f"it takes {MIN_PAIRS} pairs with {MIN_OF_EACH} relevant and {MIN_OF_EACH} irrelevant ones: "
            "give more questions, with ids of documents of this workspace",
        )


def balanced(relevant: NDArray[np.bool_], weights: Any = None) -> Floats:
    """Weights with the sum 1 in which each class has half."""
    w = np.ones(len(relevant)) if weights is None else np.asarray(weights, dtype=np.float64)
    halves = np.empty(len(relevant), dtype=np.float64)
    for part in (relevant, ~relevant):
        halves[part] = 0.5 * w[part] / w[part].sum() if part.any() else 0.0
    return np.asarray(halves / halves.sum()) if halves.sum() else halves


def confidences(scores: Sequence[float] | Floats, slope: float, intercept: float) -> Floats:
    """``sigmoid(slope · score + intercept)`` of each."""
    z = slope * np.asarray(scores, dtype=np.float64) + intercept
    return np.asarray(np.exp(-np.logaddexp(0.0, -z)))


def out_of_fold(
    scores: Floats, relevant: NDArray[np.bool_], questions: NDArray[np.int64], *, weights: Any = None, n_folds: int = 5
) -> tuple[Floats, int]:
    """(confidence of each pair by constants fitted without its question, folds that were used).

    A question's pairs stay together; question *i* is in fold *i mod n*. A fold without which too little is left is
    judged by the fit on all.
    """
    found = np.empty(len(scores), dtype=np.float64)
    w = np.ones(len(scores)) if weights is None else np.asarray(weights, dtype=np.float64)
    used = 0
    whole: tuple[float, float] | None = None
    for fold in range(n_folds):
        here = questions % n_folds == fold
        if not here.any():
            continue
        try:
            constants = fit(scores[~here], relevant[~here].tolist(), w[~here])
            used += 1
        except UserError:
            constants = whole = whole or fit(scores, relevant.tolist(), w)
        found[here] = confidences(scores[here], *constants)
    return found, used


def reliability(given: Floats, relevant: NDArray[np.bool_], weights: Any = None) -> tuple[ReliabilityBin, ...]:
    """Ten bins of equal width; ``given`` = confidences, 0 to 1. Classes weigh alike, as in the fit."""
    w = balanced(relevant, weights)
    places = np.minimum((np.clip(given, 0.0, 1.0) * N_BINS).astype(int), N_BINS - 1)
    bins = []
    for place in range(N_BINS):
        here = places == place
        total = float(w[here].sum())
        said = float((w[here] * given[here]).sum() / total) if total else None
        true = float((w[here] * relevant[here]).sum() / total) if total else None
        bins.append(
            ReliabilityBin(
                lower=place / N_BINS,
                upper=(place + 1) / N_BINS,
                n_pairs=int(here.sum()),
                confidence=None if said is None else round(said, 6),
                relevant=None if true is None else round(true, 6),
            )
        )
    return tuple(bins)


def calibration_error(given: Floats, relevant: NDArray[np.bool_], weights: Any = None) -> float:
    """Expected calibration error (Guo et al. 2017): Σ weight of a bin · |share relevant − mean confidence|."""
    w = balanced(relevant, weights)
    places = np.minimum((np.clip(given, 0.0, 1.0) * N_BINS).astype(int), N_BINS - 1)
    gaps = np.bincount(places, weights=w * (relevant - given), minlength=N_BINS)
    return round(float(np.abs(gaps).sum()), 6)


def _newton(x: Floats, targets: Floats, w: Floats) -> tuple[float, float]:
    """The minimum of the weighted cross entropy; convex, so that there is one."""
    slope, intercept = 0.0, 0.0
    value = _loss(slope, intercept, x, targets, w)
    for _ in range(MAX_STEPS):
        p = confidences(x, slope, intercept)
        gap, bend = w * (p - targets), w * p * (1.0 - p)
        g1, g2 = float((gap * x).sum()), float(gap.sum())
        if max(abs(g1), abs(g2)) < _GRADIENT:
            break
        h11, h22 = float((bend * x * x).sum()) + _RIDGE, float(bend.sum()) + _RIDGE
        h12 = float((bend * x).sum())
        determinant = h11 * h22 - h12 * h12
        d1, d2 = -(h22 * g1 - h12 * g2) / determinant, -(h11 * g2 - h12 * g1) / determinant
        step, downhill = 1.0, g1 * d1 + g2 * d2
        while step >= _SMALLEST_STEP:
            new = _loss(slope + step * d1, intercept + step * d2, x, targets, w)
            if new < value + 1e-4 * step * downhill:
                break
            step /= 2.0
        else:
            break
        slope, intercept, value = slope + step * d1, intercept + step * d2, new
    return slope, intercept


def _loss(slope: float, intercept: float, x: Floats, targets: Floats, w: Floats) -> float:
    z = slope * x + intercept
    return float((w * (np.logaddexp(0.0, z) - targets * z)).sum())
