"""Saved versions that were put away: bring them back, or remove them for good behind a confirmation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from docgraph.domain.saved_run import RunSummary
from docgraph.ui.frame import escape, layout
from docgraph.ui.parts.runs import marks
from docgraph.ui.query_sets.runs.actions import remove, restore
from docgraph.views.words.counts import n_of_m
from docgraph.views.words.moments import moment, name_of

MAX_LISTED = 20


def deleted_list(found: Sequence[RunSummary]) -> None:
    """The deleted runs, the last one first; nothing when there are none."""
    if not found:
        return
    last_first = sorted(sorted(found, key=lambda row: row.run_id), key=lambda row: row.deleted_at, reverse=True)
    with st.expander(f"Recently deleted ({len(found):,})", key="docgraph.runs.deleted"):
        for row in last_first[:MAX_LISTED]:
            _row(row)
        if len(found) > MAX_LISTED:
            listed = n_of_m(MAX_LISTED, len(found))
            st.html(f'<p class="dg-note">{listed} shown. Others appear when these are gone.</p>')


def _row(row: RunSummary) -> None:
    with st.container(key=f"rn-gone-{row.run_id}", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(
            f'<p class="rn-gone"><b>{escape.html(name_of(row))}</b> <code>{row.run_id}</code><br><small>Deleted '
            f"{marks.at(row.deleted_at)}; "
            f"{escape.html(escape.shorten(row.query, 120))}</small></p>"
        )
        st.button("Restore", key=f"docgraph.runs.restore.{row.run_id}", on_click=restore, args=(row.run_id,))
        with st.popover("Delete permanently", key=f"docgraph.runs.forever.{row.run_id}", type="tertiary"):
            st.html('<p class="dg-note">This deletes it and its review, and breaks its links. You cannot undo it.</p>')
            st.button("Delete permanently", key=f"docgraph.runs.remove.{row.run_id}", on_click=remove, args=(row,))


def deleted_run(row: RunSummary, bring_back: Callable[[str], None]) -> None:
    """What an address shows that names a deleted run."""
    layout.card(
        "note",
        f"‘{escape.shorten(name_of(row), 80)}’ was deleted on {moment(row.deleted_at)}",
        "You can still restore it under Recently deleted.",
        sign="info",
    )
    st.button("Restore", key="docgraph.runs.restore_shown", on_click=bring_back, args=(row.run_id,), type="primary")
