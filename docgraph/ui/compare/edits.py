"""The Compare page over edits that are not saved: today (A) beside the data as they would make it (B)."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.run import Run
from docgraph.domain.saved_run import SavedRun
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui.compare.body import body
from docgraph.ui.compare.head import head
from docgraph.ui.compare.state import settle
from docgraph.ui.compare.switch import limits_text
from docgraph.ui.frame import escape, layout
from docgraph.ui.parts.comparison import with_edits
from docgraph.ui.parts.judgments.state import counted
from docgraph.views.relationships.edges.edit_link import EDITS
from docgraph.views.words.address import BASELINE


def edits_page(question: Run | SavedRun, workspace: Workspace) -> None:
    """Everything under the header; a saved run gives its question, which is asked on today's data."""
    run = question.run if isinstance(question, SavedRun) else question
    there = run.plan.workspace if isinstance(question, SavedRun) else workspace.name
    place = st.container(key="cp_head", gap="small")
    _row(run)
    try:
        made = with_edits(run.request, st.query_params[EDITS], there)
    except DocgraphError as problem:
        head(run, None, run_b=run, place=place, baseline="")
        layout.error(problem)
        return
    settle(made)
    head(made.a.run, made, run_b=run, place=place, baseline="")
    body(made, there, baseline="", judged=counted(there, run.request.query))


def _row(run: Run) -> None:
    """Where other comparisons choose their sides: what this one is, and the way back."""
    with st.container(key="cp_switchrow", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<p class="cp-sides"><b>A</b> Today <b>B</b> Today with edits, nothing saved</p>')
        st.button("Remove the edits", key="cp_no_edits", on_click=_forget, help="Compare with a baseline instead")
        st.html(f'<span class="cp-limits">{escape.html(limits_text(run))}</span>')


def _forget() -> None:
    for name in (EDITS, BASELINE):
        st.query_params.pop(name, None)
