"""What two runs have and have not in common: one fragment, drawn from the frozen comparison alone."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.comparison import Comparison
from docgraph.ui.compare.contract import contracts
from docgraph.ui.compare.documents import documents_column
from docgraph.ui.compare.slope import slope_panel
from docgraph.ui.compare.tables import tables
from docgraph.ui.compare.texts import texts
from docgraph.ui.compare.verdict import verdict_card
from docgraph.ui.frame import escape, layout
from docgraph.views.words.judgments import Judged


@st.fragment(key="compare_body")
def body(comparison: Comparison, workspace: str, *, baseline: str, judged: Judged | None) -> None:
    """Everything under the switch; a click reruns only this, and asks the database for no run again.

    ``judged`` = the judgments of the question, None when they are not known.
    """
    with layout.guarded(key="docgraph.retry.compare"):
        for label in comparison.labels:
            st.html(f'<p class="cp-label">{layout.glyph("finding")}{escape.html(label[:1].upper() + label[1:])}.</p>')
        if comparison.identical:
            _identical(comparison)
            if comparison.chunks:
                tables(comparison, judged)
            contracts(comparison)
            return
        verdict_card(comparison, judged)
        with st.container(key="cp_panels", horizontal=True, gap="small"):
            with st.container(key="cp_left", gap="small"):
                with st.container(key="cp_slope", border=True, gap=None):
                    slope_panel(comparison)
                with st.container(key="cp_texts", border=True, gap=None):
                    texts(comparison)
            with st.container(key="cp_right", gap="small"):
                documents_column(comparison, workspace, baseline=baseline)
        contracts(comparison)
        tables(comparison, judged)


def _identical(comparison: Comparison) -> None:
    """No difference is a result: said large, with its reason."""
    n, m = len(comparison.documents), len(comparison.chunks)
    counted = (
        f"{m:,} chunks of {n:,} documents, same scores, same order, same tokens." if m else "Both sides are empty."
    )
    st.html(
        f'<section class="cp-identical" role="status"><div class="cp-samesign">{layout.glyph("kept")}</div><div>'
        f"<h2>No difference – and here is why</h2><p class='cp-why'>{escape.html(comparison.why_identical)}</p>"
        f'<p class="dg-note">{escape.html(comparison.a.label)} and {escape.html(comparison.b.label)}: '
        f"{escape.html(counted)}</p></div></section>"
    )
