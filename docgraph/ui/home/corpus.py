"""The corpus in one line: how much there is, each number a link, and what the last check found."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import escape, navigation
from docgraph.ui.home.check import last_check
from docgraph.views.words.counts import plural
from docgraph.views.words.type_roles import silent_words


def corpus_line(workspace: Workspace) -> None:
    """Draw the line."""
    with st.container(key="dg-corpus", horizontal=True, gap=None, vertical_alignment="center"):
        st.html(f'<span class="dg-lead">{escape.html(workspace.title or workspace.name)}:</span>')
        navigation.link("library", plural(workspace.n_documents, "document"), query={"tab": "documents"})
        _relationships_link(plural(workspace.n_relationships, "relationship"))
        passages = plural(workspace.n_chunks, "passage")
        navigation.link("library", passages, query={"tab": "documents"})
        last_check(workspace)
        if said := silent_words(workspace):
            st.html(f'<span class="dg-lead">{escape.html(said)}</span>')


def _relationships_link(label: str) -> None:
    """To all relationships: on the page that judges them, else in the Library."""
    if navigation.page("relationships") is not None:
        navigation.link("relationships", label, query={"tab": "edges"})
    else:
        navigation.link("library", label, query={"tab": "relationships"})
