"""The lower half of the Plan page: Evidence, Context, Plan JSON and Trace, one drawn at a time, as one fragment."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.run import Run
from docgraph.domain.workspace import Workspace
from docgraph.ui import escape, frame
from docgraph.ui.plan_context import context_tab
from docgraph.ui.plan_evidence import evidence_cards_html
from docgraph.ui.plan_json import json_tab
from docgraph.ui.plan_marks import count_style
from docgraph.ui.plan_state import LOWER, ONLY_SELECTED, TAB
from docgraph.ui.plan_trace import trace_tab
from docgraph.ui.state import session
from docgraph.views import wording
from docgraph.views.evidence import chunks_sentence, evidence_cards
from docgraph.views.reasons import document_of

TABS = ("Evidence", "Context", "Plan JSON", "Trace")


@st.fragment(key=LOWER)
def lower(run: Run, workspace: Workspace) -> None:
    """The tabs; the chosen one is in the URL."""
    with frame.guarded(key="docgraph.retry.lower"):
        milliseconds = sum(step.milliseconds for step in run.trace)
        counts = (
            wording.plural(run.context.n_chunks, "chunk"), f"{run.assembled.total_tokens:,} tok", "",
            f"{wording.plural(len(run.trace), 'step')}, {wording.milliseconds(milliseconds)}",
        )  # fmt: skip
        st.html(f"<style>{count_style(TAB, counts)}</style>")
        with st.container(key="plan_tabs", horizontal=True, vertical_alignment="center", gap="small"):
            tab = st.segmented_control(
                "Details", TABS, default=TABS[0], required=True, key=TAB, bind="query-params",
                label_visibility="collapsed", wrap=False,
            )  # fmt: skip
            side = st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="small")
        draw = {
            "Evidence": partial(_evidence, run, side), "Context": partial(context_tab, run),
            "Plan JSON": partial(json_tab, run, workspace), "Trace": partial(trace_tab, run),
        }  # fmt: skip
        draw.get(str(tab), draw["Evidence"])()


def _evidence(run: Run, side: st.delta_generator.DeltaGenerator) -> None:
    with side:
        sign = frame.glyph("cut") if run.context.n_chunks < run.context.n_eligible_chunks else ""
        st.html(f'<span class="pl-muted pl-inline">{sign}{escape.html(chunks_sentence(run))}</span>')
        which = st.segmented_control(
            "Documents", ["All documents", "Selected"], default="All documents", required=True, key=ONLY_SELECTED,
            label_visibility="collapsed", wrap=False,
        )  # fmt: skip
    cards = evidence_cards(run)
    if which == "Selected":
        chosen = document_of(run, session().selected)
        cards = tuple(card for card in cards if card.document_id == chosen)
        if not cards:
            frame.empty("No document is selected", "Select one in the graph, or show all documents.")
            return
    st.html(evidence_cards_html(cards))
