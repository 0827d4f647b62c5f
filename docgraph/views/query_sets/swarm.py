"""Places one dot a question beside its value: equal ones side by side, none over another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

SIZES = (6.0, 5.0, 4.0, 3.0)
"""Widths of a dot that are tried, in pixels; the widest that leaves every dot near its value is taken.

Where none does, questions are counted by bars.
"""

NEAR = 0.14
"""How far from its value a dot may stand, as a share of the width."""

N_BARS = 41


@dataclass(frozen=True)
class Dot:
    """One question: where its dot stands, in pixels from the left and from the middle line."""

    query_id: str
    value: float
    x: float
    y: float


@dataclass(frozen=True)
class Bar:
    """How many questions have a value near ``x``."""

    x: float
    n: int


@dataclass(frozen=True)
class Swarm:
    """``dots`` in the order given, ``size`` = their width; of too many values ``bars`` instead."""

    dots: tuple[Dot, ...] = ()
    size: float = SIZES[0]
    bars: tuple[Bar, ...] = ()


def axis(values: Sequence[float], *, bounded: bool) -> float:
    """The value at the right end: 1 of a measure of relevance; of a cost the next 1, 2 or 5 with zeros behind."""
    if bounded:
        return 1.0
    most = max(map(abs, values), default=0.0)
    if most == 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(most))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= most)


def place(value: float, end: float, width: float) -> float:
    """Pixels from the left of a value between −``end`` and ``end``."""
    return (min(max(value / end, -1.0), 1.0) + 1) / 2 * width


def swarm(values: Sequence[tuple[str, float]], *, end: float, width: float, height: float) -> Swarm:
    """Dots of (query_id, value) within a box; those that differ most stand exactly, equal ones around their value."""
    most = int(height / SIZES[-1]) * int(width / SIZES[-1])
    for size in SIZES if len(values) < most else ():
        dots, farthest = _packed(values, end=end, width=width, height=height, size=size)
        if farthest <= NEAR * width:
            return Swarm(dots, size)
    return Swarm(bars=_bars([value for _, value in values], end, width))


def _packed(
    values: Sequence[tuple[str, float]], *, end: float, width: float, height: float, size: float
) -> tuple[tuple[Dot, ...], float]:
    """Every dot into the free place of a grid that is nearest to its value; how far the farthest stands from it."""
    n_rows, n_columns = max(int(height / size), 1), max(int(width / size) + 1, 1)
    taken = [0] * n_columns
    found: dict[str, Dot] = {}
    farthest = 0.0
    for query_id, value in sorted(values, key=lambda each: (-abs(each[1]), each[0])):
        wanted = place(value, end, width)
        column = _nearest(wanted / size, taken, n_rows)
        row, taken[column] = taken[column], taken[column] + 1
        step = (row + 1) // 2 * (1 if row % 2 else -1)
        first = row == 0 and abs(column * size - wanted) <= size / 2
        x = wanted if first else min(column * size, width)
        farthest = max(farthest, abs(x - wanted))
        found[query_id] = Dot(query_id, value, x, step * size)
    return tuple(found[query_id] for query_id, _ in values), farthest


def _nearest(wanted: float, taken: Sequence[int], n_rows: int) -> int:
    """The column whose next free row is nearest; a full grid takes one more into the column itself."""
    best, least = round(wanted), math.inf
    for column, n in enumerate(taken):
        across = abs(column - wanted)
        if n < n_rows and across < least:
            away = math.hypot(across * 1.4, (n + 1) // 2)
            if away < least:
                best, least = column, away
    return min(max(best, 0), len(taken) - 1)


def _bars(values: Sequence[float], end: float, width: float) -> tuple[Bar, ...]:
    counts: dict[int, int] = {}
    for value in values:
        at = round(place(value, end, width) / width * (N_BARS - 1))
        counts[at] = counts.get(at, 0) + 1
    return tuple(Bar(at / (N_BARS - 1) * width, n) for at, n in sorted(counts.items()))
