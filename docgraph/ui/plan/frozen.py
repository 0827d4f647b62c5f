"""A frozen run on the Plan page: drawn from the archive as it was saved, whatever became of its documents."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.saved_run import SavedRun
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError, EnvironmentProblem
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.parts import comparison
from docgraph.ui.parts.documents import relation_types
from docgraph.ui.parts.runs.banner import frozen_banner
from docgraph.ui.parts.type_pills import line_sample
from docgraph.ui.plan.body import body
from docgraph.ui.plan.details.drawer import drawer
from docgraph.ui.plan.inputs import TypeChoice, type_choice
from docgraph.ui.plan.state import plan_state
from docgraph.ui.plan.view import PlanView, leave_frozen
from docgraph.views.plan.settings import input_facts, type_facts


def frozen_page(run_id: str) -> None:
    """The run under this id, or a written state that says why it cannot be shown."""
    try:
        saved = comparison.saved_run(run_id)
    except EnvironmentProblem:
        raise
    except DocgraphError as problem:
        _not_there(run_id, problem)
        return
    assets.style(__file__, "wide.css")
    workspace, choice, live = _surroundings(saved)
    frozen_banner(saved, key="plan")
    _inputs(saved, choice, live=live)
    body(PlanView(saved.run, workspace, choice, frozen=saved, live=live), drawer())


def _not_there(run_id: str, problem: DocgraphError) -> None:
    message = problem.message[:1].upper() + problem.message[1:]
    layout.card(
        "error",
        f"No saved run opens as “{escape.shorten(run_id, 40)}”",
        f"{message}.\nA deleted run can be restored under Questions.",
        sign="finding",
    )
    navigation.link("runs", "Open the saved runs")
    navigation.link("plan", "Ask a new question")


def _surroundings(saved: SavedRun) -> tuple[Workspace, TypeChoice, bool]:
    """The workspace the run was made in, its relation types today, and whether it is still there.

    Opening the run chooses its workspace for the session, once, so that the header and every link speak of it.
    """
    there = {workspace.name: workspace for workspace in resources.workspaces()}
    workspace = there.get(saved.workspace)
    if workspace is None:
        plan = saved.run.plan
        gone = resources.current_workspace().model_copy(
            update={"name": saved.workspace, "title": saved.workspace, "revision": plan.corpus_revision}
        )
        return gone, TypeChoice({}, (), ()), False
    memory = plan_state()
    if memory.entered != saved.run_id:
        memory.entered = saved.run_id
        if resources.current_workspace().name != workspace.name:
            resources.choose(workspace.name)
            st.rerun()
    return workspace, type_choice(relation_types(workspace), workspace, preset=saved.run.request.preset), True


def _inputs(saved: SavedRun, choice: TypeChoice, *, live: bool) -> None:
    """The question and every limit as facts, and the one way to change them."""
    request = saved.run.request
    with st.container(key="plan_frozen", gap=None):
        with st.container(key="plan_frozen_question", horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f'<p class="pl-question">{layout.glyph("query", "question")}{escape.html(request.query)}</p>')
            if live:
                st.button(
                    "Change inputs",
                    key="plan_thaw",
                    on_click=leave_frozen,
                    args=(saved, request, choice),
                    help="Makes a draft from this run; the saved run stays unchanged",
                )
        facts = "".join(
            f"<li>{escape.html(name)} <b>{escape.html(value)}</b></li>" for name, value in input_facts(request)
        )
        types = "".join(
            f"<li>{line_sample(entry.dash)}{escape.html(entry.relation_type)} <b>{entry.count}</b></li>"
            for entry in type_facts(saved.run)
        )
        st.html(f'<ul class="pl-given">{types}</ul><ul class="pl-given">{facts}</ul>')
