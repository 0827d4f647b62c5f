"""The dot plot: a row a measure, one dot a question, the mean with its interval, and what it was in a pinned run."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from docgraph.domain.evaluation import COSTS, EQUAL, Difference
from docgraph.views.lanes.text import plain
from docgraph.views.query_sets.part import Part
from docgraph.views.query_sets.swarm import Swarm, axis, place, swarm
from docgraph.views.words.counts import UNKNOWN, plural
from docgraph.views.words.evaluation import (
    certainty,
    difference_words,
    interval_words,
    mean_words,
    measure_title,
    p_words,
)

WIDTH, HEIGHT = 252, 48
"""Pixels of the dots' box."""

PAD, FOOT = 6, 14
"""Free room beside the box, and under it for the mean."""

TITLED = 300
"""Questions up to which every dot says its value when it is pointed at."""


def plots_html(part: Part, *, pinned: Mapping[str, float] | None = None, opened: str = "") -> str:
    """Rows in the evaluation's order, measures of relevance first; ``pinned`` = measure → mean difference then.

    ``opened`` = the question that is ringed.
    """
    measures = sorted(part.evaluation.measures, key=lambda each: each in COSTS)
    rows = "".join(_row(part, each, pinned=(pinned or {}).get(each), opened=opened) for each in measures)
    head = (
        "<p class='qs-plothead'><span>−1 worse</span><span>same</span><span>better +1</span><span>mean, 95 %</span></p>"
    )
    return head + rows


def legend_html(part: Part, *, pinned: str = "") -> str:
    """What the marks are; ``pinned`` = when the pinned evaluation was made."""
    found = part.difference()
    corrected = f"p corrected for {found.n_tests}" if found is not None and found.n_tests > 1 else ""
    whole = "" if part.half is None else "no interval of a half"
    marks = [
        f'<span><svg width="8" height="8" aria-hidden="true">{_circle(4, 4, 2.8, "cost")}</svg>one question</span>'
    ]
    marks.append(
        f'<span><svg width="22" height="10" aria-hidden="true">{_mean_mark(11, 5, 1, 21)}</svg>mean, 95 %</span>'
    )
    if pinned:
        marks.append(
            f'<span><svg width="10" height="10" aria-hidden="true">{_diamond(5, 5, "pinned")}</svg>'
            f"{escape(pinned)}</span>"
        )
    return f'<p class="qs-legend">{"".join(marks)}<span>{corrected or whole}</span></p>'


def _row(part: Part, measure: str, *, pinned: float | None, opened: str) -> str:
    difference, (a, b) = part.difference(measure), part.means(measure)
    is_cost = measure in COSTS
    values = part.values(measure)
    end = axis([value for _, value in values] + ([pinned] if pinned is not None else []), bounded=not is_cost)
    drawn = swarm(values, end=end, width=WIDTH, height=HEIGHT)
    picture = _picture(part, measure, drawn, end=end, difference=difference, pinned=pinned, opened=opened)
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


def _picture(
    part: Part,
    measure: str,
    drawn: Swarm,
    *,
    end: float,
    difference: Difference | None,
    pinned: float | None,
    opened: str,
) -> str:
    is_cost, middle = measure in COSTS, HEIGHT / 2
    texts = {each.query_id: each.query for each in part.outcomes} if len(drawn.dots) <= TITLED else {}
    lines = "".join(f'<path d="M{x:.1f} 0v{HEIGHT}"/>' for x in (0, WIDTH / 4, WIDTH / 2, WIDTH * 3 / 4, WIDTH))
    marks = [f'<g class="qs-grid">{lines}</g>']
    for bar in drawn.bars:
        top = max(each.n for each in drawn.bars)
        long = bar.n / top * HEIGHT
        marks.append(
            f'<rect class="qs-dot-cost" x="{bar.x - 2:.1f}" y="{middle - long / 2:.1f}" width="4" height="{long:.1f}">'
            f"<title>{plural(bar.n, 'question')}</title></rect>"
        )
    radius = drawn.size / 2 - 0.4
    for dot in drawn.dots:
        x, y = dot.x, middle + dot.y
        said = ""
        if dot.query_id in texts:
            said = f"{difference_words(dot.value, measure)}  {escape(plain(texts[dot.query_id][:140]))}"
        marks.append(_circle(x, y, radius, "cost" if is_cost else _look(dot.value), said))
        if dot.query_id == opened:
            marks.append(f'<circle class="qs-ring" cx="{x:.1f}" cy="{y:.1f}" r="{radius + 2.6:.1f}"/>')
    marks += _means(difference, pinned, end)
    if is_cost:
        marks.append(f'<text x="0" y="9">fewer</text><text x="{WIDTH}" y="9" text-anchor="end">more</text>')
    box = f"{-PAD} 0 {WIDTH + 2 * PAD} {HEIGHT + FOOT}"
    spoken = escape(_spoken(part, measure, drawn, difference), quote=True)
    return f'<svg viewBox="{box}" role="img" aria-label="{spoken}">{"".join(marks)}</svg>'


def _spoken(part: Part, measure: str, drawn: Swarm, difference: Difference | None) -> str:
    n = len(drawn.dots) or sum(each.n for each in drawn.bars)
    said = f"{measure_title(measure)}: {plural(n, 'question')} with a value in both"
    if difference is None or measure in COSTS:
        return said
    return f"{said}, {difference.improved:,} improve, {difference.worse:,} get worse, {difference.equal:,} stay equal"


def _means(difference: Difference | None, pinned: float | None, end: float) -> list[str]:
    y, marks = HEIGHT + FOOT / 2, []
    if pinned is not None:
        marks.append(_diamond(place(pinned, end, WIDTH), y, "pinned"))
    if difference is not None and difference.mean is not None:
        mean = difference.mean
        low, high = (mean if each is None else each for each in (difference.low, difference.high))
        marks.append(_mean_mark(*(place(mean, end, WIDTH), y, place(low, end, WIDTH), place(high, end, WIDTH))))
    return marks


def _mean_mark(x: float, y: float, low: float, high: float) -> str:
    line = f'<path class="qs-interval" d="M{low:.1f} {y}H{high:.1f}M{low:.1f} {y - 3}v6M{high:.1f} {y - 3}v6"/>'
    return line + _diamond(x, y, "mean")


def _diamond(x: float, y: float, look: str) -> str:
    return f'<path class="qs-{look}" d="M{x:.1f} {y - 4.5}l4.5 4.5-4.5 4.5-4.5-4.5Z"/>'


def _circle(x: float, y: float, radius: float, look: str, said: str = "") -> str:
    title = f"<title>{said}</title>" if said else ""
    end = f">{title}</circle>" if title else "/>"
    return f'<circle class="qs-dot-{look}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"{end}'


def _look(value: float) -> str:
    return "equal" if abs(value) < EQUAL else "improved" if value > 0 else "worse"
