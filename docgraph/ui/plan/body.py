"""The Plan page under its inputs: the plan in one sentence, picture with inspector, tabs; and the drawer's inside."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from docgraph.errors import DocgraphError
from docgraph.ui.frame import assets, layout
from docgraph.ui.parts.judgments.state import passages
from docgraph.ui.parts.type_pills import pill_style
from docgraph.ui.plan.details.drawer import Drawer
from docgraph.ui.plan.details.inside import inside
from docgraph.ui.plan.explorer import explorer
from docgraph.ui.plan.state import settle
from docgraph.ui.plan.status import status_block
from docgraph.ui.plan.tabs.bar import tabs
from docgraph.ui.plan.view import PlanView
from docgraph.views.plan.draft.changes import allowed_types, changed_types
from docgraph.views.plan.legend import legend


def body(view: PlanView, details: Drawer) -> None:
    """Sentence, picture and tabs of a view; the picture is painted first, and keeps its place under the sentence.

    Only then is the contract checked, which the sentence and ``details`` tell. A run that cannot be checked is drawn
    all the same.
    """
    if view.live:
        view = replace(view, marked=passages(view.workspace.name, view.run.request.query))
    settle(view.run, view.comparison)
    status = st.container(key="plan_told", gap=None)
    if view.run.plan.document_ids:
        explorer(view)
    problem: DocgraphError | None = None
    proven = view.run
    try:
        proven = view.proven()
    except DocgraphError as error:
        problem = error
    with status:
        _legend(view)
        status_block(view, proven)
    with details.inside:
        inside(view, proven)
    if problem is not None:
        raise problem
    if view.run.plan.document_ids:
        tabs(view)
    else:
        layout.empty("No document was found", "This workspace has no passage to compare with the question.")


def _legend(view: PlanView) -> None:
    """The lines and counts on the type pills, and the look of a draft; a frozen run has neither."""
    run, choice = view.run, view.choice
    if view.frozen is not None:
        return
    allowed = allowed_types(run.request, choice.shown)
    switched = changed_types(view.draft.base.request, run.request, choice.shown) if view.draft else {}
    entries = legend(choice.counts, choice.names, allowed=allowed, plan=run.plan)
    drafted = ("draft.css",) if view.draft else ()
    assets.style(__file__, *drafted, then=pill_style(entries, switched=switched))
