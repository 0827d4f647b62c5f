"""The Plan page: question and limits, the status block, the graph with its inspector, and the tabs under them."""

from __future__ import annotations

import streamlit as st

from docgraph.ui.frame import assets, layout, resources
from docgraph.ui.plan import address, no_plan
from docgraph.ui.plan.body import body
from docgraph.ui.plan.controls import controls
from docgraph.ui.plan.draft import asked, draft_of, write_base
from docgraph.ui.plan.frozen import frozen_page
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
    inputs = controls(workspace)
    with layout.guarded():
        wanted = asked(inputs, workspace)
        if wanted is None:
            no_plan.without_question(workspace, inputs.choice)
            return
        no_plan.ignored(wanted.ignored)
        with no_plan.types_kept(inputs.choice):
            run = resources.run(wanted.request, workspace.name)
            draft = draft_of(run, wanted.departed, workspace, choice=inputs.choice)
        write_base(draft, wanted.request)
        body(PlanView(run, workspace, inputs.choice, draft))
