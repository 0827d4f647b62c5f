"""What the last check found, on Home: never waited for, put behind the corpus line as soon as it is known."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.finding import Severity
from docgraph.domain.workspace import Workspace
from docgraph.ui import navigation
from docgraph.ui import relationships_state as state
from docgraph.ui.relationships_state_checking import Checking
from docgraph.views.wording import plural

POLL_SECONDS = 0.5
SHOWN: tuple[Severity, ...] = ("error", "warning")


def last_check(workspace: Workspace) -> None:
    """``Last check: 2 errors, 5 warnings``, each a link to them; nothing while the check still runs, or failed."""
    if navigation.page("relationships") is None:
        return
    checking = state.checking(workspace.name)
    if not checking.done:
        st.fragment(_wait, run_every=POLL_SECONDS)(checking)
    elif not checking.failed:
        _numbers(checking)


def _wait(checking: Checking) -> None:
    if checking.done:
        st.rerun(scope="app")


def _numbers(checking: Checking) -> None:
    st.html('<span class="dg-lead">Last check:</span>')
    for severity in SHOWN:
        n = checking.report.count(severity)
        query = {"tab": "findings", "show": severity}
        navigation.link("relationships", plural(n, severity) if n else f"no {severity}s", query=query)
