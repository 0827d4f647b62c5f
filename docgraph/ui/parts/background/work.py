"""Work that goes on in a thread of its own and tells how far it is."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from docgraph.errors import DocgraphError
from docgraph.ports import Progress

T = TypeVar("T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class HowFar:
    """``done`` of ``total`` (0 while that is not known) after ``seconds``; ``message`` = what is being done."""

    done: int
    total: int
    message: str
    seconds: float

    @property
    def counted(self) -> str:
        """``1,200 of 6,000``."""
        return f"{self.done:,} of {self.total:,}"

    @property
    def share(self) -> float:
        """Between 0.0 and 1.0, for a progress bar."""
        return min(self.done / self.total, 1.0) if self.total else 0.0

    @property
    def rate(self) -> float:
        """How much is done in a second; 0.0 before the first."""
        return self.done / self.seconds if self.seconds > 0 else 0.0


class Background(Generic[T]):
    """One piece of work, begun at once; its own ``Progress``. Ends with ``result`` or ``error``.

    ``what`` = what was to be done, for an unexpected error: ``the effect could not be found out``.
    """

    def __init__(self, work: Callable[[Progress], T], *, what: str, total: int = 0) -> None:
        self.result: T | None = None
        self.error: DocgraphError | None = None
        self._what = what
        self._told = (0, total, "")  # replaced as a whole, so that who reads it never sees half an update
        self._started, self._ended = time.monotonic(), 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(work,), name="docgraph-background", daemon=True)
        self._thread.start()

    @property
    def how_far(self) -> HowFar:
        """Where it stands, as the work said it last."""
        return HowFar(*self._told, self.seconds)

    @property
    def seconds(self) -> float:
        """How long it took, or has taken so far."""
        return (self._ended or time.monotonic()) - self._started

    @property
    def running(self) -> bool:
        """Whether it still works."""
        return self._thread.is_alive()

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop and has not ended yet."""
        return self.running and self.cancelled()

    @property
    def failed(self) -> bool:
        """Whether it has ended with an error."""
        return not self.running and self.error is not None

    @property
    def outcome(self) -> T:
        """The result; waits for it. Raises the error that it ended with."""
        self._thread.join()
        if self.error is not None:
            raise self.error
        assert self.result is not None
        return self.result

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most ``seconds``; True when it has ended."""
        self._thread.join(seconds)
        return not self.running

    def stop(self) -> None:
        """Ask it to end with what is done by then."""
        self._stop.set()

    def update(self, done: int, total: int, message: str) -> None:
        """Called from its own thread."""
        self._told = (done, total, message)

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
        finally:
            self._ended = time.monotonic()
