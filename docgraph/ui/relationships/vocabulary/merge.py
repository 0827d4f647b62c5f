"""Merging relationship types: the choice, a preview, the effect, and then one change that can be undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from docgraph.domain.edit import Edit
from docgraph.domain.history import edge_state
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.vocabulary import Vocabulary
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.effect import compared_effect
from docgraph.ui.relationships.undo import Done, remember
from docgraph.views.relationships.vocabulary import MergePreview, merge_preview, merge_reason
from docgraph.views.words.counts import plural

AT_THE_TOP = "\0top"
"""Where the panel stands when it was not opened at a row; no type has this name."""

TYPES, INTO, REASON, NEW = (f"docgraph.vocabulary.{name}" for name in ("types", "into", "reason", "new"))
_ROOM = "vocabulary.merging"


def opened() -> str | None:
    """The type at whose row the panel stands, ``AT_THE_TOP``, or None while it is closed."""
    found: str | None = state.memory().room.get(_ROOM)
    return found


def open_at(place: str, types: Sequence[str] = (), into: str | None = None) -> None:
    """Open the panel there, with this chosen."""
    state.memory().room[_ROOM] = place
    st.session_state[TYPES] = list(types)
    st.session_state[INTO] = into
    st.session_state[REASON] = ""
    st.session_state[NEW] = False


def close() -> None:
    """Drop what was chosen; nothing was written."""
    state.memory().room.pop(_ROOM, None)


def panel(workspace: str, found: Vocabulary) -> None:
    """Choose, preview, save."""
    with st.container(key="rv-merge", gap="small"):
        layout.section("Merge types", "A draft. Nothing is written until you save.")
        names = [use.relation_type for use in found.types]
        # What is chosen survives a merge somewhere else only where it still exists.
        st.session_state[TYPES] = [name for name in st.session_state.get(TYPES, []) if name in names]
        with st.container(key="rv-choose", horizontal=True, vertical_alignment="bottom", gap="small"):
            types = st.multiselect("Types to merge", names, key=TYPES, placeholder="Choose one or more", width=420)
            into = st.selectbox(
                "become",
                names,
                key=INTO,
                index=None,
                accept_new_options=True,
                width=300,
                placeholder="Choose a type, or type a new one",
            )
        into = " ".join(str(into or "").split())
        if not types or not into or list(types) == [into]:
            st.html('<p class="dg-note">Choose the types to merge and the type to keep.</p>')
            _buttons(workspace, (), into, types, preview=None, known=True)
            return
        edits = resources.docgraph(workspace).relationships.merge_edits([name for name in types if name != into], into)
        preview = merge_preview(edits, into)
        _preview(preview)
        if edits:
            compared_effect(workspace, edits, key="docgraph.vocabulary.effect")
        _buttons(workspace, edits, into, types, preview=preview, known=into in names)


def _preview(preview: MergePreview) -> None:
    """What it does, by type: how many are renamed, and how many fall together with one that is there."""
    rows = "".join(
        f"<tr><td><b>{escape.html(escape.shorten(name, 60))}</b></td><td>{preview.retyped.get(name, 0):,}</td>"
        f"<td>{preview.dropped.get(name, 0):,}</td></tr>"
        for name in sorted({*preview.retyped, *preview.dropped})
    )
    head = "<tr><th>type</th><th>change type</th><th>already exist, so removed</th></tr>"
    table = f"<table>{head}{rows}</table>" if rows else ""
    st.html(f'<div class="rv-preview"><p role="status">{escape.html(preview.sentence)}</p>{table}</div>')


def _buttons(
    workspace: str, edits: Sequence[Edit], into: str, types: Sequence[str], *, preview: MergePreview | None, known: bool
) -> None:
    if edits and not known:
        st.checkbox(f"Make {escape.label(into, limit=60)} a new type of this workspace", key=NEW)
    if state.curator():
        st.text_input(
            "Reason (optional)", key=REASON, max_chars=2_000, placeholder=merge_reason(types, into or "…"), width=560
        )
    ready = bool(edits) and bool(state.curator()) and (known or bool(st.session_state.get(NEW)))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        n = len(edits)
        label = f"Save: merge {plural(n, 'relationship')}" if n else "Save"
        st.button(
            label,
            type="primary",
            key="docgraph.vocabulary.save",
            disabled=not ready,
            on_click=_save,
            args=(workspace, tuple(edits), _states(workspace, edits)),
            kwargs={"types": tuple(types), "into": into, "new_types": not known},
        )
        st.button("Discard draft", key="docgraph.vocabulary.close", on_click=close)
        if preview is not None and not state.curator():
            st.html('<p class="dg-note">Switch editing on to save it.</p>')


def _states(workspace: str, edits: Sequence[Edit]) -> dict[EdgeKey, str]:
    """Each relationship as it is displayed: saving is refused when somebody changes one of them meanwhile."""
    wanted = {edit.key for edit in edits}
    return {edge.key: edge_state(edge) for edge in state.relationships(workspace) if edge.key in wanted}


def _save(
    workspace: str,
    edits: Sequence[Edit],
    expected: Mapping[EdgeKey, str],
    *,
    types: Sequence[str],
    into: str,
    new_types: bool,
) -> None:
    reason = str(st.session_state.get(REASON) or "").strip() or merge_reason([n for n in types if n != into], into)
    entries = state.save(workspace, edits, reason=reason, expected=expected, new_types=new_types)
    if entries:
        done = f"{plural(len(entries), 'relationship')}: {merge_reason([n for n in types if n != into], into)}"
        remember("vocabulary", Done(workspace, done, entries[0].act))
        close()
