"""Rank-biased overlap, extrapolated, for rankings of any two lengths (Webber, Moffat and Zobel 2010, equation 32)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from docgraph.plugins.measures._measure import DIGITS


@dataclass(frozen=True)
class RankBiasedOverlap:
    """RBO_EXT with persistence ``p``: the chance that a reader who looks at one rank looks at the next one too.

    The first ten ranks carry 86 % of the weight at p = 0.9, the first two 89 % at p = 0.5 (equation 21 there).
    Webber, W., Moffat, A., Zobel, J. (2010). A similarity measure for indefinite rankings. ACM Transactions on
    Information Systems 28(4), article 20. https://doi.org/10.1145/1852102.1852106
    """

    name: str
    p: float
    kind: Literal["overlap", "correlation"] = "overlap"
    source: str = (
        "Webber, W., Moffat, A., Zobel, J. (2010). A similarity measure for indefinite rankings. "
        "ACM Transactions on Information Systems 28(4), article 20, equation 32"
    )

    @property
    def title(self) -> str:
        """``RBO p = 0.9``."""
        return f"RBO p = {self.p:g}"

    @property
    def formula(self) -> str:
        """Equation 32 in one line."""
        return (
            "(1 − p)/p · (Σ d=1..l X(d)/d · p^d + Σ d=s+1..l X(s)(d − s)/(s d) · p^d) "
            "+ ((X(l) − X(s))/l + X(s)/s) · p^l; "
            f"p = {self.p:g}, X(d) = items that the first d of both have in common, s ≤ l = the two lengths"
        )

    def compute(self, a: Sequence[str], b: Sequence[str]) -> float | None:
        """In [0, 1]; 0 when one list is empty, ``None`` when both are. The lists hold distinct ids, best first.

        Extrapolation reads a list that only continues the other as full agreement: 1 does not mean equal lengths.
        """
        if not a or not b:
            return None if not a and not b else 0.0
        p, depths = self.p, range(1, max(len(a), len(b)) + 1)
        agreements = _agreements(a, b)
        seen = math.fsum(agreement * p**d for d, agreement in zip(depths, agreements, strict=True))
        return min(round((1 - p) / p * seen + agreements[-1] * p ** depths[-1], DIGITS), 1.0)


def _agreements(a: Sequence[str], b: Sequence[str]) -> list[float]:
    """Agreement at each depth to the end of the longer list.

    X(d)/d, as far as both lists reach; beyond the shorter one (length s) its unseen ranks are taken to agree as its
    seen ones did: (X(d) + X(s)(d − s)/s)/d. Both sums of equation 32 in one.
    """
    short = min(len(a), len(b))
    common = _overlaps(a, b)
    share = common[short - 1] / short
    return [(x + share * max(d - short, 0)) / d for d, x in enumerate(common, start=1)]


def _overlaps(a: Sequence[str], b: Sequence[str]) -> list[int]:
    """X(d): how many items the first d of both lists have in common, for d = 1 … the longer length."""
    place_b = {item: d for d, item in enumerate(b)}
    met = [0] * max(len(a), len(b))
    for d, item in enumerate(a):
        if item in place_b:
            met[max(d, place_b[item])] += 1
    return list(accumulate(met))
