"""An evaluation as one HTML file that stands alone: no script, no request, light, dark and on paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.domain.evaluation import COSTS, NEUTRAL, Change, Evaluation, GateResult
from docgraph.views.query_sets.part import Part, Row, counted, in_order, judged_measures, part_of, row_of
from docgraph.views.query_sets.plots import axis, swarm
from docgraph.views.query_sets.verdict import CHANGE_WORDS, asked_differs, gain_words
from docgraph.views.report.as_html import template
from docgraph.views.words.counts import UNKNOWN, plural
from docgraph.views.words.evaluation import (
    asked_words,
    certainty,
    changed_data,
    difference_words,
    interval_words,
    mean_words,
    measure_title,
    p_words,
    unread_words,
    verdict,
)
from docgraph.views.words.texts import line

WIDTH, HEIGHT = 320.0, 44.0
"""Size of the picture of one measure, in CSS pixels."""

MAX_ROWS = 2_000
"""Questions of one configuration that are written out; those that changed most come first."""

MAX_UNTAKEN = 500
"""Lines that were not read, or not as they are written, that are named."""

_TONES: dict[Change, str] = {
    "improved": "gain",
    "worse": "loss",
    "equal": "kept",
    "not_judged": "kept",
    "failed": "loss",
}


@dataclass(frozen=True)
class Measured:
    """One measure from A to B in words, with its picture: a dot or a bar a question, as (x, y, width, height, tone)."""

    title: str
    a: str
    b: str
    difference: str
    interval: str
    p: str
    marks: tuple[tuple[str, str, str, str, str], ...]
    spoken: str


@dataclass(frozen=True)
class Listed:
    """One question in words."""

    query: str
    query_id: str
    kind: str
    change: str
    tone: str
    came: str
    read: str
    value: str
    tokens: str


@dataclass(frozen=True)
class Chapter:
    """One configuration against the first: its verdict, measures and questions; ``n_more`` are not written out."""

    label: str
    sentence: str
    gain: str
    differs: str
    by: str
    measures: tuple[Measured, ...]
    counts: tuple[tuple[str, str], ...]
    questions: tuple[Listed, ...]
    n_more: int


def as_html(evaluation: Evaluation, gates: Sequence[GateResult] = (), *, made_at: str) -> bytes:
    """The report, UTF-8; the template escapes every text. Equal evaluations give equal bytes but for ``made_at``."""
    parts = [part_of(evaluation, b=each.name) for each in evaluation.configurations[1:]]
    a, *_ = evaluation.configurations
    about = [
        ("Corpus", line(evaluation.workspace)),
        ("Questions", asked_words(evaluation)),
        ("A", line(a.label)),
        *((f"B{n if len(parts) > 1 else ''}", line(b.label)) for n, b in enumerate(evaluation.configurations[1:], 1)),
        ("Embedder", line(evaluation.embedder_id) or UNKNOWN),
        ("Revision", ", ".join(each[:8] for each in evaluation.revisions) or UNKNOWN),
    ]
    text = template("evaluation.html.jinja").render(
        about=about,
        chapters=[_chapter(part) for part in parts if part is not None],
        alone=_means(evaluation) if not parts else (),
        failures=[tuple(map(line, each)) for each in evaluation.failures],
        gates=gates,
        height=HEIGHT,
        made_at=line(made_at),
        notes=[each for each in (unread_words(evaluation), changed_data(evaluation), _unmatched(evaluation)) if each],
        slices=_slices(evaluation),
        title=line(evaluation.name),
        untaken=_untaken(evaluation),
        width=WIDTH,
    )
    return text.encode("utf-8", "replace")


def _untaken(evaluation: Evaluation) -> list[tuple[str, str, list[tuple[str, str]], int]]:
    """What of the files was not read, and what was adjusted: title, aside, (place, reason) of
    the first ``MAX_UNTAKEN``, and how many more there are.
    """
    found = (("Not read", "", evaluation.unread), ("Adjusted", "adjusted", evaluation.adjusted))
    return [
        (
            title,
            aside,
            [(line(each.place), line(each.reason)) for each in told[:MAX_UNTAKEN]],
            max(len(told) - MAX_UNTAKEN, 0),
        )
        for title, aside, told in found
        if told
    ]


def _chapter(part: Part) -> Chapter:
    found, n = part.difference(), counted(part)
    gain, sure = gain_words(found)
    rows = in_order(part)
    measures = sorted(part.evaluation.measures, key=lambda each: each in NEUTRAL)
    return Chapter(
        label=line(part.b.label),
        sentence=verdict(found) if found is not None else "",
        gain=f"{gain}: {sure}" if sure else gain,
        differs=line(asked_differs(part)),
        by=measure_title(part.measure),
        measures=tuple(_measured(part, each) for each in measures),
        counts=tuple((CHANGE_WORDS[change].capitalize(), f"{n[change]:,}") for change in CHANGE_WORDS),
        questions=tuple(_listed(row_of(part, outcome), part) for outcome, _ in rows[:MAX_ROWS]),
        n_more=max(len(rows) - MAX_ROWS, 0),
    )


def _measured(part: Part, measure: str) -> Measured:
    found, (a, b) = part.difference(measure), part.means(measure)
    values = part.values(measure)
    mean = None if found is None else found.mean
    return Measured(
        title=measure_title(measure),
        a=mean_words(a, measure),
        b=mean_words(b, measure),
        difference=difference_words(mean, measure),
        interval=UNKNOWN if found is None else interval_words(found),
        p=UNKNOWN if found is None else f"{p_words(found.p_corrected)} {certainty(found)}".strip(),
        marks=_marks(values, measure),
        spoken=f"{measure_title(measure)}: {plural(len(values), 'question')}, mean difference "
        f"{difference_words(mean, measure)}",
    )


def _marks(values: Sequence[tuple[str, float]], measure: str) -> tuple[tuple[str, str, str, str, str], ...]:
    end = axis([value for _, value in values], bounded=measure not in COSTS)
    drawn, middle = swarm(values, end=end, width=WIDTH, height=HEIGHT), HEIGHT / 2
    size = drawn.size - 0.8
    boxes = [(d.x - size / 2, middle + d.y - size / 2, size, size, d.value) for d in drawn.dots]
    top = max((each.n for each in drawn.bars), default=1)
    for bar in drawn.bars:
        long = max(bar.n / top * HEIGHT, 3.0)
        boxes.append((bar.x - 2, middle - long / 2, 4.0, long, bar.x - WIDTH / 2))
    return tuple((*(f"{each:.1f}" for each in box[:4]), _tone(box[4], measure)) for box in boxes)  # type: ignore[misc]


def _tone(value: float, measure: str) -> str:
    if measure in NEUTRAL or abs(value) < 1e-9:
        return "even"
    return "up" if value > 0 else "down"


def _listed(row: Row, part: Part) -> Listed:
    before, after = (UNKNOWN if each is None else f"{each:,}" for each in row.read)
    moved = UNKNOWN if row.came is None or row.went is None else f"+{row.came:,} −{row.went:,}"
    return Listed(
        query=line(row.query),
        query_id=line(row.query_id),
        kind=line(row.kind),
        change=CHANGE_WORDS[row.change],
        tone=_TONES[row.change],
        came=moved,
        read=f"{before} → {after} of {row.n_relevant:,}" if row.n_relevant else UNKNOWN,
        value=difference_words(row.value, part.measure),
        tokens=difference_words(row.tokens, "tokens"),
    )


def _means(evaluation: Evaluation) -> tuple[tuple[str, str], ...]:
    """(measure, mean) of the only configuration."""
    return tuple((measure_title(each.measure), mean_words(each.mean, each.measure)) for each in evaluation.figures)


def _slices(evaluation: Evaluation) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """(name, how many questions, (B, mean difference by the first measure)) of every kind and half."""
    first = next(iter(judged_measures(evaluation)), "")
    labels = {each.name: line(each.label) for each in evaluation.configurations}
    return [
        (
            line(each.name.replace("_", "-")) or "no kind",
            plural(each.n, "question"),
            [(labels[d.b], difference_words(d.mean, first)) for d in each.differences if d.measure == first],
        )
        for each in evaluation.slices
    ]


def _unmatched(evaluation: Evaluation) -> str:
    n = len(evaluation.unmatched)
    return f"{plural(n, 'judged document')} not in the workspace: relevant, but counted as not found" if n else ""
