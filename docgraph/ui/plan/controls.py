"""The controls of the Plan page, drawn or as the session has them already: question, settings, all bound to the URL."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import Workspace
from docgraph.errors import RequestError
from docgraph.ui.parts.documents import document_names, relation_types
from docgraph.ui.parts.filters import filter_choice
from docgraph.ui.parts.question_field import question_field
from docgraph.ui.plan.address import entered
from docgraph.ui.plan.details.drawer import Drawer, closed_line
from docgraph.ui.plan.details.settings import chosen_preset, settings
from docgraph.ui.plan.inputs import TypeChoice, read_request, type_choice
from docgraph.ui.plan.state import BUILD, plan_state
from docgraph.views.words.address import QUERY


@dataclass(frozen=True)
class Inputs:
    """What the controls tell beside their values in the session.

    ``built`` = *Build plan* was pressed; ``linked`` = the page was opened by a link or from another page.
    """

    choice: TypeChoice
    built: bool
    linked: bool


def controls(workspace: Workspace, above: DeltaGenerator, drawer: Drawer) -> Inputs:
    """Draw them for the workspace: the question ``above`` the drawer, the rest in it."""
    linked = entered()
    choice = type_choice(relation_types(workspace), workspace, preset=chosen_preset())
    with above:
        built = query_row()
    with drawer.settings:
        settings(choice, document_names(workspace), filter_choice(workspace))
    with drawer.line:
        closed_line(choice)
    return Inputs(choice, built, linked)


def query_row() -> bool:
    """Question and *Build plan* (Ctrl+Enter); tells whether *Build plan* was pressed."""
    with (
        st.form("plan_form", border=False),
        st.container(horizontal=True, vertical_alignment="center", gap="small", key="plan_ask"),
    ):
        question_field()
        pressed = st.form_submit_button("Build plan", type="primary", shortcut="Ctrl+Enter", key=BUILD)
    return bool(pressed)


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
