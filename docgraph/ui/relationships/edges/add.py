"""Adding a relationship: both documents by title, the type from the vocabulary, its effect, then saving."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from docgraph.domain.edit import Edit
from docgraph.domain.history import edge_state
from docgraph.domain.overrides import edge_text
from docgraph.domain.person import MAX_REASON
from docgraph.ui.frame import escape, layout
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.data import edges, titled
from docgraph.ui.relationships.edges.pick import pick_document, pick_type
from docgraph.ui.relationships.effect import compared_effect
from docgraph.views.relationships.edges.rows import Direction

FROM, VIA, TO, REASON = (f"docgraph.add.{name}" for name in ("from", "via", "to", "reason"))


def propose(document_id: str, relation_type: str, direction: Direction) -> None:
    """Begin a draft at one end: the document is the start of what is outgoing, the target of what is incoming."""
    _forget()
    st.session_state[FROM if direction == "outgoing" else TO] = document_id
    st.session_state[VIA] = relation_type


def add_panel(workspace: str, *, close: Callable[[], None]) -> None:
    """Draw the panel; nothing is written before *Save*."""
    with st.container(key="re-add", gap="small"):
        layout.section("Add a relationship", "A draft. Nothing is written until you save.")
        with st.container(key="re-add-row", gap="small"):
            columns = st.columns([5, 3, 5], gap="small")
            with columns[0]:
                start = pick_document(workspace, "From", key=FROM)
            with columns[1]:
                via, new = pick_type(workspace, "Type", key=VIA)
            with columns[2]:
                end = pick_document(workspace, "To", key=TO)
        state.show_problem()
        made = Edit(action="add", key=(start, via, end)) if start and via and end else None
        there = made is not None and made.key in edges(workspace)
        if made is not None and there:
            st.html(f'<p class="dg-note" role="status">{escape.html(titled(workspace, made.key))} already exists.</p>')
        _save_row(workspace, made if not there else None, new=new, close=close)
        if made is not None and not there:
            compared_effect(workspace, [made], key="docgraph.add.effect")


def _save_row(workspace: str, made: Edit | None, *, new: bool, close: Callable[[], None]) -> None:
    with st.container(key="re-add-save", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input("Reason (optional)", key=REASON, max_chars=MAX_REASON)
        st.button(
            "Save: add",
            type="primary",
            key="docgraph.add.save",
            disabled=made is None,
            on_click=_save,
            args=(workspace, made, new, close),
        )
        st.button("Discard draft", key="docgraph.add.close", on_click=_drop, args=(close,))


def _save(workspace: str, made: Edit, new: bool, close: Callable[[], None]) -> None:
    reason = str(st.session_state.get(REASON) or "")
    entries = state.save(workspace, [made], reason=reason, expected={made.key: edge_state(None)}, new_types=new)
    if entries:
        _drop(close)
        st.query_params["edge"] = edge_text(made.key)


def _drop(close: Callable[[], None]) -> None:
    _forget()
    state.fail(None)
    close()


def _forget() -> None:
    for name in (FROM, VIA, TO, REASON, f"{VIA}.new"):
        st.session_state.pop(name, None)
