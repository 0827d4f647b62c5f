"""The question box of Home, and the samples under it: both lead to the Plan page."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import layout, navigation
from docgraph.ui.parts.samples.card import card_style, cards
from docgraph.ui.parts.samples.corpus import a_few, samples
from docgraph.views.words.address import QUERY

QUESTION_KEY = "docgraph.home.question"


def question_box(workspace: Workspace) -> None:
    """The question; whether relationships count is chosen at the picture of its plan."""
    with (
        st.form("dg-ask", border=False),
        st.container(key="dg-askbox", horizontal=True, vertical_alignment="center", gap="small"),
    ):
        st.html(f'<span class="dg-asksign">{layout.glyph("query")}</span>')
        st.text_input(
            "Question",
            key=QUESTION_KEY,
            max_chars=20_000,
            label_visibility="collapsed",
            autocomplete="off",
            placeholder=f"Ask a question about the {workspace.title or workspace.name} documents",
        )
        asked = st.form_submit_button("Build plan", type="primary", key="docgraph.home.ask")
    if asked:
        _ask(str(st.session_state[QUESTION_KEY] or ""))


def _ask(question: str) -> None:
    if question.strip():
        navigation.go_to("plan", {QUERY: question.strip()})
    else:
        st.html('<p class="dg-hint" role="status">Type a question first, or choose an example.</p>')


def samples_row(workspace: Workspace) -> None:
    """Some of the samples, or all of them; nothing where there are none."""
    card_style()
    everything = samples(workspace.name)
    if not everything or navigation.page("plan") is None:
        return
    few = a_few(everything)
    shows_all = bool(st.session_state.get("docgraph.home.all_samples"))
    shown = everything if shows_all else few
    with st.container(key="dg-samplehead", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<h2 class="dg-h3">Try an example</h2>')
        count = f"Show {len(few)} of {len(everything)}" if shows_all else f"Show all {len(everything)}"
        if len(few) < len(everything):
            st.button(count, type="tertiary", key="docgraph.home.toggle", on_click=_toggle_samples)
    cards(shown, workspace.name, to="plan")


def _toggle_samples() -> None:
    shown = bool(st.session_state.get("docgraph.home.all_samples"))
    st.session_state["docgraph.home.all_samples"] = not shown
