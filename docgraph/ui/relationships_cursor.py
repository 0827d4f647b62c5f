"""Where the cursor is while findings are judged, and that the row of the open finding stays in sight."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from docgraph.ui.relationships_head import NAME
from docgraph.ui.shortcuts import class_of

_CURSOR = st.components.v2.component(
    "docgraph_relationships_cursor",
    html="<span hidden>\n</span>",
    js=Path(__file__).with_name("relationships_cursor.js").read_text(encoding="utf-8"),
)


def cursor(row: str, *, focus: int, focus_on: str) -> None:
    """``row`` = the open finding; a ``focus`` other than the last one puts the cursor into the field ``focus_on``."""
    data = {"row": row, "focus": focus, "focusOn": class_of(focus_on), "name": class_of(NAME)}
    _CURSOR(key="rl-cursor", data=data)
