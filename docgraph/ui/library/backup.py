"""Back up: a workspace, or all of them, in one file that the browser fetches."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.parts.background.follow import follow, progress_row
from docgraph.ui.parts.backups import BackupJob, Waiting, begin_backup, last_backup, shelf
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
