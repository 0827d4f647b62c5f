"""Accepting and rejecting a suggestion, and undoing either within the session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
_DONE = "suggestions.done"


@dataclass(frozen=True)
class Done:
    """A decision of this session: accepted (with the entry of the history), or rejected (0)."""

    workspace: str
    suggestion: Suggestion
    entry_id: int = 0

    @property
    def words(self) -> str:
        """``acceptance of A → B``: what an undo would undo."""
        a, b = (suggestions.title(self.suggestion, start=start) for start in (True, False))
        return f"{'acceptance' if self.entry_id else 'rejection'} of {a} → {b}"


def last_done(workspace: str) -> Done | None:
    """The last act in this workspace that was not taken back."""
    return next((done for done in reversed(_done()) if done.workspace == workspace), None)


def _done() -> list[Done]:
    kept: list[Done] = state.memory().room.setdefault(_DONE, [])
    return kept


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
        _done().append(Done(workspace, suggestion, entries[0].entry_id))
        st.session_state[REASON] = ""
        go(then)
        fragments.redraw()


def reject(workspace: str, suggestion: Suggestion, *, then: str) -> None:
    """Put it aside until one of the two texts changes."""
    said = f"Rejected: {suggestions.title(suggestion, start=True)} → {suggestions.title(suggestion, start=False)}"
    if not state.curator() or state.dismiss(workspace, [suggestion], reason=reason(), words=said) is None:
        return
    _done().append(Done(workspace, suggestion))
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
    kept = [done for done in _done() if done.suggestion.suggestion_id != suggestion.suggestion_id or done.entry_id]
    state.memory().room[_DONE] = kept
    go(suggestion.suggestion_id)
    fragments.redraw()


def undo(done: Done) -> None:
    """Take the last act back and open its suggestion again."""
    if not done.entry_id:
        take_back(done.workspace, done.suggestion)
        return
    if state.undo(done.workspace, done.entry_id, reason="acceptance undone") is not None:
        _done().remove(done)
        go(done.suggestion.suggestion_id)
        fragments.redraw()
