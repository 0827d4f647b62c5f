"""Asking on the Compare page: the question box, and the samples that each show another effect."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import layout
from docgraph.ui.parts.question_field import question_field
from docgraph.ui.parts.samples.card import card_style, sample_card
from docgraph.ui.parts.samples.corpus import a_few, samples
from docgraph.views.parameters import followed
from docgraph.views.words.address import QUERY, RUN, unpacked

GO = "cp_go"


def asked_inputs() -> dict[str, Sequence[str]]:
    """The inputs in the address, packed ones included; the question is that of the box when one was typed.

    What another page left in the session under the box's name was not typed here: then the address goes first.
    """
    inputs = followed("compare", unpacked({name: st.query_params.get_all(name) for name in st.query_params}))
    if GO not in st.session_state and QUERY in inputs:
        st.session_state[QUERY] = inputs[QUERY][-1]
    typed = st.session_state.get(QUERY)
    return inputs if typed is None else {**inputs, QUERY: [str(typed)]}


def ask(workspace: Workspace) -> None:
    """The page without a question."""
    card_style()
    with st.container(key="cp_empty", gap="small"):
        layout.heading(
            "Show what changed",
            "Ask a question to see what relationships add to its plan, and what they remove to make room.",
        )
        question_form()
        found = a_few(samples(workspace.name))
        if found:
            st.html('<h2 class="dg-h3">Try an example</h2>')
            with st.container(key="dg-samples", gap="small"):
                for sample in found:
                    sample_card(sample, to="compare")


def question_form() -> None:
    """The question box; Ctrl+Enter compares."""
    with (
        st.form("cp_form", border=False),
        st.container(horizontal=True, vertical_alignment="center", gap="small", key="cp_ask"),
    ):
        question_field()
        st.form_submit_button("Compare", type="primary", shortcut="Ctrl+Enter", key=GO, on_click=_asked)


def _asked() -> None:
    """A new question is a live one."""
    if RUN in st.query_params:
        del st.query_params[RUN]
