"""An import in a background thread: the page asks how far it is, and may stop it; what is finished is kept."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from docgraph.domain.report import IngestReport
from docgraph.errors import DocgraphError
from docgraph.ports import Progress

_log = logging.getLogger(__name__)


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


class ImportJob:
    """One import, started at once; it is its own ``Progress``. ``report`` or ``error`` is set when it has ended.

    ``told`` = the page has taken note of the end.
    """

    def __init__(
        self, work: Callable[[Progress], IngestReport], *, workspace: str, what: str, dry_run: bool = False
    ) -> None:
        self.workspace = workspace
        self.dry_run = dry_run
        self.what = what
        self.report: IngestReport | None = None
        self.error: DocgraphError | None = None
        self.told = False
        self._done, self._total, self._message = 0, 0, ""
        self._started, self._ended = time.monotonic(), 0.0
        self._stop, self._lock = threading.Event(), threading.Lock()
        self._thread = threading.Thread(target=self._run, args=(work,), name="docgraph-import", daemon=True)
        self._thread.start()

    def update(self, done: int, total: int, message: str) -> None:
        """Called by the pipeline, from its own thread."""
        with self._lock:
            self._done, self._total, self._message = done, total, message

    def cancelled(self) -> bool:
        """True once somebody asked to stop."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Ask the pipeline to end after its current batch."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most ``seconds``; True when it has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def state(self) -> JobState:
        """A copy of where it stands."""
        with self._lock:
            running = not self._ended
            seconds = (self._ended or time.monotonic()) - self._started
            return JobState(self._done, self._total, self._message, seconds, running, self._stop.is_set() and running)

    def _run(self, work: Callable[[Progress], IngestReport]) -> None:
        try:
            self.report = work(self)
        except DocgraphError as error:
            self.error = error
        except Exception:  # the edge of a thread: nobody above could show it
            _log.exception("import of %s ended by an unexpected error", self.what)
            self.error = DocgraphError(
                "the import ended by an unexpected error", hint="the server's log has the details"
            )
        finally:
            with self._lock:
                self._ended = time.monotonic()
