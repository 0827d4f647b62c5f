"""The right column: both plans as lanes, the documents counted, and what left with its reason."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.comparison import Comparison
from docgraph.ui.compare import state
from docgraph.ui.compare.state import CHANGES, LANES, ONLY_CHANGES
from docgraph.ui.frame import escape, layout, navigation
from docgraph.ui.parts.lanes.twin import twin_lanes
from docgraph.views.compare.departures import left_lines
from docgraph.views.relationships.edges.edit_link import EDITS
from docgraph.views.words.address import BASELINE, inputs_of
from docgraph.views.words.changes import Filter

MAX_LINES = 5
_VENN = '<div class="cp-venn" aria-hidden="true"><i></i><i></i></div>'


def documents_column(comparison: Comparison, workspace: str, *, baseline: str) -> None:
    """Lanes and counts in one panel, departures in another."""
    with st.container(key="cp_documents", border=True, gap=None):
        with st.container(key="cp_documentshead", horizontal=True, vertical_alignment="center", gap="small"):
            st.html('<h2 class="dg-h2">Documents in the plan</h2>')
            _venn(comparison)
        twin_lanes(
            comparison,
            key=LANES,
            only_changes=st.session_state.get(CHANGES) == ONLY_CHANGES,
            selected=state.memory().document,
            on_select=partial(_picked, comparison),
        )
    if comparison.chunks_with("left"):
        with st.container(key="cp_because", border=True, gap=None):
            _because(comparison, workspace, baseline=baseline)


def _picked(comparison: Comparison) -> None:
    state.select_document(comparison, st.session_state[LANES].selected)


def _venn(comparison: Comparison) -> None:
    """Only A, both, only B: three numbers in two drawn circles, each of which filters."""
    parts: tuple[tuple[Filter, str, int], ...] = (
        ("documents_left", "only A", len(comparison.documents_with("left"))),
        ("documents_kept", "both", len(comparison.documents_with("kept"))),
        ("documents_added", "only B", len(comparison.documents_with("added"))),
    )
    with st.container(key="cp_venn", horizontal=True, gap=None, width="content"):
        st.html(_VENN)
        for name, label, n in parts:
            st.button(
                f"**{n:,}** {label}",
                key=f"cp-venn-{name}",
                type="tertiary",
                on_click=state.use_filter,
                args=(comparison, name),
                help=f"Show the documents in {label.replace('both', 'A and B')}",
            )


def _because(comparison: Comparison, workspace: str, *, baseline: str) -> None:
    lines, n = left_lines(comparison), len(comparison.chunks_with("left"))
    against = {EDITS: [st.query_params[EDITS]]} if EDITS in st.query_params else {BASELINE: [baseline]}
    st.html(f'<h2 class="dg-h2">{n:,} chunk{"" if n == 1 else "s"} left because …</h2>')
    for i, line in enumerate(lines[:MAX_LINES]):
        with st.container(key=f"cp-left-{i}", horizontal=True, vertical_alignment="center", gap="small"):
            st.html(
                f'<div class="cp-gone">{layout.glyph("left", "left")}<div><p><span>{escape.html(line.document)}</span> '
                f"{escape.html(line.chunk)}</p><small>{escape.html(line.why)}</small></div><b>{line.score}</b></div>"
            )
            if line.remedy is not None:
                label, request = line.remedy
                navigation.link("compare", label, query={**inputs_of(request, workspace), **against})
    if len(lines) > MAX_LINES:
        st.button(
            f"{len(lines) - MAX_LINES:,} more: show all {n:,} that left",
            key="cp_left_all",
            type="tertiary",
            on_click=state.use_filter,
            args=(comparison, "left"),
        )
