"""Under the row of acts: the reason and Save, which goes on; at the foot, next, previous, drop and undo."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from docgraph.ui.frame import assets, escape, layout
from docgraph.ui.frame.shortcuts import SLOW, class_of, shortcuts
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.findings.decision.act_row import ACT, BUTTONS
from docgraph.ui.relationships.findings.decision.draft import (
    REASON,
    Asked,
    Judged,
    commit,
    drop,
    hand,
    last_act,
    reason_key,
    reason_of,
    step,
    take_reason,
    undo_last,
)
from docgraph.ui.relationships.findings.decision.view import View, reasons
from docgraph.ui.relationships.head import NAME, switch_here

SAVE, RETYPE = "docgraph.relationships.save", "docgraph.relationships.retype"
NEW_TYPE = "docgraph.relationships.newtype"
_KEYS = {letter.lower(): f"{ACT}.{action}" for action, _, letter in BUTTONS} | {
    "j": f"{ACT}.next",
    "k": f"{ACT}.previous",
    "Escape": f"{ACT}.drop",
    "u": f"{ACT}.undo",
    "Enter": SAVE,
}
NEW = "\x00new"
MAX_UNDO, MAX_REASON = 60, 40
REASON_CHIP = "docgraph.reason"

_CURSOR = assets.component("relationships_cursor", __file__, js=("frame/arrival.js", "cursor.js"))
"""Keeps the row of the open finding in sight; a ``focus`` that was not seen yet puts the cursor into a field."""


def saving(view: View, drafted: str) -> None:
    """Draw the reason (and the type that a retype gives) beside the button that saves the draft; under it, reasons."""
    with st.container(key="rl-fields", horizontal=True, vertical_alignment="center", gap="small"):
        _fields(view, drafted)
        _save_button(view, drafted)
    if state.curator():
        _reasons(view, drafted)


def _reasons(view: View, drafted: str) -> None:
    """One line, as high with and without a draft: what is missing, reasons to take, and that a save takes long."""
    with st.container(key="rl-reasons", horizontal=True, vertical_alignment="center", gap="small"):
        if hand().unreasoned == view.decision_id and not reason_of(view.decision_id):
            missing = f"{layout.glyph('finding')}Say why you ignore it: write a reason or choose one."
            st.html(f'<p class="rl-missingreason" role="alert">{missing}</p>')
        elif not drafted:
            st.html(
                '<p class="dg-note">Press a key or a button to draft a change. Nothing is written until you save.</p>'
            )
        if drafted:
            edits = view.edits(drafted)
            offered = reasons(view.workspace, drafted, tuple({edit.action for edit in edits}))
            for place, text in enumerate(offered):
                st.button(
                    escape.label(text, limit=MAX_REASON),
                    key=f"{REASON_CHIP}.{place}",
                    on_click=take_reason,
                    args=(view.decision_id, text),
                    help=escape.label(f"Use as the reason: {text}", limit=300),
                )
        st.html(f'<span class="{SLOW}" data-key="Enter" data-says="saving…" role="status"></span>')


def keys(view: View) -> None:
    """From here on every key is listened to."""
    decision_id = view.decision_id
    opens = {_KEYS["i"]: REASON} if state.curator() else {}
    shortcuts(_KEYS, key="rl-keys", fields=(REASON,), opens=("i",) if opens else (), slow={"Enter": hand().n_saves})
    asked = hand().asked
    if asked is not None and asked.decision_id != decision_id:
        asked = None
    _cursor(decision_id, opens, asked)


def _cursor(decision_id: str, opens: Mapping[str, str], asked: Asked | None) -> None:
    """``opens`` = button → how the key of the field begins that its press puts the cursor into at once."""
    fields = {"reason": reason_key(decision_id), "retype": RETYPE, "new": f"{NEW_TYPE}.{decision_id}"}
    data = {
        "row": decision_id,
        "opens": {class_of(button): class_of(field) for button, field in opens.items()},
        "focus": asked.request if asked else "",
        "focusOn": class_of(fields[asked.where]) if asked else "",
        "early": asked.early if asked else False,
        "name": class_of(NAME),
    }
    _CURSOR(key="rl-cursor", data=data)


def _save_button(view: View, drafted: str) -> None:
    refused = view.refused.get(drafted, "")
    ready = bool(state.curator() and drafted and not refused)
    st.button(
        "Save and next",
        key=SAVE,
        type="primary",
        disabled=not ready,
        on_click=commit,
        args=(view.workspace, _judged(view, drafted)),
        help=escape.label(refused, limit=200) if refused else None,
    )


def _judged(view: View, drafted: str) -> Judged:
    label = next((each.label for each in view.alternatives if each.name == drafted), "")
    return Judged(view.decision, view.findings, drafted, label, view.edits(drafted), view.expected)


def _fields(view: View, drafted: str) -> None:
    if not state.curator():
        if state.may_write(view.workspace):
            switch_here()
        else:
            locked = escape.html(state.locked_words())
            st.html(f'<p class="rl-off">{layout.glyph("lock")}Editing is off: {locked}.</p>')
        return
    if drafted == "retype" or (drafted == "flip" and view.alone and view.subject.edge is None):
        _type_choice(view)
    st.text_input(
        "Reason",
        key=reason_key(view.decision_id),
        max_chars=2_000,
        label_visibility="collapsed",
        placeholder="Reason (required)" if drafted == "ignore" else "Reason (for the history)",
        persist_state="session",
    )


def _type_choice(view: View) -> None:
    """The types of the workspace, those that fit first; a new one is asked for by a choice of its own."""
    decision_id = view.decision_id
    if hand().new_types.get(decision_id):
        st.text_input(
            "New type",
            key=f"{NEW_TYPE}.{decision_id}",
            max_chars=100,
            label_visibility="collapsed",
            placeholder="Name of the new type",
            on_change=_named,
            args=(decision_id,),
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
        args=(decision_id,),
    )


def _chosen(decision_id: str) -> None:
    picked = str(st.session_state.get(RETYPE) or "")
    if picked == NEW:
        hand().new_types[decision_id] = True
        hand().asked = Asked(decision_id, "new")
        return
    hand().types[decision_id] = picked
    hand().seen.pop(decision_id, None)
    hand().asked = Asked(decision_id, "reason")


def _named(decision_id: str) -> None:
    name = str(st.session_state.get(f"{NEW_TYPE}.{decision_id}") or "").strip()
    if name:
        hand().types[decision_id] = name
        hand().seen.pop(decision_id, None)


def reading_foot(decision_id: str) -> None:
    """Draw the ways to the next one and back alone: where everything is only read."""
    with st.container(key="rl-actfoot", horizontal=True, vertical_alignment="center", gap="small"):
        _moving(decision_id)


def reading_keys(decision_id: str) -> None:
    """Listen to the keys that move."""
    shortcuts({"j": f"{ACT}.next", "k": f"{ACT}.previous"}, key="rl-keys")
    _cursor(decision_id, {}, None)


def _moving(decision_id: str) -> None:
    st.button("Next", key=f"{ACT}.next", shortcut="J", type="tertiary", on_click=step, args=(decision_id, 1))
    st.button("Previous", key=f"{ACT}.previous", shortcut="K", type="tertiary", on_click=step, args=(decision_id, -1))


def foot(view: View, drafted: str) -> None:
    """Draw moving, dropping, undoing: small, always at the same place."""
    decision_id = view.decision_id
    with st.container(key="rl-actfoot", horizontal=True, vertical_alignment="center", gap="small"):
        _moving(decision_id)
        st.button(
            "Discard draft",
            key=f"{ACT}.drop",
            shortcut="Esc",
            type="tertiary",
            disabled=not drafted,
            on_click=drop,
            args=(decision_id,),
        )
        _undo(view.workspace)


def undo_foot(workspace: str) -> None:
    """Draw undo alone, with its key: where no decision is left to judge."""
    with st.container(key="rl-actfoot", horizontal=True, vertical_alignment="center", gap="small"):
        _undo(workspace)
    shortcuts({"u": f"{ACT}.undo"}, key="rl-keys")
    _cursor("", {}, None)


def _undo(workspace: str) -> None:
    act = last_act(workspace)
    words = f"Undo: {act.words[:1].lower()}{act.words[1:]}" if act else "Nothing to undo"
    words += ", as one change" if act and len(act.finding_ids) > 1 else ""
    st.button(
        escape.label(words, limit=MAX_UNDO),
        key=f"{ACT}.undo",
        shortcut="U",
        type="tertiary",
        help=escape.label(words, limit=300) if len(words) > MAX_UNDO else None,
        disabled=act is None,
        on_click=undo_last,
        args=(workspace,),
    )
