"""Workspaces: switch, create, back up, delete, reset the sample."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from docgraph.domain.workspace import Workspace, workspace_name_of
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.frame.chosen import picked
from docgraph.ui.frame.state import guarded_click, session
from docgraph.ui.library import places
from docgraph.ui.parts.background import follow, progress_row
from docgraph.ui.parts.backups import BackupJob, Waiting, begin_backup, last_backup, shelf
from docgraph.ui.parts.ingestion.job import sample_source, start
from docgraph.views.words.counts import plural, size

ALL = "All workspaces, with every saved version"
WHAT_KEY = "docgraph.library.backup_of"
POLL_SECONDS = 0.4


def back_up(there: tuple[Workspace, ...], current: Workspace) -> None:
    """What is to be backed up, and the button; how far it is; or the file with its size."""
    layout.section("Back up", "one file with everything stored")
    job = last_backup()
    if job is not None and job.running:
        follow(job, lambda: _running(job), every=POLL_SECONDS)
        return
    names = [workspace.name for workspace in there]
    chosen = st.selectbox(
        "What to back up",
        [*names, ALL],
        index=names.index(current.name) if current.name in names else len(names),
        key=WHAT_KEY,
    )
    workspace = None if chosen == ALL else chosen
    st.html(f'<p class="dg-note">{_contents(there, workspace)}</p>')
    if st.button("Back up", key="docgraph.library.backup"):
        begin_backup(resources.docgraph(workspace), workspace)
        st.rerun()
    if job is not None:
        _ended(job)


def _contents(there: tuple[Workspace, ...], workspace: str | None) -> str:
    """As HTML: numbers and words of ours alone."""
    held = [each for each in there if workspace in (None, each.name)]
    counts = (
        plural(sum(each.n_documents for each in held), "document"),
        plural(sum(each.n_relationships for each in held), "relationship"),
        plural(sum(each.n_chunks for each in held), "chunk"),
    )
    return (
        f"{', '.join(counts)}, with vectors, history, judgments and saved runs. Texts are not encrypted. "
        "Restore it with <code>docgraph restore FILE</code>."
    )


def _running(job: BackupJob) -> None:
    far = job.how_far
    words = f"Backing up {job.what}: {far.counted} rows" if far.total else f"Backing up {job.what}"
    progress_row(job, escape.label(words, limit=120), place="dg-backup-running", key="docgraph.library.backup_stop")


def _ended(job: BackupJob) -> None:
    if job.error is not None:
        layout.error(job.error)
    elif job.result is None:
        st.html(f'<p class="dg-note">The backup of {escape.html(job.what)} was stopped, and no file was made.</p>')
    elif shelf().get(job.result.word) is None:
        st.html('<p class="dg-note">The last backup expired after an hour.</p>')
    else:
        _fetch(job.result)


def _fetch(made: Waiting) -> None:
    rows = plural(made.said.n_rows, "row")
    words = escape.html(escape.shorten(f"Download {made.name}", 80))
    st.html(f'<a class="dg-download" href="{escape.html(made.address)}" target="_self" download>{words}</a>')
    st.html(f'<p class="dg-note"><b>{size(made.n_bytes)}</b>, {rows}. Available for an hour.</p>')


TITLE_KEY, MAX_TITLE = "docgraph.library.new_title", 200
CONFIRM_KEY = "docgraph.library.confirm_drop"


def workspaces(current: Workspace) -> None:
    """The table of all workspaces, and what can be done with them."""
    there = resources.workspaces()
    if there:
        _table(there, current)
    if not resources.may("create_workspace"):
        why = resources.closed("Only admins can create, back up and delete workspaces.")
        st.html(f'<p class="dg-note">{escape.html(why)}</p>')
        return
    create, keep, drop = st.columns(3, gap="medium")
    with create, st.container(border=True, key="dg-create"):
        _create(there)
    with keep, st.container(border=True, key="dg-backup"):
        back_up(there, current)
    with drop, st.container(border=True, key="dg-drop"):
        _drop(there, current)


def _table(there: tuple[Workspace, ...], current: Workspace) -> None:
    embedder = resources.docgraph(current.name).embedder
    table = pd.DataFrame(
        {
            "Workspace": [w.name for w in there],
            "Title": [w.title for w in there],
            "Documents": [w.n_documents for w in there],
            "Relationships": [w.n_relationships for w in there],
            "Passages": [w.n_chunks for w in there],
            "Embedder": [f"{w.embedder.name} {w.embedder.model}".strip() for w in there],
            "Dimension": [w.embedder.dimension for w in there],
            "Usable now": ["yes" if w.embedder == embedder else "other embedder" for w in there],
            "Revision": [w.revision[:12] for w in there],
            "": ["current" if w.name == current.name else "" for w in there],
        }
    )
    st.html('<p class="dg-note">Select a row to switch to it.</p>')
    st.dataframe(
        table,
        hide_index=True,
        key="docgraph.library.workspaces",
        selection_mode="single-row",
        on_select=lambda: _switch([w.name for w in there]),
        row_height=36,
        alt="Workspaces; select one to switch to it",
        placeholder="--",
    )


def _switch(names: list[str]) -> None:
    name = picked("docgraph.library.workspaces", names)
    if name:
        resources.choose(name)


def _create(there: tuple[Workspace, ...]) -> None:
    layout.section("New workspace", "one corpus, one embedder")
    title = st.text_input(
        "Title", key=TITLE_KEY, max_chars=MAX_TITLE, placeholder="My Bakery", live=True, persist_state="session"
    )
    shown = " ".join(title.split())
    name = workspace_name_of(shown, [each.name for each in there])
    said = f"Its id: <code>{name}</code>" if shown else "Its id is made from the title."
    st.html(f'<p class="dg-note" role="status">{said}</p>')
    st.button(
        "Create",
        type="primary",
        disabled=not shown,
        on_click=_create_now,
        args=(name, shown),
        key="docgraph.library.create",
    )


def _create_now(name: str, title: str) -> None:
    if not guarded_click(resources.create_workspace, name, title=title):
        return
    resources.choose(name)
    st.session_state.pop(TITLE_KEY, None)
    places.go(places.IMPORT)
    session().notices.append(f"Workspace {title} ({name}) is ready. Add documents to it.")


def _drop(there: tuple[Workspace, ...], current: Workspace) -> None:
    layout.section("Delete or reset", "cannot be undone")
    names = [w.name for w in there]
    if not names:
        st.html('<p class="dg-note">No workspaces yet.</p>')
        return
    name = st.selectbox("Workspace to delete", names, index=names.index(current.name) if current.name in names else 0)
    chosen = next(w for w in there if w.name == name)
    losses = (
        plural(chosen.n_documents, "document"),
        plural(chosen.n_relationships, "relationship"),
        plural(chosen.n_chunks, "chunk"),
    )
    st.html(f'<p class="dg-note">{", ".join(losses)} will be deleted. Files on disk stay.</p>')
    typed = st.text_input(f"Type {name} to confirm", key=CONFIRM_KEY, max_chars=40, live=True)
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Delete workspace", disabled=typed != name, on_click=_drop_now, args=(name,), key="docgraph.library.drop"
        )
        if name == resources.SAMPLE_WORKSPACE and sample_source() is not None:
            st.button("Reset the sample", disabled=typed != name, on_click=_reset_sample, key="docgraph.library.reset")


def _drop_now(name: str) -> None:
    if not guarded_click(resources.drop_workspace, name):
        return
    resources.leave(name)
    st.session_state.pop(CONFIRM_KEY, None)
    session().notices.append(f"Workspace {name} was deleted.")


def _reset_sample() -> None:
    source = sample_source()
    if source is None:
        return
    _drop_now(resources.SAMPLE_WORKSPACE)
    start(source, workspace=resources.SAMPLE_WORKSPACE)
    places.go(places.IMPORT)
