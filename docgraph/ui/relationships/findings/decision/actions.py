"""The action bar: a key drafts, Enter saves and goes on, Escape drops, U takes the last act back."""

from __future__ import annotations

import streamlit as st

from docgraph.ui.frame import assets, escape, layout
from docgraph.ui.frame.shortcuts import class_of, shortcuts
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.findings.decision.draft import (
    Drafted,
    ask_focus,
    commit,
    draft,
    drop,
    hand,
    last_act,
    reason_key,
    step,
    undo_last,
)
from docgraph.ui.relationships.findings.decision.view import View
from docgraph.ui.relationships.head import NAME
from docgraph.views.relationships.findings.subject import Alternative

SAVE, RETYPE = "docgraph.relationships.save", "docgraph.relationships.retype"
NEW_TYPE = "docgraph.relationships.newtype"
_ACT = "docgraph.act"
_BUTTONS: tuple[tuple[Drafted, str, str], ...] = (
    ("accept", "Accept", "A"),
    ("retype", "Retype", "T"),
    ("flip", "Flip", "F"),
    ("fix", "Propose", "P"),
    ("remove", "Remove", "X"),
    ("ignore", "Ignore", "I"),
)
_NONE = {
    "accept": "There is no relationship to accept",
    "retype": "There is no relationship to retype",
    "flip": "There is nothing to turn round",
    "fix": "The check has no proposal: a person has to decide",
    "remove": "There is no relationship to remove",
}
_KEYS = {letter.lower(): f"{_ACT}.{action}" for action, _, letter in _BUTTONS} | {
    "j": f"{_ACT}.next",
    "k": f"{_ACT}.previous",
    "Escape": f"{_ACT}.drop",
    "u": f"{_ACT}.undo",
    "Enter": SAVE,
}
NEW = "\x00new"
MAX_UNDO = 60

_CURSOR = assets.component("relationships_cursor", __file__, js=("frame/arrival.js", "cursor.js"))
"""Keeps the row of the open finding in sight; a ``focus`` other than the last puts the cursor into a field."""


def actions(view: View) -> None:
    """Draw the bar for the finding that is open."""
    finding_id = view.finding.finding_id
    drafted = hand().drafts.get(finding_id, "")
    with st.container(key="rl-actions", gap=None):
        if drafted:
            st.html(f"<style>{_drafted_style(drafted)}</style>")
        with st.container(key="rl-actrow", horizontal=True, vertical_alignment="center", gap="small"):
            for action, label, letter in _BUTTONS:
                _button(view, action, label, letter=letter)
            _save_button(view, drafted)
        with st.container(key="rl-fields", horizontal=True, vertical_alignment="center", gap="small"):
            _fields(view, drafted)
            _foot(view, drafted)
    shortcuts(_KEYS, key="rl-keys", fields=(reason_key(finding_id),))
    focus_on = RETYPE if hand().focus_on == "retype" else reason_key(finding_id)
    data = {"row": finding_id, "focus": hand().focus, "focusOn": class_of(focus_on), "name": class_of(NAME)}
    _CURSOR(key="rl-cursor", data=data)


def _drafted_style(drafted: str) -> str:
    button = f".stApp .st-key-{class_of(f'{_ACT}.{drafted}')} button"
    return (
        f"{button}{{border-color:var(--dg-primary);color:var(--dg-primary);"
        "background:color-mix(in srgb,var(--dg-primary) 10%,var(--dg-bg));box-shadow:inset 0 0 0 1px var(--dg-primary)}"
    )


def _button(view: View, action: Drafted, label: str, *, letter: str) -> None:
    offered = next((each for each in view.alternatives if each.name == action), None)
    why = _why_not(view, action, offered)
    hint = "T again: choose another type" if action == "retype" else None
    text = offered.short if offered is not None else label
    st.button(
        escape.label(text, limit=34),
        key=f"{_ACT}.{action}",
        shortcut=letter,
        disabled=bool(why),
        on_click=draft,
        args=(view.finding.finding_id, action),
        help=escape.label(why, limit=200) if why else hint,
    )


