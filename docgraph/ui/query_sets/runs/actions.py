"""What a click does to a saved version: describe, put away, bring back, remove; and the undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from docgraph.domain.saved_run import RunSummary, SavedRun
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, resources
from docgraph.ui.frame.state import session
from docgraph.views.words.moments import name_of

_UNDO = "runs_undo"


def guarded_click(act: Callable[..., Any], *args: Any, **named: Any) -> bool:
    """Do it inside a callback; a known problem is said at the top of the page. Returns whether it was done."""
    try:
        act(*args, **named)
    except DocgraphError as problem:
        session().problems.append(problem)
        return False
    return True


def pin(run_id: str, pinned: bool) -> None:
    """Pin a run as a baseline, or unpin it."""
    guarded_click(resources.docgraph().runs.describe, run_id, pinned=pinned)


def rename(run_id: str, *, name_key: str, note_key: str) -> None:
    """Take name and note from two inputs; an empty name leaves the old one."""
    name, note = str(st.session_state[name_key] or "").strip(), str(st.session_state[note_key] or "")
    guarded_click(resources.docgraph().runs.describe, run_id, name=name or None, note=note)


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
