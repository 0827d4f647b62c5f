"""Charts of the limits: what is read at every value of a limit, with a mark at the one that is set today."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from docgraph.domain.scoreboard import CapPressure, LimitPoint, LimitSweep
from docgraph.views.words.counts import UNKNOWN
from docgraph.views.words.evaluation import LIMIT_TITLES

HEIGHT, SMALL = 150, 64
"""Pixels of the large picture and of the small ones."""

ROOM = 0.12
"""Of the height that is left above the highest and below the lowest value."""


@dataclass(frozen=True)
class Scale:
    """The values at the bottom and at the top of a picture, and its height in pixels."""

    low: float
    high: float
    height: int

    def y(self, value: float) -> float:
        """Pixels from the top."""
        return (self.high - value) / (self.high - self.low) * self.height


def worth(found: CapPressure, point: LimitPoint) -> float | None:
    """What is drawn of a point: relevant documents that are read; tokens where nothing is judged."""
    if found.n_judged:
        return None if point.found is None else float(point.found)
    return point.tokens


def caption(found: CapPressure) -> str:
    """``judged relevant documents read, of 86 in 53 judged questions``."""
    if not found.n_judged:
        return f"relevant documents found: {UNKNOWN}, no question is judged; tokens are shown instead"
    noun = "question" if found.n_judged == 1 else "questions"
    return f"relevant documents found, of {found.n_relevant:,} in {found.n_judged:,} judged {noun}"


def large_html(found: CapPressure, sweep: LimitSweep) -> str:
    """One limit at the width there is, with relationships and without, tokens beneath every value."""
    values = _values(found, [*sweep.points, *sweep.without])
    if not values:
        return ""
    top = float(found.n_relevant) if found.n_judged else max(values)
    scale = _scale([*values, top], HEIGHT)
    marks = [_grid(found, top, scale=scale, dotted=True)]
    marks += [_grid(found, value, scale=scale) for value in _apart(min(values), max(values), top=top, scale=scale)]
    marks.append(_today(sweep))
    if sweep.without:
        marks.append(_line(found, sweep, sweep.without, scale=scale, look="without"))
    marks.append(_line(found, sweep, sweep.points, scale=scale, look="with"))
    marks += _points(found, sweep, scale)
    marks += _ends(found, sweep, scale)
    return _picture(found, sweep, "".join(marks), height=HEIGHT, feet=_feet(sweep, with_tokens=True))


def small_html(found: CapPressure, sweeps: Sequence[LimitSweep]) -> str:
    """The other limits side by side on one scale, so that a flat one looks flat beside a steep one."""
    values = _values(found, [point for each in sweeps for point in each.points])
    if not values:
        return ""
    scale = _scale(values, SMALL)
    made = []
    for each in sweeps:
        marks = _today(each) + _line(found, each, each.points, scale=scale, look="with")
        marks += "".join((*_points(found, each, scale), *_ends(found, each, scale)))
        drawn = _picture(found, each, marks, height=SMALL, feet=_feet(each, with_tokens=False))
        made.append(f'<div class="qp-small"><h3>{escape(LIMIT_TITLES[each.field])}</h3>{drawn}</div>')
    return f'<div class="qp-smalls">{"".join(made)}</div>'


def _values(found: CapPressure, points: Sequence[LimitPoint]) -> list[float]:
    return [value for each in points if (value := worth(found, each)) is not None]


def _scale(values: Sequence[float], height: int) -> Scale:
    low, high = min(values), max(values)
    room = max(high - low, abs(high) * 0.05, 1.0) * ROOM / (1 - 2 * ROOM)
    return Scale(low - room, high + room, height)


def _apart(low: float, high: float, *, top: float, scale: Scale) -> list[float]:
    """The lowest and the highest value, where their words do not lie over each other or over those of the top."""
    kept: list[float] = []
    for value in (low, high):
        if all(abs(scale.y(value) - scale.y(other)) >= 16 for other in (top, *kept)):
            kept.append(value)
    return kept


def _x(sweep: LimitSweep, value: int) -> float:
    """Percent from the left: values stand at equal distances, whatever lies between them."""
    at = [each.value for each in sweep.points].index(value)
    return at / (len(sweep.points) - 1) * 100 if len(sweep.points) > 1 else 50.0


def _grid(found: CapPressure, value: float, *, scale: Scale, dotted: bool = False) -> str:
    look, at = (" qp-top" if dotted else ""), f"top:{scale.y(value):.1f}px"
    return (
        f'<i class="qp-grid{look}" style="{at}"></i><span class="qp-value" style="{at}">{_words(found, value)}</span>'
    )


def _today(sweep: LimitSweep) -> str:
    return f'<i class="qp-today" style="left:{_x(sweep, sweep.today):.2f}%"></i>'


def _line(found: CapPressure, sweep: LimitSweep, points: Sequence[LimitPoint], *, scale: Scale, look: str) -> str:
    """A mask, so that the style sheet colours it in both themes."""
    there = [(_x(sweep, each.value), value) for each in points if (value := worth(found, each)) is not None]
    path = "L".join(f"{x * 10:.0f} {scale.y(value):.1f}" for x, value in there)
    dashes = ' stroke-dasharray="5 3"' if look == "without" else ""
    picture = quote(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 {scale.height}" preserveAspectRatio="none">'
        f'<path d="M{path}" fill="none" stroke="#000" stroke-width="1.8" vector-effect="non-scaling-stroke"{dashes}/>'
        "</svg>"
    )
    mask = f"url('data:image/svg+xml,{picture}')"
    return f'<i class="qp-line qp-{look}" style="-webkit-mask-image:{mask};mask-image:{mask}"></i>'


def _points(found: CapPressure, sweep: LimitSweep, scale: Scale) -> list[str]:
    return [
        f'<i class="qp-point" style="left:{_x(sweep, each.value):.2f}%;top:{scale.y(value):.1f}px" '
        f'title="{escape(_said(each), quote=True)}"></i>'
        for each in sweep.points
        if (value := worth(found, each)) is not None
    ]


def _ends(found: CapPressure, sweep: LimitSweep, scale: Scale) -> list[str]:
    """The words at today's value and at the last one; without relationships beneath the line."""
    marks = []
    last = sweep.points[-1]
    shown = [(sweep.at(sweep.today), "now"), (last if last.value != sweep.today else None, "last")]
    for point, look in shown:
        value = None if point is None else worth(found, point)
        if point is not None and value is not None:
            where = f"left:{_x(sweep, point.value):.2f}%;top:{scale.y(value) - 13:.1f}px"
            marks.append(f'<span class="qp-{look}" style="{where}">{_words(found, value)}</span>')
    without = next((each for each in sweep.without if each.value == last.value), None)
    under, over = (None if without is None else worth(found, without)), worth(found, last)
    if under is not None and (over is None or under < over):
        where = f"left:100%;top:{scale.y(under) + 13:.1f}px"
        marks.append(f'<span class="qp-off" style="{where}">{_words(found, under)}</span>')
    return marks


