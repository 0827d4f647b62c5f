"""The Compare page: two runs of one question, of edits that are not saved, or the question box."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.baselines import MS3
from docgraph.domain.run import Run
from docgraph.domain.saved_run import SavedRun
from docgraph.domain.workspace import Workspace
from docgraph.errors import ComparisonError, DocgraphError
from docgraph.ui.compare.body import body
from docgraph.ui.compare.head import ask, asked_inputs, head
from docgraph.ui.compare.own_ranking import OWN_MARK, own_body, own_comparison
from docgraph.ui.compare.state import ANYWAY, STAGE_B, settle
from docgraph.ui.compare.switch import limits_text, switch
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.parts.comparison import STAGES, compare, saved_run, stage_side, with_edits
from docgraph.ui.parts.judgments.state import counted
from docgraph.ui.parts.runs.banner import frozen_banner
from docgraph.views.relationships.edges.edit_link import EDITS
from docgraph.views.words.address import BASELINE, RUN, request_of


def edits_page(question: Run | SavedRun, workspace: Workspace) -> None:
    """Everything under the header; a saved run gives its question, which is asked on today's data."""
    run = question.run if isinstance(question, SavedRun) else question
    there = run.plan.workspace if isinstance(question, SavedRun) else workspace.name
    place = st.container(key="cp_head", gap="small")
    _row(run)
    try:
        made = with_edits(run.request, st.query_params[EDITS], there)
    except DocgraphError as problem:
        head(run, None, run_b=run, place=place, baseline="")
        layout.error(problem)
        return
    settle(made)
    head(made.a.run, made, run_b=run, place=place, baseline="")
    body(made, there, baseline="", judged=counted(there, run.request.query))


def _row(run: Run) -> None:
    """Where other comparisons choose their sides: what this one is, and the way back."""
    with st.container(key="cp_switchrow", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<p class="cp-sides"><b>A</b> Today <b>B</b> Today with edits, nothing saved</p>')
        st.button(
            "Remove the edits",
            key="cp_no_edits",
            on_click=_forget,
            args=(EDITS, BASELINE),
            help="Compare with a baseline instead",
        )
        st.html(f'<span class="cp-limits">{escape.html(limits_text(run))}</span>')


def compare_page() -> None:
    """Draw the page for what the address asks for."""
    assets.style(__file__, "style.css")
    workspace = resources.current_workspace()
    run_id = st.query_params.get(RUN)
    if not run_id and workspace.n_documents == 0:
        layout.no_documents(
            workspace.title or workspace.name,
            "Load the sample or add your own documents first.",
        )
        navigation.link("library", "Add documents")
        return
    with layout.guarded():
        try:
            question = saved_run(run_id) if run_id else _live(workspace)
        except DocgraphError as problem:
            _lost(problem, frozen=bool(run_id))
            return
        if question is None:
            ask(workspace)
            return
        if EDITS in st.query_params:
            edits_page(question, workspace)
        else:
            _compare(question, workspace)


def _live(workspace: Workspace) -> Run | None:
    """The run that the inputs in the address ask for; ``None`` without a question."""
    request = request_of(asked_inputs())
    return None if request is None else resources.run(request, workspace.name)


def _compare(question: Run | SavedRun, workspace: Workspace) -> None:
    baseline = st.query_params.get(BASELINE) or MS3
    stage = st.query_params.get(STAGE_B, "")
    stage = stage if stage in STAGES else ""
    run_b = stage_side(question, stage, workspace.name).run
    head_place = st.container(key="cp_head", gap="small")
    if isinstance(question, SavedRun):
        frozen_banner(question, key="compare", compared=True)
    switch(question, baseline, stage, workspace=workspace)
    if baseline.startswith(OWN_MARK):
        beside = own_comparison(run_b, baseline)
        head(question, beside, run_b=run_b, place=head_place, baseline=baseline)
        if beside is not None:
            own_body(beside)
        return
    try:
        made = compare(
            question,
            baseline,
            workspace.name,
            stage=stage,
            anyway=st.query_params.get(ANYWAY) == "1",
        )
    except ComparisonError as problem:
        head(question, None, run_b=run_b, place=head_place, baseline=baseline)
        _refused(problem)
        return
    except DocgraphError as problem:
        head(question, None, run_b=run_b, place=head_place, baseline=baseline)
        layout.error(problem)
        st.button("Compare without relationships", key="cp_to_ms3", on_click=_forget, args=(BASELINE,), type="primary")
        return
    settle(made)
    head(question, made, run_b=run_b, place=head_place, baseline=baseline)
    there = made.b.run.plan.workspace
    body(made, there, baseline=baseline, judged=counted(there, made.b.run.request.query))


def _refused(problem: ComparisonError) -> None:
    """Two runs that cannot be compared, said in words; going on is a choice, and is said in the result."""
    message = problem.message[:1].upper() + problem.message[1:]
    layout.card("error", "These two runs cannot be compared", f"{message}.", sign="finding")
    with st.container(horizontal=True, gap="small"):
        st.button("Compare without relationships", key="cp_to_ms3", on_click=_forget, args=(BASELINE,), type="primary")
        st.button("Compare anyway", key="cp_anyway", on_click=_anyway)


def _lost(problem: DocgraphError, *, frozen: bool) -> None:
    layout.error(problem)
    with st.container(horizontal=True, gap="small"):
        if frozen:
            navigation.link("runs", "See the saved runs")
        st.button("Ask a question", key="cp_ask_again", on_click=_forget)


def _anyway() -> None:
    st.query_params[ANYWAY] = "1"


def _forget(*names: str) -> None:
    """Take these names out of the address; without any, everything."""
    for name in names or tuple(st.query_params):
        if name in st.query_params and name != resources.WORKSPACE_KEY:
            del st.query_params[name]
