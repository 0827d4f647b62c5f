"""What is folded away until it is asked for: tables with the slope chart, both texts, figures and formulas."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.comparison import Comparison
from docgraph.ui.compare.slope import slope_panel
from docgraph.ui.compare.state import FOLD, fold
from docgraph.ui.compare.tables import chunk_rows, document_rows
from docgraph.ui.compare.texts import texts
from docgraph.ui.compare.verdict import figures_html, tokens_html
from docgraph.views.words.judgments import Judged


def folds(comparison: Comparison) -> None:
    """One row of names, each with its count; the one that is chosen opens below."""
    names = {
        "documents": f"Documents {len(comparison.documents):,}",
        "chunks": f"Passages {len(comparison.chunks):,}",
        "texts": "Both texts",
        "figures": "Figures and formulas",
    }
    st.html('<span class="dg-note cp-astables">As tables</span>')
    st.pills("Opened below", list(names), key=FOLD, format_func=names.__getitem__, label_visibility="collapsed")


def opened(comparison: Comparison, judged: Judged | None) -> None:
    """What was chosen."""
    chosen = fold()
    if not chosen:
        return
    with st.container(key="cp_opened", border=True, gap="small"):
        if chosen == "documents":
            document_rows(comparison, judged)
        elif chosen == "chunks":
            slope_panel(comparison)
            chunk_rows(comparison)
        elif chosen == "texts":
            texts(comparison)
        else:
            st.html(figures_html(comparison))
            st.html(tokens_html(comparison))
