"""The workspace menu: which corpus is open, the others, and everything that is done with a whole corpus."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import escape, navigation, resources
from docgraph.views.words.counts import plural

MENU = "dg-workspace"
LABEL_LIMIT = 22
SWITCHER = "docgraph.workspace"
VIEWS = (
    ("documents", "Documents"),
    ("import", "Add documents"),
    ("changes", "What imports changed"),
    ("health", "Health"),
    ("limits", "Limits"),
    ("backup", "Workspaces and backup"),
    ("people", "People"),
)
"""What the menu leads to: the tab of the Workspace page → what it is called here."""


def workspace_menu(workspaces: Sequence[Workspace], current: Workspace) -> None:
    """The button with the corpus's name, and what it opens."""
    with (
        st.popover(escape.label(current.name, limit=LABEL_LIMIT), key=MENU, width="content"),
        st.container(key="dg-workspace-menu", gap=None),
    ):
        if len(workspaces) > 1:
            _switcher([workspace.name for workspace in workspaces], current)
        st.html(f'<p class="dg-note">{_counts(current)}</p>')
        for view, label in VIEWS:
            navigation.link("library", label, query={"tab": view})


def _counts(workspace: Workspace) -> str:
    documents = plural(workspace.n_documents, "document")
    return escape.html(f"{documents}, {plural(workspace.n_relationships, 'relationship')}")


def _switcher(names: list[str], current: Workspace) -> None:
    """The list of workspaces; what is chosen is the session's from its next run on."""
    st.session_state[SWITCHER] = current.name
    default = resources.settings().workspace
    st.selectbox("Workspace", sorted(names, key=lambda name: name != default), key=SWITCHER, on_change=_switch)


def _switch() -> None:
    resources.choose(str(st.session_state[SWITCHER]))
