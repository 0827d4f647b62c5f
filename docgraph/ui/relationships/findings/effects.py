"""The effect of every action on the saved questions, drawn under its button before anything is saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from docgraph.domain.frozen import fingerprint
from docgraph.domain.impact import ImpactReport
from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.ui.parts.background import Background, Jobs, of_session, waited
from docgraph.ui.parts.judgments import marks
from docgraph.ui.parts.judgments.state import judgments_stamp
from docgraph.ui.parts.samples.corpus import sample_questions
from docgraph.ui.relationships.effect import questions_popover
from docgraph.views.relationships.effects import (
    EffectRow,
    effect_row,
    judged_note,
    not_asked_words,
    numbers_note,
    squares_note,
    unchanged_row,
)
from docgraph.views.relationships.findings.subject import Alternative
from docgraph.views.words.counts import UNKNOWN

KEPT, POLL = 48, 0.08
NONE_SAVED = "No saved questions yet. Save one to see which answers a change would affect."
GROUP = 8
"""Squares that stand together, so that one can count them."""

Effects = Background[tuple[ImpactReport, ...]]


@dataclass(frozen=True)
class EffectsPlace:
    """Where an effect is drawn once it is known, and which change it belongs to.

    ``rows`` = action → below its button, ``line`` = below the row of actions; ``n_findings`` = how many findings a
    change covers; ``drafted`` = the drafted action.
    """

    rows: Mapping[str, DeltaGenerator]
    line: DeltaGenerator
    workspace: str
    revision: str
    n_findings: int
    alternatives: tuple[Alternative, ...]
    refused: Mapping[str, str]
    drafted: str
    n_questions: int


def fill_effects(wanted: EffectsPlace) -> None:
    """Draw the effects; while they are being found out, texts and keys are there already, and a key ends the wait."""
    marks.style()
    for name in wanted.refused.keys() & wanted.rows.keys():
        why = escape.html(wanted.refused[name])
        wanted.rows[name].html(f'<p class="rl-said rl-cannot" title="{why}">not possible</p>')
    asked = [each for each in wanted.alternatives if each.name not in ("accept", *wanted.refused)]
    reports: dict[str, ImpactReport] = {}
    if asked and wanted.n_questions:
        job = _job(wanted, asked)
        if job.running:
            _not_known_yet(wanted)
            waited(job, lambda: wanted.line.html(_line(escape.html(_asking(job)), role="status")), every=POLL)
        if job.error is not None:
            said = f"The effect is not known ({UNKNOWN}): {job.error.message}."
            wanted.line.html(_line(escape.html(said), role="alert"))
            _not_known_yet(wanted)
            return
        reports = {each.name: report for each, report in zip(asked, job.result or (), strict=True)}
    first = next(iter(reports.values()), None)
    if not wanted.n_questions or (first is not None and not first.n_questions):
        _no_question(wanted, first)
        return
    _known(wanted, reports, first)


def _job(wanted: EffectsPlace, asked: Sequence[Alternative]) -> Effects:
    """The job of these alternatives on this data; one that nobody waits for any more is stopped."""
    edits = [[edit.model_dump(mode="json") for edit in each.edits] for each in asked]
    judged = judgments_stamp(wanted.workspace)
    name = fingerprint([wanted.workspace, wanted.revision, wanted.n_questions, judged, edits])
    docgraph, alternatives = resources.docgraph(wanted.workspace), [each.edits for each in asked]
    jobs: Jobs[Effects] = of_session("finding_effects", limit=KEPT)
    jobs.stop_others(name)
    return jobs.of(
        name,
        lambda: Background(
            lambda progress: docgraph.relationships.effects(alternatives, progress=progress),
            what="the effect on the saved questions could not be measured",
        ),
    )


def _known(wanted: EffectsPlace, reports: Mapping[str, ImpactReport], first: ImpactReport | None) -> None:
    rows = dict[str, EffectRow]()
    for name, place in wanted.rows.items():
        report = reports.get(name)
        if report is not None:
            rows[name] = effect_row(report)
        elif name in ("accept", "ignore") and name not in wanted.refused and first is not None:
            rows[name] = unchanged_row(first)
        elif name not in wanted.refused and name in ("accept", "ignore"):
            place.html(_number(0, wanted.n_questions))
            continue
        if name in rows:
            _under(wanted, name, place, row=rows[name], report=report)
    with wanted.line.container(key="rl-line", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(_drafted(wanted, rows, reports, first))
        if any(row.squares for row in rows.values()):
            _side_by_side(wanted, rows, first)


def _under(
    wanted: EffectsPlace, name: str, place: DeltaGenerator, *, row: EffectRow, report: ImpactReport | None
) -> None:
    """``n of N`` (opens the questions that change), and what that is worth where it is known."""
    with place.container(key=f"rl-number-{name}", horizontal=True, vertical_alignment="center", gap=None):
        if report is not None and row.n_changed:
            label = f"**{row.n_changed:,}** of {report.n_questions:,}"
            questions_popover(wanted.workspace, report, label=label, key=f"docgraph.effect.{name}")
        else:
            st.html(_number(row.n_changed, wanted.n_questions))
        if row.judged is not None:
            st.html(_judged(row.judged))


def _number(n: int, of: int) -> str:
    return f'<p class="rl-said"><b>{n:,}</b> of {of:,}</p>'


def _judged(moves: tuple[int, int]) -> str:
    """▲ questions that gain, ▼ questions that lose a document judged relevant to them."""
    gain, lose = moves
    said = f"{gain:,} gain and {lose:,} lose a document that is judged relevant to them"
    up = f'<span class="rl-better{"" if gain else " rl-none0"}">{layout.glyph("up")}{gain:,}</span>'
    down = f'<span class="rl-worse{"" if lose else " rl-none0"}">{layout.glyph("down")}{lose:,}</span>'
    return f'<span class="rl-judgedmoves" title="{said}">{up}{down}</span>'


def _squares(squares: Sequence[tuple[str, bool]]) -> str:
    return "".join(
        f'<i class="rl-square{" rl-changed" if changed else ""}{" rl-eighth" if place and not place % GROUP else ""}" '
        f'title="{escape.html(f"{name}: {_says(changed)}" if name else "")}"></i>'
        for place, (name, changed) in enumerate(squares)
    )


def _says(changed: bool) -> str:
    return "changes" if changed else "unchanged"


def _row_squares(row: EffectRow) -> str:
    drawn = _squares([(each.name, each.changed) for each in row.squares])
    return f'<span class="rl-squares">{drawn}</span>' if drawn else ""


def _not_known_yet(wanted: EffectsPlace) -> None:
    """``--`` at the places where the answer will stand."""
    for name in wanted.rows.keys() - wanted.refused.keys():
        wanted.rows[name].html(f'<p class="rl-said"><b>{UNKNOWN}</b> of {wanted.n_questions:,}</p>')


def _drafted(
    wanted: EffectsPlace,
    rows: Mapping[str, EffectRow],
    reports: Mapping[str, ImpactReport],
    first: ImpactReport | None,
) -> str:
    """What the draft does, by titles; whether anybody knows that it is better. Without one, what the numbers are."""
    chosen = next((each for each in wanted.alternatives if each.name == wanted.drafted), None)
    report, row = reports.get(wanted.drafted), rows.get(wanted.drafted)
    drawn = _row_squares(row) if row is not None else ""
    if wanted.drafted == "ignore":
        back = "the finding returns" if wanted.n_findings == 1 else "each finding returns"
        said = f"<b>Ignore</b>: nothing changes; {back} when one of the texts changes."
    elif chosen is None:
        note = numbers_note(first) if first is not None else "no answer to a saved question changes"
        all_of = "" if wanted.n_findings == 1 else f", for all {wanted.n_findings:,}"
        said = f"For each change{all_of}: {escape.html(note)}."
    elif report is None:
        said = f"<b>{escape.html(chosen.label)}</b>: nothing changes in the answers."
    else:
        said = f"<b>{escape.html(chosen.label)}</b>: {escape.html(effect_row(report).words)}."
    unknown = judged_note([report] if report is not None else reports.values())
    return _line(f"{drawn}<span>{said}{f' <em>{unknown}</em>' if unknown else ''}</span>")


def _side_by_side(wanted: EffectsPlace, rows: Mapping[str, EffectRow], first: ImpactReport | None) -> None:
    """The acts square by square, behind a button: the same question stands at the same place in every row."""
    with st.popover(
        "Question by question", key="docgraph.effect.squares", type="tertiary", width="content", on_change="rerun"
    ) as opened:
        if opened.open:
            labels: dict[str, str] = {each.name: each.label for each in wanted.alternatives}
            lines = "".join(
                f"<tr><th>{escape.html(labels.get(name, name.capitalize()))}</th><td>{_row_squares(row)}</td>"
                f"<td>{_number(row.n_changed, row.n_questions)}</td><td>{escape.html(row.moves)}</td></tr>"
                for name, row in rows.items()
            )
            note = f"{squares_note(first)[:1].upper()}{squares_note(first)[1:]}." if first is not None else ""
            st.html(f'<table class="rl-sides">{lines}</table><p class="dg-note">{escape.html(note)}</p>')


def _no_question(wanted: EffectsPlace, report: ImpactReport | None) -> None:
    with wanted.line.container(key="rl-line", horizontal=True, vertical_alignment="center", gap="small"):
        said = not_asked_words(report) if report is not None else NONE_SAVED
        st.html(_line(escape.html(said if said.endswith(".") else f"{said}.")))
        sample_questions(wanted.workspace, key="docgraph.effects.samples")
        navigation.link("plan", "Ask a question to save")


def _line(said: str, *, role: str = "") -> str:
    """``said`` = HTML of the line under the acts."""
    spoken = f' role="{role}"' if role else ""
    return f'<p class="rl-consequence"{spoken}>{said}</p>'


def _asking(job: Effects) -> str:
    far = job.how_far
    return f"{far.counted} saved questions asked" if far.total else "asking the saved questions"
