"""Imports in the background: where documents come from, the preview, the import, and how far they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from docgraph.boundary.installed import sample_folder
from docgraph.domain.imports.look import Look
from docgraph.domain.imports.profile import ImportProfile
from docgraph.domain.report import IngestReport
from docgraph.errors import EnvironmentProblem, IngestionError
from docgraph.orchestration.evaluating.sample import add_sample_questions
from docgraph.ports import Progress
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.background import STOP, STOP_AND_KEEP, Background, HowFar, draw_anew, follow, stop_button
from docgraph.ui.parts.ingestion.report import report


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


IMPORT = "import"
"""Name in the session of the import that was begun last."""


class ImportJob(Background[IngestReport]):
    """One import; stopped, it ends after its current batch. ``told`` = the page has taken note of the end."""

    def __init__(
        self, work: Callable[[Progress], IngestReport], *, workspace: str, what: str, dry_run: bool = False
    ) -> None:
        self.workspace, self.what, self.dry_run = workspace, what, dry_run
        self.told = False
        super().__init__(work, what=f"the import of {what}")

    @property
    def report(self) -> IngestReport | None:
        """What came of it; None while it runs, and when it failed."""
        return self.result


def last_import() -> ImportJob | None:
    """The import that this session began last, running or ended."""
    found: ImportJob | None = session().page.get(IMPORT)
    return found


LOOK = "look"
"""Name in the session of the look that was begun last."""


@dataclass(frozen=True)
class Written:
    """A profile that a person wrote, and its text as it was written."""

    text: str
    profile: ImportProfile


class LookJob(Background[Look]):
    """One look at ``source``; ``dry_run_of`` is the profile of the last dry run that was begun from it.

    ``written`` is what a person made of the proposed profile by hand, if anything.
    """

    def __init__(self, source: ImportSource, *, workspace: str) -> None:
        self.source, self.workspace = source, workspace
        self.dry_run_of: ImportProfile | None = None
        self.written: Written | None = None
        documents = resources.docgraph(workspace).documents

        def work(progress: Progress) -> Look:
            given = source.path if source.path is not None else source.files
            return documents.look(given, progress=progress)

        super().__init__(work, what=f"the preview of {source.what}")


@dataclass(frozen=True)
class Chosen:
    """The proposals that are switched on, and the profile they make, or that was made ``by_hand``."""

    proposals: tuple[str, ...]
    profile: ImportProfile
    by_hand: bool = False


def begin_preview(source: ImportSource, *, workspace: str) -> LookJob:
    """Look at a source in the background; the look of this session from now on."""
    job = LookJob(source, workspace=workspace)
    session().page[LOOK] = job
    return job


def preview_job() -> LookJob | None:
    """The look of this session, running or ended."""
    found: LookJob | None = session().page.get(LOOK)
    return found


def forget_preview() -> None:
    """No look any more: the page offers to choose files again."""
    session().page.pop(LOOK, None)


POLL_SECONDS = 0.4
_BEFORE = ("opening", "reading")
"""How messages begin while nothing is stored yet: archives are opened, then files are read."""


def follow_import(job: ImportJob, *, key: str, retry: Callable[[], None] | None = None) -> None:
    """The running import, polled without freezing the page, or what it ended with."""
    if job.running:
        follow(job, lambda: _running(job, key), every=POLL_SECONDS, ended=lambda: _finish(job))
    elif not job.told:  # it ended while this page was being drawn: what stands above is already old
        _finish(job)
    elif job.error is not None:
        layout.error(job.error, retry=retry, key=f"docgraph.{key}.retry")
    elif job.report is not None:
        report(job.report, what=job.what, key=key, workspace=job.workspace)


def _running(job: ImportJob, key: str) -> None:
    far = job.how_far
    st.progress(far.share, text=escape.label(progress_sentence(job.what, far, dry_run=job.dry_run), limit=200))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        stop_button(job, key=f"docgraph.{key}.stop", label=STOP if job.dry_run else STOP_AND_KEEP)
        st.html(f'<span class="dg-note dg-oneline">{escape.html(escape.shorten(far.message, 120))}</span>')


def _finish(job: ImportJob) -> None:
    """Take note of the end, once, and draw the whole page anew."""
    job.told = True
    if not job.dry_run and job.report is not None:
        resources.forget(job.workspace)
        resources.choose(job.workspace)
        session().notices.append(ended_sentence(job))
    draw_anew()


def progress_sentence(what: str, far: HowFar, *, dry_run: bool) -> str:
    """``Importing /docs: 12 of 60, 8.5 a second``; what is only read is counted by itself: ``… reading 12 of 60``."""
    verb = "Checking" if dry_run else "Importing"
    phase = next((each for each in _BEFORE if far.message.startswith(each)), "")
    if not far.total:
        return f"{verb} {what}: {phase or 'reading'}"
    if phase:
        return f"{verb} {what}: {phase} {far.counted}"
    rate = f", {far.rate:.1f} a second" if far.done else ""
    return f"{verb} {what}: {far.counted}{rate}"


def ended_sentence(job: ImportJob) -> str:
    """One sentence on an import that wrote something."""
    done = job.report
    if done is None:
        return f"The import of {job.what} failed."
    stopped = "stopped, finished work is saved: " if done.stopped else ""
    return (
        f"Import of {job.what} into {job.workspace}: {stopped}{done.n_in:,} in = "
        f"{' + '.join(f'{n:,} {name}' for name, n in done.counts.items())}, in {done.seconds:.1f} s."
    )
