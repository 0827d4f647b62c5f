"""A file between its upload and its save: read once, shown as it was read, saved as one act that can be undone."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from docgraph.domain.exchange import RelationshipDiff
from docgraph.domain.frozen import fingerprint
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.parts.curation import state
from docgraph.views.relationships.exchange import save_words
from docgraph.views.words.counts import plural

REASON = "docgraph.exchange.reason"
_ROOM, _DONE, _N = "exchange.read", "exchange.done", "exchange.uploader"


@dataclass(frozen=True)
class Saved:
    """A file of this session that was saved: its act in the history ("" = it only ignored findings)."""

    workspace: str
    sentence: str
    act: str
    n_dismissed: int = 0


def uploader() -> str:
    """Key of the place for a file; another one after each save, so that it is empty again."""
    return f"docgraph.exchange.file.{state.memory().room.get(_N, 0)}"


def difference(
    workspace: str, data: bytes, *, name: str, new_types: bool, remove_missing: bool
) -> RelationshipDiff | None:
    """What the file would do, as it was when it was read; read again only for other permissions or another file."""
    key = fingerprint([workspace, name, data.hex(), new_types, remove_missing])
    known: tuple[str, RelationshipDiff] | None = state.memory().room.get(_ROOM)
    if known is None or known[0] != key:
        try:
            diff = resources.docgraph(workspace).relationships.read_file(
                data, name=name, new_types=new_types, remove_missing=remove_missing
            )
        except DocgraphError as problem:
            layout.error(problem)
            return None
        known = state.memory().room[_ROOM] = (key, diff)
    return known[1]


def forget_difference() -> None:
    """Read the file again on the next run."""
    state.memory().room.pop(_ROOM, None)


def drop() -> None:
    """Put the file away; nothing was written."""
    forget_difference()
    state.memory().room[_N] = int(state.memory().room.get(_N, 0)) + 1


def save(workspace: str, diff: RelationshipDiff) -> None:
    """Do what was shown, all of it or nothing; somebody else's change in between is refused and named."""
    if not state.curator():
        return
    reason = str(st.session_state.get(REASON) or "").strip() or f"from {escape.plain(diff.name)[:200] or 'a file'}"
    try:
        entries = resources.docgraph(workspace).relationships.import_file(diff, by=state.curator(), reason=reason)
    except DocgraphError as problem:
        state.fail(problem)
        return
    state.fail(None)
    said = save_words(diff).removeprefix("Save: ")
    state.memory().room[_DONE] = Saved(
        workspace, f"From {diff.name}: {said}", entries[0].act if entries else "", diff.n_dismissed
    )
    state.say(f"Saved: {said}")
    st.session_state[REASON] = ""
    drop()


def undo_card(workspace: str) -> None:
    """The file that was saved last in this session, with its undo; nothing when there is none."""
    done: Saved | None = state.memory().room.get(_DONE)
    if done is None or done.workspace != workspace:
        return
    with st.container(key="rx-undo", horizontal=True, vertical_alignment="center", gap="small"):
        more = (
            f"; {plural(done.n_dismissed, 'ignored finding')} stay ignored after an undo"
            if (done.n_dismissed and done.act)
            else ""
        )
        said = escape.html(escape.shorten(done.sentence, 160) + more)
        st.html(f'<p class="dg-note" role="status">{layout.glyph("check")} {said}</p>')
        if done.act:
            st.button(
                "Undo the whole file",
                key="docgraph.exchange.undo",
                on_click=_undo,
                args=(workspace, done),
                disabled=not state.curator(),
            )
        st.button("Close", key="docgraph.exchange.close", on_click=_forget, type="tertiary")


def _forget() -> None:
    state.memory().room.pop(_DONE, None)


def _undo(workspace: str, done: Saved) -> None:
    if state.curator() and state.undo_act(workspace, done.act, reason="file import undone") is not None:
        _forget()
