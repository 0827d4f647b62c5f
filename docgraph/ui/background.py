"""Work that goes on in a thread of its own while the page shows how far it is and offers to stop it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from docgraph.errors import DocgraphError
from docgraph.ports import Progress

T = TypeVar("T")
_log = logging.getLogger(__name__)


class Background(Generic[T]):
    """One piece of work, begun at once; its own ``Progress``. Ends with ``result`` or ``error``.

    ``what`` = what was to be done, for an unexpected error: ``the effect could not be found out``.
    """

    def __init__(self, work: Callable[[Progress], T], *, what: str, total: int = 0) -> None:
        self.result: T | None = None
        self.error: DocgraphError | None = None
        self.done, self.total = 0, total
        self._what = what
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(work,), name="docgraph-background", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it still works."""
        return self._thread.is_alive()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most ``seconds``; True when it has ended."""
        self._thread.join(seconds)
        return not self.running

    def stop(self) -> None:
        """Ask it to end with what is done by then."""
        self._stop.set()

    def update(self, done: int, total: int, message: str) -> None:
        """Called from its own thread."""
        del message
        self.done, self.total = done, total

    def cancelled(self) -> bool:
        """True once somebody asked to stop."""
        return self._stop.is_set()

    def _run(self, work: Callable[[Progress], T]) -> None:
        try:
            self.result = work(self)
        except DocgraphError as error:
            self.error = error
        except Exception:  # the edge of a thread: nobody above could show it
            _log.exception("%s: an unexpected error", self._what)
            self.error = DocgraphError(f"{self._what}: an unexpected error", hint="the server's log has the details")
