"""The Plan page and its address: where the page goes before anything is drawn, and whether a link brought one here."""

from __future__ import annotations

import math

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import navigation
from docgraph.ui.plan.overrides import VIEW
from docgraph.ui.plan.state import BUILD, DETAILS, INSIDE, INSIDES, OLD_TABS, TABS, plan_state
from docgraph.views.words.address import (
    ADD_SEED,
    BASE,
    BASELINE,
    DROP_SEED,
    INPUTS,
    NO_EDGE,
    NUMBERS,
    PACKED,
    QUERY,
    STAGE,
    TAB,
    inputs_of,
    text_of,
    unpacked,
)


def go_on() -> None:
    """Go where a packed link, or a callback of the last run, points to; the page is drawn at that address then.

    The same for an address with a number that has no end (``inf``, ``1e999``): an input that takes its value from the
    address would fail on it, as on no other text. It is read as if it were not there.
    """
    asked = {name: st.query_params.get_all(name) for name in st.query_params}
    if endless := {name for name in NUMBERS if any(map(_is_endless, asked.get(name, ())))}:
        navigation.go_to("plan", {name: values for name, values in asked.items() if name not in endless})
    _opened_in_the_drawer(asked)
    # With a baseline it is the address of Compare, left behind by the browser's way back: the draft is still here.
    if PACKED in st.query_params and BASELINE not in st.query_params:
        _unpack()
    leave_for = plan_state().leave_for
    if leave_for:
        plan_state().leave_for = {}
        navigation.go_to("plan", leave_for)


def _opened_in_the_drawer(asked: dict[str, list[str]]) -> None:
    """Go on with what used to be a tab, and is a part of the drawer or of another tab now."""
    tab = (asked.pop(TAB, None) or ("",))[-1]
    if tab in INSIDES:
        st.session_state[DETAILS] = True
        navigation.go_to("plan", asked | {INSIDE: [tab]})
    elif tab in OLD_TABS:
        navigation.go_to("plan", asked | {TAB: [OLD_TABS[tab]]})
    elif asked.get(VIEW) == ["Table"]:
        del asked[VIEW]
        navigation.go_to("plan", asked | {TAB: ["Table"]})
    if DETAILS not in st.session_state and INSIDE in asked:
        st.session_state[DETAILS] = True


def _is_endless(text: str) -> bool:
    try:
        return math.isinf(float(text))
    except ValueError:
        return False


def come_back(workspace: Workspace) -> None:
    """Go to the address that the page was left under, when it is opened again by its name alone."""
    left = _address_left(workspace)
    if left:
        navigation.go_to("plan", left)


def entered() -> bool:
    """Whether the page was not on the screen before this run (ask before any input is drawn).

    A link says everything: inputs that it does not name go back to their defaults.
    """
    if BUILD in st.session_state:
        return False
    for key in INPUTS if _named_inputs() else ():
        # A page with a question of its own takes it along in the session, not in the address.
        if key not in st.query_params and key != QUERY:
            st.session_state.pop(key, None)
    return True


def _named_inputs() -> bool:
    return any(name in st.query_params for name in (*INPUTS, STAGE, NO_EDGE, ADD_SEED, DROP_SEED, BASE))


def _unpack() -> None:
    """Go to what a link from a page with inputs of the same names carries (see ``views.address.PACKED``)."""
    inputs = unpacked({name: st.query_params.get_all(name) for name in st.query_params})
    tab = (inputs.get(TAB) or ("",))[-1]
    tab = OLD_TABS.get(tab, tab)
    if tab in TABS:  # a tab at its default leaves the address, and then the one that was open last would stay
        st.session_state[TAB] = tab
    navigation.go_to("plan", inputs)


def _address_left(workspace: Workspace) -> dict[str, list[str]]:
    """The inputs and the base of the draft in hand; nothing when the address says what to show.

    The browser's way back brings no inputs either, or those of the page that it comes from.
    """
    memory = plan_state()
    request, base = memory.asked, memory.base
    if BUILD in st.session_state or request is None or base is None or base.workspace != workspace.name:
        return {}
    if _named_inputs() and PACKED not in st.query_params:
        return {}
    return {**inputs_of(request), BASE: [base.run_id or text_of(base.request)]}
