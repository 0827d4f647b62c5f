"""The Library page: one view at a time, named in the URL."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui import frame, resources
from docgraph.ui.library_documents import documents
from docgraph.ui.library_health import health
from docgraph.ui.library_import import import_documents
from docgraph.ui.library_limits import limits
from docgraph.ui.library_relationships import relationships
from docgraph.ui.library_workspaces import workspaces

VIEW_KEY = "view"
VIEWS: dict[str, tuple[str, Callable[[Workspace], None]]] = {
    "documents": ("Documents", documents),
    "relationships": ("Relationships", relationships),
    "import": ("Import", import_documents),
    "workspaces": ("Workspaces", workspaces),
    "health": ("Health", health),
    "limits": ("Limits", limits),
}


def library() -> None:
    """Draw the view that ``?view=`` names; without documents the first view is the import."""
    workspace = resources.current_workspace()
    with st.container(key="dg-libraryhead", horizontal=True, vertical_alignment="center", gap="medium"):
        frame.heading("Library")
        first = "documents" if workspace.n_documents else "import"
        chosen = st.segmented_control(
            "View", list(VIEWS), default=first, required=True, format_func=lambda name: VIEWS[name][0], key=VIEW_KEY,
            bind="query-params", label_visibility="collapsed",
        )  # fmt: skip
    VIEWS[chosen if chosen in VIEWS else first][1](workspace)
