"""What the last check found, on Home: never waited for, put behind the corpus line as soon as it is known."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.finding import CheckReport, Severity
from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import navigation
from docgraph.ui.parts.background import follow
from docgraph.ui.parts.curation import state
from docgraph.ui.parts.curation.check_controls import again_button, stop_button
from docgraph.ui.parts.curation.checks import Checking
from docgraph.views.relationships.findings.checks import steps_words, stopped_words
from docgraph.views.words.counts import plural

POLL_SECONDS = 0.5
SHOWN: tuple[Severity, ...] = ("error", "warning")


def last_check(workspace: Workspace) -> None:
    """``Last check: 2 errors, 5 warnings``, each a link to them; how far it is while it runs; nothing if it failed."""
    if navigation.page("relationships") is None:
        return
    checking = state.checking(workspace.name)
    if checking.running:
        follow(checking, lambda: _running(checking), every=POLL_SECONDS)
    elif not checking.failed:
        _numbers(checking.report)


def _running(checking: Checking) -> None:
    if checking.takes_long:  # most have ended before
        far = checking.how_far
        with st.container(
            key="dg-checking", horizontal=True, vertical_alignment="center", gap="xsmall", width="content"
        ):
            st.html(f'<span class="dg-lead" role="status">Checking: {steps_words(far.done, far.total)}</span>')
            stop_button(checking, key="docgraph.home.stop")


def _numbers(report: CheckReport) -> None:
    stopped = stopped_words(report)
    st.html(f'<span class="dg-lead">Last check{f" ({stopped})" if stopped else ""}:</span>')
    if report.says_something:
        for severity in SHOWN:
            n = report.n_decisions(severity)  # as the page counts that the number leads to
            none = f"no {severity}s" + ("" if report.complete else " yet")
            query = {"tab": "findings", "show": severity}
            with st.container(key=f"dg-check-{severity}{'' if n else '-none'}", width="content", gap=None):
                navigation.link("relationships", f"{plural(n, severity)} to review" if n else none, query=query)
    if stopped:
        again_button(key="docgraph.home.again")
