"""Undo in the history: of one entry with a reason and with what stands in its way, and of a whole act."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from docgraph.domain.history import HistoryEntry
from docgraph.domain.person import MAX_REASON
from docgraph.ui.frame import escape, resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.data import naming
from docgraph.views.relationships.history.words import Act, entry_text
from docgraph.views.words.counts import plural

REASON = "docgraph.history.reason"
BLOCKERS_SHOWN = 5
_ROOM = "history.undoing"


@dataclass(frozen=True)
class Undoing:
    """Whether and what is about to be undone; ``reason_off`` = why nothing can be, empty when it can."""

    workspace: str
    reason_off: str

    @property
    def entry_id(self) -> int | None:
        """The entry whose undo is open."""
        found: int | None = state.memory().room.get(_ROOM)
        return found

    def panel(self, entry: HistoryEntry) -> None:
        """Under the entry whose undo is open: what blocks it, or the reason and the button."""
        if self.reason_off or self.entry_id != entry.entry_id or entry.undone_by is not None:
            return
        blockers = resources.docgraph(self.workspace).relationships.blocking(entry.entry_id)
        with st.container(key="rh-undo", gap="small"):
            if blockers:
                self._blocked(entry, blockers)
                return
            with st.container(key="rh-undo-row", horizontal=True, vertical_alignment="bottom", gap="small"):
                st.text_input("Reason (optional)", key=REASON, max_chars=MAX_REASON, width=420)
                st.button(
                    f"Undo entry {entry.entry_id}",
                    key="docgraph.history.undo",
                    type="primary",
                    on_click=_undo,
                    args=(self.workspace, entry.entry_id),
                )
                st.button("Cancel", key="docgraph.history.keep", on_click=close_undo)

    def _blocked(self, entry: HistoryEntry, blockers: tuple[HistoryEntry, ...]) -> None:
        """Later entries that were built on this one, each with the way to undo it first."""
        shown = blockers[:BLOCKERS_SHOWN]
        more = f" and {len(blockers) - len(shown):,} more" if len(blockers) > len(shown) else ""
        later = plural(len(blockers), "later entry depends", "later entries depend")
        said = f"Entry {entry.entry_id} cannot be undone yet: {later} on it{more}."
        st.html(f'<p class="rh-blocked" role="status">{said}</p>')
        for each in shown:
            with st.container(key=f"rh-block-{each.entry_id}", horizontal=True, vertical_alignment="center"):
                words = entry_text(each, named=naming(self.workspace))
                st.html(f'<p class="dg-note">{escape.html(words)}</p>')
                st.button(
                    f"Undo {each.entry_id} first",
                    key=f"docgraph.history.first.{each.entry_id}",
                    on_click=_go_first,
                    args=(each.entry_id,),
                )
        st.button("Cancel", key="docgraph.history.keep", on_click=close_undo)


def undo_row(entry: HistoryEntry, undoing: Undoing) -> None:
    """The button at the end of an entry; one that was undone has none."""
    if entry.undone_by is None:
        st.button(
            "Undo…",
            key=f"docgraph.history.undo.{entry.entry_id}",
            on_click=open_undo,
            args=(entry.entry_id,),
            disabled=bool(undoing.reason_off),
            help=undoing.reason_off or None,
            type="tertiary",
        )


def undo_act_row(act: Act, undoing: Undoing) -> None:
    """Draw the undo button of a change, while any part of it is still in effect."""
    if act.standing:
        st.button(
            f"Undo all {act.standing:,}",
            key=f"docgraph.history.undoact.{act.act}",
            on_click=_undo_act,
            args=(undoing.workspace, act.act),
            disabled=bool(undoing.reason_off),
            help=undoing.reason_off or None,
        )


def _go_first(entry_id: int) -> None:
    """Open the undo of what blocks another one, and let the list begin at it."""
    st.query_params["entry"] = str(entry_id)
    st.session_state["who"] = st.session_state["why"] = ""
    open_undo(entry_id)


def open_undo(entry_id: int) -> None:
    """Ask for the reason under this entry."""
    state.memory().room[_ROOM] = entry_id
    state.fail(None)
    st.session_state[REASON] = ""


def close_undo() -> None:
    """Keep the entry as it is."""
    state.memory().room.pop(_ROOM, None)
    state.fail(None)


def _undo(workspace: str, entry_id: int) -> None:
    if state.undo(workspace, entry_id, reason=str(st.session_state.get(REASON) or "")) is not None:
        close_undo()


def _undo_act(workspace: str, act: str) -> None:
    state.undo_act(workspace, act)
