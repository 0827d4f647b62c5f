"""An import in the background: the page asks how far it is, and may stop it; what is finished is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from docgraph.domain.report import IngestReport
from docgraph.ports import Progress
from docgraph.ui.frame.background import Background


@dataclass(frozen=True)
class JobState:
    """How far an import is: ``done`` of ``total`` sources after ``seconds``; ``rate`` in sources per second."""

    done: int
    total: int
    message: str
    seconds: float
    running: bool
    stopping: bool

    @property
    def rate(self) -> float:
        """Sources per second since the start; 0.0 before the first."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def share(self) -> float:
        """Between 0.0 and 1.0, for a progress bar."""
        return min(self.done / self.total, 1.0) if self.total else 0.0


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

    @property
    def state(self) -> JobState:
        """A copy of where it stands."""
        running = self.running
        return JobState(*self.how_far, self.seconds, running, running and self.cancelled())
