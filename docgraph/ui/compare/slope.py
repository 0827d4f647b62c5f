"""The panel *Position in the context*: the slope chart with its order and its limit on rows."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.comparison import Comparison
from docgraph.ui.compare import state
from docgraph.ui.compare.state import ALL, BY_DOCUMENT, BY_SCORE, CHANGES, ONLY_CHANGES, ORDER, SLOPE
from docgraph.views.compare.chart import PICK, slope_chart
from docgraph.views.compare.slope import MAX_ROWS, slope
from docgraph.views.words.changes import counts


def slope_panel(comparison: Comparison) -> None:
    """Head with the two switches, then the chart."""
    _head(comparison)
    memory, order = state.memory(), state.order()
    only = st.session_state.get(CHANGES) == ONLY_CHANGES
    drawn = slope(
        comparison,
        order,
        only_changes=only,
        wanted=state.wanted(),
        max_rows=None if memory.show_all else MAX_ROWS,
    )
    if not drawn.rows:
        empty = "Every passage keeps its position." if comparison.chunks else "Neither run has a passage."
        st.html(f'<p class="cp-none">{empty}</p>')
        return
    key = f"{SLOPE}.{memory.turn}"
    st.vega_lite_chart(
        slope_chart(drawn, memory.selected),
        theme=None,
        key=key,
        width="stretch",
        selection_mode=PICK,
        on_select=lambda: _picked(comparison, key),
        alt=_alt(comparison),
    )
    _foot(drawn.shown, len(comparison.chunks), only=only)


def _head(comparison: Comparison) -> None:
    with st.container(key="cp_slopehead", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<h2 class="dg-h2">Position in the context</h2>')
        st.segmented_control(
            "Order",
            [BY_DOCUMENT, BY_SCORE],
            default=BY_DOCUMENT,
            required=True,
            key=ORDER,
            bind="query-params",
            label_visibility="collapsed",
            wrap=False,
            on_change=state.mirror,
            args=(comparison,),
        )
        st.segmented_control(
            "Rows drawn",
            [ONLY_CHANGES, ALL],
            default=ALL,
            required=True,
            key=CHANGES,
            bind="query-params",
            label_visibility="collapsed",
            wrap=False,
        )


def _foot(shown: str, n_all: int, *, only: bool) -> None:
    memory = state.memory()
    if not shown or (only and not _cut(n_all)):
        return
    with st.container(key="cp_slopefoot", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<span class="dg-note">showing {shown} passages</span>')
        if not memory.show_all:
            st.button("Show all", key="cp_show_all", type="tertiary", on_click=_show_all)


def _cut(n_all: int) -> bool:
    return n_all > MAX_ROWS and not state.memory().show_all


def _show_all() -> None:
    state.memory().show_all = True


def _picked(comparison: Comparison, key: str) -> None:
    picked = st.session_state[key]["selection"].get(PICK) or []
    if picked and picked[0].get("key"):
        state.select(comparison, str(picked[0]["key"]), in_chart=True)


def _alt(comparison: Comparison) -> str:
    n = counts(comparison, state.order())
    said = ", ".join(f"{count} {name}" for name, count in n.items() if count)
    return f"Positions of {len(comparison.chunks)} passages in A and in B: {said}. The table below holds the same rows."
