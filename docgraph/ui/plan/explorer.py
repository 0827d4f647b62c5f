"""The middle of the Plan page: the picture of the plan, and the inspector beside it, as one fragment."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.run import Run
from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import layout, resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts import comparison
from docgraph.ui.parts.lanes.canvas import plan_graph
from docgraph.ui.parts.lanes.union import union_lanes
from docgraph.ui.plan.built import built
from docgraph.ui.plan.inspector import inspector
from docgraph.ui.plan.overrides import WAY, WAYS, Way, switch, way
from docgraph.ui.plan.state import CHANGED, EXPLORER, GRAPH, WHY_NOT, plan_state
from docgraph.ui.plan.view import PlanView, choose, promote, use_fix
from docgraph.views.lanes.layout import node_id
from docgraph.views.plan.arrangement import Arrangement
from docgraph.views.plan.draft.marks import DraftMarks, draft_marks
from docgraph.views.plan.graph import GraphOptions, PlanGraph, arrangement_of
from docgraph.views.plan.graph import plan_graph as build_graph
from docgraph.views.plan.reasons import document_of
from docgraph.views.words import counts


@st.fragment(key=EXPLORER)
def explorer(view: PlanView) -> None:
    """The picture on the left, what is selected on the right; a click reruns only this."""
    with layout.guarded(key="docgraph.retry.explorer"):
        graph = _graph(view)
        with st.container(key="plan_explorer", horizontal=True, gap="small"):
            with st.container(key="plan_picture", border=True, gap=None):
                _picture(view, graph)
            with st.container(key="plan_inspector", border=True, gap=None):
                inspector(view)


def _graph(view: PlanView) -> PlanGraph:
    """The picture of the view, built anew when something of it is another."""
    memory, styles = plan_state(), view.styles
    like = None if view.frozen else _with_relationships(view.run, view.workspace)
    marks = _marks(view)
    show_all, unfolded, between = memory.show_all, frozenset(memory.unfolded), memory.between
    options = GraphOptions(show_all, unfolded, like=like, draft=marks, between=between, styles=styles)
    make = partial(build_graph, view.run, options)
    return built("graph", make, view.run, like, marks, show_all, unfolded, between, styles)


def _with_relationships(run: Run, workspace: Workspace, *, kind: str = "like") -> Arrangement | None:
    """Where everything stands with relationships, so that switching them off moves nobody."""
    if run.request.use_relationships:
        return None
    twin = resources.begun(run.request.model_copy(update={"use_relationships": True}), workspace.name).run
    if not twin.plan.expanded_documents:
        return None
    show_all = plan_state().show_all
    return built(kind, partial(arrangement_of, twin, GraphOptions(show_all=show_all)), twin, show_all)


def _marks(view: PlanView) -> DraftMarks | None:
    """What the draft changes in the picture of its base, whose rows it keeps."""
    if view.draft is None or view.comparison is None:
        return None
    base, compared, show_all, default = view.draft.base, view.comparison, plan_state().show_all, view.choice.shown
    like = None if view.draft.saved else _with_relationships(base, view.workspace, kind="base_like")

    def make() -> DraftMarks:
        return draft_marks(compared, arrangement_of(base, GraphOptions(show_all, like=like)), default)

    return built("marks", make, base, compared, show_all, default, like)


def _picture(view: PlanView, graph: PlanGraph) -> None:
    shown = _head(view)
    if shown == "Change":
        _change(view)
        return
    plan_graph(
        graph,
        selected=session().selected,
        key=GRAPH,
        alt=_alt(view.run),
        on_select=partial(_graph_chosen, view),
        on_action=partial(_acted, view),
    )
    with st.container(key="plan_picture_foot", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<span class="pl-muted">{graph.shown}</span>')
        if graph.folded:
            st.button("Show all", key="plan_show_all", type="tertiary", on_click=_show_all)
        _between(graph)


def _head(view: PlanView) -> Way:
    """What the picture is, and the switch between its ways; a frozen run has the one that it was saved with."""
    with st.container(key="plan_picture_head", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<h2 class="pl-h2" id="dg-picture" tabindex="-1">How the plan was made</h2>')
        if view.frozen is not None:
            return "With"
        st.session_state[WAY] = shown = way()
        st.segmented_control(
            "Relationships",
            WAYS,
            required=True,
            key=WAY,
            on_change=switch,
            label_visibility="collapsed",
            wrap=False,
        )
    return shown


def _change(view: PlanView) -> None:
    """Both plans in one picture: every document at its place, marked where it is added or removed."""
    request = view.run.request.model_copy(update={"use_relationships": False})
    without = resources.begun(request, view.workspace.name).run
    found = built("change", partial(comparison.beside, without, view.run), without, view.run)
    union_lanes(
        found,
        key=CHANGED,
        selected=document_of(view.run, session().selected),
        on_select=partial(_changed_chosen, view),
    )


def _between(graph: PlanGraph) -> None:
    """How many relationships run between matches: they changed nothing, so they are drawn when asked for."""
    if not graph.n_between:
        return
    drawn = plan_state().between
    n = counts.plural(graph.n_between, "relationship")
    with st.container(key="plan_between", horizontal=True, vertical_alignment="center", gap=None):
        part = "" if graph.n_drawable == graph.n_between else f", {graph.n_drawable:,} drawn"
        st.html(f'<span class="pl-muted"><b>{n}</b> between matches{part if drawn else ", not drawn"}</span>')
        st.button(
            "hide" if drawn else "show",
            key="plan_between_drawn",
            type="tertiary",
            on_click=_turn_between,
            help="They change nothing in the plan. Those of a selected match are always drawn.",
        )


def _turn_between() -> None:
    memory = plan_state()
    memory.between = not memory.between


def _alt(run: Run) -> str:
    n, more = len(run.plan.seed_documents), len(run.plan.expanded_documents)
    said = f"{counts.plural(n, 'match', 'matches')} and {counts.plural(more, 'related document')}"
    return f"Plan graph. {said}. Arrow keys move, Escape clears; Table, under it, has the same rows."


def _graph_chosen(view: PlanView) -> None:
    choose(view, st.session_state[GRAPH].selected)


def _changed_chosen(view: PlanView) -> None:
    """A document that is in the plan is selected; of one that left the panel is asked why it is not."""
    chosen = st.session_state[CHANGED].selected
    if chosen and chosen not in view.run.plan.document_ids:
        st.session_state[WHY_NOT] = str(chosen)
    choose(view, node_id(chosen) if chosen else None)


def _acted(view: PlanView) -> None:
    """A click in the graph: ask why, make a seed of it, let the next one in, unfold, or show everything."""
    action = st.session_state[GRAPH].action or {}
    memory = plan_state()
    match action.get("kind"):
        case "cut":
            st.session_state[WHY_NOT] = str(action.get("document_id"))
        case "promote" if view.live:
            promote(view, str(action.get("document_id")))
        case "fold":
            memory.unfolded ^= {str(action.get("block"))}
        case "all":
            _show_all()
        case "fix" if view.live:
            use_fix(view, str(action.get("block")))


def _show_all() -> None:
    plan_state().show_all = True
