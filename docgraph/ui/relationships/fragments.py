"""The parts of the page that are drawn on their own: what a save draws anew, and nothing else."""

from __future__ import annotations

import streamlit as st

WORK, HEAD = "rl-work", "rl-headpart"
"""Queue and pane; the head with its counts."""


def redraw() -> None:
    """From a callback: draw queue and pane first, then the head, and nothing else of the page."""
    st.rerun([WORK, HEAD])
