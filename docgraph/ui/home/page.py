"""The Home page: the corpus in one line, one question box, samples, and the doors to the other pages."""

from __future__ import annotations

import streamlit as st

from docgraph.ui.frame import assets, layout, resources
from docgraph.ui.home.corpus import corpus_line
from docgraph.ui.home.doors import doors
from docgraph.ui.home.empty import without_documents
from docgraph.ui.home.question import question_box, samples_row
from docgraph.ui.home.recent import recent_runs
from docgraph.ui.presenter.page import presenter_link


def home() -> None:
    """Draw the page for the current workspace, or its empty state."""
    assets.style(__file__, "style.css")
    workspace = resources.current_workspace()
    with st.container(key="dg-home" if workspace.n_documents else "dg-home-empty"):
        with st.container(key="dg-hometop", horizontal=True, vertical_alignment="center", gap="small"):
            layout.heading("See which documents your search reads, and why")
            if workspace.n_documents:
                presenter_link(None, workspace.name, label="Present the demo")
        if workspace.n_documents == 0:
            without_documents(workspace)
            return
        corpus_line(workspace)
        question_box(workspace)
        samples_row(workspace)
        doors(workspace)
        recent_runs(workspace)
        st.html('<p class="dg-foot">Offline: no request leaves this machine. Asking a question changes nothing.</p>')
