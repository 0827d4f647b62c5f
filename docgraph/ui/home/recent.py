"""Recent runs on Home: the pinned and the newest saved runs, each a link to its frozen plan."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.saved_run import RunSummary
from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.parts.runs.data import HEAD, cells
from docgraph.views.words.counts import n_of_m
from docgraph.views.words.moments import name_of

SHOWN = 5


def recent_runs(workspace: Workspace) -> None:
    """Draw them; nothing while no run is saved."""
    found = resources.docgraph(workspace.name).runs.list()
    if not found or navigation.page("runs") is None:
        return
    assets.style(__file__, "parts/runs/marks.css", "parts/runs/list.css")
    with st.container(key="rn-recent", gap="small"):
        with st.container(key="rn-recenthead", horizontal=True, vertical_alignment="center", gap="small"):
            shown = n_of_m(min(SHOWN, len(found)), len(found))
            layout.section("Recently saved", f"{shown}, with relationships against without")
            navigation.link("query_sets", "All questions")
        with st.container(key="rn-list", gap=None):
            st.html(HEAD)
            for row in found[:SHOWN]:
                _row(row, workspace)


def _row(row: RunSummary, workspace: Workspace) -> None:
    with st.container(key=f"rn-row-{row.run_id}", horizontal=True, gap=None):
        st.html(cells(row, workspace.revision))
        name = escape.label(escape.shorten(name_of(row), 80))
        navigation.link("plan", f"Open frozen run {name}", query={"run": row.run_id})
