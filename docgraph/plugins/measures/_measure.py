"""What measures have in common: how they are rounded, two orders as ranks, and judged ones without a judgment."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

DIGITS = 12
"""Digits of a measure that are kept: equal and ideal orders give exactly 1, whatever the rounding of sums."""


def ranks(a: Sequence[str], b: Sequence[str]) -> tuple[list[int], list[int]]:
    """The ranks (from 0) in ``a`` and in ``b`` of the ids that both hold, in the order of ``a``."""
    place = {item: i for i, item in enumerate(b)}
    first = [i for i, item in enumerate(a) if item in place]
    return first, [place[a[i]] for i in first]


class Judged:
    """See ``ports.JudgedMeasure``; a measure says how the first ``k`` are counted in ``of``."""

    name: str
    title: str
    formula: str
    source: str
    kind: Literal["judged", "judged_in_sets"] = "judged_in_sets"

    def compute(self, ranking: Sequence[str], relevant: Collection[str], *, k: int) -> float | None:
        """In [0, 1]; ``None`` when nothing is relevant."""
        return self.of(ranking[:k], relevant, k) if relevant else None

    def of(self, read: Sequence[str], relevant: Collection[str], k: int) -> float:
        """The value for what is ``read``, at most ``k``; something is relevant."""
        raise NotImplementedError
