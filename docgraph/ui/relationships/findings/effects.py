"""The effect of every action on the saved questions, drawn beside its button before anything is saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from docgraph.domain.frozen import fingerprint
from docgraph.domain.impact import ImpactReport
from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.ui.parts.background.follow import waited
from docgraph.ui.parts.background.jobs import Jobs, of_session
from docgraph.ui.parts.background.work import Background
from docgraph.ui.parts.judgments import marks
from docgraph.ui.parts.judgments.state import judgments_stamp
from docgraph.ui.parts.samples.questions import sample_questions, saving_samples
from docgraph.ui.relationships.changed_questions import questions_popover
from docgraph.views.relationships.edges.effects import judged_note
from docgraph.views.relationships.findings.effects import (
    MAX_SQUARES,
    EffectRow,
    effect_row,
    not_asked_words,
    squares_note,
    unchanged_row,
)
from docgraph.views.relationships.findings.subject import Alternative
from docgraph.views.words.counts import UNKNOWN

KEPT, POLL = 48, 0.08
NONE_SAVED = "No saved question yet, so the effect is not known (--)"
GROUP = 8
"""Squares that stand together, so that one can count them."""

Effects = Background[tuple[ImpactReport, ...]]


@dataclass(frozen=True)
class EffectsPlace:
    """Where the effect goes once it is known, and of what.

    ``head`` over the rows, ``rows`` = action → beside its button, ``foot`` under them; ``n_findings`` = how many
    findings an act is for; ``drafted`` = the act in hand.
    """

    head: DeltaGenerator
    rows: Mapping[str, DeltaGenerator]
    foot: DeltaGenerator
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
        wanted.rows[name].html(f'<p class="rl-words rl-cannot"><span>{escape.html(wanted.refused[name])}</span></p>')
    if saving_samples(wanted.workspace):
        _no_question(wanted, None)
        return
    asked = [each for each in wanted.alternatives if each.name not in ("accept", *wanted.refused)]
    reports: dict[str, ImpactReport] = {}
    if asked and wanted.n_questions:
        job = _job(wanted, asked)
        if job.running:
            _not_known_yet(wanted)
            waited(job, lambda: wanted.head.html(_head(wanted, _asking(job), role="status")), every=POLL)
        if job.error is not None:
            wanted.head.html(_head(wanted, f"Not known ({UNKNOWN}): {job.error.message}.", role="alert"))
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
            what="the effect on the saved questions could not be found out",
        ),
    )


def _known(wanted: EffectsPlace, reports: Mapping[str, ImpactReport], first: ImpactReport | None) -> None:
    wanted.head.html(_head(wanted, squares_note(first) if first is not None else ""))
    for name, place in wanted.rows.items():
        report = reports.get(name)
        if report is not None:
            _cells(wanted, name, place, row=effect_row(report), report=report)
        elif name in ("accept", "ignore") and name not in wanted.refused:
            row = unchanged_row(first) if first is not None else None
            _cells(wanted, name, place, row=row, report=None)
    wanted.foot.html(_foot(wanted, reports))


def _cells(
    wanted: EffectsPlace, name: str, place: DeltaGenerator, *, row: EffectRow | None, report: ImpactReport | None
) -> None:
    """Squares, ``n of N`` (opens the questions that change), and what goes out and comes in."""
    with place.container(key=f"rl-cells-{name}", gap=None):
        squares = [(each.name, each.changed) for each in row.squares] if row else _unasked(wanted)
        st.html(f'<span class="rl-squares">{_squares(squares)}</span>')
        n = row.n_changed if row else 0
        if report is not None and n:
            label = f"**{n:,}** of {report.n_questions:,}"
            questions_popover(wanted.workspace, report, label=label, key=f"docgraph.effect.{name}")
        else:
            st.html(f'<span class="rl-said"><b>{n:,}</b> of {wanted.n_questions:,}</span>')
        words = row.moves if row else "nothing changes"
        needs = ", needs a reason" if name == "ignore" else ""
        judged = _judged(row.judged) if row and row.judged is not None else ""
        st.html(
            f'<p class="rl-words" title="{escape.html(row.words if row else words)}">'
            f"<span>{escape.html(words)}{needs}</span>{judged}</p>"
        )


def _judged(moves: tuple[int, int]) -> str:
    """▲ questions that gain, ▼ questions that lose a document judged relevant to them."""
    gain, lose = moves
    said = f"{gain:,} gain and {lose:,} lose a document that is judged relevant to them"
    up = f'<span class="rl-better{"" if gain else " rl-none0"}">{layout.glyph("up")}{gain:,}</span>'
    down = f'<span class="rl-worse{"" if lose else " rl-none0"}">{layout.glyph("down")}{lose:,}</span>'
    return f'<span class="rl-judgedmoves" title="{said}">{up}{down} judged</span>'


def _squares(squares: Sequence[tuple[str, bool]]) -> str:
    return "".join(
        f'<i class="rl-square{" rl-changed" if changed else ""}{" rl-eighth" if place and not place % GROUP else ""}" '
        f'title="{escape.html(f"{name}: {_says(changed)}" if name else "")}"></i>'
        for place, (name, changed) in enumerate(squares)
    )


def _says(changed: bool) -> str:
    return "changes" if changed else "stays as it is"


def _unasked(wanted: EffectsPlace) -> list[tuple[str, bool]]:
    return [("", False)] * min(wanted.n_questions, MAX_SQUARES)


def _not_known_yet(wanted: EffectsPlace) -> None:
    """Hollow squares and ``--`` at the places where the answer will stand."""
    for name in wanted.rows.keys() - wanted.refused.keys():
        wanted.rows[name].html(
            f'<div class="rl-pending"><span class="rl-squares">{_squares(_unasked(wanted))}</span>'
            f'<span class="rl-said"><b>{UNKNOWN}</b> of {wanted.n_questions:,}</span></div>'
        )


def _foot(wanted: EffectsPlace, reports: Mapping[str, ImpactReport]) -> str:
    """What the draft does, by titles; whether anybody knows that it is better."""
    chosen = next((each for each in wanted.alternatives if each.name == wanted.drafted), None)
    report = reports.get(wanted.drafted)
    if wanted.drafted == "ignore":
        back = "the finding comes back" if wanted.n_findings == 1 else "each finding comes back"
        said = f"<b>Ignore</b>: nothing changes; {back} when one of the texts changes."
    elif chosen is None:
        said = "A key or a click drafts an act; nothing is written before Save."
    elif report is None:
        said = f"<b>{escape.html(chosen.label)}</b>: nothing changes in the answers."
    else:
        said = f"<b>{escape.html(chosen.label)}</b>: {escape.html(effect_row(report).words)}."
    unknown = judged_note([report] if report is not None else reports.values())
    return f'<p class="rl-consequence">{said}{f" <span>{unknown}</span>" if unknown else ""}</p>'


def _no_question(wanted: EffectsPlace, report: ImpactReport | None) -> None:
    with wanted.head.container(key="rl-effects-none", gap=None):
        st.html(_head(wanted, ""))
        if saving_samples(wanted.workspace):
            sample_questions(wanted.workspace, key="docgraph.effects.samples")
            return
        said = not_asked_words(report) if report is not None else NONE_SAVED
        st.html(
            f'<p class="dg-note">{escape.html(said)}. Ask a question on the Plan page and choose Save as run: every '
            "edit then shows here which answers it changes, before it is saved.</p>"
        )
        with st.container(key="rl-effects-ways", horizontal=True, vertical_alignment="center", gap="small"):
            sample_questions(wanted.workspace, key="docgraph.effects.samples")
            navigation.link("plan", "Ask a question to save")


def _head(wanted: EffectsPlace, note: str, *, role: str = "") -> str:
    spoken = f' role="{role}"' if role else ""
    act = "One act" if wanted.n_findings == 1 else f"One act for all {wanted.n_findings:,}"
    return (
        f'<div class="rl-effecthead"><span>{act}</span><span class="rl-effectnote"{spoken}>'
        f"{escape.html(note)}</span></div>"
    )


def _asking(job: Effects) -> str:
    far = job.how_far
    return f"{far.counted} saved questions asked" if far.total else "asking the saved questions"
