"""Evaluations of a set over time: a line a configuration, and what changed in the data between two of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from docgraph.domain.evaluation import COSTS, EQUAL, Evaluation, KeptEvaluation
from docgraph.views.words.counts import UNKNOWN, plural
from docgraph.views.words.evaluation import difference_words, mean_words, measure_title
from docgraph.views.words.moments import day, revision

LOOKS = ("a", "b", "c", "d", "e", "f")
"""Looks of the lines, in the order of the configurations; further ones look like the last."""


@dataclass(frozen=True)
class Point:
    """One whole evaluation: the means of a measure by configuration, ``None`` where it has none, and what changed."""

    evaluation_id: str
    at: str
    pinned: bool
    means: dict[str, float | None]
    changed: str


def points(runs: Sequence[KeptEvaluation], measure: str, *, most: int) -> tuple[Point, ...]:
    """The last ``most`` whole evaluations that have the measure, oldest first; ``runs`` newest first, as they are kept.

    What changed is told against the whole evaluation before, whether that is drawn or not.
    """
    whole = [each for each in reversed(runs) if each.whole and measure in each.measures]
    found = [
        Point(
            each.evaluation_id,
            each.at,
            each.pinned,
            {f.configuration: f.mean for f in each.figures if f.measure == measure},
            "" if place == 0 else change_words(whole[place - 1], each),
        )
        for place, each in enumerate(whole)
    ]
    return tuple(found[-most:])


def change_words(earlier: KeptEvaluation, later: KeptEvaluation) -> str:
    """What changed in the data from one to the other: ``+2 documents, +13 relationships``, ``same data``."""
    said = [
        f"{difference_words(float(n), 'tokens')} {noun if abs(n) == 1 else f'{noun}s'}"
        for n, noun in (
            (later.n_documents - earlier.n_documents, "document"),
            (later.n_relationships - earlier.n_relationships, "relationship"),
        )
        if n
    ]
    if said:
        return ", ".join(said)
    return "same data" if earlier.revision == later.revision else "equal counts, other content"


def short_words(changed: str) -> str:
    """The same for a narrow column: ``+2 docs, +13 edges``."""
    short = changed.replace("relationship", "edge").replace("document", "doc")
    return {"same data": "same data", "equal counts, other content": "other content"}.get(changed, short)


def data_words(run: KeptEvaluation) -> str:
    """``31 documents, 84 relationships``."""
    return f"{plural(run.n_documents, 'document')}, {plural(run.n_relationships, 'relationship')}"


def labels(runs: Sequence[KeptEvaluation], measure: str) -> dict[str, str]:
    """Configuration → its label, of all evaluations that have the measure, those of the newest first."""
    found: dict[str, str] = {}
    for run in runs:
        if run.whole and measure in run.measures:
            for each in run.configurations:
                found.setdefault(each.name, each.label)
    return found


def chart_svg(
    drawn: Sequence[Point],
    names: dict[str, str],
    *,
    measure: str,
    width: int,
    height: int,
    gate: float | None = None,
) -> str:
    """Lines of the means; pinned evaluations are ringed, the gate is dotted. A lone evaluation is its dots."""
    values = [mean for each in drawn for name in names if (mean := each.means.get(name)) is not None]
    values += [gate] if gate is not None and values else []
    if not values:
        return ""
    low, high = min(values), max(values)
    room = max((high - low) * 0.15, 0.02 if measure not in COSTS else max(high, 1.0) * 0.02)
    low, high = low - room, high + room
    left, right, top, bottom = 44, width - 52, 10, height - 10
    step = (right - left) / max(len(drawn) - 1, 1)

    def x(place: int) -> float:
        return left + place * step if len(drawn) > 1 else (left + right) / 2

    def y(value: float) -> float:
        return bottom - (value - low) / (high - low) * (bottom - top)

    marks = [_scale(value, y(value), left, right, measure) for value in _ticks(low + room, high - room)]
    if gate is not None:
        marks.append(
            f'<path class="qs-gate" d="M{left} {y(gate):.1f}H{right}"/>'
            f'<text x="{right}" y="{y(gate) - 4:.1f}" text-anchor="end">gate {gate:g}</text>'
        )
    for place, name in reversed(list(enumerate(names))):
        look = LOOKS[min(place, len(LOOKS) - 1)]
        marks += _line([(x(i), each.means.get(name)) for i, each in enumerate(drawn)], y, look)
    for i, each in enumerate(drawn):
        known = [mean for name in list(names)[-1:] if (mean := each.means.get(name)) is not None]
        if each.pinned and known:
            marks.append(
                f'<circle class="qs-ring" cx="{x(i):.1f}" cy="{y(known[0]):.1f}" r="6.5"><title>pinned</title></circle>'
            )
    marks += _ends(drawn[-1], list(names), y, right, measure)
    spoken = "; ".join(
        f"{label}: {', '.join(mean_words(each.means.get(name), measure) for each in drawn)}"
        for name, label in names.items()
    )
    said = escape(f"{measure_title(measure)} over {plural(len(drawn), 'evaluation')}. {spoken}", quote=True)
    return (
        f'<svg class="qs-history" viewBox="0 0 {width} {height}" role="img" aria-label="{said}">{"".join(marks)}</svg>'
    )


def _ticks(low: float, high: float) -> tuple[float, ...]:
    return (low, high) if high > low else (low,)


def _scale(value: float, y: float, left: int, right: int, measure: str) -> str:
    return (
        f'<g class="qs-grid"><path d="M{left} {y:.1f}H{right}"/></g>'
        f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{mean_words(value, measure)}</text>'
    )


def _line(places: Sequence[tuple[float, float | None]], y: object, look: str) -> list[str]:
    """One configuration; where an evaluation did not ask it the line is broken."""
    assert callable(y)
    known = [(x, y(mean)) if mean is not None else None for x, mean in places]
    marks, pen = "", "M"
    for each in known:
        marks += f"{pen}{each[0]:.1f} {each[1]:.1f}" if each else ""
        pen = "L" if each else "M"
    dots = "".join(f'<circle cx="{each[0]:.1f}" cy="{each[1]:.1f}" r="3.4"/>' for each in known if each)
    return [f'<g class="qs-line qs-line-{look}"><path d="{marks}"/>{dots}</g>']


def _ends(last: Point, names: Sequence[str], y: object, right: int, measure: str) -> list[str]:
    """The newest means beside their dots, pushed apart where they would lie over each other."""
    assert callable(y)
    known = sorted((y(mean), name, mean) for name in names if (mean := last.means.get(name)) is not None)
    marks, free = [], -100.0
    for at, name, mean in known:
        free = max(at + 4, free + 14)
        heavy = ' class="qs-end"' if name == names[-1] else ""
        marks.append(f'<text{heavy} x="{right + 9}" y="{free:.1f}">{mean_words(mean, measure)}</text>')
    return marks


def feet_html(drawn: Sequence[Point]) -> str:
    """Under each evaluation its day, and what changed in the data since the one before."""
    cells = "".join(
        f'<li title="{escape(each.changed or "the first", quote=True)}"><b>{escape(day(each.at))}</b>'
        f"<span>{escape(short_words(each.changed) or UNKNOWN)}</span></li>"
        for each in drawn
    )
    return f'<ol class="qs-feet{" qs-feet-one" if len(drawn) == 1 else ""}">{cells}</ol>'


@dataclass(frozen=True)
class Since:
    """How many questions are better, worse and equal in a later evaluation, of those with a value in both."""

    better: int
    worse: int
    equal: int

    @property
    def words(self) -> str:
        """``4 questions better, 1 worse, 20 equal``."""
        return f"{plural(self.better, 'question')} better, {self.worse:,} worse, {self.equal:,} equal"


def since(earlier: Evaluation, later: Evaluation, *, configuration: str, measure: str) -> Since | None:
    """What became of each question's value between two evaluations; ``None`` where no question has one in both."""
    before = {each.query_id: each.value(configuration, measure) for each in earlier.outcomes}
    pairs = [
        (then, now)
        for each in later.outcomes
        if (then := before.get(each.query_id)) is not None and (now := each.value(configuration, measure)) is not None
    ]
    if not pairs:
        return None
    better = sum(now > then + EQUAL for then, now in pairs)
    worse = sum(now < then - EQUAL for then, now in pairs)
    return Since(better, worse, len(pairs) - better - worse)


def run_words(run: KeptEvaluation) -> str:
    """``17 Nov, rev 41aa90``."""
    return f"{day(run.at)}, rev {revision(run.revision)}"
