"""Spearman's rho: how far items lie from the rank they have on the other side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from docgraph.plugins.measures._measure import DIGITS, ranks


class Spearman:
    """rho = 1 − 6 Σ d² / (n (n² − 1)) for rankings without ties (Spearman 1904)."""

    name = "spearman"
    title = "Spearman rho"
    kind: Literal["overlap", "correlation"] = "correlation"
    formula = "1 − 6 Σ d² / (n (n² − 1)); d = difference of an item's two ranks among the n common items"
    source = (
        "Spearman, C. (1904). The proof and measurement of association between two things. "
        "American Journal of Psychology 15(1), 72–101"
    )

    def compute(self, a: Sequence[str], b: Sequence[str]) -> float | None:
        """In [−1, 1]; ``None`` for fewer than two common ids."""
        first, second = ranks(a, b)
        n = len(first)
        if n < 2:
            return None
        rank = {place: i for i, place in enumerate(sorted(second))}
        squares = sum((i - rank[place]) ** 2 for i, place in enumerate(second))
        return round(1 - 6 * squares / (n * (n * n - 1)), DIGITS)


build = Spearman
