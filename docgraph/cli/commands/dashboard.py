"""The command ``dashboard``: load the sample corpus when asked to, then serve the pages until stopped."""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from docgraph.bootstrap import connect
from docgraph.boundary.installed import need_extra, sample_folder
from docgraph.cli.commands.ingest import STOPPED
from docgraph.cli.session import WorkspaceOption
from docgraph.cli.text.output import line
from docgraph.cli.text.progress import import_progress
from docgraph.domain.report import IngestReport
from docgraph.domain.workspace import checked_workspace_name
from docgraph.orchestration.evaluating.sample import add_sample_questions
from docgraph.settings import PREFIX, read_settings
from docgraph.ui.frame.launcher import launch

if TYPE_CHECKING:
    from docgraph.orchestration.docgraph import Docgraph

SAMPLE_WORKSPACE = "harbor"


def dashboard(
    workspace: WorkspaceOption = None,
    host: Annotated[str | None, typer.Option("--host", metavar="ADDRESS", help="Address to listen on.")] = None,
    port: Annotated[
        int | None, typer.Option("--port", metavar="N", min=1, max=65_535, help="Port to listen on.")
    ] = None,
    sample: Annotated[bool, typer.Option("--load-sample", help="Load the sample corpus first, once.")] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", "--headless", help="Do not open a browser.")] = False,
) -> None:
    """Open the dashboard on this machine; Ctrl+C stops it."""
    need_extra("dashboard", "the dashboard")
    if workspace is not None:
        checked_workspace_name(workspace)
    named = workspace or (SAMPLE_WORKSPACE if sample and not os.environ.get(f"{PREFIX}WORKSPACE") else None)
    settings = read_settings(workspace=named, host=host, port=port)
    if sample:
        load_sample(settings.data_dir)
    os.environ[f"{PREFIX}WORKSPACE"] = settings.workspace
    os.environ[f"{PREFIX}HOST"] = settings.host  # the names that are answered follow from it
    launch(
        settings.host,
        settings.port,
        allowed_hosts=settings.answered_names,
        max_upload_mb=settings.max_upload_mb,
        open_browser=not no_browser and has_display(),
    )


def load_sample(data_dir: Path) -> None:
    """Import the sample corpus into its workspace, or what is missing of it after an interruption; a line says how far.

    Its questions come with it, as a set, and the documents that answer them are judged relevant, so that the
    demonstration shows what is gained and what every relationship does.

    Once it is whole it is never touched again, so documents that a person changed or deleted stay as they are. A file
    in ``data_dir`` says that loading has begun and not ended; where it cannot be written, an interruption is not seen.
    """
    with connect(workspace=SAMPLE_WORKSPACE) as docgraph:
        database = docgraph.health()["database"]["location"]
        begun = data_dir / f"sample-{hashlib.sha256(database.encode()).hexdigest()[:12]}.loading"
        there = {workspace.name: workspace.n_documents for workspace in docgraph.workspaces()}
        if there.get(SAMPLE_WORKSPACE) and not begun.exists():
            return
        line(f"Loading the sample corpus into the workspace {SAMPLE_WORKSPACE}.")
        with suppress(OSError):
            data_dir.mkdir(parents=True, exist_ok=True)
            begun.touch()
        report = _import_sample(docgraph, is_there=SAMPLE_WORKSPACE in there)
        if report.stopped:
            raise typer.Exit(STOPPED)
        add_sample_questions(docgraph.session)
        with suppress(OSError):
            begun.unlink(missing_ok=True)
        line(f"{report.n_stored:,} documents, {report.n_relationships:,} relationships, {report.n_chunks:,} chunks.")


def _import_sample(docgraph: Docgraph, *, is_there: bool) -> IngestReport:
    """Into a workspace with a title, which goes again when not one document came in."""
    if not is_there:
        docgraph.create_workspace(SAMPLE_WORKSPACE, title=SAMPLE_WORKSPACE.capitalize())
    try:
        with import_progress() as progress:
            return docgraph.ingest(sample_folder() / SAMPLE_WORKSPACE, progress=progress)
    finally:
        if not is_there:
            docgraph.session.take_back()


def has_display() -> bool:
    """Whether a browser could be shown here: always on Windows and macOS, with a display server elsewhere."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
