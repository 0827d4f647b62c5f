"""The import of this session: begun in the background, at most one at a time."""

from __future__ import annotations

from collections.abc import Callable

from docgraph.domain.report import IngestReport
from docgraph.ports import Progress
from docgraph.ui.frame.state import session
from docgraph.ui.parts.background.work import Background

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
