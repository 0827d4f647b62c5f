"""Accepting and rejecting a suggestion, and undoing either within the session."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from docgraph.domain.edit import Edit
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.suggestion import Suggestion
from docgraph.ui.frame.chosen import put
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships import fragments
from docgraph.views.relationships import suggestions

REASON = "docgraph.suggestions.reason"
SHOWN = "suggestion"
"""Name of the suggestion that is open, in the address."""


def last_done(workspace: str) -> state.Act | None:
    """The last act on a suggestion in this workspace that was not taken back."""
    acts = reversed(state.memory().acts)
    return next((act for act in acts if act.workspace == workspace and act.suggestion_id), None)


def reason() -> str:
    """What the person wrote as the reason."""
    return str(st.session_state.get(REASON) or "").strip()


def go(suggestion_id: str) -> None:
    """Open this suggestion; "" = the first."""
    put(SHOWN, suggestion_id)


def accept(
    workspace: str, suggestion: Suggestion, edit: Edit, *, then: str, new_types: bool, expected: Mapping[EdgeKey, str]
) -> None:
    """Make the relationship, as this person; the suggestion stays in its provenance."""
    entries = state.save(workspace, [edit], reason=reason(), expected=expected, new_types=new_types)
    if entries:
        state.memory().acts[-1].suggestion_id = suggestion.suggestion_id
        st.session_state[REASON] = ""
        go(then)
        fragments.redraw()


def reject(workspace: str, suggestion: Suggestion, *, then: str) -> None:
    """Put it aside until one of the two texts changes."""
    said = f"Rejected: {suggestions.title(suggestion, start=True)} → {suggestions.title(suggestion, start=False)}"
    if not state.curator() or state.dismiss(workspace, [suggestion], reason=reason(), words=said) is None:
        return
    state.memory().acts[-1].suggestion_id = suggestion.suggestion_id
    st.session_state[REASON] = ""
    go(then)
    fragments.redraw()


def take_back(workspace: str, suggestion: Suggestion) -> None:
    """Open a rejected suggestion again."""
    said = (
        f"To review again: {suggestions.title(suggestion, start=True)} → {suggestions.title(suggestion, start=False)}"
    )
    if not state.curator() or not state.withdraw(workspace, [suggestion.suggestion_id], words=said):
        return
    rejected = (suggestion.suggestion_id,)
    state.memory().acts = [act for act in state.memory().acts if act.dismissed != rejected]
    go(suggestion.suggestion_id)
    fragments.redraw()


def undo(act: state.Act) -> None:
    """Take the last act back and open its suggestion again."""
    words = f"Undone: {act.words[:1].lower()}{act.words[1:]}"
    if act.dismissed and not state.withdraw(act.workspace, act.dismissed, words=words):
        return
    if act.act and state.undo_act(act.workspace, act.act, reason="acceptance undone") is None:
        return
    state.memory().acts = [each for each in state.memory().acts if each is not act]
    go(act.suggestion_id)
    fragments.redraw()
