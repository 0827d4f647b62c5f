"""The effect of every action on the saved questions, drawn beside each other before anything is saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from docgraph.domain.frozen import fingerprint
from docgraph.domain.impact import ImpactReport
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, navigation, resources
from docgraph.ui.parts.background.follow import waited
from docgraph.ui.parts.background.jobs import Jobs, of_session
from docgraph.ui.parts.background.work import Background
from docgraph.ui.parts.judgments import marks
from docgraph.ui.parts.judgments.state import judgments_stamp
from docgraph.ui.parts.samples.questions import sample_questions, saving_samples
from docgraph.ui.relationships.changed_questions import questions_popover
from docgraph.views.relationships.edges.effects import judged_note
from docgraph.views.relationships.findings.effects import (
    EffectRow,
    effect_row,
    not_asked_words,
    squares_note,
    unchanged_row,
)
from docgraph.views.relationships.findings.subject import Alternative

KEPT, POLL = 48, 0.08
_WHAT = ' title="Questions that lose or gain a document that is judged relevant to them"'
Effects = Background[tuple[ImpactReport, ...]]


@dataclass(frozen=True)
class EffectsPlace:
    """Where the effect goes once it is known, and of what; ``drafted`` = name of the action in hand."""

    place: DeltaGenerator
    workspace: str
    revision: str
    finding_id: str
    alternatives: tuple[Alternative, ...]
    drafted: str
    n_questions: int


def fill_effects(wanted: EffectsPlace) -> None:
    """Draw the matrix; while it is being found out, texts and keys are there already, and a key ends the wait."""
    if saving_samples(wanted.workspace):
        with wanted.place.container(key="rl-effects", gap="small"):
            _no_question(wanted.workspace, None)
        return
    asked = [each for each in wanted.alternatives if each.name != "accept"]
    reports: dict[str, ImpactReport] = {}
    if asked and wanted.n_questions:
        job = _job(wanted, asked)
        waited(job, lambda: wanted.place.html(_waiting(job)), every=POLL)
        if job.error is not None:
            wanted.place.html(_failed(job.error))
            return
        reports = {each.name: report for each, report in zip(asked, job.result or (), strict=True)}
    with wanted.place.container(key="rl-effects", gap=None):
        _matrix(wanted, reports)


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


def _matrix(wanted: EffectsPlace, reports: Mapping[str, ImpactReport]) -> None:
    first = next(iter(reports.values()), None)
    if not wanted.n_questions or (first is not None and not first.n_questions):
        _no_question(wanted.workspace, first)
        return
    marks.style()
    note = squares_note(first) if first is not None else ""
    st.html(
        f'<div class="rl-effecthead"><h3>Effect if saved</h3><span class="dg-note">{escape.html(note)}</span></div>'
    )
    _line(wanted, "accept", _first_label(wanted), row=unchanged_row(first) if first is not None else None, report=None)
    by_name = {each.name: each.edits for each in wanted.alternatives}
    for each in wanted.alternatives:
        if each.name == "fix" and each.edits == by_name.get("remove"):
            continue  # what the check proposes is the line under it
        if each.name in reports:
            report = reports[each.name]
            _line(wanted, each.name, each.label, row=effect_row(report), report=report)
    unknown = judged_note(reports.values())
    if unknown:
        st.html(f'<p class="dg-note jg-unknown">{unknown}</p>')


def _first_label(wanted: EffectsPlace) -> str:
    return "Accept or ignore" if any(each.name == "accept" for each in wanted.alternatives) else "Ignore"


def _line(wanted: EffectsPlace, name: str, label: str, *, row: EffectRow | None, report: ImpactReport | None) -> None:
    by_name = {each.name: each.edits for each in wanted.alternatives}
    also = "fix" if name == "remove" and by_name.get("fix") == by_name.get("remove") else ""
    drafted = bool(wanted.drafted) and wanted.drafted in {name, also, "ignore" if name == "accept" else name}
    with st.container(
        key=f"rl-effect-{name}{'-drafted' if drafted else ''}", horizontal=True, gap=None, vertical_alignment="center"
    ):
        squares = "" if row is None else "".join(_square(each.name, each.changed) for each in row.squares)
        st.html(
            f'<div class="rl-line"><span>{escape.html(label)}</span><span class="rl-squares">{squares}</span></div>'
        )
        if report is not None and report.n_changed and row is not None:
            questions_popover(wanted.workspace, report, label=row.said, key=f"docgraph.effect.{name}")
        else:
            st.html(f'<span class="rl-said">{escape.html(row.said if row else f"0 of {wanted.n_questions:,}")}</span>')
        words = escape.html(row.words if row else "nothing changes")
        judged = f"<span{_WHAT}>{marks.sign(True)}{escape.html(row.judged)}</span>, " if row and row.judged else ""
        st.html(f'<p class="rl-words jg-words">{judged}{words}</p>')


def _square(name: str, changed: bool) -> str:
    said = f"{name}: {'changes' if changed else 'stays as it is'}"
    return f'<i class="rl-square{" rl-changed" if changed else ""}" title="{escape.html(said)}"></i>'


def _no_question(workspace: str, report: ImpactReport | None) -> None:
    if saving_samples(workspace):
        st.html('<div class="rl-effecthead"><h3>Effect if saved</h3></div>')
        sample_questions(workspace, key="docgraph.effects.samples")
        return
    said = not_asked_words(report) if report is not None else "No saved question yet, so the effect is not known (--)"
    st.html(
        '<div class="rl-effecthead"><h3>Effect if saved</h3></div>'
        f'<p class="dg-note">{escape.html(said)}. Ask a question on the Plan page and choose Save as run: every edit '
        "then shows here which answers it changes, before it is saved.</p>"
    )
    with st.container(key="rl-effects-none", horizontal=True, vertical_alignment="center", gap="small"):
        sample_questions(workspace, key="docgraph.effects.samples")
        navigation.link("plan", "Ask a question to save")


def _waiting(job: Effects) -> str:
    far = job.how_far
    said = f"{far.counted} saved questions asked" if far.total else "asking"
    return (
        '<div class="rl-effecthead"><h3>Effect if saved</h3></div>'
        f'<p class="rl-checking" role="status"><i></i>{said}</p>'
    )


def _failed(problem: DocgraphError) -> str:
    return (
        '<div class="rl-effecthead"><h3>Effect if saved</h3></div>'
        f'<p class="dg-note" role="alert">Not known (--): {escape.html(problem.message)}.</p>'
    )
