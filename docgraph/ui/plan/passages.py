"""The panel beside the graph while nothing is selected: the best passage of every document that is read."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.ui.frame import escape, layout
from docgraph.ui.plan.built import built
from docgraph.ui.plan.tabs.evidence import best_html
from docgraph.ui.plan.view import PlanView, choose
from docgraph.views.lanes.layout import node_id
from docgraph.views.plan.evidence import DocumentPassage, best_passages
from docgraph.views.words import counts

MAX_CARDS = 12


def all_passages(view: PlanView) -> None:
    """A card a document: what answers first, then in plan order; the title selects the document."""
    found = built("best_passages", partial(best_passages, view.run, view.answers), view.run, view.answers)
    read = counts.plural(view.run.context.n_chunks, "passage")
    st.html(f'<p class="pl-h3 pl-passages-head">What is read<span>{read}; the best of each document</span></p>')
    with st.container(key="plan_passages", gap="xsmall"):
        for n, each in enumerate(found[:MAX_CARDS]):
            _card(view, each, n)
    if len(found) > MAX_CARDS:
        more = counts.plural(len(found) - MAX_CARDS, "more document")
        st.html(f'<p class="pl-muted">{more} under Passages.</p>')


def back_to_passages(view: PlanView) -> None:
    """The way from a selected document to the passages of all."""
    st.button("All passages", key="plan_all_passages", type="tertiary", on_click=choose, args=(view, None))


def _card(view: PlanView, each: DocumentPassage, n: int) -> None:
    with st.container(gap=None):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.button(
                escape.label(each.title),
                key=f"plan_open_{n}",
                type="tertiary",
                on_click=choose,
                args=(view, node_id(each.document_id)),
            )
            seed = each.role == "seed"
            sign = layout.glyph("seed" if seed else "added")
            st.html(f'<span class="pl-inline pl-muted">{sign}{escape.html(each.why if seed else "related")}</span>')
        why = "" if seed or not each.why else f'<p class="pl-muted">{escape.html(each.why)}</p>'
        standing = f'<p class="pl-standing"><span>{escape.html(each.standing)}</span></p>' if each.standing else ""
        st.html(why + standing + best_html(each.document_id, each.best))
