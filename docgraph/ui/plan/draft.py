"""What the inputs of the Plan page are a draft over: remembered in the session, carried by the address."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.comparison import Side
from docgraph.domain.overrides import NONE
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.saved_run import SavedRun
from docgraph.domain.workspace import Workspace
from docgraph.errors import ComparisonError, DocgraphError
from docgraph.ui.frame import resources
from docgraph.ui.parts import comparison as comparing
from docgraph.ui.plan import controls as plan_controls
from docgraph.ui.plan.controls import BUILD, INPUTS, TypeChoice
from docgraph.ui.plan.overrides import forget_overrides
from docgraph.ui.plan.state import Departed, plan_state
from docgraph.ui.plan.view import Draft, PlanView
from docgraph.views.plan.draft.changes import draft_parts
from docgraph.views.words.address import (
    ADD_SEED,
    BASE,
    DROP_SEED,
    INPUTS_MARK,
    NO_EDGE,
    PACKED,
    QUERY,
    RUN,
    inputs_of,
    request_at,
    text_of,
)


def entered() -> bool:
    """Whether the page was not on the screen before this run (ask before any input is drawn).

    A link says everything: inputs that it does not name go back to their defaults.
    """
    if BUILD in st.session_state:
        return False
    for key in INPUTS if _named_inputs() else ():
        # A page with a question of its own takes it along in the session, not in the address.
        if key not in st.query_params and key != QUERY:
            st.session_state.pop(key, None)
    return True


def _named_inputs() -> bool:
    return any(name in st.query_params for name in (*INPUTS, NO_EDGE, ADD_SEED, DROP_SEED, BASE))


def address_left(workspace: Workspace) -> dict[str, list[str]]:
    """The address that the page was left under, when it is opened again by its name alone; else nothing.

    The browser's way back brings no inputs either, or those of the page that it comes from.
    """
    memory = plan_state()
    request, base = memory.asked, memory.base
    if BUILD in st.session_state or request is None or base is None or base.workspace != workspace.name:
        return {}
    if _named_inputs() and PACKED not in st.query_params:
        return {}
    return {**inputs_of(request), BASE: [base.run_id or text_of(base.request)]}


def forget_for_another_question(query: str) -> None:
    """The what-ifs belong to the question that they were tried on."""
    base = plan_state().base
    if base is not None and base.request.query != query:
        forget_overrides()


def find_base(request: RetrievalRequest, workspace: Workspace, *, built: bool, linked: bool) -> tuple[Departed, str]:
    """What the request departs from, and a note about a base in the address that was ignored.

    *Build plan* makes the inputs the base. A link names it, else the inputs without their what-ifs are it.
    """
    memory, note = plan_state(), ""
    known = memory.base
    fits = known is not None and known.workspace == workspace.name and known.request.query == request.query
    if linked and BASE in st.query_params:
        try:
            known = _named(st.query_params[BASE], request, workspace)
            fits = True
        except DocgraphError as problem:
            note, fits = f"{BASE}: {problem.message}", False
    if known is None or built or not fits or (linked and BASE not in st.query_params):
        known = Departed(workspace.name, request.model_copy(update={"overrides": NONE}))
    if not known.run_id:
        # MS3 or MS5 is how a plan is looked at, not a draft over it: the base follows the switch.
        same = {"use_relationships": request.use_relationships}
        known = Departed(workspace.name, known.request.model_copy(update=same))
    memory.base, memory.asked = known, request
    return known, note


def _named(name: str, request: RetrievalRequest, workspace: Workspace) -> Departed:
    if name.startswith(INPUTS_MARK):
        return Departed(workspace.name, request_at(name, request.query))
    saved = comparing.saved_run(name)
    return Departed(workspace.name, saved.run.request, saved.run_id)


def draft_of(run: Run, departed: Departed, workspace: Workspace, choice: TypeChoice) -> Draft | None:
    """The draft that a run is over its base; ``None`` when it is the base itself."""
    saved, known = _saved(departed)
    if not known or (saved is None and run.request == departed.request):
        return None
    base = saved.run if saved else resources.run(departed.request, workspace.name)
    name = saved.run_id if saved else text_of(departed.request)
    parts = draft_parts(base, run, choice.default)
    a = Side.of(saved) if saved else Side(name=name, label=comparing.BASE_LABEL, run=base)
    b = Side(name="run", label="The draft", run=run)
    try:
        found = resources.docgraph(workspace.name).runs.compare(a, b)
    except ComparisonError as problem:
        return Draft(base, name, parts, None, saved, problem.message)
    return Draft(base, name, parts, found, saved)


def _saved(departed: Departed) -> tuple[SavedRun | None, bool]:
    """The saved run that is the base, and whether the base is known at all: a run can be deleted meanwhile."""
    if not departed.run_id:
        return None, True
    try:
        return comparing.saved_run(departed.run_id), True
    except DocgraphError:
        plan_state().base = None
        return None, False


def write_base(draft: Draft | None, request: RetrievalRequest) -> None:
    """Name the base in the address when the inputs alone do not tell it."""
    wanted = draft.base_name if draft else ""
    if draft and draft.saved is None and draft.base.request == request.model_copy(update={"overrides": NONE}):
        wanted = ""
    if wanted and st.query_params.get(BASE) != wanted:
        st.query_params[BASE] = wanted
    elif not wanted and BASE in st.query_params:
        del st.query_params[BASE]


def discard(view: PlanView) -> None:
    """Back to the base (in a callback): its inputs again, or the frozen run that it is."""
    draft = view.draft
    if draft is None:
        return
    if draft.saved is None:
        plan_controls.apply(draft.base.request, view.choice)
    else:
        plan_state().leave_for = {RUN: [draft.saved.run_id]}
