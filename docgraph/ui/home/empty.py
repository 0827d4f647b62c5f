"""Home without documents: the sample corpus or an import, and how far that is."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.ui.parts.ingestion.job import follow_import, last_import, sample_source, start


def without_documents(workspace: Workspace) -> None:
    """The ways to documents, or the import that runs."""
    job = last_import()
    if job is not None and (job.running or job.report is not None or job.error is not None):
        follow_import(job, key="home")
        if job.running:
            return
    layout.no_documents(
        workspace.title or workspace.name,
        "docgraph shows which documents a search reads for a question, and why. Add documents to begin. "
        "The sample is a small engineering organisation, and loads from this machine in seconds.",
    )
    if not resources.may("write"):
        st.html(f'<p class="dg-note">{escape.html(resources.closed("Documents are imported by admins."))}</p>')
        return
    with st.container(horizontal=True, gap="small"):
        source = sample_source()
        if source is not None and st.button("Load the sample corpus", type="primary", key="docgraph.home.sample"):
            start(source, workspace=resources.SAMPLE_WORKSPACE)
            st.rerun()
        if st.button("Import my documents", key="docgraph.home.import"):
            navigation.go_to("library", {"tab": "import"})
