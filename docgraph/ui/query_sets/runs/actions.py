"""Saved versions: open the one that an address names, pin, rename, delete, restore, and the undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from docgraph.domain.saved_run import RunSummary, SavedRun
from docgraph.errors import DocgraphError, NotFoundError, UserError
from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.ui.frame.state import guarded_click, session
from docgraph.ui.parts.runs import marks
from docgraph.ui.parts.runs.data import put_away
from docgraph.views.words.counts import n_of_m
from docgraph.views.words.moments import moment, name_of

_UNDO = "runs_undo"


def delete(saved: SavedRun) -> None:
    """Put a run away and offer to undo it."""
    if guarded_click(resources.docgraph().runs.delete, saved.run_id):
        session().page[_UNDO] = (saved.run_id, name_of(saved))
        st.query_params.pop("run", None)


def restore(run_id: str) -> None:
    """Bring a run back and open it."""
    if guarded_click(resources.docgraph().runs.restore, run_id):
        session().page.pop(_UNDO, None)
        st.query_params["run"] = run_id


def remove(row: RunSummary) -> None:
    """Remove a run with its review; there is no undo."""
    if guarded_click(resources.docgraph().runs.delete, row.run_id, forever=True):
        session().notices.append(f"‘{escape.shorten(name_of(row), 60)}’ was deleted with its review.")
        if session().page.get(_UNDO, ("", ""))[0] == row.run_id:
            session().page.pop(_UNDO, None)


def undo_card() -> None:
    """What was deleted last, with its undo; stays until it is used or dismissed."""
    deleted: tuple[str, str] | None = session().page.get(_UNDO)
    if deleted is None:
        return
    with st.container(key="rn-undo", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p role="status">‘{escape.html(escape.shorten(deleted[1], 80))}’ was deleted.</p>')
        st.button("Undo", key="docgraph.runs.undo", on_click=restore, args=(deleted[0],), type="primary")
        st.button("Dismiss", key="docgraph.runs.dismiss", on_click=_forget_undo, type="tertiary")


def _forget_undo() -> None:
    session().page.pop(_UNDO, None)


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


def saved_version(run_id: str) -> SavedRun | RunSummary | DocgraphError:
    """The run that an id, or its beginning, means; one that was put away as its row, else why there is none."""
    try:
        return resources.docgraph().runs.get(run_id)
    except NotFoundError as problem:
        return put_away(run_id) or problem
    except UserError as problem:
        return problem


def no_version(found: RunSummary | DocgraphError) -> None:
    """What the address shows that names no saved version."""
    if isinstance(found, RunSummary):
        deleted_run(found, restore)
        return
    layout.error(found)
    with st.container(key="rn-ways", horizontal=True):
        navigation.link("query_sets", "Show all questions")
