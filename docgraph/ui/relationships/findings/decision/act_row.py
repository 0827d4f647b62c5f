"""The acts in one row: key and name of each as a button, and under it the place of its effect on saved questions."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from docgraph.ui.frame import escape
from docgraph.ui.frame.shortcuts import class_of
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.findings.decision.draft import Drafted, draft
from docgraph.ui.relationships.findings.decision.view import View
from docgraph.views.relationships.findings.subject import Alternative, misses_one, one_pair

ACT = "docgraph.act"
BUTTONS: tuple[tuple[Drafted, str, str], ...] = (
    ("accept", "Accept", "A"),
    ("retype", "Change type", "T"),
    ("flip", "Reverse", "F"),
    ("fix", "Apply proposal", "P"),
    ("remove", "Remove", "X"),
    ("ignore", "Ignore", "I"),
)
"""Every action with its key, always in this order; one that makes no sense for a finding has no button."""

MAX_LABEL = 60


def act_row(view: View, drafted: str) -> dict[str, DeltaGenerator]:
    """Draw the buttons; returns action → the place under it."""
    places: dict[str, DeltaGenerator] = {}
    if drafted:
        st.html(f"<style>{_drafted_style(drafted)}</style>")
    with st.container(key="rl-acts", horizontal=True, vertical_alignment="top", gap="small"):
        for action, label, letter, offered in _offered(view):
            with st.container(key=f"rl-effect-{action}", width="content", gap=None):
                _button(view, action, offered.label if offered else label, letter=letter)
                places[action] = st.empty()
    return places


def _offered(view: View) -> Iterator[tuple[Drafted, str, str, Alternative | None]]:
    for action, label, letter in BUTTONS:
        offered = next((each for each in view.alternatives if each.name == action), None)
        if offered is not None or action == "ignore" or (action == "retype" and _may_retype(view)):
            yield action, _of_all(view, label), letter, offered


def _may_retype(view: View) -> bool:
    """Whether a type can be chosen: of a class, only where each finding is about one relationship or one pair."""
    if view.alone:
        return view.subject.pair is not None and (view.subject.edge is not None or misses_one(view.finding))
    return all(map(one_pair, view.findings))


def _of_all(view: View, label: str) -> str:
    return label if view.alone or label != "Ignore" else f"Ignore all {len(view.findings):,}"


def why_not(view: View, action: Drafted) -> str:
    """Why an action of this finding cannot be drafted; empty when it can."""
    if not state.curator():
        may = state.may_write(view.workspace)
        return f"Editing is off: {'switch it on above' if may else state.locked_words()}"
    if action == "retype" and not view.edits("retype"):
        return "" if view.types else "Choose a type first"
    return view.refused.get(action, "") if action not in ("retype", "ignore") else ""


def _button(view: View, action: Drafted, label: str, *, letter: str) -> None:
    why = why_not(view, action)
    hint = {"retype": "Press T again to choose another type", "flip": "Reverse direction"}.get(action, label)
    st.button(
        escape.label(label, limit=MAX_LABEL),
        key=f"{ACT}.{action}",
        shortcut=letter,
        disabled=bool(why),
        on_click=draft,
        args=(view.decision_id, action),
        help=escape.label(why or hint, limit=200),
    )


def _drafted_style(drafted: str) -> str:
    """The draft is marked by a rule, not by another element: nothing under the cursor is replaced."""
    row = f".stApp .st-key-rl-effect-{class_of(drafted)}"
    return (
        f"{row} .stButton button{{background:color-mix(in srgb,var(--dg-primary) 9%,var(--dg-bg));"
        f"border-color:var(--dg-primary);box-shadow:inset 0 0 0 1px var(--dg-primary)}}"
        f"{row} .stButton button p{{color:var(--dg-primary);font-weight:600}}"
    )
