"""The differences per question as a swarm of dots, with the mean and its interval."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from docgraph.domain.evaluation import COSTS, EQUAL, NEUTRAL, Difference
from docgraph.views.lanes.text import plain
from docgraph.views.query_sets.part import Part
from docgraph.views.words.counts import UNKNOWN, plural
from docgraph.views.words.evaluation import (
    certainty,
    difference_words,
    interval_words,
    mean_words,
    measure_title,
    p_words,
)

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


WIDTH, HEIGHT = 252, 48
"""Pixels of the dots' box that the dots are placed for; it is drawn as wide as there is room."""

FOOT = 14
"""Pixels under the box, for the mean."""

TITLED = 300
"""Questions up to which every dot says its value when it is pointed at."""


def plots_html(part: Part, *, pinned: Mapping[str, float] | None = None, opened: str = "") -> str:
    """Rows in the evaluation's order, measures of relevance first; ``pinned`` = measure → mean difference then.

    ``opened`` = the question that is ringed.
    """
    measures = sorted(part.evaluation.measures, key=lambda each: each in NEUTRAL)
    first_cost = next((each for each in measures if each in NEUTRAL), "")
    html = "" if measures[:1] == [first_cost] else _head_html("−1 worse", "better +1")
    for each in measures:
        html += _head_html("fewer", "more") if each == first_cost else ""
        html += _row(part, each, pinned=(pinned or {}).get(each), opened=opened)
    return html


def _head_html(low: str, high: str) -> str:
    """What is at the ends of the rows beneath: relevance has one scale, every cost its own."""
    cells = "".join(f"<span>{words}</span>" for words in (low, "same", high, "mean, 95 %"))
    return f'<p class="qs-plothead">{cells}</p>'


def legend_html(part: Part, *, pinned: str = "") -> str:
    """What the marks are; ``pinned`` = when the pinned evaluation was made."""
    found = part.difference()
    corrected = f"p corrected for {found.n_tests}" if found is not None and found.n_tests > 1 else ""
    whole = "" if part.half is None else "no interval of a half"
    marks = [
        '<span><i class="qs-swatch"><i class="qs-dot qs-dot-cost"></i></i>one question</span>',
        '<span><i class="qs-swatch qs-swatch-wide"><i class="qs-interval"></i><i class="qs-diamond"></i></i>'
        "mean, 95 %</span>",
    ]
    if pinned:
        marks.append(
            f'<span><i class="qs-swatch"><i class="qs-diamond qs-diamond-pinned"></i></i>{escape(pinned)}</span>'
        )
    return f'<p class="qs-legend">{"".join(marks)}<span>{corrected or whole}</span></p>'


def _row(part: Part, measure: str, *, pinned: float | None, opened: str) -> str:
    difference, (a, b) = part.difference(measure), part.means(measure)
    is_cost = measure in NEUTRAL
    values = part.values(measure)
    end = axis([value for _, value in values] + ([pinned] if pinned is not None else []), bounded=measure not in COSTS)
    drawn = swarm(values, end=end, width=WIDTH, height=HEIGHT)
    marks = _grid() + _dots(part, measure, drawn, opened) + _means(difference, pinned, end)
    spoken = escape(_spoken(part, measure, drawn, difference), quote=True)
    picture = f'<div class="qs-swarm" style="height:{HEIGHT + FOOT}px" role="img" aria-label="{spoken}">{marks}</div>'
    mean = None if difference is None else difference.mean
    sure = interval_words(difference) if difference is not None else UNKNOWN
    tested = p_words(difference.p_corrected) if difference is not None else UNKNOWN
    settled = f' title="{certainty(difference)}"' if difference is not None and certainty(difference) else ""
    last = "per question" if is_cost else f"p {tested}"
    return (
        f'<div class="qs-plot"><p><b>{escape(measure_title(measure))}</b>'
        f"<span>{mean_words(a, measure)} → <b>{mean_words(b, measure)}</b></span></p>{picture}"
        f'<p class="qs-mean"><b>{difference_words(mean, measure)}</b><span>{sure}</span>'
        f"<span{settled}>{last}</span></p></div>"
    )


def _grid() -> str:
    return "".join(f'<i class="qs-tick" style="left:{x}%;height:{HEIGHT}px"></i>' for x in (0, 25, 50, 75, 100))


def _dots(part: Part, measure: str, drawn: Swarm, opened: str) -> str:
    """One mark a question, or a bar of many; the one that stands open is ringed."""
    if drawn.bars:
        top, marks = max(each.n for each in drawn.bars), []
        for bar in drawn.bars:
            look, long = "cost" if measure in NEUTRAL else _side(bar.x), max(bar.n / top * HEIGHT, 3.0)
            marks.append(
                f'<i class="qs-many qs-dot-{look}" title="{plural(bar.n, "question")}" '
                f'style="left:{_share(bar.x)};height:{long:.1f}px;top:{(HEIGHT - long) / 2:.1f}px"></i>'
            )
        return "".join(marks)
    texts = {each.query_id: each.query for each in part.outcomes} if len(drawn.dots) <= TITLED else {}
    size = drawn.size - 0.8
    marks = []
    for dot in drawn.dots:
        look = "cost" if measure in NEUTRAL else _look(dot.value)
        ring = " qs-dot-open" if dot.query_id == opened else ""
        said = ""
        if dot.query_id in texts:
            text = f"{difference_words(dot.value, measure)}  {plain(texts[dot.query_id][:140])}"
            said = f' title="{escape(text, quote=True)}"'
        marks.append(
            f'<i class="qs-dot qs-dot-{look}{ring}"{said} style="left:{_share(dot.x)};top:{HEIGHT / 2 + dot.y:.1f}px;'
            f'width:{size:.1f}px;height:{size:.1f}px"></i>'
        )
    return "".join(marks)


def _share(x: float) -> str:
    return f"{x / WIDTH * 100:.2f}%"


def _spoken(part: Part, measure: str, drawn: Swarm, difference: Difference | None) -> str:
    n = len(drawn.dots) or sum(each.n for each in drawn.bars)
    said = f"{measure_title(measure)}: {plural(n, 'question')} with a value in both"
    if difference is None or measure in NEUTRAL:
        return said
    return f"{said}, {difference.improved:,} improve, {difference.worse:,} get worse, {difference.equal:,} stay equal"


def _means(difference: Difference | None, pinned: float | None, end: float) -> str:
    """The mean with its interval under the dots, and beside it what it was in the pinned evaluation."""
    top, marks = f"top:{HEIGHT + FOOT / 2}px", ""
    if pinned is not None:
        marks += f'<i class="qs-diamond qs-diamond-pinned" style="left:{_share(place(pinned, end, WIDTH))};{top}"></i>'
    if difference is None or difference.mean is None:
        return marks
    if difference.low is not None and difference.high is not None:
        low, high = place(difference.low, end, WIDTH), place(difference.high, end, WIDTH)
        marks += f'<i class="qs-interval" style="left:{_share(low)};width:{_share(high - low)};{top}"></i>'
    return f'{marks}<i class="qs-diamond" style="left:{_share(place(difference.mean, end, WIDTH))};{top}"></i>'


def _side(x: float) -> str:
    """A bar in the middle counts equal questions with those that hardly changed."""
    return "cost" if abs(x - WIDTH / 2) < 1 else "improved" if x > WIDTH / 2 else "worse"


def _look(value: float) -> str:
    return "equal" if abs(value) < EQUAL else "improved" if value > 0 else "worse"
