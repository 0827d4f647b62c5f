"""Kendall's tau-b: how many pairs of items stand in the same order on both sides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from docgraph.plugins.measures._measure import DIGITS, ranks


class Kendall:
    """tau-b = (C − D) / √((C + D + T)(C + D + U)), (Kendall 1938, 1945).

    C and D count pairs in the same and in opposite order, T and U ties in one ranking alone; rankings of distinct ids
    have none.
    """

    name = "kendall"
    title = "Kendall tau-b"
    kind: Literal["overlap", "correlation"] = "correlation"
    formula = (
        "(C − D) / √((C + D + T) · (C + D + U)); C, D = pairs in the same and in opposite order, "
        "T, U = pairs tied in A alone and in B alone"
    )
    source = (
        "Kendall, M. G. (1938). A new measure of rank correlation. Biometrika 30(1–2), 81–93; "
        "ties: Kendall (1945), Biometrika 33(3), 239–251"
    )

    def compute(self, a: Sequence[str], b: Sequence[str]) -> float | None:
        """In [−1, 1]; ``None`` for fewer than two common ids."""
        first, second = ranks(a, b)
        if len(first) < 2:
            return None
        import numpy as np

        # The sign of each pair, twice: their products add up to 2 (C − D), their squares to those without ties.
        x, y = (np.sign(np.subtract.outer(ranked, ranked)) for ranked in (first, second))
        return round(float((x * y).sum() / math.sqrt((x * x).sum() * (y * y).sum())), DIGITS)


build = Kendall
