"""The style sheet of everything that shows saved runs, on whatever page it stands."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st


def style() -> None:
    """Put runs.css on the page; twice does no harm."""
    st.html(f"<style>{_text()}</style>")


@cache
def _text() -> str:
    return Path(__file__).with_name("runs.css").read_text(encoding="utf-8")
