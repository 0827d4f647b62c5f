"""Which place of the workspace page an address names: today's names, and those that it had when each was a tab."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

TAB, OLD = "tab", "show"
"""Names in the address; links that were copied before carry the older one."""
IMPORT = "import"
PLACE_OF: Mapping[str, str] = {
    "documents": "Documents",
    IMPORT: "Documents",
    "health": "Health",
    "changes": "Health",
    "limits": "Health",
    "embedder": "Health",
    "backup": "Health",
    "workspaces": "Health",
    "people": "People",
}
"""Name in the address → the place that holds it."""


def named() -> str:
    """What the address names, a key of ``PLACE_OF``; empty where it names nothing that there is."""
    given = st.query_params.get(TAB) or st.query_params.get(OLD) or ""
    return given.lower() if given.lower() in PLACE_OF else ""


def go(tab: str) -> None:
    """Show this place from the next run on (in a callback)."""
    st.query_params.pop(OLD, None)
    st.query_params[TAB] = tab
