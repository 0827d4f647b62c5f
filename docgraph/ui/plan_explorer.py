"""The middle of the Plan page: the graph or its table twin, and the inspector beside it, as one fragment."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.run import Run
from docgraph.domain.workspace import Workspace
from docgraph.ui import frame, plan_state, resources
from docgraph.ui.graph import plan_graph
from docgraph.ui.plan_controls import TypeChoice
from docgraph.ui.plan_inspector import inspector
from docgraph.ui.plan_remedies import use_fix
from docgraph.ui.plan_state import EDGES, EXPLORER, GRAPH, LOWER, ONLY_SELECTED, TABLE, VIEW, WHY_NOT
from docgraph.ui.plan_tables import tables
from docgraph.ui.state import session
from docgraph.views.lanes import assign_rows
from docgraph.views.plan_graph import GraphOptions, PlanGraph
from docgraph.views.plan_graph import plan_graph as build_graph
from docgraph.views.summary import summarize
from docgraph.views.tables import document_table, edge_table


@st.fragment(key=EXPLORER)
def explorer(run: Run, workspace: Workspace, choice: TypeChoice) -> None:
    """Graph or table on the left, what is selected on the right; a click reruns only this."""
    with frame.guarded(key="docgraph.retry.explorer"):
        memory = plan_state.plan_state()
        options = GraphOptions(memory.show_all, frozenset(memory.unfolded), kept_rows(run, workspace))
        graph = build_graph(run, options)
        with st.container(key="plan_explorer", horizontal=True, gap="small"):
            with st.container(key="plan_picture", border=True, gap=None):
                _picture(run, graph, choice)
            with st.container(key="plan_inspector", border=True, gap=None):
                inspector(run, workspace, choice)


def kept_rows(run: Run, workspace: Workspace) -> dict[str, int]:
    """Rows that seeds have with relationships, so that switching them off moves nobody."""
    if run.request.use_relationships and run.plan.expanded_documents:
        return {}
    if run.request.use_relationships:
        return {}
    twin = resources.run(run.request.model_copy(update={"use_relationships": True}), workspace.name)
    return assign_rows(twin.plan.seed_document_ids) if twin.plan.expanded_documents else {}


def _picture(run: Run, graph: PlanGraph, choice: TypeChoice) -> None:
    with st.container(key="plan_picture_head", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<h2 class="pl-h2">Plan</h2>')
        view = st.segmented_control(
            "View", ["Graph", "Table"], default="Graph", required=True, key=VIEW, bind="query-params",
            label_visibility="collapsed", wrap=False,
        )  # fmt: skip
        st.html(f'<span class="pl-muted">{graph.shown}</span>')
        if graph.folded:
            st.button("Show all", key="plan_show_all", type="tertiary", on_click=_show_all)
        st.html('<span class="pl-muted pl-right">Select a document or an edge</span>')
    if view == "Table":
        tables(run, on_document=partial(_row_chosen, run, TABLE), on_edge=partial(_row_chosen, run, EDGES))
        return
    plan_graph(
        graph, selected=session().selected, key=GRAPH, alt=_alt(run), on_select=partial(_graph_chosen, run),
        on_action=partial(_acted, run, choice),
    )  # fmt: skip


def _alt(run: Run) -> str:
    return f"Plan graph. {summarize(run).sentence}. Arrow keys move, Escape clears; the Table view has the same rows."


def _graph_chosen(run: Run) -> None:
    _choose(run, st.session_state[GRAPH].selected)


def _choose(run: Run, wanted: str | None) -> None:
    plan_state.select(run, wanted)
    if st.session_state.get(ONLY_SELECTED) == "Selected":
        st.rerun([EXPLORER, LOWER])


def _row_chosen(run: Run, key: str) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    table = document_table(run) if key == TABLE else edge_table(run)
    _choose(run, table.ids[rows[0]] if rows and rows[0] < len(table.ids) else None)


def _acted(run: Run, choice: TypeChoice) -> None:
    """A click in a cut list: ask why, let the next one in, unfold, or show everything."""
    action = st.session_state[GRAPH].action or {}
    memory = plan_state.plan_state()
    match action.get("kind"):
        case "cut":
            st.session_state[WHY_NOT] = str(action.get("document_id"))
        case "fold":
            memory.unfolded ^= {str(action.get("block"))}
        case "all":
            _show_all()
        case "fix":
            use_fix(run, str(action.get("block")), choice)


def _show_all() -> None:
    plan_state.plan_state().show_all = True
