"""Adding documents: the place to drop them, the preview, the import that runs, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from docgraph.domain.imports.look import Look
from docgraph.domain.imports.profile import ImportProfile
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError, IngestionError
from docgraph.ui.frame import assets, layout, resources
from docgraph.ui.frame.shortcuts import class_of
from docgraph.ui.frame.state import session
from docgraph.ui.library import destination, preview
from docgraph.ui.library.first_questions import first_questions
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
from docgraph.views.words.counts import plural

UPLOAD_KEY, PICK_KEY = "docgraph.library.upload", "docgraph.library.pick"
ENDINGS = (".tar.gz", ".tgz", ".tar", ".zip")
_HTML = """
<div class="folder" role="group" aria-label="Add documents">
<div class="zone"><p class="what">Drop a folder, an archive, or files here</p>
<p class="kinds">Markdown, reStructuredText, HTML, PDF, notebooks, office and wiki files, graphs, JSON Lines;
zip or tar.gz of them</p>
<div class="ways"><button type="button" class="choose">Choose a folder</button>
<button type="button" class="some">Choose files</button></div>
<input type="file" class="whole" webkitdirectory multiple hidden aria-label="A folder">
<input type="file" class="single" multiple hidden aria-label="Files"></div>
<div class="busy" hidden><progress max="1" aria-label="Packed files"></progress><span class="count"></span>
<button type="button" class="cancel">Cancel</button></div>
<p class="said" role="status" aria-live="polite"></p></div>
"""
_COMPONENT = assets.component(
    "folder", __file__, html=_HTML, css=("folder.css",), js=("frame/arrival.js", "folder_tar.js", "folder.js")
)


def dropped() -> ImportSource | None:
    """What was handed over, or None."""
    with st.container(key="dg-folder", gap="small"):
        _COMPONENT(
            key=PICK_KEY,
            data={
                "uploader": f'.st-key-{class_of(UPLOAD_KEY)} input[type="file"]',
                "most": resources.settings().max_upload_mb << 20,
                "taken": bool(st.session_state.get(UPLOAD_KEY)),
            },
        )
        # What was dropped goes in by the framework's own door, which has its limits and knows who may send, and shows
        # how far it is. Without a file it is out of sight: a folder that is dropped there would come in file by file.
        files = st.file_uploader("Upload", accept_multiple_files=True, key=UPLOAD_KEY, label_visibility="collapsed")
    there = [each for each in files or () if isinstance(each, UploadedFile)]
    return source_of(there) if there else None


def source_of(files: Sequence[UploadedFile]) -> ImportSource:
    """What an import reads; the bytes are those that the server holds, not a copy of them."""
    contents = tuple((each.name, each.getvalue()) for each in files)
    if len(contents) > 1:
        return ImportSource(plural(len(contents), "uploaded file"), files=contents)
    name = contents[0][0]
    bare = next((name[: -len(end)] for end in ENDINGS if name.lower().endswith(end)), "")
    is_folder = name.endswith(".tar")
    return ImportSource(f"the folder {bare}" if is_folder else name, files=contents, title=bare or name)


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
        preview.steps(2 if job.dry_run else 3)
        follow_import(job, key="library")
    elif present is not None and present.workspace == workspace.name:
        _decide(present, job, workspace)
    elif job is not None and not job.dry_run and job.workspace == workspace.name:
        _ended(job, workspace)
    else:
        _choose(workspace)


def _choose(workspace: Workspace) -> None:
    preview.steps(1)
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
    preview.steps(2)
    if job.running:
        preview.following(job)
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
    chosen = preview.chosen_of(found)
    if job.written is not None:
        chosen = replace(chosen, profile=job.written.profile, by_hand=True)
    pressed = preview.head(found, job, chosen)
    target = destination.target(job, workspace)
    _pressed(pressed, job, chosen, target)
    if not found.n_files:
        what = f"There is nothing to import in {job.source.what}"
        layout.empty(what, "Choose Other files, then a folder or file with documents.")
        return
    left, right = st.columns([4, 3], gap="small")
    with left:
        preview.by_hand(job)
        preview.switches(found, by_hand=chosen.by_hand)
    with right:
        _outlook(found, job, chosen, last)


def _pressed(button: str | None, job: LookJob, chosen: Chosen, target: destination.Target) -> None:
    """Do what a button of the preview's head says; nothing where none was pressed."""
    if button in ("other", "again") and job.result is not None:
        preview.reset(job.result)
        st.session_state.pop(preview.EDITING, None)
        forget_preview()
        if button == "again":
            begin_preview(job.source, workspace=job.workspace)
        st.rerun()
    if button == "dry":
        job.dry_run_of = chosen.profile
        _begin(job.source, job.workspace, dry_run=True, profile=chosen.profile)
    if button == "import" and (name := destination.made(target)) is not None:
        forget_preview()
        _begin(job.source, name, dry_run=False, profile=chosen.profile)


def _outlook(found: Look, job: LookJob, chosen: Chosen, last: ImportJob | None) -> None:
    """What a dry run by this profile would store, what will not be read, and the profile."""
    report = last.report if last is not None and last.dry_run and job.dry_run_of == chosen.profile else None
    if last is not None and last.dry_run and job.dry_run_of is not None and last.error is not None:
        layout.error(last.error)
    if report is not None:
        preview.stored(report)
    preview.unread(found.unread if report is None else report.causes, found.n_files)
    preview.profile(found, job, chosen)


def _begin(source: ImportSource, workspace: str, *, dry_run: bool, profile: ImportProfile | None = None) -> None:
    start(source, workspace=workspace, dry_run=dry_run, profile=profile)
    st.rerun()


def _ended(job: ImportJob, workspace: Workspace) -> None:
    """What came of the import, with the next act beside it, and the way to add more."""
    preview.steps(4 if job.report is not None else 3)
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
