"""What was saved last at a place of the page, with the undo of all of it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from docgraph.ui.frame import escape, layout
from docgraph.ui.parts.curation import state


@dataclass(frozen=True)
class Done:
    """A save of this session that can be taken back: ``act`` = its act in the history ("" = nothing to take back)."""

    workspace: str
    sentence: str
    act: str
    more: str = ""


def remember(place: str, done: Done) -> None:
    """Offer its undo at this place; the save before it is not offered any more."""
    state.memory().room[f"{place}.done"] = done


def undo_card(place: str, workspace: str, label: str) -> None:
    """The last save at this place with its undo, all of it or nothing; nothing when there is none."""
    done: Done | None = state.memory().room.get(f"{place}.done")
    if done is None or done.workspace != workspace:
        return
    with st.container(key=f"re-undo-{place}", horizontal=True, vertical_alignment="center", gap="small"):
        said = escape.html(escape.shorten(done.sentence, 160) + done.more)
        st.html(f'<p class="dg-note" role="status">{layout.glyph("check")} {said}</p>')
        if done.act:
            st.button(
                label,
                key=f"docgraph.{place}.undo",
                on_click=_undo,
                args=(place, done, label),
                disabled=not state.curator(),
            )
        st.button("Close", key=f"docgraph.{place}.undone", on_click=_forget, args=(place,), type="tertiary")


def _forget(place: str) -> None:
    state.memory().room.pop(f"{place}.done", None)


def _undo(place: str, done: Done, label: str) -> None:
    if state.curator() and state.undo_act(done.workspace, done.act, reason=label.lower()) is not None:
        _forget(place)
