"""What is known of a plan beside its picture: its checks and costs, and on demand its context, JSON and trace."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.run import Run
from docgraph.ui.frame import escape, layout
from docgraph.ui.parts.type_pills import count_style
from docgraph.ui.plan.details.as_json import json_tab
from docgraph.ui.plan.details.confidence import confidence_chip
from docgraph.ui.plan.details.context import context_tab
from docgraph.ui.plan.details.contract import contract_strip
from docgraph.ui.plan.details.trace import trace_tab
from docgraph.ui.plan.state import DETAILS, INNER, INSIDE, INSIDES, plan_state
from docgraph.ui.plan.view import PlanView
from docgraph.views.plan.summary import summarize
from docgraph.views.words import counts


def inside(view: PlanView, proven: Run) -> None:
    """Draw it; ``proven`` is the run with its contract, which is not told as that of a view with other data."""
    run = proven if proven.plan == view.run.plan else view.run
    summary = summarize(run)
    st.html(contract_strip(summary.contract, why=unchecked(view, proven)))
    with st.container(key="plan_facts", horizontal=True, vertical_alignment="center", gap="small"):
        followed = f" · {escape.html(summary.types)}" if summary.types else ""
        st.html(f'<p class="pl-muted">{summary.tokens}{followed}</p>')
        if view.frozen is None:
            confidence_chip(view.run, view.workspace.name)
    plan_state().inner = True
    _inner(view, run)


def unchecked(view: PlanView, proven: Run) -> str:
    """Why there is no contract, where there is none."""
    if view.whole is None:
        return "not checked for an executed plan"
    return "could not be checked" if proven is view.run else "the data have changed: build the plan again"


@st.fragment(key=INNER)
def _inner(view: PlanView, proven: Run) -> None:
    """One of the three, or none; the chosen one is in the URL. Nothing of it is drawn while the drawer is closed."""
    with layout.guarded(key="docgraph.retry.inner"):
        st.html(f"<style>{count_style(INSIDE, _counts(view.run, proven))}</style>")
        chosen = st.segmented_control(
            "Of this plan", INSIDES, key=INSIDE, bind="query-params", label_visibility="collapsed", wrap=True
        )
        if not st.session_state.get(DETAILS):
            return
        draw = {
            "Context": partial(context_tab, view.run),
            "Plan JSON": partial(json_tab, view.run, view.workspace),
            "Trace": partial(trace_tab, proven),
        }
        if chosen in draw:
            draw[str(chosen)]()


def _counts(run: Run, proven: Run) -> tuple[str, ...]:
    milliseconds = counts.milliseconds(sum(step.milliseconds for step in proven.trace))
    steps = f"{counts.plural(len(proven.trace), 'step')}, {milliseconds}" if proven.trace else ""
    return (f"{run.assembled.total_tokens:,} tokens", "", steps)
