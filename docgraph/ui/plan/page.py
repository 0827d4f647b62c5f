"""The Plan page: question, drawer, the plan in one sentence, its picture with the panel, and the tabs under them."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import assets, layout, resources
from docgraph.ui.plan import address, no_plan
from docgraph.ui.plan.body import body
from docgraph.ui.plan.controls import Inputs, controls
from docgraph.ui.plan.details.drawer import Drawer, drawer
from docgraph.ui.plan.draft import asked, draft_of, write_base
from docgraph.ui.plan.frozen import frozen_page
from docgraph.ui.plan.known_inputs import drawn, is_other, known_inputs
from docgraph.ui.plan.state import plan_state
from docgraph.ui.plan.view import PlanView
from docgraph.views.words.address import RUN


def plan_page() -> None:
    """Draw the controls, make the run that they ask for, draw it; or draw the frozen run that the address names."""
    assets.style(__file__, "style.css")
    address.go_on()
    if RUN in st.query_params:
        with layout.guarded():
            frozen_page(st.query_params[RUN])
        return
    workspace = resources.current_workspace()
    address.come_back(workspace)
    if workspace.n_documents == 0:
        no_plan.without_documents(workspace)
        return
    _live_page(workspace)


def _live_page(workspace: Workspace) -> None:
    """The inputs and, under them, the plan they ask for.

    On the screen the inputs stand first. Where the session knows them already, the plan is drawn before them, so that
    it is painted first.
    """
    assets.style(__file__, "wide.css")
    above, details = st.container(key="plan_above"), drawer()
    below = st.container(key="plan_below")
    known = known_inputs(workspace)
    if known is None:
        inputs = controls(workspace, above, details)
        with below:
            _plan(inputs, workspace, details)
        drawn(workspace, inputs.choice)
        return
    memory = plan_state()
    before = memory.base, memory.asked
    with below:
        request = _plan(known, workspace, details)
    choice = controls(workspace, above, details).choice
    if is_other(request, choice, workspace):  # an address, or an input that had to give way, says something else
        memory.base, memory.asked = before
        memory.drawn_with = None
        st.rerun()
    drawn(workspace, choice)


def _plan(inputs: Inputs, workspace: Workspace, details: Drawer) -> RetrievalRequest | None:
    """Draw what the inputs ask for; the request that was read from them, if any."""
    wanted = None
    with layout.guarded():
        wanted = asked(inputs, workspace)
        if wanted is None:
            no_plan.without_question(workspace, inputs.choice)
            return None
        no_plan.ignored(wanted.ignored)
        with no_plan.types_kept(inputs.choice):
            made = resources.begun(wanted.request, workspace.name)
            draft = draft_of(made.run, wanted.departed, workspace, choice=inputs.choice)
        write_base(draft, wanted.request)
        body(PlanView(made.run, workspace, inputs.choice, draft, whole=made.whole), details)
    return wanted.request if wanted else None
