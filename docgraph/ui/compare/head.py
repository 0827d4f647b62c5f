"""The head of the Compare page: question, link to Plan, sharing; and the page before a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from docgraph.domain.comparison import Comparison
from docgraph.domain.ranking_comparison import RankingComparison
from docgraph.domain.run import Run
from docgraph.domain.saved_run import SavedRun
from docgraph.domain.workspace import Workspace
from docgraph.orchestration.session import utc_now
from docgraph.ui.compare.state import ANYWAY, STAGE_B
from docgraph.ui.frame import escape, layout, navigation
from docgraph.ui.frame.download import download
from docgraph.ui.parts.copy_link import copy_link
from docgraph.ui.parts.question_field import question_field
from docgraph.ui.parts.runs.data import summary
from docgraph.ui.parts.runs.saving import run_id_of, save_form
from docgraph.ui.parts.samples.card import card_style, sample_card
from docgraph.ui.parts.samples.corpus import a_few, samples
from docgraph.ui.presenter.page import presenter_link
from docgraph.views.parameters import followed
from docgraph.views.relationships.edges.edit_link import EDITS
from docgraph.views.report.file import ReportKind, file_name, report
from docgraph.views.report.of_rankings import RankingReportKind, ranking_file_name, ranking_report
from docgraph.views.words.address import BASE, BASELINE, QUERY, RUN, WORKSPACE, inputs_of, packed, text_of, unpacked

GO = "cp_go"


def asked_inputs() -> dict[str, Sequence[str]]:
    """The inputs in the address, packed ones included; the question is that of the box when one was typed.

    What another page left in the session under the box's name was not typed here: then the address goes first.
    """
    inputs = followed("compare", unpacked({name: st.query_params.get_all(name) for name in st.query_params}))
    if GO not in st.session_state and QUERY in inputs:
        st.session_state[QUERY] = inputs[QUERY][-1]
    typed = st.session_state.get(QUERY)
    return inputs if typed is None else {**inputs, QUERY: [str(typed)]}


def ask(workspace: Workspace) -> None:
    """The page without a question."""
    card_style()
    with st.container(key="cp_empty", gap="small"):
        layout.heading(
            "Show what changed",
            "Ask a question to see what relationships add to its plan, and what they remove to make room.",
        )
        question_form()
        found = a_few(samples(workspace.name))
        if found:
            st.html('<h2 class="dg-h3">Try an example</h2>')
            with st.container(key="dg-samples", gap="small"):
                for sample in found:
                    sample_card(sample, to="compare")


def question_form() -> None:
    """The question box; Ctrl+Enter compares."""
    with (
        st.form("cp_form", border=False),
        st.container(horizontal=True, vertical_alignment="center", gap="small", key="cp_ask"),
    ):
        question_field()
        st.form_submit_button("Compare", type="primary", shortcut="Ctrl+Enter", key=GO, on_click=_asked)


def _asked() -> None:
    """A new question is a live one."""
    if RUN in st.query_params:
        del st.query_params[RUN]


_NAMES: dict[ReportKind, tuple[str, str]] = {
    "html": ("One page (HTML)", "opens and prints anywhere, offline"),
    "markdown": ("Markdown", "for a pull request, with diagrams"),
    "csv": ("Table (CSV)", "one row per document and passage"),
    "json": ("Data (JSON)", "everything, for programs"),
}


def head(
    question: Run | SavedRun,
    made: Comparison | RankingComparison | None,
    *,
    run_b: Run,
    place: DeltaGenerator,
    baseline: str,
) -> None:
    """Fill ``place``; without a comparison (``made``) there is nothing to hand on but the question.

    A ranking of the reader's own is handed on as a link and as files; there is no frozen one, and nothing to present.

    ``run_b`` is B as it was made, with its trace: what is saved.
    """
    run = question.run if isinstance(question, SavedRun) else question
    edited = EDITS in st.query_params
    with place, st.container(key="cp_headrow", horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(key="cp_title", horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f'<h1 class="dg-h1 cp-question">{escape.html(run.request.query)}</h1>')
            with st.popover("Ask another", key=f"cp_another_{run.plan.plan_id[:8]}", width="content", type="tertiary"):
                question_form()
        with st.container(
            key="cp_actions", horizontal=True, vertical_alignment="center", gap="xsmall", width="content"
        ):
            # The base says that a link was followed even where every input is at its default.
            live = packed({**inputs_of(run.request), BASE: [text_of(run.request)]}, _name(run))
            query = {RUN: [question.run_id]} if isinstance(question, SavedRun) else live
            navigation.link("plan", "Open in Plan", query=query)
            if made is None:
                return
            if isinstance(made, RankingComparison):
                with st.popover("Share", key="cp_share", width="content"):
                    _share_ranking(made, run, baseline)
                return
            with st.popover("Share", key="cp_share", width="content"):
                _share(question, made, run_b=run_b, baseline=baseline)
            if not edited:
                saved = question.run_id if isinstance(question, SavedRun) else ""
                with st.container(key="cp_present-second" if made.lost else "cp_present", width="content"):
                    presenter_link(run.request, _name(run), run_id=saved)


def _share(question: Run | SavedRun, made: Comparison, *, run_b: Run, baseline: str) -> None:
    """Links and reports in one place."""
    run = question.run if isinstance(question, SavedRun) else question
    copy_link("Copy live link", "/compare", live_inputs(run, baseline), key="cp_live")
    if EDITS not in st.query_params:  # what nobody has saved cannot be frozen as if it were the data
        _frozen_link(run_b, question, baseline)
    _reports(made, question if isinstance(question, SavedRun) else None)


def _share_ranking(made: RankingComparison, run: Run, baseline: str) -> None:
    copy_link("Copy live link", "/compare", live_inputs(run, baseline), key="cp_live")
    st.html('<p class="dg-note">The result, both rankings with reasons, figures, and unknown documents.</p>')
    about: dict[RankingReportKind, str] = {
        "markdown": "for a pull request",
        "csv": "one row per document",
        "json": "everything, for programs",
    }
    for kind, said in about.items():
        _download(kind, ranking_file_name(made, kind), partial(_ranking_bytes, made, kind), about=said)


def live_inputs(run: Run, baseline: str) -> dict[str, list[str]]:
    """The inputs that show this comparison again on today's data, those of the view included."""
    against = {BASELINE: [baseline]} if baseline else {}
    return {**inputs_of(run.request, _name(run)), **against, **_kept()}


