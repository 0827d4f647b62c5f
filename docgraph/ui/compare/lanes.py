"""The left panel: both plans as one picture of lanes, in which kept documents stay at their pixel."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.comparison import Comparison
from docgraph.ui.compare import state
from docgraph.ui.compare.state import LANES, VIEW, WHOLE
from docgraph.ui.frame import escape
from docgraph.ui.parts.lanes.union import View, union_lanes
from docgraph.views.lanes.union import union
from docgraph.views.words.counts import plural
from docgraph.views.words.sides import side_name

_VIEWS: dict[str, View] = {"Change": "change", "Without": "a", "With": "b"}
_OTHER_VIEWS: dict[str, View] = {"Change": "change", "A": "a", "B": "b"}
MAX_NAME = 22
"""Letters of a side's name in the switch; the address keeps ``A`` and ``B``."""


def lanes_panel(comparison: Comparison) -> None:
    """Head with the switch between the change and either run, then the picture."""
    views = _VIEWS if comparison.by_relationships else _OTHER_VIEWS
    with st.container(key="cp_documents", border=True, gap=None):
        with st.container(key="cp_documentshead", horizontal=True, vertical_alignment="center", gap="small"):
            folded = sum(fold.n for fold in union(comparison).folds)
            note = "" if folded else '<span class="dg-note">unchanged documents keep their position</span>'
            st.html(f'<h2 class="dg-h2">Documents in the plan{note}</h2>')
            # The choice is offered where unchanged documents do not fit.
            whole = bool(folded) and st.toggle(f"All {plural(len(comparison.documents), 'document')}", key=WHOLE)
            chosen = st.segmented_control(
                "What is drawn",
                list(views),
                default="Change",
                required=True,
                key=VIEW,
                bind="query-params",
                label_visibility="collapsed",
                format_func=partial(_named, comparison),
                wrap=False,
            )
        union_lanes(
            comparison,
            key=LANES,
            view=views.get(str(chosen), "change"),
            selected=state.memory().document,
            whole=whole,
            on_select=partial(_picked, comparison),
        )


def _named(comparison: Comparison, view: str) -> str:
    """The name of a view: where a letter stands for a side, that side's name."""
    side = {"A": comparison.a, "B": comparison.b}.get(view)
    if side is None:
        return view
    name = side_name(side)
    return escape.label(name if len(name) <= MAX_NAME else f"{view}: {name[: MAX_NAME - 4].rstrip()}…")


def _picked(comparison: Comparison) -> None:
    state.select_document(comparison, st.session_state[LANES].selected)
    if st.session_state[LANES].selected:
        state.open_fold("texts")
