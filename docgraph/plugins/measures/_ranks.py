"""Two orders of the same ids as two lists of ranks, which is how correlations are computed."""

from __future__ import annotations

from collections.abc import Sequence

DIGITS = 12
"""Digits of a measure that are kept: equal and ideal orders give exactly 1, whatever the rounding of sums."""


def ranks(a: Sequence[str], b: Sequence[str]) -> tuple[list[int], list[int]]:
    """The ranks (from 0) in ``a`` and in ``b`` of the ids that both hold, in the order of ``a``."""
    place = {item: i for i, item in enumerate(b)}
    first = [i for i, item in enumerate(a) if item in place]
    return first, [place[a[i]] for i in first]
