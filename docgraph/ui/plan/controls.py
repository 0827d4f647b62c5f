"""The controls of the Plan page: the question in its row, and every setting in the drawer, bound to the URL."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from docgraph.domain.workspace import Workspace
from docgraph.ui.parts.documents import document_names, relation_types
from docgraph.ui.parts.filters import filter_choice
from docgraph.ui.parts.question_field import question_field
from docgraph.ui.plan.address import entered
from docgraph.ui.plan.details.drawer import Drawer, closed_line
from docgraph.ui.plan.details.settings import chosen_preset, settings
from docgraph.ui.plan.inputs import TypeChoice, type_choice
from docgraph.ui.plan.state import BUILD


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
