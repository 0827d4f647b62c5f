"""Import: choose files or a path, look at a dry run's report, then import with progress."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui.frame import layout, resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.ingestion.job import last_import
from docgraph.ui.parts.ingestion.progress import follow_import
from docgraph.ui.parts.ingestion.source import ImportSource, path_source, sample_source, start
from docgraph.views.words.counts import plural

KINDS = ("Upload files", "Path on this machine")
SOURCE = "library.source"
KIND_KEY = "docgraph.library.kind"


def import_documents(workspace: Workspace) -> None:
    """The form, or the import that runs, or its report with the next step."""
    if not resources.may("write"):
        layout.empty("Documents are imported by admins", "Ask an admin of this docgraph for an import.")
        return
    job = last_import()
    if job is not None and job.running:
        follow_import(job, key="library")
        return
    chooser, result = st.columns([5, 6], gap="medium")
    with chooser, st.container(border=True, key="dg-import"):
        layout.section(
            f"Into {workspace.name}", "changed texts are stored anew, other changes updated, the rest skipped"
        )
        _buttons(_source(), workspace)
    with result:
        _last()


def _source() -> ImportSource | None:
    """What was chosen, or None. A path may name any file: it is offered where that is switched on, to nobody else."""
    if not resources.imports_from_paths():
        source = _uploads()
        st.html(f'<p class="dg-note">{_other_ways()}</p>')
        return source
    kind = st.segmented_control(
        "From",
        KINDS,
        default=KINDS[0],
        required=True,
        label_visibility="collapsed",
        key=KIND_KEY,
        persist_state="session",
    )
    return _uploads() if kind == KINDS[0] else _path()


def _other_ways() -> str:
    """How else documents come in from this machine, as HTML."""
    by_command = "A folder of the machine that runs docgraph: <code>docgraph ingest PATH</code> in a terminal"
    if resources.settings().import_from_path:
        return f"{by_command}. From a path only visitors who sit at that machine can import here."
    return f"{by_command}, or here after a start with <code>DOCGRAPH_IMPORT_FROM_PATH=true</code>."


def _uploads() -> ImportSource | None:
    files = st.file_uploader(
        "Markdown, reStructuredText, text, HTML, PDF, JSON Lines, or a zip of them",
        accept_multiple_files=True,
        key="docgraph.library.upload",
    )
    if not files:
        return None
    contents = tuple((file.name, file.getvalue()) for file in files if isinstance(file, UploadedFile))
    return ImportSource(plural(len(contents), "uploaded file"), files=contents)


def _path() -> ImportSource | None:
    text = st.text_input(
        "Folder or file on the machine that runs docgraph",
        key="docgraph.library.path",
        placeholder="/home/me/docs",
        max_chars=4096,
        persist_state="session",
    )
    prune = st.checkbox(
        "Remove documents of this workspace whose file is gone", key="docgraph.library.prune", persist_state="session"
    )
    if not text.strip():
        return None
    try:
        return path_source(text, prune=prune)
    except DocgraphError as problem:
        layout.error(problem)
        return None


def _buttons(source: ImportSource | None, workspace: Workspace) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        done = last_import()
        offers = done is not None and done.report is not None and done.report.dry_run and done.report.n_written > 0
        tries = st.button(
            "Dry run", type="secondary" if offers else "primary", disabled=source is None, key="docgraph.library.dry"
        )
        imports = st.button("Import", disabled=source is None, key="docgraph.library.import")
        sample = sample_source()
        if sample is not None and workspace.n_documents == 0:
            loads = st.button("Load the sample corpus", type="tertiary", key="docgraph.library.sample")
            if loads:
                _begin(sample, resources.SAMPLE_WORKSPACE, dry_run=False)
    if source is None:
        st.html('<p class="dg-note">A dry run reads everything, writes nothing, and shows the report.</p>')
    elif tries or imports:
        _begin(source, workspace.name, dry_run=tries)


def _begin(source: ImportSource, workspace: str, *, dry_run: bool) -> None:
    session().page[SOURCE] = source
    start(source, workspace=workspace, dry_run=dry_run)
    st.rerun()


def _last() -> None:
    job, source = last_import(), session().page.get(SOURCE)
    if job is None:
        layout.empty(
            "No import yet in this session",
            "Each file ends as stored, skipped (unchanged) or rejected with its reason: nothing is lost silently. "
            "Each document is written whole or not at all.",
        )
        return
    report = job.report
    if report is not None and report.dry_run and report.n_written and isinstance(source, ImportSource):
        label = f"Import {plural(report.n_written, 'document')} into {job.workspace}"
        if st.button(label, type="primary", key="docgraph.library.confirm"):
            _begin(source, job.workspace, dry_run=False)
    follow_import(job, key="library")
