"""What an import reads: uploaded files, a path on this machine, or the sample corpus; starts it as a job."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from docgraph.boundary.installed import sample_folder
from docgraph.domain.imports.profile import ImportProfile
from docgraph.domain.report import IngestReport
from docgraph.errors import EnvironmentProblem, IngestionError
from docgraph.orchestration.evaluating.sample import add_sample_questions
from docgraph.ports import Progress
from docgraph.ui.frame import resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.ingestion.job import IMPORT, ImportJob


@dataclass(frozen=True)
class ImportSource:
    """Either ``path`` or ``files`` as (relative name, bytes); ``what`` names it in sentences, as plain text.

    ``title`` = what a workspace of it may be called.
    ``prune`` (with a path only) removes documents whose file is gone. ``sample`` = it is the sample corpus, whose
    questions come with it.
    """

    what: str
    path: Path | None = None
    files: tuple[tuple[str, bytes], ...] = ()
    prune: bool = False
    title: str = ""
    sample: bool = False


def sample_source() -> ImportSource | None:
    """The sample corpus, or None where it is not installed."""
    try:
        folder = sample_folder() / resources.SAMPLE_WORKSPACE
        return ImportSource("the sample corpus", path=folder, sample=True)
    except EnvironmentProblem:
        return None


def path_source(text: str, *, prune: bool) -> ImportSource:
    """A folder or file on this machine. Raises IngestionError when there is none at that path."""
    path = Path(text.strip().strip("\"'")).expanduser()
    if not text.strip() or not path.exists():
        raise IngestionError(
            f"there is nothing at {text.strip()!r} on this machine", hint="give the full path of a folder or a file"
        )
    return ImportSource(str(path), path=path, prune=prune, title=path.resolve().name)


def start(
    source: ImportSource, *, workspace: str, dry_run: bool = False, profile: ImportProfile | None = None
) -> ImportJob:
    """Begin the import in the background, by a profile or as the files lie; the import of this session from now on."""
    docgraph = resources.docgraph(workspace)

    def work(progress: Progress) -> IngestReport:
        if source.path is not None:
            report = docgraph.ingest(
                source.path, prune=source.prune, dry_run=dry_run, profile=profile, progress=progress
            )
            if source.sample and not (dry_run or report.stopped):
                add_sample_questions(docgraph.session)
            return report
        return docgraph.ingest_files(source.files, dry_run=dry_run, profile=profile, progress=progress)

    job = ImportJob(work, workspace=workspace, what=source.what, dry_run=dry_run)
    session().page[IMPORT] = job
    return job
