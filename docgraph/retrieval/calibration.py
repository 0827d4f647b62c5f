"""Fits ``sigmoid(slope · score + words · share + intercept)`` to labelled cases, and measures how well it holds.

Platt scaling with a second signal: a case is a question with the best score of what is found for it, the share of its
words that is found, and whether an answer is among it.

Platt (1999), *Probabilistic outputs for support vector machines*: targets are smoothed, (N₊ + 1) / (N₊ + 2) for
relevant pairs and 1 / (N₋ + 2) for the others. Lin, Lin and Weng (2007), *A note on Platt's probabilistic outputs*:
Newton's method with backtracking, on a loss that cannot overflow. Relevant and irrelevant pairs weigh alike: how many
irrelevant ones there are depends on how deep one looks and on the size of the corpus, and says nothing about a score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docgraph.domain.calibration import ReliabilityBin
from docgraph.domain.frozen import fingerprint
from docgraph.domain.packet import Calibration
from docgraph.errors import UserError


def calibration_id(embedder_id: str, score_kind: str, slope: float, intercept: float, words: float = 0.0) -> str:
    """``wordllama:l2_supercat:256/cosine@1a2b3c4d``: whose scores, and a fingerprint of the constants."""
    said = [repr(float(constant)) for constant in (slope, intercept, *([words] if words else []))]
    print_ = fingerprint([embedder_id, score_kind, *said])
    return f"{embedder_id}/{score_kind}@{print_[:8]}"


def shipped_calibrations(embedder_id: str) -> dict[str, Calibration]:
    """Score kind → calibration for an embedder; empty for one that nobody fitted."""
    return {each.score_kind: each for each in SHIPPED if each.embedder_id == embedder_id}


_WORDLLAMA = "wordllama:l2_supercat:256"
SHIPPED: tuple[Calibration, ...] = (
    Calibration(
        calibration_id=calibration_id(_WORDLLAMA, "cosine", 0.1, -5.1878, 30.7675),
        embedder_id=_WORDLLAMA,
        score_kind="cosine",
        slope=0.1,
        intercept=-5.1878,
        words=30.7675,
        n_pairs=4187,
        n_relevant=383,
        error_before=0.244,
        error_after=0.036,
        source="shipped: sample corpus, 2WikiMultiHopQA, PEPs, EIPs, KEPs, BIPs, Rust RFCs and Swift proposals",
    ),
)


MIN_PAIRS = 20
MIN_OF_EACH = 5
MIN_ERRORS = 1.0
N_BINS = 10
MAX_STEPS = 100
_RIDGE = 1e-12
_SMALLEST_STEP = 1e-10
_GRADIENT = 1e-9

Floats = NDArray[np.float64]


class Constants(NamedTuple):
    """``sigmoid(slope · score + words · share + intercept)``."""

    slope: float
    intercept: float
    words: float = 0.0


ANSWERABLE = 0.45
"""The share of questions, as people ask them, that are taken to have an answer here, whatever share was labelled."""
LEAST_SLOPE = 0.1
"""What the score itself counts at least where words do: a share counts the score already, and of two passages without
any of the words the more similar one still goes before."""
SPREAD = 1.0
"""How far each constant may lie from where it starts before that counts as much as one wrong answer."""


def fit(
    scores: Sequence[float] | Floats,
    relevant: Sequence[bool] | NDArray[np.bool_],
    weights: Any = None,
    *,
    shares: Any = None,
    answerable: float = 0.5,
    start: Constants | None = None,
) -> Constants:
    """The constants of scores with labels; ``weights`` = how much each case counts within its class (None: 1).

    ``shares`` = each case's share of words (None: it does not count); ``answerable`` = what the relevant class weighs.
    With ``start``, few cases leave the constants near it, and many follow the data (maximum a posteriori). A share
    that speaks against an answer does not count, and beside one that does the slope is 0.1 or more. Deterministic.
    Raises UserError for fewer than 20 cases, for fewer than 5 of a class, and when scores do not rise with relevance.
    """
    y = np.asarray(relevant, dtype=bool)
    check_enough(y)
    w = balanced(y, weights, answerable=answerable)
    n_relevant, n_others = int(y.sum()), int((~y).sum())
    targets = np.where(y, (n_relevant + 1) / (n_relevant + 2), 1 / (n_others + 2))
    x = np.ones((len(y), 3))
    x[:, 0] = np.asarray(scores, dtype=np.float64)
    x[:, 2] = 0.0 if shares is None else np.asarray(shares, dtype=np.float64)
    pull = 0.0 if start is None else 1.0 / (len(y) * SPREAD**2)
    origin = np.asarray(start or (0.0, 0.0, 0.0), dtype=np.float64)
    found = _newton(x, targets, w, origin=origin, pull=pull)
    if found.words < 0:
        found = _newton(x * [1.0, 1.0, 0.0], targets, w, origin=origin * [1.0, 1.0, 0.0], pull=pull)
    elif found.slope < LEAST_SLOPE and found.words > _GRADIENT:
        found = _newton(x, targets, w, origin=np.asarray([LEAST_SLOPE, *origin[1:]]), pull=pull, fixed=1)
    if not np.isfinite(found).all() or found.slope <= _GRADIENT:
        raise UserError(
            f"scores do not rise with relevance: the fitted slope is {found.slope:.3g}",
            hint="are the document ids of this workspace's, and is it the right embedder?",
        )
    return Constants(found.slope, found.intercept, max(found.words, 0.0))


def check_enough(relevant: Sequence[bool] | NDArray[np.bool_]) -> None:
    """Raises UserError for fewer than 20 pairs, or fewer than 5 of a class."""
    n, n_relevant = len(relevant), int(np.sum(relevant))
    if n < MIN_PAIRS or min(n_relevant, n - n_relevant) < MIN_OF_EACH:
        raise UserError(
            f"{n} pairs of which {n_relevant} are relevant are too few to fit a calibration",
            hint=f"it takes {MIN_PAIRS} pairs with {MIN_OF_EACH} relevant and {MIN_OF_EACH} irrelevant ones: "
            "give more questions, with ids of documents of this workspace",
        )


def check_rises(scores: Floats, relevant: NDArray[np.bool_]) -> None:
    """Raises UserError where scores of relevant cases are no higher than the others', but for chance.

    The difference of the means has to exceed ``MIN_ERRORS`` standard errors of it (Welch).
    """
    classes = scores[relevant], scores[~relevant]
    apart = float(classes[0].mean() - classes[1].mean())
    error = float(np.sqrt(sum(each.var(ddof=1) / len(each) for each in classes)))
    if apart <= MIN_ERRORS * error:
        raise UserError(
            f"scores do not rise with relevance: {apart:.3f} between the means, give or take {error:.3f}",
            hint="are the document ids of this workspace's, and is it the right embedder?",
        )


def balanced(relevant: NDArray[np.bool_], weights: Any = None, *, answerable: float = 0.5) -> Floats:
    """Weights with the sum 1 in which each class has half, or the relevant one ``answerable``."""
    w = np.ones(len(relevant)) if weights is None else np.asarray(weights, dtype=np.float64)
    halves = np.empty(len(relevant), dtype=np.float64)
    for part, whole in ((relevant, answerable), (~relevant, 1 - answerable)):
        halves[part] = whole * w[part] / w[part].sum() if part.any() else 0.0
    return np.asarray(halves / halves.sum()) if halves.sum() else halves


def confidences(
    scores: Sequence[float] | Floats, slope: float, intercept: float, words: float = 0.0, *, shares: Any = 0.0
) -> Floats:
    """``sigmoid(slope · score + words · share + intercept)`` of each."""
    z = slope * np.asarray(scores, dtype=np.float64) + words * np.asarray(shares, dtype=np.float64) + intercept
    return np.asarray(np.exp(-np.logaddexp(0.0, -z)))


def out_of_fold(
    scores: Floats,
    relevant: NDArray[np.bool_],
    questions: NDArray[np.int64],
    *,
    weights: Any = None,
    n_folds: int = 5,
    shares: Any = 0.0,
    **options: Any,
) -> tuple[Floats, int]:
    """(confidence of each case by constants fitted without its question, folds that were used).

    A question's cases stay together; question *i* is in fold *i mod n*. A fold without which too little is left is
    judged by what the fit starts from, where there is no start by the fit on all. ``options`` are those of ``fit``.
    """
    found = np.empty(len(scores), dtype=np.float64)
    w = np.ones(len(scores)) if weights is None else np.asarray(weights, dtype=np.float64)
    held = np.zeros(len(scores)) + np.asarray(shares, dtype=np.float64)
    used = 0
    whole: Constants | None = None
    for fold in range(n_folds):
        here = questions % n_folds == fold
        if not here.any():
            continue
        try:
            constants = fit(scores[~here], relevant[~here].tolist(), w[~here], shares=held[~here], **options)
            used += 1
        except UserError:
            start = options.get("start")
            constants = whole = start or whole or fit(scores, relevant.tolist(), w, shares=held, **options)
        found[here] = confidences(scores[here], *constants, shares=held[here])
    return found, used


def reliability(
    given: Floats, relevant: NDArray[np.bool_], weights: Any = None, *, answerable: float = 0.5
) -> tuple[ReliabilityBin, ...]:
    """Ten bins of equal width; ``given`` = confidences, 0 to 1. Classes weigh as ``balanced`` says."""
    w = balanced(relevant, weights, answerable=answerable)
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


def calibration_error(
    given: Floats, relevant: NDArray[np.bool_], weights: Any = None, *, answerable: float = 0.5
) -> float:
    """Expected calibration error (Guo et al. 2017): Σ weight of a bin · |share relevant − mean confidence|."""
    w = balanced(relevant, weights, answerable=answerable)
    places = np.minimum((np.clip(given, 0.0, 1.0) * N_BINS).astype(int), N_BINS - 1)
    gaps = np.bincount(places, weights=w * (relevant - given), minlength=N_BINS)
    return round(float(np.abs(gaps).sum()), 6)


def _newton(x: Floats, targets: Floats, w: Floats, *, origin: Floats, pull: float, fixed: int = 0) -> Constants:
    """The minimum of the weighted cross entropy with a quadratic pull towards ``origin``; convex: there is one.

    Each step is halved until the loss falls. The first ``fixed`` constants stay as they are in ``origin``.
    """
    free = (np.arange(x.shape[1]) >= fixed).astype(np.float64)
    at, value = origin.copy(), _loss(origin, x, targets, w, origin=origin, pull=pull)
    for _ in range(MAX_STEPS):
        p = np.exp(-np.logaddexp(0.0, -(x @ at)))
        uphill = free * (x.T @ (w * (p - targets)) + pull * (at - origin))
        if np.abs(uphill).max() < _GRADIENT:
            break
        bend = (x.T * (w * p * (1.0 - p))) @ x + (pull + _RIDGE) * np.eye(x.shape[1])
        step = np.linalg.solve(bend * np.outer(free, free) + np.diag(1.0 - free), -uphill)
        size, downhill = 1.0, float(uphill @ step)
        while size >= _SMALLEST_STEP:
            new = _loss(at + size * step, x, targets, w, origin=origin, pull=pull)
            if new < value + 1e-4 * size * downhill:
                break
            size /= 2.0
        else:
            break
        at, value = at + size * step, new
    return Constants(*map(float, at))


def _loss(at: Floats, x: Floats, targets: Floats, w: Floats, *, origin: Floats, pull: float) -> float:
    z = x @ at
    return float((w * (np.logaddexp(0.0, z) - targets * z)).sum() + pull * ((at - origin) ** 2).sum() / 2)