def _kept() -> dict[str, list[str]]:
    return {name: [st.query_params[name]] for name in (STAGE_B, ANYWAY, EDITS) if name in st.query_params}


def _name(run: Run) -> str:
    return run.plan.workspace


def _frozen_link(run: Run, question: Run | SavedRun, baseline: str) -> None:
    """A link to the saved run; a run that is not saved yet is saved first, under a name."""
    inputs = {BASELINE: [baseline], WORKSPACE: [run.plan.workspace]}
    if isinstance(question, SavedRun):
        there = {RUN: [question.run_id], **inputs, **_kept()}
        copy_link("Copy this comparison", "/compare", there, key="cp_frozen")
        return
    saved = saved_as(run)
    if saved:
        copy_link("Copy link to the saved run", "/compare", {RUN: [saved], **inputs}, key="cp_frozen")
    else:
        with st.expander("Save the run to link to it"):
            save_form(run, key="cp_save")


def saved_as(run: Run) -> str:
    """The id under which this run is saved; empty while it is not."""
    row = summary(run_id_of(run))
    return row.run_id if row else ""


def _reports(made: Comparison, saved: SavedRun | None) -> None:
    st.html('<p class="dg-note">The result, both graphs, and every change with its text, limits and hashes.</p>')
    for kind, (_, said) in _NAMES.items():
        _download(kind, file_name(made, kind), partial(_bytes, made, kind, saved), about=said)


def _download(kind: ReportKind, name: str, content: Callable[[], bytes], *, about: str) -> None:
    label, _ = _NAMES[kind]
    download(label, content, name, key=f"cp_report_{kind}", width="stretch")
    st.html(f'<p class="dg-note cp-under">{layout.glyph("file")}{escape.html(about)}</p>')


def _ranking_bytes(made: RankingComparison, kind: RankingReportKind) -> bytes:
    """Made when it is asked for; the time is that of the click."""
    return ranking_report(made, kind, made_at=utc_now())


def _bytes(made: Comparison, kind: ReportKind, saved: SavedRun | None) -> bytes:
    """Made when it is asked for; the time is that of the click."""
    about = summary(saved.run_id) if saved is not None else None
    return report(made, kind, made_at=utc_now(), saved=about)
