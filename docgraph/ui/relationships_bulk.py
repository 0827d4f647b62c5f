"""One action on all rows that the filters let through: a count first, the effect, then one act with its undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from docgraph.domain.history import MAX_REASON, edge_state
from docgraph.errors import DocgraphError
from docgraph.ui import escape, frame
from docgraph.ui import relationships_state as state
from docgraph.ui.relationships_edges_data import edges
from docgraph.ui.relationships_edges_effect import shown_effect
from docgraph.ui.relationships_edges_pick import pick_type
from docgraph.views.edge_rows import EdgeRow
from docgraph.views.edge_rows_bulk import BULK, BulkPlan, bulk_plan
from docgraph.views.history_words import act_text
from docgraph.views.wording import plural

ACTION, TYPE, REASON = (f"docgraph.bulk.{name}" for name in ("action", "type", "reason"))
MAX_LISTED = 1_000
"""Rows that cannot take an action and are listed; all are counted."""

_DONE = "edges.bulk"


@dataclass(frozen=True)
class Done:
    """A bulk save of this session that can be taken back."""

    workspace: str
    act: str
    sentence: str


def bulk_panel(workspace: str, rows: Sequence[EdgeRow], *, close: Callable[[], None]) -> None:
    """Draw the panel over the rows that are shown; nothing is written before *Save*."""
    with st.container(key="re-bulk", gap="small"):
        frame.section(f"Change {plural(len(rows), 'relationship')}", "all that the filters let through, as one act")
        with st.container(key="re-bulk-row", horizontal=True, vertical_alignment="bottom", gap="small"):
            action = st.segmented_control(
                "What to do", list(BULK), key=ACTION, format_func=lambda name: BULK[name], label_visibility="collapsed"
            )
        name, new = pick_type(workspace, "New type", key=TYPE) if action == "retype" else ("", False)
        problem = state.memory().problem
        if problem is not None:
            frame.error(problem)
        if action is None or (action == "retype" and not name):
            st.html('<p class="dg-note">Choose what to do: first it says how many would change.</p>')
            st.button("Close", key="docgraph.bulk.close", on_click=close)
            return
        plan = bulk_plan(rows, action, relation_type=name, there=edges(workspace).keys())
        _planned(plan)
        _save_row(workspace, plan, new=new, close=close)
        if plan.edits and action != "accept":
            shown_effect(workspace, plan.edits, key="docgraph.bulk.effect", ask=len(plan.edits) > 200)


def _planned(plan: BulkPlan) -> None:
    said = plan.sentence
    st.html(f'<p class="re-draft" role="status"><b>Dry run</b> {escape.html(said)}</p>')
    if not plan.refused:
        return
    with st.expander(f"Those that cannot: {len(plan.refused):,}", key="docgraph.bulk.refused"):
        listed = plan.refused[:MAX_LISTED]
        columns = {
            "From": [row.from_title for row, _ in listed], "Type": [row.key[1] for row, _ in listed],
            "To": [row.to_title for row, _ in listed], "Why": [why for _, why in listed],
        }  # fmt: skip
        st.dataframe(pd.DataFrame(columns), hide_index=True, alt="Relationships that cannot take this action")
        if len(listed) < len(plan.refused):
            st.html(f'<p class="dg-note">{len(listed):,} of {len(plan.refused):,} listed</p>')


def _save_row(workspace: str, plan: BulkPlan, *, new: bool, close: Callable[[], None]) -> None:
    with st.container(key="re-bulk-save", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input("Reason (optional)", key=REASON, max_chars=MAX_REASON)
        st.button(
            f"Save: change {len(plan.edits):,}", type="primary", key="docgraph.bulk.save", disabled=not plan.edits,
            on_click=_save, args=(workspace, plan, new, close),
        )  # fmt: skip
        st.button("Close", key="docgraph.bulk.close", on_click=close)


def _save(workspace: str, plan: BulkPlan, new: bool, close: Callable[[], None]) -> None:
    there = edges(workspace)
    expected = {edit.key: edge_state(there.get(edit.key)) for edit in plan.edits}
    reason = str(st.session_state.get(REASON) or "")
    entries = state.save(workspace, plan.edits, reason=reason, expected=expected, new_types=new)
    if entries:
        action = BULK[plan.edits[0].action].split()[0].lower()  # type: ignore[index]
        done = f"{action}: {act_text(len(entries))}"
        state.memory().room[_DONE] = Done(workspace, entries[0].act, done)
        close()


def undo_card(workspace: str) -> None:
    """The last bulk save of this session with its undo; nothing when there is none."""
    done: Done | None = state.memory().room.get(_DONE)
    if done is None or done.workspace != workspace:
        return
    with st.container(key="re-undo", horizontal=True, vertical_alignment="center", gap="small"):
        said = f"Saved, {done.sentence}"
        st.html(f'<p class="dg-note" role="status">{frame.glyph("check")} {escape.html(said)}</p>')
        st.button("Undo all of it", key="docgraph.bulk.undo", on_click=_undo, args=(workspace, done),
                  disabled=not state.curator())  # fmt: skip
        st.button("Close", key="docgraph.bulk.done", on_click=_forget, type="tertiary")
    problem: DocgraphError | None = state.memory().problem
    if problem is not None:
        frame.error(problem)


def _undo(workspace: str, done: Done) -> None:
    if state.undo_act(workspace, done.act):
        _forget()


def _forget() -> None:
    state.memory().room.pop(_DONE, None)
