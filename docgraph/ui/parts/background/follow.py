"""Work in the background on the page: waited for a moment, followed without freezing anything, stopped by a button."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

from docgraph.ui.parts.background.work import Background

STOP, STOPPING = "Stop", "Stopping"
STOP_AND_KEEP, IS_KEPT = "Stop and save finished work", "Finished work is saved"


def waited(job: Background[Any], say: Callable[[], object], *, every: float, at_most: float = math.inf) -> bool:
    """Say how far it is until it ends, or has taken ``at_most`` seconds; True when it has ended.

    Every drawing lets a click or a key through, so nobody waits for it.
    """
    while not job.wait(every):
        if job.seconds >= at_most:
            return False
        say()
    return True


def follow(
    job: Background[Any], draw: Callable[[], None], *, every: float, ended: Callable[[], None] | None = None
) -> None:
    """Draw where it stands, again ``every`` so many seconds, while the rest of the page stays as it is.

    ``ended`` is called once it has ended; without it the page is drawn anew.
    """
    st.fragment(_look, run_every=every)(job, draw, ended or draw_anew)


def _look(job: Background[Any], draw: Callable[[], None], ended: Callable[[], None]) -> None:
    if job.running:
        draw()
    else:
        ended()


def draw_anew() -> None:
    """Draw the whole page anew, from within a fragment as well."""
    st.rerun(scope="app")


def progress_row(job: Background[Any], words: str, *, place: str, key: str) -> None:
    """A bar with ``words`` on it, and a button that stops the work; ``place`` and ``key`` are unique on the page."""
    with st.container(key=place, horizontal=True, vertical_alignment="center", gap="small"):
        st.progress(job.how_far.share, text=words)
        stop_button(job, key=key, stopping=STOP)


def stop_button(
    job: Background[Any],
    *,
    key: str,
    label: str = STOP,
    stopping: str = STOPPING,
    type: Literal["secondary", "tertiary"] = "secondary",
    help: str | None = None,
) -> None:
    """A button that ends the work with what is finished; pressed, it says ``stopping`` until that has happened."""
    pressed = job.cancelled()
    st.button(stopping if pressed else label, key=key, on_click=job.stop, disabled=pressed, type=type, help=help)