def _why_not(view: View, action: Drafted, offered: Alternative | None) -> str:
    """Why an action cannot be drafted; empty when it can."""
    if not state.curator():
        return "Editing is off: switch it on above, with your name"
    if action == "ignore":
        return ""
    if offered is None:
        return "Choose a type first" if action == "retype" and view.subject.pair and not view.types else _NONE[action]
    return view.refused.get(action, "") if action != "retype" else ""


def _save_button(view: View, drafted: str) -> None:
    refused = view.refused.get(drafted, "")
    ready = bool(state.curator() and drafted and not refused)
    st.button(
        "Save and next",
        key=SAVE,
        type="primary",
        disabled=not ready,
        on_click=commit,
        args=(view.workspace, view.finding, view.edits(drafted)),
        kwargs={"action": drafted, "expected": view.expected},
        help=escape.label(refused, limit=200) if refused else None,
    )


def _fields(view: View, drafted: str) -> None:
    if not state.curator():
        locked = (
            "this database role may not change the workspace"
            if not state.may_write(view.workspace)
            else ("switch it on at the top right, with your name, to judge findings")
        )
        st.html(f'<p class="rl-off">{layout.glyph("lock")}Editing is off: {locked}.</p>')
        return
    if drafted == "retype" or (drafted == "flip" and view.subject.edge is None):
        _type_choice(view)
    st.text_input(
        "Reason",
        key=reason_key(view.finding.finding_id),
        max_chars=2_000,
        label_visibility="collapsed",
        placeholder="Reason, needed to ignore" if drafted == "ignore" else "Reason (for the history)",
        persist_state="session",
    )


def _type_choice(view: View) -> None:
    """The types of the workspace, those that fit first; a new one is asked for by a choice of its own."""
    finding_id = view.finding.finding_id
    if hand().new_types.get(finding_id):
        st.text_input(
            "New type",
            key=f"{NEW_TYPE}.{finding_id}",
            max_chars=100,
            label_visibility="collapsed",
            placeholder="Name of the new type",
            on_change=_named,
            args=(finding_id,),
        )
        return
    options = [*view.types, NEW]
    st.selectbox(
        "Type",
        options,
        index=options.index(view.retype_to) if view.retype_to in options else 0,
        format_func=lambda name: "New type…" if name == NEW else name,
        key=RETYPE,
        label_visibility="collapsed",
        on_change=_chosen,
        args=(finding_id,),
    )


def _chosen(finding_id: str) -> None:
    picked = str(st.session_state.get(RETYPE) or "")
    if picked == NEW:
        hand().new_types[finding_id] = True
        ask_focus("retype")
        return
    hand().types[finding_id] = picked
    hand().seen.pop(finding_id, None)
    ask_focus("reason")


def _named(finding_id: str) -> None:
    name = str(st.session_state.get(f"{NEW_TYPE}.{finding_id}") or "").strip()
    if name:
        hand().types[finding_id] = name
        hand().seen.pop(finding_id, None)


def _foot(view: View, drafted: str) -> None:
    """Moving, dropping, undoing: small, always at the same place."""
    finding_id = view.finding.finding_id
    act = last_act(view.workspace)
    with st.container(key="rl-actfoot", horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Next", key=f"{_ACT}.next", shortcut="J", type="tertiary", on_click=step, args=(finding_id, 1))
        st.button(
            "Previous", key=f"{_ACT}.previous", shortcut="K", type="tertiary", on_click=step, args=(finding_id, -1)
        )
        st.button(
            "Drop draft",
            key=f"{_ACT}.drop",
            shortcut="Esc",
            type="tertiary",
            disabled=not drafted,
            on_click=drop,
            args=(finding_id,),
        )
        words = f"Undo: {act.words[:1].lower()}{act.words[1:]}" if act else "Nothing to undo"
        whole = escape.label(words, limit=300) if len(words) > MAX_UNDO else None
        st.button(
            escape.label(words, limit=MAX_UNDO),
            key=f"{_ACT}.undo",
            shortcut="U",
            type="tertiary",
            help=whole,
            disabled=act is None,
            on_click=undo_last,
            args=(view.workspace,),
        )
