"""The left panel: both plans as one picture of lanes, in which kept documents stay at their pixel."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.comparison import Comparison
from docgraph.ui.compare import state
from docgraph.ui.compare.state import LANES, VIEW
from docgraph.ui.parts.lanes.union import View, union_lanes

_VIEWS: dict[str, View] = {"Change": "change", "Without": "a", "With": "b"}
_OTHER_VIEWS: dict[str, View] = {"Change": "change", "A": "a", "B": "b"}


def lanes_panel(comparison: Comparison) -> None:
    """Head with the switch between the change and either run, then the picture."""
    views = _VIEWS if comparison.by_relationships else _OTHER_VIEWS
    with st.container(key="cp_documents", border=True, gap=None):
        with st.container(key="cp_documentshead", horizontal=True, vertical_alignment="center", gap="small"):
            st.html('<h2 class="dg-h2">Documents in the plan<span class="dg-note">kept boxes stay in place</span></h2>')
            chosen = st.segmented_control(
                "What is drawn",
                list(views),
                default="Change",
                required=True,
                key=VIEW,
                bind="query-params",
                label_visibility="collapsed",
                wrap=False,
            )
        union_lanes(
            comparison,
            key=LANES,
            view=views.get(str(chosen), "change"),
            selected=state.memory().document,
            on_select=partial(_picked, comparison),
        )


def _picked(comparison: Comparison) -> None:
    state.select_document(comparison, st.session_state[LANES].selected)
    if st.session_state[LANES].selected:
        state.open_fold("texts")
