"""How sure a mean difference is: a paired bootstrap interval, a paired permutation test, and their correction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

N_RESAMPLES = 9_999
SEED = 0
"""Equal differences give equal intervals and equal p, in whichever order the questions come."""

_ROOM = 500_000
"""Numbers that are resampled at a time, however many questions there are; 8 bytes each, and scipy holds some ten
arrays of them. What is found does not depend on it."""


def interval(differences: Sequence[float]) -> tuple[float, float] | None:
    """95 % of the mean of paired differences: percentiles of the bootstrap (Efron 1979); ``None`` below two of them.

    Questions are drawn with replacement, each with both of its values: what the pair has in common falls out.
    """
    if len(differences) < 2:
        return None
    from scipy.stats import bootstrap  # slow to import; only an evaluation needs it

    given = np.sort(np.asarray(differences, dtype=float))
    if np.ptp(given) == 0:
        return float(given[0]), float(given[0])
    found = bootstrap(
        (given,),
        np.mean,
        n_resamples=N_RESAMPLES,
        method="percentile",
        batch=max(1, _ROOM // len(given)),
        rng=np.random.default_rng(SEED),
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def p_value(differences: Sequence[float]) -> float | None:
    """Two-sided p that signs of paired differences fell like this by chance (Fisher 1935); ``None`` without any.

    All signs are tried where there are at most ``N_RESAMPLES`` ways, else that many are drawn. 1 when nothing differs.
    """
    if not differences:
        return None
    changed = np.sort([each for each in differences if each])
    if len(changed) < 2:  # one that changed has two signs, and both are as extreme
        return 1.0
    from scipy.stats import permutation_test

    found = permutation_test(
        (changed,),  # a difference of 0 is the same under either sign
        _sum,
        permutation_type="samples",
        vectorized=True,
        n_resamples=N_RESAMPLES,
        batch=max(1, _ROOM // len(changed)),
        rng=np.random.default_rng(SEED),
    )
    return min(1.0, float(found.pvalue))


def corrected(values: Sequence[float | None]) -> tuple[float | None, ...]:
    """The p values of one evaluation after Benjamini and Hochberg (1995), in their order; ``None`` stays."""
    known = [each for each in values if each is not None]
    if not known:
        return tuple(values)
    from scipy.stats import false_discovery_control

    adjusted = iter(false_discovery_control(known, method="bh").tolist())
    return tuple(None if each is None else next(adjusted) for each in values)


def _sum(values: NDArray[Any], axis: int = -1) -> NDArray[Any]:
    summed: NDArray[Any] = np.sum(values, axis=axis)
    return summed
