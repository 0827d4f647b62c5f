"""Evaluations of a set over time: a line a configuration, and what changed in the data between two of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from docgraph.domain.evaluation import COSTS, EQUAL, Evaluation, KeptEvaluation
from docgraph.views.lanes.text import plain
from docgraph.views.words.counts import plural
from docgraph.views.words.evaluation import difference_words, mean_words, measure_title
from docgraph.views.words.moments import clock, day, revision

LOOKS = ("a", "b", "c", "d", "e", "f")
"""Looks of the lines, in the order of the configurations; further ones look like the last."""


DASHES = {"a": "5 3", "c": "2 3", "d": "8 3", "e": "8 3 2 3", "f": "2 3"}
"""Look → its dashes, lengths and gaps; none is drawn through."""


def look(place: int) -> str:
    """The look of the configuration at a place, from 0."""
    return LOOKS[min(place, len(LOOKS) - 1)]


@dataclass(frozen=True)
class Point:
    """One whole evaluation: the means of a measure by configuration, ``None`` where it has none.

    ``changed`` = in the data since the whole one before; of the first what there was.
    """

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
            data_words(each) if place == 0 else change_words(whole[place - 1], each),
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
    return "same data" if earlier.revision == later.revision else "same counts, different content"


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


def chart_html(
    drawn: Sequence[Point],
    names: Mapping[str, str],
    *,
    measure: str,
    height: int,
    gate: float | None = None,
    most_feet: int = 8,
) -> str:
    """Lines of the means, oldest left; pinned evaluations are ringed, the gate is dotted, changes stand beneath.

    As wide as there is room, for at most ``most_feet`` words beneath. Empty where no mean is known.
    """
    values = [mean for each in drawn for name in names if (mean := each.means.get(name)) is not None]
    if not values:
        return ""
    values += [gate] if gate is not None else []
    low, high = min(values), max(values)
    room = max((high - low) * 0.2, 0.02 if measure not in COSTS else max(abs(high), 1.0) * 0.02)
    scale = _Scale(low - room, high + room, height, len(drawn))
    marks = [
        f'<i class="qs-scale" style="top:{scale.y(value):.1f}px"></i>'
        f'<span class="qs-value" style="top:{scale.y(value):.1f}px">{mean_words(value, measure)}</span>'
        for value in dict.fromkeys((low, high))
    ]
    if gate is not None:
        marks.append(f'<i class="qs-gate" style="top:{scale.y(gate):.1f}px"><span>gate {gate:g}</span></i>')
    for place, name in enumerate(names):
        marks.append(_line([each.means.get(name) for each in drawn], scale, look(place)))
    for place, each in enumerate(drawn):
        known = [mean for mean in each.means.values() if mean is not None]
        if each.pinned and known:
            x, y = scale.x(place), scale.y(known[-1])
            marks.append(f'<i class="qs-pinned" title="pinned" style="left:{x:.2f}%;top:{y:.1f}px"></i>')
    marks += _ends(drawn[-1], list(names), scale, measure)
    spoken = "; ".join(
        f"{label}: {', '.join(mean_words(each.means.get(name), measure) for each in drawn)}"
        for name, label in names.items()
    )
    said = escape(f"{measure_title(measure)} over {plural(len(drawn), 'evaluation')}. {plain(spoken)}", quote=True)
    return (
        f'<div class="qs-lines" style="height:{height}px" role="img" aria-label="{said}">{"".join(marks)}</div>'
        f"{_feet_html(drawn, scale, most_feet)}"
    )


@dataclass(frozen=True)
class _Scale:
    low: float
    high: float
    height: int
    n: int

    def x(self, place: int) -> float:
        """Percent from the left."""
        return place / (self.n - 1) * 100 if self.n > 1 else 50.0

    def y(self, value: float) -> float:
        """Pixels from the top."""
        return (self.high - value) / (self.high - self.low) * self.height


def _line(means: Sequence[float | None], scale: _Scale, look: str) -> str:
    """One configuration; where an evaluation did not ask it the line is broken.

    The line is a mask, so that the style sheet colours it in both themes.
    """
    path, pen = "", "M"
    dots = ""
    for place, mean in enumerate(means):
        if mean is None:
            pen = "M"
            continue
        path += f"{pen}{scale.x(place) * 10:.0f} {scale.y(mean):.1f}"
        pen = "L"
        dots += f'<i class="qs-point qs-line-{look}" style="left:{scale.x(place):.2f}%;top:{scale.y(mean):.1f}px"></i>'
    dashes = f' stroke-dasharray="{DASHES[look]}"' if look in DASHES else ""
    picture = quote(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 {scale.height}" preserveAspectRatio="none">'
        f'<path d="{path}" fill="none" stroke="#000" stroke-width="1.8" vector-effect="non-scaling-stroke"{dashes}/>'
        "</svg>"
    )
    mask = f"url('data:image/svg+xml,{picture}')"
    return f'<i class="qs-line qs-line-{look}" style="-webkit-mask-image:{mask};mask-image:{mask}"></i>{dots}'


def _ends(last: Point, names: Sequence[str], scale: _Scale, measure: str) -> list[str]:
    """The newest means beside their dots, pushed apart where they would lie over each other."""
    known = sorted((scale.y(mean), name, mean) for name in names if (mean := last.means.get(name)) is not None)
    marks, free = [], -100.0
    for at, name, mean in known:
        free = max(at, free + 15)
        look = " qs-end-last" if name == names[-1] else ""
        marks.append(f'<span class="qs-end{look}" style="top:{free:.1f}px">{mean_words(mean, measure)}</span>')
    return marks


def _feet_html(drawn: Sequence[Point], scale: _Scale, most: int) -> str:
    """Under each evaluation its day, and what changed in the data since the one before."""
    every = math.ceil(len(drawn) / most)
    one_day = len(drawn) > 1 and len({day(each.at) for each in drawn}) == 1
    cells = "".join(
        f'<li style="left:{scale.x(place):.2f}%" title="{escape(each.changed, quote=True)}">'
        f"<b>{escape(clock(each.at) if one_day else day(each.at))}</b>"
        f"<span>{escape(each.changed)}</span></li>"
        for place, each in enumerate(drawn)
        if (len(drawn) - 1 - place) % every == 0
    )
    return f'<ol class="qs-feet">{cells}</ol>'


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
