"""The look of this session: a source is looked at in the background before anything of it is stored."""

from __future__ import annotations

from dataclasses import dataclass

from docgraph.domain.imports.look import Look
from docgraph.domain.imports.profile import ImportProfile
from docgraph.ports import Progress
from docgraph.ui.frame import resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.background.work import Background
from docgraph.ui.parts.ingestion.source import ImportSource

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


def begin(source: ImportSource, *, workspace: str) -> LookJob:
    """Look at a source in the background; the look of this session from now on."""
    job = LookJob(source, workspace=workspace)
    session().page[LOOK] = job
    return job


def present() -> LookJob | None:
    """The look of this session, running or ended."""
    found: LookJob | None = session().page.get(LOOK)
    return found


def forget() -> None:
    """No look any more: the page offers to choose files again."""
    session().page.pop(LOOK, None)
