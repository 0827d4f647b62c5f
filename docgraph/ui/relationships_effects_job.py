"""The effect of several alternatives, found out in a thread, so that a key press never waits for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

from docgraph.domain.edit import Edit
from docgraph.domain.impact import ImpactReport
from docgraph.errors import DocgraphError
from docgraph.orchestrator import Docgraph

_log = logging.getLogger(__name__)


class EffectsJob:
    """One run of ``Docgraph.effects``, begun at once; its own ``Progress``. Ends with ``reports`` or ``error``."""

    def __init__(self, docgraph: Docgraph, alternatives: Sequence[Sequence[Edit]]) -> None:
        self.reports: tuple[ImpactReport, ...] = ()
        self.error: DocgraphError | None = None
        self.done_runs, self.total_runs = 0, 0
        self._stop = threading.Event()
        work = (docgraph, tuple(tuple(edits) for edits in alternatives))
        self._thread = threading.Thread(target=self._run, args=work, name="docgraph-effects", daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most ``seconds``; True when it has ended."""
        self._thread.join(seconds)
        return self.done

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        return not self._thread.is_alive()

    def stop(self) -> None:
        """Ask it to end: nobody waits for it any more."""
        self._stop.set()

    def update(self, done: int, total: int, message: str) -> None:
        """Called from its own thread."""
        del message
        self.done_runs, self.total_runs = done, total

    def cancelled(self) -> bool:
        """True once nobody waits any more."""
        return self._stop.is_set()

    def _run(self, docgraph: Docgraph, alternatives: Sequence[Sequence[Edit]]) -> None:
        try:
            self.reports = docgraph.effects(alternatives, progress=self)
        except DocgraphError as error:
            self.error = error
        except Exception:  # the edge of a thread: nobody above could show it
            _log.exception("the effect on the saved questions ended by an unexpected error")
            self.error = DocgraphError("an unexpected error", hint="the server's log has the details")
