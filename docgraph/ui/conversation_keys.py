"""Keys and scrolling that widgets cannot do themselves: numbers press choices, the newest turn stays in sight."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_KEYS = st.components.v2.component(
    "docgraph_conversation_keys",
    html="<span hidden>\n</span>",
    js=Path(__file__).with_name("conversation_keys.js").read_text(encoding="utf-8"),
)


def keys(turns: int, selected: int) -> None:
    """Listen; a new number of ``turns`` scrolls to the last one, ``selected`` (0 = none) to that one."""
    _KEYS(key="cv-keys", data={"turns": turns, "selected": selected})
