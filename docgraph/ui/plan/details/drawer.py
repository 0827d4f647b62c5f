"""The drawer under the question: closed, it is one line that says only what is not at its default."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from docgraph.errors import RequestError
from docgraph.ui.frame import assets, escape
from docgraph.ui.plan.inputs import TypeChoice, read_settings, reset
from docgraph.ui.plan.state import DETAILS, INNER, plan_state
from docgraph.views.plan.settings import differing


@dataclass(frozen=True)
class Drawer:
    """Its places: ``settings`` for the inputs, ``inside`` for what is known of the plan, ``line`` beside its name."""

    settings: DeltaGenerator
    inside: DeltaGenerator
    line: DeltaGenerator


def drawer() -> Drawer:
    """Draw it empty. All that is put into it is on the page, be it closed: an input that is not drawn has no value."""
    assets.style(__file__, "style.css")
    plan_state().inner = False
    with st.container(key="plan_drawer", gap=None):
        with st.expander("Details", key=DETAILS, on_change=_turned):
            settings, inside = st.container(key="plan_settings"), st.container(key="plan_inside")
        line = st.container(key="plan_line", horizontal=True, vertical_alignment="center", gap="small")
    return Drawer(settings, inside, line)


def _turned() -> None:
    """Opening or closing it changes nothing on the page but what is inside."""
    if plan_state().inner:
        st.rerun([INNER])


def closed_line(choice: TypeChoice) -> None:
    """``6 documents · 2 types off`` and *Reset*, or *Default settings*."""
    try:
        found = differing(read_settings(choice), choice.names, choice.default)
    except RequestError:
        found = ("a setting that cannot be used",)
    said = " · ".join(map(escape.html, found)) if found else "Default settings"
    st.html(f'<p class="pl-differs{" pl-differ" if found else ""}" role="status">{said}</p>')
    if found:
        st.button(
            "Reset",
            key="plan_reset",
            type="tertiary",
            on_click=reset,
            args=(choice,),
            help="Use the default settings",
        )
