"""The address bar: every page names its workspace there, and *Back* goes through every question."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import assets
from docgraph.views.words.address import QUERY

_ADDRESS = assets.component("address", __file__, js=("address.js",))


def address(page: str, workspace: Workspace) -> None:
    """Have the browser name the workspace, where there is one, and tell questions of one page apart."""
    name = workspace.name if workspace.revision else ""
    _ADDRESS(
        key="docgraph-address",
        data={"page": page, "workspace": name, "question": str(st.query_params.get(QUERY, ""))},
    )
