"""The head of the Relationships page: title, how far the judging is, and the switch that turns editing on."""

from __future__ import annotations

import streamlit as st

from docgraph.ui import escape, frame, navigation
from docgraph.ui import relationships_state as state
from docgraph.views.wording import UNKNOWN

SWITCH, NAME = "docgraph.relationships.editing", "docgraph.relationships.name"
QUICK, POLL = 0.4, 0.5
"""Seconds that the head waits for the checks before it says ``--``, and how often it looks again then."""


def head(workspace: str) -> None:
    """Draw it: one line, the title on the left and what has been done, and by whom, on the right."""
    with st.container(key="rl-head", horizontal=True, vertical_alignment="center", gap="small"):
        frame.heading("Relationships")
        _progress(workspace)
        _switch(workspace)


def _progress(workspace: str) -> None:
    checking = state.checking(workspace)
    if not checking.wait(QUICK) or checking.failed:
        st.html(f'<p class="rl-progress"><span>{UNKNOWN} open</span></p>')
        if not checking.failed:
            st.fragment(_until_known, run_every=POLL)(workspace)
        return
    n_open, judged = len(checking.report.findings), checking.judged
    said = f"{judged.n:,} of {judged.total:,} relationships are judged"
    st.html(
        f'<div class="rl-progress"><span><b>{n_open:,}</b> open</span>'
        f'<span class="rl-bar" role="progressbar" aria-valuemin="0" aria-valuemax="{judged.total}" '
        f'aria-valuenow="{judged.n}" aria-label="{said}"><i style="width:{judged.share * 100:.1f}%"></i></span></div>'
    )
    title = "Accepted while both texts were as they are, or stated by a person; names in running text are not counted"
    navigation.link(
        "relationships", f"**{judged.n:,} of {judged.total:,}** judged", query={"tab": "edges"}, help=title
    )  # fmt: skip


def _until_known(workspace: str) -> None:
    """Draw the page anew once the checks have ended, whatever section is open."""
    if state.checking(workspace).done:
        st.rerun()


def _switch(workspace: str) -> None:
    by = state.curator()
    if not state.may_write(workspace):
        st.html(
            f'<p class="rl-locked" role="status">{frame.glyph("lock")}Read-only: this database role may not change '
            "the workspace</p>"
        )
        return
    if by:
        name = escape.label(by, limit=40)
        st.toggle(
            f"Editing on, as **{name}**", value=True, key=f"{SWITCH}.on", on_change=state.switch_off
        )  # fmt: skip
        return
    with (
        st.popover("Editing off", key="rl-editing", width="content", help="Switch on with your name"),
        st.form(f"{SWITCH}.form", border=False, enter_to_submit=True),
    ):
        st.text_input("Your name", value=state.known_name(), key=NAME, max_chars=200, autocomplete="name")
        st.html('<p class="dg-note">It stands beside each change in the history.</p>')
        st.form_submit_button("Editing on", type="primary", key=f"{SWITCH}.go", on_click=_on)


def _on() -> None:
    state.switch_on(str(st.session_state.get(NAME) or ""))
