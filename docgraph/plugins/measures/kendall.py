"""Kendall's tau-b: how many pairs of items stand in the same order on both sides."""

from __future__ import annotations

from bisect import bisect, insort
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.plugins.measures._ranks import DIGITS, ranks


@dataclass(frozen=True)
class Kendall:
    """tau-b = (C − D) / √((C + D + T)(C + D + U)) (Kendall 1938, 1945).

    C and D count pairs in the same and in opposite order, T and U ties in one ranking alone; rankings of distinct ids
    have none, so that C + D are all pairs.
    """

    name: str = "kendall"
    title: str = "Kendall tau-b"
    kind: Literal["overlap", "correlation"] = "correlation"
    formula: str = (
        "(C − D) / √((C + D + T) · (C + D + U)); C, D = pairs in the same and in opposite order, "
        "T, U = pairs tied in A alone and in B alone"
    )
    source: str = (
        "Kendall, M. G. (1938). A new measure of rank correlation. Biometrika 30(1–2), 81–93; "
        "ties: Kendall (1945), Biometrika 33(3), 239–251"
    )

    def compute(self, a: Sequence[str], b: Sequence[str]) -> float | None:
        """In [−1, 1]; ``None`` for fewer than two common ids."""
        second = ranks(a, b)[1]
        if len(second) < 2:
            return None
        n_pairs = len(second) * (len(second) - 1) // 2
        return round((n_pairs - 2 * _opposite(second)) / n_pairs, DIGITS)


def _opposite(ranks_in_b: Sequence[int]) -> int:
    """Pairs of which the one that is first in A is behind in B."""
    seen: list[int] = []
    n = 0
    for rank in ranks_in_b:
        n += len(seen) - bisect(seen, rank)
        insort(seen, rank)
    return n


def build() -> Kendall:
    """The measure; it has no options."""
    return Kendall()
