"""The Plan page under its inputs: status block, picture with inspector, tabs."""

from __future__ import annotations

import streamlit as st

from docgraph.ui.frame import layout
from docgraph.ui.parts.type_pills import fold_style, pill_style
from docgraph.ui.plan.explorer import explorer
from docgraph.ui.plan.state import plan_state, settle
from docgraph.ui.plan.status import status_block
from docgraph.ui.plan.tabs.bar import tabs
from docgraph.ui.plan.view import PlanView
from docgraph.views.plan.draft.changes import allowed_types, changed_types
from docgraph.views.plan.legend import legend


def body(view: PlanView) -> None:
    """Status block, picture and tabs of a view."""
    run, choice = view.run, view.choice
    settle(run, view.comparison)
    if view.frozen is None:
        allowed = allowed_types(run.request, choice.default)
        switched = changed_types(view.draft.base.request, run.request, choice.default) if view.draft else {}
        entries = legend(choice.counts, choice.names, allowed=allowed, plan=run.plan)
        chosen = {*switched, *(set(choice.default) - allowed)}
        folded = fold_style(entries, kept=chosen, unfolded=plan_state().all_types)
        st.html(f"<style>{pill_style(entries, switched=switched)}{folded}</style>")
    status_block(view)
    if not run.plan.document_ids:
        layout.empty("No document was found", "The workspace holds no chunk that can be compared with this question.")
        return
    explorer(view)
    tabs(view)
