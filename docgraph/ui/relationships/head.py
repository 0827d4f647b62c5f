"""The head of the Relationships page: title, how far the judging is, and the switch that turns editing on."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from docgraph.domain.curation import n_decided
from docgraph.domain.finding import CheckReport
from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.ui.parts.background import follow
from docgraph.ui.parts.curation import state
from docgraph.ui.parts.curation.check_controls import again_button, bar_html, stop_button
from docgraph.ui.parts.curation.checks import Checking
from docgraph.views.relationships.findings.checks import stopped_words
from docgraph.views.words.counts import UNKNOWN
from docgraph.views.words.glossary import definition

SWITCH, NAME = "docgraph.relationships.editing", "docgraph.relationships.name"
QUICK, POLL = 0.4, 0.5
"""Seconds that the head waits for the checks before it says how far they are, and how often it looks again then."""


def head(workspace: str, *, tabs: Callable[[], None], controls: bool = True) -> None:
    """Draw it: one line, title and ``tabs`` on the left and what has been done, and by whom, on the right.

    ``controls`` = the checks can be stopped and run here; the section below has the same buttons otherwise.
    """
    checking = state.checking(workspace)
    running = not checking.wait(QUICK)  # found out once: the tabs count what the checks found
    with st.container(key="rl-head", horizontal=True, vertical_alignment="center", gap="small"):
        layout.heading("Relationships")
        tabs()
        _progress(workspace, checking, running=running, controls=controls)
        _switch(workspace)


def _progress(workspace: str, checking: Checking, *, running: bool, controls: bool) -> None:
    if running:
        follow(checking, lambda: _running(checking, controls=controls), every=POLL)
    elif checking.failed:
        st.html(f'<p class="rl-progress"><span>{UNKNOWN} open</span></p>')
    elif controls:
        _open_ones(checking)
        _judged(checking)
    else:
        _decided(workspace, checking.report)


def _decided(workspace: str, report: CheckReport) -> None:
    """``3 of 30 decided``: decisions that somebody saved and that are not open, of those and the open ones."""
    n = n_decided(report.decisions, resources.docgraph(workspace).triage.list())
    n_open = len(report.decisions)
    stopped = f", {stopped_words(report)}" if not report.complete else ""
    if not report.says_something:
        st.html(f'<div class="rl-progress"><span><b>{UNKNOWN}</b> open{stopped}</span></div>')
        return
    total = n + n_open
    title = "Decided here, of all that were found"
    bar = (
        f'<span class="rl-bar" role="progressbar" aria-valuemin="0" aria-valuemax="{total}" aria-valuenow="{n}" '
        f'aria-label="{n:,} of {total:,} decided"><i style="width:{n / total * 100 if total else 0:.1f}%"></i></span>'
    )
    said = f"<span><b>{n:,} of {total:,}</b> decided{stopped}</span>"
    st.html(f'<div class="rl-progress" title="{title}">{bar}{said}</div>')


def _running(checking: Checking, *, controls: bool) -> None:
    """How far the checks are, whatever section is open; the page is drawn anew once they have ended."""
    with st.container(key="rl-head-running", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(bar_html(checking))
        if controls:
            stop_button(checking, key="docgraph.relationships.head.stop")


def _open_ones(checking: Checking) -> None:
    report = checking.report
    stopped = f", {stopped_words(report)}" if not report.complete else ""
    n_open = f"{len(report.decisions):,}" if report.says_something else UNKNOWN
    usual = "" if stopped else ' class="rl-nopen"'
    st.html(f'<div class="rl-progress"><span{usual}><b>{n_open}</b> open{stopped}</span>{_bar(checking)}</div>')
    if stopped:
        again_button(key="docgraph.relationships.head.again")


def _bar(checking: Checking) -> str:
    judged = checking.judged
    if judged is None:
        return ""
    said = f"{judged.n:,} of {judged.total:,} relationships are reviewed"
    return (
        f'<span class="rl-bar" role="progressbar" aria-valuemin="0" aria-valuemax="{judged.total}" '
        f'aria-valuenow="{judged.n}" aria-label="{said}"><i style="width:{judged.share * 100:.1f}%"></i></span>'
    )


def _judged(checking: Checking) -> None:
    judged = checking.judged
    n = f"{judged.n:,} of {judged.total:,}" if judged is not None else escape.label(UNKNOWN)
    title = f"{definition('reviewed')} Mentions are not counted."
    navigation.link("relationships", f"**{n}** reviewed", query={"tab": "all"}, help=title)


def _switch(workspace: str) -> None:
    by = state.curator()
    if not state.may_write(workspace):
        why = escape.html(state.locked_words())
        st.html(f'<p class="rl-locked" role="status">{layout.glyph("lock")}Read-only: {why}</p>')
        return
    if by:
        name = escape.label(by, limit=40)
        st.toggle(f"Editing on, as **{name}**", value=True, key=f"{SWITCH}.on", on_change=state.switch_off)
        return
    if resources.person() is not None:
        st.toggle("Editing off", value=False, key=f"{SWITCH}.off", on_change=_on)
        return
    with (
        st.popover("Editing off", key="rl-editing", width="content", help="Switch editing on with your name"),
        st.form(f"{SWITCH}.form", border=False, enter_to_submit=True),
    ):
        st.text_input("Your name", value=state.known_name(), key=NAME, max_chars=200, autocomplete="name")
        st.html('<p class="dg-note">Your name appears with each change in the history.</p>')
        st.form_submit_button("Editing on", type="primary", key=f"{SWITCH}.go", on_click=_on)


def _on() -> None:
    state.switch_on(str(st.session_state.get(NAME) or ""))


HERE = "docgraph.relationships.here"
"""Where a finding is decided, editing is switched on there too: key of the name."""


def switch_here() -> None:
    """Draw what switches editing on beside what it is needed for: a name and a button, or the button alone."""
    st.html(f'<p class="rl-off">{layout.glyph("lock")}Editing is off.</p>')
    if resources.person() is not None:
        st.button("Start editing", key=f"{HERE}.go", on_click=state.switch_on, args=("",))
        return
    with (
        st.form(f"{HERE}.form", border=False, enter_to_submit=True),
        st.container(horizontal=True, vertical_alignment="center", gap="small"),
    ):
        st.text_input(
            "Name for the history",
            value=state.known_name(),
            key=HERE,
            max_chars=200,
            autocomplete="name",
            label_visibility="collapsed",
            placeholder="A name, for the history",
        )
        st.form_submit_button("Start editing", key=f"{HERE}.go", on_click=_on_here)


def _on_here() -> None:
    state.switch_on(str(st.session_state.get(HERE) or ""))
