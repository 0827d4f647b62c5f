"""What two runs have and have not in common: one fragment, drawn from the frozen comparison alone."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.comparison import Comparison
from docgraph.ui.compare.contract import contracts
from docgraph.ui.compare.folds import folds, opened
from docgraph.ui.compare.helps import asked_first, helps, said_now
from docgraph.ui.compare.lanes import lanes_panel
from docgraph.ui.compare.places import places_panel
from docgraph.ui.compare.verdict import verdict_card
from docgraph.ui.frame import escape, layout
from docgraph.views.words.judgments import Judged
from docgraph.views.words.sides import side_name


@st.fragment(key="compare_body")
def body(comparison: Comparison, workspace: str, *, baseline: str, judged: Judged | None) -> None:
    """Everything under the switch; a click reruns only this, and asks the database for no run again.

    ``judged`` = the judgments of the question, None when they are not known.
    """
    if said_now():
        st.rerun(scope="app")
    first = not comparison.identical and asked_first(comparison, workspace)
    with layout.guarded(key="docgraph.retry.compare"):
        for label in comparison.labels:
            st.html(f'<p class="cp-label">{layout.glyph("finding")}{escape.html(label[:1].upper() + label[1:])}.</p>')
        if comparison.identical:
            _identical(comparison)
        else:
            verdict_card(comparison, workspace=workspace)
            if first:
                helps(comparison, workspace, judged)
            with st.container(key="cp_panels", horizontal=True, gap="small"):
                lanes_panel(comparison)
                places_panel(comparison, workspace, baseline=baseline, judged=judged)
        with st.container(key="cp_foot", horizontal=True, vertical_alignment="center", gap="small"):
            folds(comparison)
            contracts(comparison)
        if not comparison.identical and not first:
            helps(comparison, workspace, judged)
        opened(comparison, judged)


def _identical(comparison: Comparison) -> None:
    """No difference is a result: said large, with its reason."""
    n, m = len(comparison.documents), len(comparison.chunks)
    counted = (
        f"{m:,} passages of {n:,} documents, same scores, same order, same tokens." if m else "Both sides are empty."
    )
    read = ""
    if comparison.relevant:
        value = "".join(phrase.text for phrase in comparison.verdict if phrase.part == "value")
        read = f'<p class="cp-why">{escape.html(value.strip())}</p>'
    st.html(
        f'<section class="cp-identical" role="status"><div class="cp-samesign">{layout.glyph("kept")}</div><div>'
        f"<h2>No difference, and why</h2><p class='cp-why'>{escape.html(comparison.why_identical)}</p>{read}"
        f'<p class="dg-note">{escape.html(side_name(comparison.a))} and {escape.html(side_name(comparison.b))}: '
        f"{escape.html(counted)}</p></div></section>"
    )
