"""What is known of a plan beside its picture: its checks and costs, and on demand its context, JSON and trace."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.packet import ACTIONS, ConfidenceSummary, PacketRequest
from docgraph.domain.run import ContractCheck, Run
from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.ui.parts.type_pills import count_style
from docgraph.ui.plan.details.as_json import json_tab
from docgraph.ui.plan.details.context import context_tab
from docgraph.ui.plan.details.trace import trace_tab
from docgraph.ui.plan.state import DETAILS, INNER, INSIDE, INSIDES, plan_state
from docgraph.ui.plan.view import PlanView
from docgraph.views.plan.summary import summarize
from docgraph.views.words import counts
from docgraph.views.words.glossary import definition


def contract_strip(checks: tuple[ContractCheck, ...], *, why: str) -> str:
    """``Checks passed: 9 of 9`` and every promise with its number: a muted tick, or a red cross.

    Without checks it says ``why`` there are none.
    """
    if not checks:
        return f'<div class="pl-contract"><b>Checks --</b><span>{why}</span></div>'
    passed = sum(check.passed for check in checks)
    items = "".join(_check(check) for check in checks)
    state = "" if passed == len(checks) else " pl-broken"
    return f'<div class="pl-contract{state}"><b>Checks passed: {passed} of {len(checks)}</b>{items}</div>'


def _check(check: ContractCheck) -> str:
    glyph = layout.glyph("check", "kept") if check.passed else layout.glyph("cross", "broken")
    title, detail = escape.html(check.title), escape.html(check.detail)
    if not check.passed:
        shown = f" <em>({detail})</em>" if check.detail else ""
        return f'<span class="pl-failed" title="{detail}">{glyph}{title}{shown}</span>'
    return f'<span title="{title}: {detail}">{glyph}{title}</span>'


THRESHOLD: float = PacketRequest.model_fields["threshold"].default


def confidence_chip(run: Run, workspace: str) -> None:
    """``Likely answered (0.71)``; nothing for a run whose scores say nothing here, or that has no passage."""
    summary = _confidence(run, workspace)
    if summary is None or not summary.candidate_count:
        return
    answered = "Likely answered" if summary.threshold_met else "Possibly not answered"
    about = f"{definition('confidence')} Threshold {THRESHOLD:.2f}; next action: {ACTIONS[summary.branch]}."
    if summary.passage_confidence is not None:
        about += f" That the answering passage is read: {summary.passage_confidence:.2f}."
    label = f"{answered} ({summary.top_confidence:.2f})"
    navigation.link("conversation", label, query={"ask": run.request.query}, help=f"{about} Ask in a conversation")


def _confidence(run: Run, workspace: str) -> ConfidenceSummary | None:
    """Kept for a while: a click asks no database, and a new calibration is seen soon."""
    return _kept(workspace, run.plan.plan_id, run.plan.corpus_revision, run)


@st.cache_resource(max_entries=64, ttl="5m", show_spinner=False)
def _kept(workspace: str, plan_id: str, revision: str, _run: Run) -> ConfidenceSummary | None:
    del plan_id, revision  # parts of the key only
    return resources.docgraph(workspace).calibration.confidence(_run)


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
