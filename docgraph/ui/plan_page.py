"""The Plan page: question and limits, the status block, the graph with its inspector, and the tabs under them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui import frame, navigation, resources
from docgraph.ui.plan_controls import TypeChoice, query_row, read_request, type_choice, types_row
from docgraph.ui.plan_documents import document_names, relation_types
from docgraph.ui.plan_explorer import explorer
from docgraph.ui.plan_lower import lower
from docgraph.ui.plan_marks import pill_style
from docgraph.ui.plan_state import settle
from docgraph.ui.plan_status import status_block
from docgraph.views.legend import legend

STYLE = Path(__file__).with_name("plan.css")


def plan_page() -> None:
    """Draw the page for the current workspace."""
    st.html(f"<style>{STYLE.read_text(encoding='utf-8')}</style>")
    workspace = resources.current_workspace()
    if workspace.n_documents == 0:
        frame.empty(
            f"{workspace.title or workspace.name} holds no documents yet",
            "A plan needs something to read: load the sample corpus or import your documents in the Library.",
        )
        navigation.link("library", "Open the Library")
        return
    choice = type_choice(relation_types(workspace), workspace)
    query_row()
    types_row(choice, document_names(workspace))
    with frame.guarded():
        request = read_request(choice)
        if request is None:
            _ask(workspace, choice)
            return
        _run(request, workspace, choice)


def _ask(workspace: Workspace, choice: TypeChoice) -> None:
    entries = legend(choice.counts, choice.names, allowed=frozenset(choice.default))
    st.html(f"<style>{pill_style(entries, counts='corpus')}</style>")
    frame.empty(
        "Ask a question to see its plan",
        f"Which of the {workspace.n_documents:,} documents will be read, why each one is in, and what was cut. "
        "The question and every limit stand in the address, so the link can be shared.",
    )
    navigation.link("home", "Take a sample question")


def _run(request: RetrievalRequest, workspace: Workspace, choice: TypeChoice) -> None:
    try:
        run = resources.run(request, workspace.name)
    except DocgraphError:
        entries = legend(choice.counts, choice.names, allowed=frozenset(choice.names))
        st.html(f"<style>{pill_style(entries, counts='')}</style>")
        raise
    settle(run)
    allowed = frozenset(choice.default if request.relation_types is None else request.relation_types)
    st.html(f"<style>{pill_style(legend(choice.counts, choice.names, allowed=allowed, plan=run.plan))}</style>")
    status_block(run)
    if not run.plan.document_ids:
        frame.empty("No document was found", "The workspace holds no chunk that can be compared with this question.")
        return
    explorer(run, workspace, choice)
    lower(run, workspace)
