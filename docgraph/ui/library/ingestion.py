"""Adding documents in four steps: drop them, see what would be stored, import them, ask first questions."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from docgraph.domain.imports.look import Look
from docgraph.domain.imports.profile import ImportProfile
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError, IngestionError
from docgraph.ui.frame import layout, resources
from docgraph.ui.frame.state import session
from docgraph.ui.library import into, look
from docgraph.ui.library.first_questions import first_questions
from docgraph.ui.library.folder import dropped
from docgraph.ui.parts.ingestion.job import (
    IMPORT,
    Chosen,
    ImportJob,
    ImportSource,
    LookJob,
    begin_preview,
    follow_import,
    forget_preview,
    last_import,
    path_source,
    preview_job,
    sample_source,
    start,
)


def import_documents(workspace: Workspace) -> None:
    """The place to drop documents, what was found in them, the import that runs, or what came of it."""
    if not resources.may("write"):
        if resources.only_reads():
            layout.empty("Imports are off", resources.closed(".") + " Rows that were left out are listed under Health.")
        else:
            layout.empty("Only admins can add documents", "Ask an admin to import documents.")
        return
    job = last_import()
    present = preview_job()
    if job is not None and job.running:
        look.steps(2 if job.dry_run else 3)
        follow_import(job, key="library")
    elif present is not None and present.workspace == workspace.name:
        _decide(present, job, workspace)
    elif job is not None and not job.dry_run and job.workspace == workspace.name:
        _ended(job, workspace)
    else:
        _choose(workspace)


def _choose(workspace: Workspace) -> None:
    look.steps(1)
    with st.container(key="dg-import", gap="small"):
        source = dropped()
        st.html(f'<p class="dg-note">{_about(workspace)}</p>')
        if source is None and resources.imports_from_paths():
            with st.expander("Or enter a path on this machine"):
                source = _path()
        sample = sample_source()
        if sample is not None and workspace.n_documents == 0 and workspace.name != resources.SAMPLE_WORKSPACE:
            with st.container(key="dg-nofolder", horizontal=True, gap="small", vertical_alignment="center"):
                st.html('<p class="dg-note">No documents at hand?</p>')
                if st.button("Load the sample corpus", type="tertiary", key="docgraph.library.sample"):
                    _begin(sample, resources.SAMPLE_WORKSPACE, dry_run=False)
    if source is not None:
        begin_preview(source, workspace=workspace.name)
        st.rerun()


def _about(workspace: Workspace) -> str:
    """What happens next, how large an upload may be, and how else documents come in, as HTML."""
    again = "Changed texts are stored again, the rest is skipped. " if workspace.n_documents else ""
    most = resources.settings().max_upload_mb
    larger = f"At most {most:,} MB at once. Import larger folders"
    by_command = "with <code>docgraph ingest FOLDER</code> on the machine that runs docgraph"
    first = (
        f"You see a preview before anything is stored. {again}Names are kept so that links between files "
        "are found. Hidden entries, node_modules and the like are skipped. "
    )
    if resources.imports_from_paths():
        return f"{first}{larger} {by_command}, or from its path here."
    if resources.settings().import_from_path:
        return f"{first}{larger} {by_command}. Only users of that machine can import from a path here."
    return f"{first}{larger} {by_command}, or here if started with <code>DOCGRAPH_IMPORT_FROM_PATH=true</code>."


def _path() -> ImportSource | None:
    text = st.text_input(
        "Folder or file on the machine that runs docgraph",
        key="docgraph.library.path",
        placeholder="/home/me/docs",
        max_chars=4096,
    )
    prune = st.checkbox("Delete documents whose file no longer exists", key="docgraph.library.prune")
    looks = st.button("Preview", key="docgraph.library.look", disabled=not text.strip())
    if not (text.strip() and looks):
        return None
    try:
        return path_source(text, prune=prune)
    except DocgraphError as problem:
        layout.error(problem)
        return None


def _decide(job: LookJob, last: ImportJob | None, workspace: Workspace) -> None:
    """The look that runs, or what it found, with a dry run by its profile beside it."""
    look.steps(2)
    if job.running:
        look.following(job)
        return
    if job.cancelled():
        forget_preview()
        st.rerun()
    if job.error is not None or job.result is None:
        layout.error(
            job.error or IngestionError("the preview was stopped"), retry=forget_preview, key="docgraph.look.retry"
        )
        return
    found = job.result
    chosen = look.chosen_of(found)
    if job.written is not None:
        chosen = replace(chosen, profile=job.written.profile, by_hand=True)
    pressed = look.head(found, job, chosen)
    target = into.target(job, workspace)
    _pressed(pressed, job, chosen, target)
    if not found.n_files:
        what = f"There is nothing to import in {job.source.what}"
        layout.empty(what, "Choose Other files, then a folder or file with documents.")
        return
    left, right = st.columns([4, 3], gap="small")
    with left:
        look.by_hand(job)
        look.switches(found, by_hand=chosen.by_hand)
    with right:
        _outlook(found, job, chosen, last)


def _pressed(button: str | None, job: LookJob, chosen: Chosen, target: into.Target) -> None:
    """Do what a button of the preview's head says; nothing where none was pressed."""
    if button in ("other", "again") and job.result is not None:
        look.reset(job.result)
        st.session_state.pop(look.EDITING, None)
        forget_preview()
        if button == "again":
            begin_preview(job.source, workspace=job.workspace)
        st.rerun()
    if button == "dry":
        job.dry_run_of = chosen.profile
        _begin(job.source, job.workspace, dry_run=True, profile=chosen.profile)
    if button == "import" and (name := into.made(target)) is not None:
        forget_preview()
        _begin(job.source, name, dry_run=False, profile=chosen.profile)


def _outlook(found: Look, job: LookJob, chosen: Chosen, last: ImportJob | None) -> None:
    """What a dry run by this profile would store, what will not be read, and the profile."""
    report = last.report if last is not None and last.dry_run and job.dry_run_of == chosen.profile else None
    if last is not None and last.dry_run and job.dry_run_of is not None and last.error is not None:
        layout.error(last.error)
    if report is not None:
        look.stored(report)
    look.unread(found.unread if report is None else report.causes, found.n_files)
    look.profile(found, job, chosen)


def _begin(source: ImportSource, workspace: str, *, dry_run: bool, profile: ImportProfile | None = None) -> None:
    start(source, workspace=workspace, dry_run=dry_run, profile=profile)
    st.rerun()


def _ended(job: ImportJob, workspace: Workspace) -> None:
    """What came of the import, with the next act beside it, and the way to add more."""
    look.steps(4 if job.report is not None else 3)
    if job.report is None or not workspace.n_documents:
        follow_import(job, key="library")
        st.button("Choose other documents", key="docgraph.library.more", type="primary", on_click=_forget)
        return
    questions, told = st.columns([6, 5], gap="medium")
    with questions, st.container(border=True, key="dg-first", gap="small"):
        first_questions(workspace)
    with told:
        follow_import(job, key="library")
        st.button("Add more documents", key="docgraph.library.more", on_click=_forget)


def _forget() -> None:
    session().page.pop(IMPORT, None)
