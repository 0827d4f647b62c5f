"""Changing the relationship that is open: a drafted action, its effect, the reason, and saving what was seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from docgraph.domain.edit import Edit
from docgraph.domain.graph import Relationship
from docgraph.domain.history import HistoryEntry, edge_state
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.person import MAX_REASON
from docgraph.errors import ConflictError
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.data import naming
from docgraph.ui.relationships.edges.pick import pick_document, pick_type
from docgraph.ui.relationships.effect import compared_effect
from docgraph.views.relationships.history.words import edit_text, entry_text

ACTION, TYPE, TARGET, REASON = (f"docgraph.edge.{name}" for name in ("action", "type", "target", "reason"))
ACTIONS = {
    "accept": "Accept",
    "retype": "Change type",
    "flip": "Reverse direction",
    "retarget": "Change target",
    "remove": "Remove",
}
_ROOM = "edges.hand"
_EMPTY: dict[str, Any] = {ACTION: None, TYPE: None, TARGET: None, REASON: "", f"{TYPE}.new": False}
Show = Callable[[EdgeKey], None]


@dataclass
class Hand:
    """What is drafted for the open relationship ``key``, and the state of it that the person saw when they began.

    ``fields`` = what the inputs held last: they are put back when the inputs were away.
    """

    key: EdgeKey
    seen: str
    fields: dict[str, Any]


def hand(key: EdgeKey, edge: Relationship) -> Hand:
    """The draft of this relationship; another one begins with an empty draft."""
    room = state.memory().room
    held: Hand | None = room.get(_ROOM)
    if held is None or held.key != key:
        # Set, not dropped: what is dropped here stays in the browser's inputs.
        st.session_state.update(_EMPTY)
        state.fail(None)
        held = room[_ROOM] = Hand(key, edge_state(edge), {})
    for name, value in held.fields.items():
        if name not in st.session_state:
            st.session_state[name] = value
    return held


def follow(key: EdgeKey, edge: Relationship, show: Show) -> None:
    """Go on with the draft on what the relationship became, as it is now."""
    held: Hand | None = state.memory().room.get(_ROOM)
    fields = dict(held.fields) if held else {}
    state.memory().room[_ROOM] = Hand(key, edge_state(edge), fields)
    st.session_state.update(fields)  # the inputs may have been away meanwhile
    state.fail(None)
    show(key)


def change(workspace: str, edge: Relationship, *, show: Show, close: Callable[[], None]) -> None:
    """Draw the actions, and with one of them its inputs, its effect, the reason and *Save*."""
    held = hand(edge.key, edge)
    stale = held.seen != edge_state(edge)
    _told(workspace, edge, stale, show)
    action = st.segmented_control(
        "Action", list(ACTIONS), key=ACTION, format_func=lambda name: ACTIONS[name], label_visibility="collapsed"
    )
    made, new_types = _edit(workspace, edge, action)
    if action and made is None:
        st.html('<p class="dg-note">Choose an action to see a draft.</p>')
    if made is not None:
        _save_row(workspace, edge, made, new_types=new_types, stale=stale, show=show, close=close)
        if made.action != "accept":
            compared_effect(workspace, [made], key="docgraph.edge.effect")
    held.fields = {name: st.session_state.get(name) for name in (ACTION, TYPE, TARGET, REASON)}


def _told(workspace: str, edge: Relationship, stale: bool, show: Show) -> None:
    """What the last save met, and what somebody else did meanwhile."""
    problem = state.show_problem()
    if not stale:
        return
    if not isinstance(problem, ConflictError):
        newest = next(iter(resources.docgraph(workspace).relationships.history(key=edge.key, limit=1)), None)
        said = entry_text(newest, named=naming(workspace)) if newest else "An import changed it."
        layout.card("note", "It changed while you reviewed it", said, sign="finding")
    st.button(
        "Use the current state",
        key="docgraph.edge.again",
        type="primary",
        on_click=follow,
        args=(edge.key, edge, show),
    )


def _edit(workspace: str, edge: Relationship, action: str | None) -> tuple[Edit | None, bool]:
    """The drafted edit, None while something is missing; and whether it may bring a new type."""
    key = edge.key
    if action in ("accept", "remove"):
        return Edit.model_validate({"action": action, "key": key}), False
    if action == "retype":
        name, new = pick_type(workspace, "New type", key=TYPE, without=key[1])
        return (Edit(action="retype", key=key, relation_type=name) if name else None), new
    if action == "flip":
        name, new = pick_type(workspace, "Type in the new direction (optional)", key=TYPE)
        if not name and (st.session_state.get(TYPE) or key[0] == key[2]):
            return None, False  # a name that is not confirmed yet, or nothing to turn round
        return Edit(action="flip", key=key, relation_type=name or None), new
    if action == "retarget":
        target = pick_document(workspace, "New target", key=TARGET, without=key[2])
        return (Edit(action="retarget", key=key, to_document_id=target) if target else None), False
    return None, False


def _save_row(
    workspace: str,
    edge: Relationship,
    made: Edit,
    *,
    new_types: bool,
    stale: bool,
    show: Show,
    close: Callable[[], None],
) -> None:
    said = edit_text(made, named=naming(workspace))
    st.html(f'<p class="re-draft"><b>Draft</b> {escape.html(said)}</p>')
    by = state.curator()
    with st.container(key="re-save", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input("Reason (optional)", key=REASON, max_chars=MAX_REASON, disabled=not by)
        st.button(
            f"Save: {ACTIONS[made.action].lower()}",
            type="primary",
            key="docgraph.edge.save",
            on_click=_save,
            disabled=not by or stale,
            args=(workspace, made),
            kwargs={"seen": state.memory().room[_ROOM].seen, "new_types": new_types, "show": show, "close": close},
        )
    if not by and state.may_write(workspace):
        st.html('<p class="dg-note">Switch editing on to save it.</p>')


def _save(workspace: str, made: Edit, *, seen: str, new_types: bool, show: Show, close: Callable[[], None]) -> None:
    reason = str(st.session_state.get(REASON) or "")
    entries = state.save(workspace, [made], reason=reason, expected={made.key: seen}, new_types=new_types)
    if entries:
        _saved(entries[-1], show, close)


def _saved(entry: HistoryEntry, show: Show, close: Callable[[], None]) -> None:
    """The draft is done; what the relationship became stays open."""
    state.memory().room.pop(_ROOM, None)
    if entry.after is None:
        close()
    else:
        show(entry.after.key)
