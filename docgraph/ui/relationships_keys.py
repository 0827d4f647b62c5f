"""Keys that buttons cannot take themselves: Enter saves except on a link, and the cursor goes where it is needed."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_KEYS = st.components.v2.component(
    "docgraph_relationships_keys",
    html="<span hidden>\n</span>",
    js=Path(__file__).with_name("relationships_keys.js").read_text(encoding="utf-8"),
)


def keys(*, save: str, reason: str, row: str, focus: int, focus_on: str) -> None:
    """Listen. ``save``, ``reason``, ``focus_on`` are classes of widgets (``st-key-…``); ``row`` is the open finding.

    A ``focus`` other than the last one puts the cursor into ``focus_on``.
    """
    _KEYS(key="rl-more-keys", data={"save": save, "reason": reason, "row": row, "focus": focus, "focusOn": focus_on})
