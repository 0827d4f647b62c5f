"""What is done with a workspace now and then, folded away under its health: changes, limits, workspaces and backups."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.library.changes import changes
from docgraph.ui.library.limits import limits
from docgraph.ui.library.workspaces import workspaces

FOLDS: tuple[tuple[str, tuple[str, ...], Callable[[Workspace], None]], ...] = (
    ("What imports changed", ("changes",), changes),
    ("Workspaces and backup: create, switch, back up, drop", ("workspaces", "backup"), workspaces),
    ("Limits: what this installation bounds", ("limits",), limits),
)


def upkeep(workspace: Workspace, *, opened: str) -> None:
    """Three folds; the one that the address names is open. What is folded is not read."""
    for title, tabs, draw in FOLDS:
        is_named = opened in tabs
        fold = st.expander(
            title, expanded=is_named, key=f"docgraph.library.fold.{tabs[0]}.{is_named}", on_change="rerun"
        )
        if fold.open:
            with fold:
                draw(workspace)
