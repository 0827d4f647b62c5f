"""The lower half of the Plan page: all passages, or the picture as tables, one drawn at a time, as one fragment."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.comparison import Comparison
from docgraph.domain.run import Run
from docgraph.ui.frame import escape, layout
from docgraph.ui.frame.state import session
from docgraph.ui.parts.type_pills import count_style
from docgraph.ui.plan.built import built
from docgraph.ui.plan.state import CHANGES_SHOWN, LOWER, ONLY_SELECTED, TABS
from docgraph.ui.plan.tabs.judgments import judged_cards
from docgraph.ui.plan.tabs.tables import tables
from docgraph.ui.plan.view import Draft, PlanView
from docgraph.views.plan.draft.changes import counts_sentence
from docgraph.views.plan.draft.evidence import draft_cards
from docgraph.views.plan.evidence import EvidenceCard, chunks_sentence, evidence_cards
from docgraph.views.plan.reasons import document_of
from docgraph.views.words import counts
from docgraph.views.words.address import TAB


@st.fragment(key=LOWER)
def tabs(view: PlanView) -> None:
    """The tabs; the chosen one is in the URL."""
    with layout.guarded(key="docgraph.retry.lower"):
        st.html(f"<style>{count_style(TAB, _counts(view))}</style>")
        with st.container(key="plan_tabs", horizontal=True, vertical_alignment="center", gap="small"):
            tab = st.segmented_control(
                "What of the plan",
                TABS,
                default=TABS[0],
                required=True,
                key=TAB,
                bind="query-params",
                label_visibility="collapsed",
                wrap=False,
            )
            side = st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="small")
        if tab == "Table":
            tables(view)
        else:
            _evidence(view, side)


def _counts(view: PlanView) -> tuple[str, ...]:
    run, compared = view.run, view.comparison
    read = counts_sentence(compared) if compared else f"{run.context.n_chunks:,}"
    return (read, counts.plural(len(run.plan.document_ids), "document"))


def _evidence(view: PlanView, side: st.delta_generator.DeltaGenerator) -> None:
    if view.draft is not None and view.comparison is not None:
        cards = _draft_cards(view.draft, view.comparison, side)
    else:
        cards = _cards(view.run, side)
    judged_cards(view, cards)


def _cards(run: Run, side: st.delta_generator.DeltaGenerator) -> tuple[EvidenceCard, ...]:
    with side:
        sign = layout.glyph("cut") if run.context.n_chunks < run.context.n_eligible_chunks else ""
        st.html(f'<span class="pl-muted pl-inline">{sign}{escape.html(chunks_sentence(run))}</span>')
        which = st.segmented_control(
            "Documents",
            ["All documents", "Selected"],
            default="All documents",
            required=True,
            key=ONLY_SELECTED,
            label_visibility="collapsed",
            wrap=False,
        )
    cards = built("cards", partial(evidence_cards, run), run)
    return cards if which != "Selected" else _of_selected(cards, document_of(run, session().selected))


def _draft_cards(
    draft: Draft, comparison: Comparison, side: st.delta_generator.DeltaGenerator
) -> tuple[EvidenceCard, ...]:
    with side:
        base = f"saved run <code>{draft.saved.run_id}</code>" if draft.saved else "the plan as it was built"
        st.html(f'<span class="pl-muted pl-inline">against {base}</span>')
        which = st.segmented_control(
            "Documents",
            ["Only changes", "All", "Selected"],
            default="Only changes",
            required=True,
            key=CHANGES_SHOWN,
            label_visibility="collapsed",
            wrap=False,
        )
    only = which == "Only changes"
    cards = built("draft_cards", partial(draft_cards, comparison, only_changes=only), comparison, only)
    if which == "Selected":
        selected = session().selected
        return _of_selected(cards, document_of(comparison.b.run, selected) or document_of(comparison.a.run, selected))
    if not cards:
        layout.same("No passage changes", "The draft reads the same passages as its base; All shows them.")
    return cards


def _of_selected(cards: tuple[EvidenceCard, ...], chosen: str | None) -> tuple[EvidenceCard, ...]:
    cards = tuple(card for card in cards if card.document_id == chosen)
    if not cards:
        layout.empty("No document is selected", "Select one in the graph, or show all documents.")
    return cards
