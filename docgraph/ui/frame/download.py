"""The button that hands a file over without drawing the page anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

_MEDIA = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "md": "text/markdown",
    "txt": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""Ending of a name → media type."""


def download(label: str, content: str | Callable[[], bytes], name: str, *, key: str, **more: Any) -> None:
    """Draw it; ``content`` that is called is made when somebody asks for it, ``more`` = what the button takes."""
    st.download_button(label, content, name, _MEDIA[name.rpartition(".")[2]], key=key, on_click="ignore", **more)