def _feet(sweep: LimitSweep, *, with_tokens: bool) -> str:
    made = []
    for each in sweep.points:
        look = ' class="qp-set"' if each.value == sweep.today else ""
        under = f"<small>{_short(each.tokens)}</small>" if with_tokens else ""
        made.append(f'<li{look} style="left:{_x(sweep, each.value):.2f}%">{each.value:,}{under}</li>')
    return f'<ol class="qp-feet{"" if with_tokens else " qp-short"}">{"".join(made)}</ol>'


def _picture(found: CapPressure, sweep: LimitSweep, marks: str, *, height: int, feet: str) -> str:
    spoken = "; ".join(f"{each.value:,}: {_said(each)}" for each in sweep.points)
    label = f"{LIMIT_TITLES[sweep.field]}, now {sweep.today:,}, {caption(found)}. {spoken}"
    return (
        f'<div class="qp-picture" style="height:{height}px" role="img" aria-label="{escape(label, quote=True)}">{marks}'
        f"</div>{feet}"
    )


def _said(point: LimitPoint) -> str:
    read = UNKNOWN if point.found is None else f"{point.found:,}"
    documents = UNKNOWN if point.documents is None else f"{point.documents:.1f}"
    return f"{read} relevant found, {documents} documents, {_short(point.tokens)} tokens"


def _words(found: CapPressure, value: float) -> str:
    """A count of documents; tokens where nothing is judged."""
    return f"{value:,.0f}" if found.n_judged else _short(value)


def _short(tokens: float | None) -> str:
    """``640``, ``1.4k``."""
    if tokens is None:
        return UNKNOWN
    return f"{tokens:,.0f}" if tokens < 999.5 else f"{tokens / 1_000:.1f}k"
