"""Import: choose files or a path, look at a dry run's report, then import with progress."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from docgraph.domain.imports.look import Look
from docgraph.domain.imports.profile import ImportProfile
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError, IngestionError
from docgraph.ui.frame import layout, resources
from docgraph.ui.frame.state import session
from docgraph.ui.library import look, profile_text
from docgraph.ui.library.embedding import embedding
from docgraph.ui.library.folder import folder
from docgraph.ui.parts.ingestion import looking
from docgraph.ui.parts.ingestion.job import ImportJob, last_import
from docgraph.ui.parts.ingestion.looking import Chosen, LookJob
from docgraph.ui.parts.ingestion.progress import follow_import
from docgraph.ui.parts.ingestion.source import ImportSource, path_source, sample_source, start
from docgraph.views.words.counts import plural

FILES, FOLDER, PATH = "Upload files", "Upload a folder", "Path on this machine"
SOURCE, PROFILE = "library.source", "library.profile"
KIND_KEY, UPLOAD_KEY = "docgraph.library.kind", "docgraph.library.upload_kind"


def import_documents(workspace: Workspace) -> None:
    """The form, or the import that runs, or its report with the next step."""
    if not resources.may("write"):
        if resources.only_reads():
            layout.empty(
                "Nothing is imported here", resources.closed(".") + " Rows that were left out are counted under Health."
            )
        else:
            layout.empty("Documents are imported by admins", "Ask an admin of this docgraph for an import.")
        return
    job = last_import()
    if job is not None and job.running:
        follow_import(job, key="library")
        return
    present = looking.present()
    if present is not None and present.workspace == workspace.name:
        _decide(present, job)
        return
    chooser, result = st.columns([5, 6], gap="medium")
    with chooser, st.container(border=True, key="dg-import"):
        layout.section(
            f"Into {workspace.name}", "changed texts are stored anew, other changes updated, the rest skipped"
        )
        _buttons(_source(), workspace)
    with result:
        _last()
        if workspace.n_documents:
            with st.container(border=True, key="dg-embedding"):
                embedding(workspace)


def _source() -> ImportSource | None:
    """What was chosen, or None. A path may name any file: it is offered where that is switched on, to nobody else."""
    by_path = resources.imports_from_paths()
    kind = st.segmented_control(
        "From",
        (FILES, FOLDER, PATH) if by_path else (FILES, FOLDER),
        default=FILES,
        required=True,
        label_visibility="collapsed",
        key=KIND_KEY if by_path else UPLOAD_KEY,
        persist_state="session",
    )
    if kind == PATH and by_path:
        return _path()
    source = folder() if kind == FOLDER else _uploads()
    st.html(f'<p class="dg-note">{_other_ways(kind == FOLDER, by_path=by_path)}</p>')
    return source


def _other_ways(is_folder: bool, *, by_path: bool) -> str:
    """How large an upload may be, and how else documents come in from this machine, as HTML."""
    most = resources.settings().max_upload_mb
    larger = f"At most {most:,} MB {'a folder' if is_folder else 'a file'}; what is larger comes in"
    by_command = "by <code>docgraph ingest FOLDER</code> in a terminal of the machine that runs docgraph"
    if by_path:
        return f"{larger} {by_command}, or from its path here."
    if resources.settings().import_from_path:
        return f"{larger} {by_command}. From a path only visitors who sit at that machine can import here."
    return f"{larger} {by_command}, or here after a start with <code>DOCGRAPH_IMPORT_FROM_PATH=true</code>."


def _uploads() -> ImportSource | None:
    files = st.file_uploader(
        "Markdown, reStructuredText, HTML, PDF, notebooks, office and wiki files, graphs, JSON Lines, "
        "or a zip or tar.gz of them",
        accept_multiple_files=True,
        key="docgraph.library.upload",
    )
    if not files:
        return None
    contents = _bytes_of(files)
    return ImportSource(plural(len(contents), "uploaded file"), files=contents)


def _bytes_of(files: Iterable[object]) -> tuple[tuple[str, bytes], ...]:
    """Names and bytes of uploads; the bytes are those that the server holds, not a copy of them."""
    return tuple((file.name, file.getvalue()) for file in files if isinstance(file, UploadedFile))


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
        looks = st.button(
            "Look first",
            type="secondary" if offers else "primary",
            disabled=source is None,
            key="docgraph.library.look",
            help="Reads the folder, proposes how to import it, stores nothing",
        )
        tries = st.button("Dry run", disabled=source is None, key="docgraph.library.dry")
        imports = st.button("Import", disabled=source is None, key="docgraph.library.import")
        sample = sample_source()
        if sample is not None and workspace.n_documents == 0:
            loads = st.button("Load the sample corpus", type="tertiary", key="docgraph.library.sample")
            if loads:
                _begin(sample, resources.SAMPLE_WORKSPACE, dry_run=False)
    if source is None:
        st.html(
            '<p class="dg-note">A look proposes how to read a folder: metadata beside texts, addresses that are this '
            "folder, numbers. A dry run reads everything, writes nothing, and shows the report.</p>"
        )
    elif looks:
        looking.begin(source, workspace=workspace.name)
        st.rerun()
    elif tries or imports:
        _begin(source, workspace.name, dry_run=tries)


def _decide(job: LookJob, last: ImportJob | None) -> None:
    """The look that runs, or what it found, with a dry run by its profile beside it."""
    look.steps(2)
    if job.running:
        look.following(job)
        return
    if job.cancelled():
        looking.forget()
        st.rerun()
    if job.error is not None or job.result is None:
        layout.error(
            job.error or IngestionError("the look was stopped"), retry=looking.forget, key="docgraph.look.retry"
        )
        return
    found = job.result
    chosen = look.chosen_of(found)
    if job.written is not None:
        chosen = replace(chosen, profile=job.written.profile, by_hand=True)
    pressed = look.head(found, job, chosen)
    if pressed in ("other", "again"):
        look.reset(found)
        st.session_state.pop(profile_text.EDITING, None)
        looking.forget()
        if pressed == "again":
            looking.begin(job.source, workspace=job.workspace)
        st.rerun()
    if pressed in ("dry", "import"):
        job.dry_run_of = chosen.profile if pressed == "dry" else None
        if pressed == "import":
            looking.forget()
        _begin(job.source, job.workspace, dry_run=pressed == "dry", profile=chosen.profile)
    left, right = st.columns([4, 3], gap="small")
    with left:
        profile_text.by_hand(job)
        look.switches(found, by_hand=chosen.by_hand)
    with right:
        _outlook(found, job, chosen, last)


def _outlook(found: Look, job: LookJob, chosen: Chosen, last: ImportJob | None) -> None:
    """What a dry run by this profile would store, what will not be read, and the profile."""
    report = last.report if last is not None and last.dry_run and job.dry_run_of == chosen.profile else None
    if last is not None and last.dry_run and job.dry_run_of is not None and last.error is not None:
        layout.error(last.error)
    if report is not None:
        look.stored(report)
    look.unread(found.unread if report is None else report.causes, found.n_files)
    profile_text.profile(found, job, chosen)


def _begin(source: ImportSource, workspace: str, *, dry_run: bool, profile: ImportProfile | None = None) -> None:
    # A dry run may be followed by the import; what comes in for good is let go of when it is in.
    session().page[SOURCE], session().page[PROFILE] = source if dry_run else None, profile
    start(source, workspace=workspace, dry_run=dry_run, profile=profile)
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
            _begin(source, job.workspace, dry_run=False, profile=session().page.get(PROFILE))
    follow_import(job, key="library")
