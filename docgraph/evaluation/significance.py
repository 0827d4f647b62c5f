"""How sure a mean difference is: a paired bootstrap interval, a paired permutation test, and their correction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

N_RESAMPLES = 9_999
SEED = 0
"""Equal differences give equal intervals and equal p, in whichever order the questions come."""
_TAIL = (1 - 0.95) / 2
_ROOM = 500_000
"""Numbers that are resampled at a time, however many questions there are; 8 bytes each. No result depends on it."""


def interval(differences: Sequence[float]) -> tuple[float, float] | None:
    """95 % of the mean of paired differences: percentiles of the bootstrap (Efron 1979); ``None`` below two of them.

    Questions are drawn with replacement, each with both of its values: what the pair has in common falls out.
    """
    if len(differences) < 2:
        return None
    given = np.sort(np.asarray(differences, dtype=float))
    if np.ptp(given) == 0:
        return float(given[0]), float(given[0])
    rng, n = np.random.default_rng(SEED), len(given)
    means = _resampled(n, lambda rows: given[rng.integers(0, n, (rows, n))].mean(axis=-1))
    low, high = np.quantile(means, [_TAIL, 1 - _TAIL])
    return float(low), float(high)


def p_value(differences: Sequence[float]) -> float | None:
    """Two-sided p that signs of paired differences fell like this by chance (Fisher 1935); ``None`` without any.

    All signs are tried where there are at most ``N_RESAMPLES`` ways, else that many are drawn, and the observed one
    counts among them (Phipson and Smyth 2010). 1 when nothing differs.
    """
    if not differences:
        return None
    changed = np.sort([each for each in differences if each])  # a difference of 0 is the same under either sign
    n = len(changed)
    if n < 2:  # one that changed has two signs, and both are as extreme
        return 1.0
    is_exact = 2**n <= N_RESAMPLES
    if is_exact:
        sums = (np.array(list(product((1.0, -1.0), repeat=n))) * changed).sum(axis=-1)
    else:
        rng = np.random.default_rng(SEED)
        sums = _resampled(
            n, lambda rows: (rng.permuted(np.tile((1.0, -1.0), (rows, n, 1)), axis=-1)[..., 0] * changed).sum(axis=-1)
        )
    observed = changed.sum()
    rounding = abs(100 * np.finfo(float).eps * observed)
    one_sided = min((sums <= observed + rounding).sum(), (sums >= observed - rounding).sum())
    return float(min(1.0, 2 * (one_sided + (not is_exact)) / (len(sums) + (not is_exact))))


def corrected(values: Sequence[float | None]) -> tuple[float | None, ...]:
    """The p values of one evaluation after Benjamini and Hochberg (1995), in their order; ``None`` stays."""
    known = np.array([each for each in values if each is not None])
    order = np.argsort(known)[::-1]
    adjusted = np.empty_like(known)
    adjusted[order] = np.minimum.accumulate(known[order] * (len(known) / np.arange(len(known), 0, -1))).clip(0, 1)
    left = iter(adjusted.tolist())
    return tuple(None if each is None else next(left) for each in values)


def _resampled(n: int, draw: Callable[[int], NDArray[Any]]) -> NDArray[Any]:
    """``N_RESAMPLES`` statistics of ``n`` numbers each, drawn in parts that fit the room."""
    rows = max(1, _ROOM // n)
    return np.concatenate([draw(min(rows, N_RESAMPLES - start)) for start in range(0, N_RESAMPLES, rows)])
