"""Keys that buttons cannot take themselves: Enter saves except on a link, and the cursor goes where it is needed."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_KEYS = st.components.v2.component(
    "docgraph_relationships_keys",
    html="<span hidden>\n</span>",
    js=Path(__file__).with_name("relationships_keys.js").read_text(encoding="utf-8"),
)


def keys(
    *, save: str, reason: str, row: str, drafted: str, editing: bool, focus: int, focus_on: str, turn: int
) -> None:  # fmt: skip
    """Listen. ``save``, ``reason``, ``focus_on`` are classes of widgets (``st-key-…``); ``row`` is the open finding.

    A ``focus`` other than the last one puts the cursor into ``focus_on``; ``turn`` counts drawings, so that an Enter
    that is quicker than the drawing of its draft waits for it.
    """
    data = {"save": save, "reason": reason, "row": row, "drafted": drafted, "editing": editing, "focus": focus,
            "focusOn": focus_on, "turn": turn}  # fmt: skip
    _KEYS(key="rl-more-keys", data=data)
