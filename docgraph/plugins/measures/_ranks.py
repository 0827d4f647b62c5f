"""Two orders of the same ids as two lists of ranks, which is how correlations are computed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import SupportsFloat

DIGITS = 12
"""Digits of a measure that are kept: equal and ideal orders give exactly 1, whatever the rounding of sums."""


def ranks(a: Sequence[str], b: Sequence[str]) -> tuple[list[int], list[int]]:
    """The ranks (from 0) in ``a`` and in ``b`` of the ids that both hold, in the order of ``a``."""
    place = {item: i for i, item in enumerate(b)}
    first = [i for i, item in enumerate(a) if item in place]
    return first, [place[a[i]] for i in first]


def defined(value: SupportsFloat) -> float | None:
    """A computed correlation rounded to ``DIGITS``; ``None`` for the NaN that stands for "undefined"."""
    number = float(value)
    return None if math.isnan(number) else round(number, DIGITS)
