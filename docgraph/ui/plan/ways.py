"""The ways to look at a plan: without relationships, with them, or what they change; the address alone says which."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from docgraph.views.words.address import STAGE

Way = Literal["Without", "With", "Change"]
WAYS: tuple[Way, ...] = ("Without", "With", "Change")
WAY = "docgraph.plan.way"
VIEW, CHANGE = "display", "Change"
"""The word of an address for what is drawn of a plan, and its value for the change."""

WITHOUT = "MS3"
"""What an address calls a plan without relationships."""


def way() -> Way:
    """How the plan is looked at."""
    if not with_relationships():
        return "Without"
    return "Change" if st.query_params.get(VIEW) == CHANGE else "With"


def with_relationships() -> bool:
    """Whether the plan that the address asks for may use relationships."""
    return st.query_params.get(STAGE) != WITHOUT


def use_relationships(wanted: bool) -> None:
    """Say in the address whether the plan may use relationships; a plan without them shows no change."""
    _write(STAGE, "" if wanted else WITHOUT)
    if not wanted:
        _write(VIEW, "")


def switch() -> None:
    """Look at the plan as the switch says (in a callback)."""
    chosen = st.session_state.get(WAY)
    use_relationships(chosen != "Without")
    _write(VIEW, CHANGE if chosen == "Change" else "")
    st.rerun()


def _write(name: str, value: str) -> None:
    """Put a word into the address, or take it out."""
    if value and st.query_params.get(name) != value:
        st.query_params[name] = value
    elif not value and name in st.query_params:
        del st.query_params[name]
