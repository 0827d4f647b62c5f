"""What the inputs of the Plan page ask for, and what they are a draft over: in the session and in the address."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

from docgraph.domain.comparison import Side
from docgraph.domain.overrides import NONE
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.saved_run import SavedRun
from docgraph.domain.workspace import Workspace
from docgraph.errors import ComparisonError, DocgraphError
from docgraph.ui.frame import resources
from docgraph.ui.parts import comparison
from docgraph.ui.plan.built import built
from docgraph.ui.plan.controls import Inputs
from docgraph.ui.plan.inputs import TypeChoice, apply, read_request
from docgraph.ui.plan.overrides import forget_overrides, read_overrides
from docgraph.ui.plan.state import Departed, plan_state
from docgraph.ui.plan.view import Draft, PlanView
from docgraph.views.plan.draft.changes import draft_parts
from docgraph.views.words.address import BASE, INPUTS_MARK, QUERY, RUN, request_at, text_of


@dataclass(frozen=True)
class Asked:
    """What the inputs ask for: the request, what it departs from, and what of the address was ignored."""

    request: RetrievalRequest
    departed: Departed
    ignored: tuple[str, ...]


def asked(inputs: Inputs, workspace: Workspace) -> Asked | None:
    """What the inputs ask for as they stand; ``None`` without a question. Raises RequestError."""
    if inputs.built:
        _forget_for_another_question(str(st.session_state.get(QUERY) or "").strip())
    overrides, ignored = read_overrides(workspace)
    request = read_request(inputs.choice, overrides)
    if request is None:
        return None
    departed, note = _find_base(request, workspace, built=inputs.built, linked=inputs.linked)
    return Asked(request, departed, (*ignored, note) if note else ignored)


def _forget_for_another_question(query: str) -> None:
    """The what-ifs belong to the question that they were tried on."""
    base = plan_state().base
    if base is not None and base.request.query != query:
        forget_overrides()


def _find_base(request: RetrievalRequest, workspace: Workspace, *, built: bool, linked: bool) -> tuple[Departed, str]:
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
    saved = comparison.saved_run(name)
    return Departed(workspace.name, saved.run.request, saved.run_id)


def draft_of(run: Run, departed: Departed, workspace: Workspace, *, choice: TypeChoice) -> Draft | None:
    """The draft that a run is over its base; ``None`` when it is the base itself."""
    saved, known = _saved(departed)
    if not known or (saved is None and run.request == departed.request):
        return None
    base = saved.run if saved else resources.begun(departed.request, workspace.name).run
    name = saved.run_id if saved else text_of(departed.request)
    parts = draft_parts(base, run, choice.shown)
    a = Side.of(saved) if saved else Side(name=name, label=comparison.BASE_LABEL, run=base)
    b = Side(name="run", label="The draft", run=run)
    try:
        compare = partial(resources.docgraph(workspace.name).runs.compare, a, b)
        found = built("comparison", compare, base, run, name)
    except ComparisonError as problem:
        return Draft(base, name, parts, None, saved, problem.message)
    return Draft(base, name, parts, found, saved)


def _saved(departed: Departed) -> tuple[SavedRun | None, bool]:
    """The saved run that is the base, and whether the base is known at all: a run can be deleted meanwhile."""
    if not departed.run_id:
        return None, True
    try:
        return comparison.saved_run(departed.run_id), True
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
        apply(draft.base.request, view.choice)
    else:
        plan_state().leave_for = {RUN: [draft.saved.run_id]}
