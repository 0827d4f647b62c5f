"""Stops the checks, runs them again, and shows how far they are: on Home and on the Relationships page."""

from __future__ import annotations

import streamlit as st

from docgraph.ui.frame import escape
from docgraph.ui.parts import background
from docgraph.ui.parts.curation import state
from docgraph.ui.parts.curation.checks import Checking
from docgraph.views.relationships.findings.checks import ASK_AGAIN, again_words, running_words, steps_words


def stop_button(checking: Checking, *, key: str) -> None:
    """A button that ends the run with what is finished; nothing while it is not worth one."""
    if checking.takes_long:
        background.stop_button(checking, key=key, type="tertiary", help=background.IS_KEPT)


def again_button(*, key: str) -> None:
    """A button that runs all checks from the start."""
    st.button(ASK_AGAIN, key=key, on_click=state.refresh, type="tertiary")


def running_html(checking: Checking, *, lead: str) -> str:
    """``Checking the relationships: 5 of 18 checks, 12 s: Missing document``, announced to screen readers."""
    far = checking.how_far
    said = running_words(far.done, far.total, far.message, seconds=far.seconds)
    return f'<p class="rl-checking" role="status"><i></i><span>{lead}: {escape.html(said)}</span></p>'


def again_html(checking: Checking) -> str:
    """That a list is the last one, and how far the checks are that will replace it; announced to screen readers."""
    far = checking.how_far
    return (
        f'<p class="rl-checking" role="status"><i></i><span>{again_words(far.done, far.total)}.</span>'
        f'<span class="rl-bar rl-bar-small" aria-hidden="true"><i style="width:{far.share * 100:.1f}%"></i></span></p>'
    )


def bar_html(checking: Checking) -> str:
    """``5 of 18 checks`` with a bar."""
    far = checking.how_far
    said = steps_words(far.done, far.total)
    return (
        f'<div class="rl-progress"><span>{said}</span><span class="rl-bar" role="progressbar" aria-valuemin="0" '
        f'aria-valuemax="{far.total}" aria-valuenow="{far.done}" aria-label="Checking: {said}">'
        f'<i style="width:{far.share * 100:.1f}%"></i></span></div>'
    )
