"""The inputs as the session has them before they are drawn, so that a plan can be painted before its controls."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import Workspace
from docgraph.errors import RequestError
from docgraph.ui.parts.documents import relation_types
from docgraph.ui.plan.controls import Inputs
from docgraph.ui.plan.details.settings import chosen_preset
from docgraph.ui.plan.inputs import TypeChoice, read_request, type_choice
from docgraph.ui.plan.state import BUILD, plan_state
from docgraph.views.words.address import QUERY


def known_inputs(workspace: Workspace) -> Inputs | None:
    """What the controls would tell; ``None`` where they have to be drawn first.

    That is so without a question, on the first visit (only the controls know what a link says) and for another
    workspace or other relation types than they were drawn for last.
    """
    if BUILD not in st.session_state or not st.session_state.get(QUERY):
        return None
    choice = type_choice(relation_types(workspace), workspace, preset=chosen_preset())
    if plan_state().drawn_with != (workspace.name, choice):
        return None
    return Inputs(choice, built=bool(st.session_state[BUILD]), linked=False)


def drawn(workspace: Workspace, choice: TypeChoice) -> None:
    """Remember what the controls were drawn for."""
    plan_state().drawn_with = (workspace.name, choice)


def is_other(request: RetrievalRequest | None, choice: TypeChoice, workspace: Workspace) -> bool:
    """Whether the controls, now that they are drawn, ask for another request than the one that was read before."""
    try:
        return request is not None and read_request(choice, request.overrides) != request
    except RequestError:
        return True
