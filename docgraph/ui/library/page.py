"""The Library page: one view at a time, named in the URL."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import assets, layout, navigation, resources
from docgraph.ui.library.changes import changes
from docgraph.ui.library.documents import documents
from docgraph.ui.library.health import health
from docgraph.ui.library.ingestion import import_documents
from docgraph.ui.library.limits import limits
from docgraph.ui.library.people import people_view
from docgraph.ui.library.workspaces import workspaces

VIEW_KEY = "show"
VIEWS: dict[str, Callable[[Workspace], None]] = {
    "Documents": documents,
    "Import": import_documents,
    "Changes": changes,
    "Workspaces": workspaces,
    "Health": health,
    "Limits": limits,
    "People": people_view,
}


def library() -> None:
    """Draw the view that ``?show=`` names; without documents the first view is the import."""
    _old_address()
    assets.style(__file__, "style.css")
    workspace = resources.current_workspace()
    with st.container(key="dg-libraryhead", horizontal=True, vertical_alignment="center", gap="medium"):
        layout.heading("Library")
        first = "Documents" if workspace.n_documents else "Import"
        chosen = st.segmented_control(
            "View",
            list(VIEWS),
            default=first,
            required=True,
            key=VIEW_KEY,
            bind="query-params",
            label_visibility="collapsed",
        )
    VIEWS[chosen if chosen in VIEWS else first](workspace)


def _old_address() -> None:
    """Relationships were a view here too: their address leads to the one table of them, with its filters."""
    asked = st.query_params
    if "Relationships" not in (asked.get(VIEW_KEY), asked.get("tab", "").capitalize()):
        return
    marks = {"type": asked.get("relation", ""), "dangling": asked.get("dangling", "")}
    query = {"tab": "all", **{name: value for name, value in marks.items() if value}}
    navigation.go_to("relationships", navigation.in_workspace(query))
