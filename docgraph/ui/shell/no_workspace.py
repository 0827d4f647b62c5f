"""The page in place of any other when it is about a workspace that is not there: nothing is answered under its name."""

from __future__ import annotations

import streamlit as st

from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.ui.frame.resources import WORKSPACE_KEY
from docgraph.views.words.counts import plural

MAX_LISTED = 20


def no_workspace(name: str) -> None:
    """Say that workspace ``name`` is not there, and lead to those that are."""
    there = resources.workspaces()
    with st.container(key="dg-no-workspace", gap="small"):
        shown = escape.shorten(name, 60)
        layout.empty(
            f"There is no workspace “{shown}”",
            "It was dropped or renamed, or the link is of another docgraph. Nothing was answered.\n"
            + ("These workspaces are here:" if there else "No workspace is here yet."),
        )
        for workspace in there[:MAX_LISTED]:
            label = f"Open **{escape.label(workspace.name, limit=40)}** · {plural(workspace.n_documents, 'document')}"
            navigation.link("home", label, query={WORKSPACE_KEY: workspace.name})
        if len(there) > MAX_LISTED:
            more = f"and {len(there) - MAX_LISTED:,} more: docgraph workspaces lists them"
            st.html(f'<p class="dg-note">{more}</p>')
        if not there:
            st.button("Start with an empty one", on_click=resources.leave, args=(name,), type="primary")
