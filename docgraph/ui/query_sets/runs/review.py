"""The review of a saved version: checklist, notes, approval, and the history of it."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.saved_run import MAX_NOTE, MAX_PERSON, ReviewKind, SavedRun
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.frame.state import guarded_click
from docgraph.ui.parts.runs import marks
from docgraph.ui.parts.runs.saving import person_name, remember_person
from docgraph.views.runs import HistoryLine, Item, Standing, history, standing
from docgraph.views.words.counts import n_of_m
from docgraph.views.words.moments import person, revision
from docgraph.views.words.staleness import Staleness

MAX_HISTORY = 30
_BY = "docgraph.runs.review.by"


def review(saved: SavedRun, state: Staleness) -> None:
    """Draw the block; every change is written at once and shows in the history."""
    entries = resources.docgraph().runs.reviews(saved.run_id)
    now = standing(entries)
    with st.container(key="rn-review", gap="small"):
        with st.container(key="rn-reviewhead", horizontal=True, vertical_alignment="center", gap="small"):
            layout.section("Review", f"{now.n_checked} of {len(now.items)} checked")
            if resources.person() is None:
                st.text_input(
                    "Your name",
                    value=person_name(),
                    key=_BY,
                    max_chars=MAX_PERSON,
                    on_change=_remember,
                    placeholder=f"Your name (empty means {person('')})",
                    label_visibility="collapsed",
                    width=240,
                )
        if entries and state.state != "fresh":
            _stale_note(saved, state)
        for item in now.items:
            _item(saved.run_id, item)
        _note(saved.run_id)
        _approval(saved.run_id, now)
        _history(history(entries))


def _remember() -> None:
    remember_person(str(st.session_state.get(_BY) or ""))


def _stale_note(saved: SavedRun, state: Staleness) -> None:
    sentence = escape.html(state.sentence)
    st.html(
        f'<p class="rn-stale" role="status">{layout.glyph("clock")}<span>This review covers revision '
        f"{escape.html(revision(saved.corpus_revision))}: {sentence}.</span></p>"
    )


def _item(run_id: str, item: Item) -> None:
    tick, note = f"docgraph.runs.review.{run_id}.{item.key}", f"docgraph.runs.review.{run_id}.{item.key}.note"
    # What is stored leads, so that two people who review at once see the same.
    if st.session_state.get(tick) != item.checked:
        st.session_state[tick] = item.checked
    if st.session_state.get(note) != item.text:
        st.session_state[note] = item.text
    with st.container(key=f"rn-item-{item.key}", horizontal=True, vertical_alignment="center", gap="small"):
        st.checkbox(item.sentence, key=tick, on_change=_write_item, args=(run_id, item.key, tick, note))
        st.text_input(
            f"Note: {item.sentence}",
            key=note,
            max_chars=MAX_NOTE,
            placeholder="Note",
            label_visibility="collapsed",
            on_change=_write_item,
            args=(run_id, item.key, tick, note),
        )


def _write_item(run_id: str, item: str, tick: str, note: str) -> None:
    checked, text = bool(st.session_state[tick]), str(st.session_state[note] or "")
    _write(run_id, "item", item=item, checked=checked, text=text)


def _write(run_id: str, kind: ReviewKind, *, item: str = "", checked: bool | None = None, text: str = "") -> None:
    act = resources.docgraph().runs.review
    guarded_click(act, run_id, kind, by=person_name(), item=item, checked=checked, text=text)


def _note(run_id: str) -> None:
    key = f"docgraph.runs.review.{run_id}.free"
    with (
        st.form("rn-reviewnote", border=False, clear_on_submit=True),
        st.container(key="rn-reviewnote-row", horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        st.text_area(
            "Note to the review",
            key=key,
            max_chars=MAX_NOTE,
            height=68,
            placeholder="A note to the review",
            label_visibility="collapsed",
        )
        st.form_submit_button("Add note", key="docgraph.runs.review.add", on_click=_write_note, args=(run_id, key))


def _write_note(run_id: str, key: str) -> None:
    text = str(st.session_state.get(key) or "").strip()
    if text:
        _write(run_id, "note", text=text)


def _approval(run_id: str, now: Standing) -> None:
    with st.container(key="rn-approval", horizontal=True, vertical_alignment="center", gap="small"):
        if now.approved_by:
            st.html(
                f'<p class="rn-approved" role="status">{layout.glyph("check")}<span>Approved by '
                f"<b>{escape.html(now.approved_by)}</b>, {marks.at(now.approved_at)}</span></p>"
            )
            st.button("Withdraw approval", key="docgraph.runs.withdraw", on_click=_write, args=(run_id, "withdrawn"))
        else:
            st.button(
                "Mark as approved",
                key="docgraph.runs.approve",
                on_click=_write,
                args=(run_id, "approved"),
                type="primary",
            )
            open_items = len(now.items) - now.n_checked
            left = f"{open_items} of {len(now.items)} items to check" if open_items else "All items are checked"
            st.html(f'<p class="dg-note">{left}. Not approved.</p>')


def _history(lines: tuple[HistoryLine, ...]) -> None:
    if not lines:
        return
    rows = "".join(
        f"<li>{marks.at(line.at)} <b>{escape.html(line.by)}</b>"
        f"<span>{escape.html(line.what)}: {_step(line)}</span></li>"
        for line in lines[:MAX_HISTORY]
    )
    counted = f"{n_of_m(MAX_HISTORY, len(lines))} lines, newest first" if len(lines) > MAX_HISTORY else "newest first"
    with st.expander(f"History ({len(lines):,})", key="docgraph.runs.review.history"):
        st.html(f'<p class="dg-note">{counted}</p><ol class="rn-history">{rows}</ol>')


def _step(line: HistoryLine) -> str:
    if not line.before:
        return f"‘{escape.html(line.after)}’"
    return f"{escape.html(line.before)} → {escape.html(line.after)}"
