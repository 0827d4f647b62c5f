"""Scrolling that widgets cannot do themselves: the newest turn, or the one that is chosen, comes into sight."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_SCROLL = st.components.v2.component(
    "docgraph_conversation_scroll",
    html="<span hidden>\n</span>",
    js=Path(__file__).with_name("conversation_scroll.js").read_text(encoding="utf-8"),
)


def scroll(turns: int, selected: int) -> None:
    """A new number of ``turns`` scrolls to the last one, ``selected`` (0 = none) to that one."""
    _SCROLL(key="cv-scroll", data={"turns": turns, "selected": selected})
