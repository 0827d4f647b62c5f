"""Shares out tokens among texts that all want some."""

from __future__ import annotations

from collections.abc import Sequence


def fair_shares(wanted: Sequence[int], available: int) -> tuple[int, ...]:
    """Max-min fair shares: nobody gets more than wanted, and what small ones leave goes to the larger ones.

    ``wanted`` and the result are in tokens, in the same order; the sum never exceeds ``available``.
    """
    shares = [0] * len(wanted)
    left = max(available, 0)
    by_size = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    for position, i in enumerate(by_size):
        shares[i] = min(wanted[i], left // (len(by_size) - position))
        left -= shares[i]
    return tuple(shares)
