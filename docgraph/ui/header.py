"""The right side of the header: workspace switcher, short revision, and that nothing here writes to relationships."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui import escape, frame
from docgraph.ui.resources import WORKSPACE_KEY

REVISION_LENGTH = 6
READ_ONLY = "Nothing on these pages changes a relationship; the Library adds and removes documents"


def header(workspaces: Sequence[Workspace], current: Workspace) -> None:
    """Draw it; the switcher is bound to ``?workspace=`` and kept over page changes."""
    with st.container(key="dg-header", horizontal=True, vertical_alignment="center", gap="small"):
        if workspaces:
            # A deep link's ?workspace= is known only once its widget has been drawn.
            chosen = _switcher([workspace.name for workspace in workspaces], current)
            current = next(workspace for workspace in workspaces if workspace.name == chosen)
        revision = escape.html(current.revision[:REVISION_LENGTH])
        shown = f'<span title="{escape.html(current.revision)}">rev <code>{revision}</code></span>' if revision else ""
        locked = f'<span class="dg-readonly" title="{READ_ONLY}">{frame.glyph("lock")}Read-only</span>'
        st.html(f'<div class="dg-state">{shown}{locked}</div>')


def _switcher(names: list[str], current: Workspace) -> str:
    if st.session_state.get(WORKSPACE_KEY) not in names:
        # A dropped workspace, or a name in an old link: fall back instead of failing.
        st.session_state.pop(WORKSPACE_KEY, None)
    return st.selectbox(
        "Workspace", names, index=names.index(current.name), key=WORKSPACE_KEY, bind="query-params",
        persist_state="session", label_visibility="collapsed", width=160,
    )  # fmt: skip
