"""One action on all filtered rows: a count, the effect, then one change that can be undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from docgraph.domain.graph import Relationship
from docgraph.domain.history import edge_state
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.person import MAX_REASON
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.data import edges, naming
from docgraph.ui.relationships.edges.pick import pick_type
from docgraph.ui.relationships.effect import compared_effect
from docgraph.views.relationships.edges.bulk import BULK, BulkPlan, bulk_plan
from docgraph.views.relationships.edges.rows import EdgeFilter, EdgeRow
from docgraph.views.relationships.history.words import act_text, entry_text
from docgraph.views.words.counts import plural

ACTION, TYPE, REASON = (f"docgraph.bulk.{name}" for name in ("action", "type", "reason"))
MAX_LISTED = 1_000
"""Rows that cannot take an action and are listed; all are counted."""

_DONE, _SEEN = "edges.bulk", "edges.bulk.seen"


@dataclass(frozen=True)
class Done:
    """A bulk save of this session that can be taken back."""

    workspace: str
    act: str
    sentence: str


@dataclass
class Seen:
    """The dry run that a person looks at: its plan, and all relationships as they were when it was drawn first.

    ``asked`` = what it is about; ``problem`` = why saving it would be refused as a whole.
    """

    asked: tuple[Any, ...]
    plan: BulkPlan
    there: Mapping[EdgeKey, Relationship]
    problem: DocgraphError | None = None

    def expected(self) -> dict[EdgeKey, str]:
        """The state of each relationship that the plan changes, as it was drawn."""
        return {edit.key: edge_state(self.there.get(edit.key)) for edit in self.plan.edits}

    def changed(self, now: Mapping[EdgeKey, Relationship]) -> tuple[EdgeKey, ...]:
        """Those of them that are not as they were drawn any more, by key."""
        if now is self.there:
            return ()
        return tuple(sorted(edit.key for edit in self.plan.edits if now.get(edit.key) != self.there.get(edit.key)))


def bulk_panel(workspace: str, rows: Sequence[EdgeRow], wanted: EdgeFilter, *, close: Callable[[], None]) -> None:
    """Draw the panel over the ``rows`` that ``wanted`` lets through; nothing is written before *Save*."""
    with st.container(key="re-bulk", gap="small"):
        layout.section(
            f"Change {plural(len(rows), 'relationship')}", "Everything that matches the filters, as one change"
        )
        with st.container(key="re-bulk-row", horizontal=True, vertical_alignment="bottom", gap="small"):
            action = st.segmented_control(
                "Action", list(BULK), key=ACTION, format_func=lambda name: BULK[name], label_visibility="collapsed"
            )
        name, new = pick_type(workspace, "New type", key=TYPE) if action == "retype" else ("", False)
        problem = state.memory().problem
        if problem is not None:
            layout.error(problem)
        if action is None or (action == "retype" and not name):
            state.memory().room.pop(_SEEN, None)
            st.html('<p class="dg-note">Choose an action to see how many would change.</p>')
            st.button("Close", key="docgraph.bulk.close", on_click=close)
            return
        seen = _seen(workspace, rows, (workspace, wanted, action, name, new))
        _planned(seen)
        changed = seen.changed(edges(workspace))
        if changed and seen.problem is None:
            _told(workspace, changed)
        _save_row(workspace, seen, stale=bool(changed), close=close)
        if seen.plan.edits and seen.problem is None and not changed and action != "accept":
            compared_effect(workspace, seen.plan.edits, key="docgraph.bulk.effect", ask=len(seen.plan.edits) > 200)


def _seen(workspace: str, rows: Sequence[EdgeRow], asked: tuple[Any, ...]) -> Seen:
    """The dry run of what is asked, made once: it stays as it was drawn until the person asks anew.

    The edits that it counts have been through the same steps as a save, but for the writing.
    """
    room = state.memory().room
    held: Seen | None = room.get(_SEEN)
    if held is not None and held.asked == asked:
        return held
    _, _, action, name, new = asked
    there = edges(workspace)
    plan = bulk_plan(rows, action, relation_type=name, there=there.keys())
    held = room[_SEEN] = Seen(asked, plan, there)
    if plan.edits:
        try:
            resources.docgraph(workspace).relationships.edit(
                plan.edits, by=state.curator(), dry_run=True, expected=held.expected(), new_types=new
            )
        except DocgraphError as problem:
            held.problem = problem
    return held


def _planned(seen: Seen) -> None:
    plan = seen.plan
    if seen.problem is not None:
        layout.error(seen.problem)
        _count_again()
    else:
        st.html(f'<p class="re-draft" role="status"><b>Preview</b> {escape.html(plan.sentence)}</p>')
    if not plan.refused:
        return
    with st.expander(f"Not possible: {len(plan.refused):,}", key="docgraph.bulk.refused"):
        listed = plan.refused[:MAX_LISTED]
        columns = {
            "From": [row.from_title for row, _ in listed],
            "Type": [row.key[1] for row, _ in listed],
            "To": [row.to_title for row, _ in listed],
            "Why": [why for _, why in listed],
        }
        st.dataframe(
            pd.DataFrame(columns),
            hide_index=True,
            alt="Relationships that this action does not apply to",
            placeholder="--",
        )
        if len(listed) < len(plan.refused):
            st.html(f'<p class="dg-note">{len(listed):,} of {len(plan.refused):,} listed</p>')


def _told(workspace: str, changed: Sequence[EdgeKey]) -> None:
    """What somebody else did meanwhile, and the way to a new count."""
    newest = next(iter(resources.docgraph(workspace).relationships.history(key=changed[0], limit=1)), None)
    said = entry_text(newest, named=naming(workspace)) if newest else "An import changed it."
    more = f" {len(changed) - 1:,} more changed too." if len(changed) > 1 else ""
    title = f"{plural(len(changed), 'relationship')} changed while you reviewed them"
    layout.card("note", title, f"{said}{more}", sign="finding")
    _count_again()


def _count_again() -> None:
    st.button("Count again", key="docgraph.bulk.again", type="primary", on_click=_again)


def _again() -> None:
    state.memory().room.pop(_SEEN, None)
    state.fail(None)


def _save_row(workspace: str, seen: Seen, *, stale: bool, close: Callable[[], None]) -> None:
    n = len(seen.plan.edits)
    with st.container(key="re-bulk-save", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input("Reason (optional)", key=REASON, max_chars=MAX_REASON)
        st.button(
            f"Save: change {n:,}",
            type="primary",
            key="docgraph.bulk.save",
            disabled=not n or stale or seen.problem is not None,
            on_click=_save,
            args=(workspace, seen, close),
        )
        st.button("Close", key="docgraph.bulk.close", on_click=close)


def _save(workspace: str, seen: Seen, close: Callable[[], None]) -> None:
    reason, new = str(st.session_state.get(REASON) or ""), bool(seen.asked[-1])
    entries = state.save(workspace, seen.plan.edits, reason=reason, expected=seen.expected(), new_types=new)
    if entries:
        action = BULK[seen.plan.edits[0].action].split()[0].lower()  # type: ignore[index]
        done = f"{action}: {act_text(len(entries))}"
        state.memory().room[_DONE] = Done(workspace, entries[0].act, done)
        state.memory().room.pop(_SEEN, None)
        close()


def undo_card(workspace: str) -> None:
    """The last bulk save of this session with its undo; nothing when there is none."""
    done: Done | None = state.memory().room.get(_DONE)
    if done is None or done.workspace != workspace:
        return
    with st.container(key="re-undo", horizontal=True, vertical_alignment="center", gap="small"):
        said = f"Saved, {done.sentence}"
        st.html(f'<p class="dg-note" role="status">{layout.glyph("check")} {escape.html(said)}</p>')
        st.button(
            "Undo all",
            key="docgraph.bulk.undo",
            on_click=_undo,
            args=(workspace, done),
            disabled=not state.curator(),
        )
        st.button("Close", key="docgraph.bulk.done", on_click=_forget, type="tertiary")
    problem: DocgraphError | None = state.memory().problem
    if problem is not None:
        layout.error(problem)


def _undo(workspace: str, done: Done) -> None:
    if state.undo_act(workspace, done.act):
        _forget()


def _forget() -> None:
    state.memory().room.pop(_DONE, None)
