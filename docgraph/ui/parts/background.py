"""Work in a thread of its own: how far it is, one piece of each kind at a time, and how a page follows and stops it."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

import streamlit as st

from docgraph.errors import DocgraphError
from docgraph.ports import Progress
from docgraph.ui.frame.state import session

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


Job = TypeVar("Job", bound=Background[Any])


class Jobs(Generic[Job]):
    """At most ``limit`` pieces of work; the one asked for longest ago is dropped first.

    ``shared`` = what is dropped goes on, because another session may wait for it; else it is stopped.
    """

    def __init__(self, limit: int, *, shared: bool = False) -> None:
        self._limit, self._shared = limit, shared
        self._lock = threading.Lock()
        self._kept: dict[str, Job] = {}

    def get(self, name: str) -> Job | None:
        """The work of this name, running or ended; None when there is none."""
        return self._kept.get(name)

    def of(self, name: str, begin: Callable[[], Job], *, anew: Callable[[Job], bool] = lambda job: False) -> Job:
        """The work of this name; begun now when there is none, or when ``anew`` says so of the last one."""
        with self._lock:
            found = self._kept.pop(name, None)
            if found is None or anew(found):
                found = begin()
            self._kept[name] = found  # the one asked for last is dropped last
            for old in list(self._kept)[: -self._limit]:
                dropped = self._kept.pop(old)
                if not self._shared:
                    dropped.stop()
            return found

    def stop_others(self, name: str, *, among: Callable[[Job], bool] = lambda job: True) -> None:
        """Stop and forget what still runs under another name: nobody looks at it any more."""
        with self._lock:
            for other in [other for other, job in self._kept.items() if other != name and job.running and among(job)]:
                self._kept.pop(other).stop()

    def forget(self, name: str = "") -> None:
        """Whoever asks next begins anew: this one, or everything."""
        with self._lock:
            for known in [name] if name else list(self._kept):
                self._kept.pop(known, None)


def of_session(what: str, *, limit: int) -> Jobs[Any]:
    """The jobs of this session under the name ``what``."""
    kept: Jobs[Any] = session().page.setdefault(f"background.{what}", Jobs(limit))
    return kept


@st.cache_resource(max_entries=16, show_spinner=False)
def of_process(what: str, *, limit: int) -> Jobs[Any]:
    """The jobs that all sessions share under the name ``what``: two of them would do the same work twice."""
    return Jobs(limit, shared=True)


STOP, STOPPING = "Stop", "Stopping"
STOP_AND_KEEP, IS_KEPT = "Stop and save finished work", "Finished work is saved"


def waited(job: Background[Any], say: Callable[[], object], *, every: float, at_most: float = math.inf) -> bool:
    """Say how far it is until it ends, or has taken ``at_most`` seconds; True when it has ended.

    Every drawing lets a click or a key through, so nobody waits for it.
    """
    while not job.wait(every):
        if job.seconds >= at_most:
            return False
        say()
    return True


def follow(
    job: Background[Any], draw: Callable[[], None], *, every: float, ended: Callable[[], None] | None = None
) -> None:
    """Draw where it stands, again ``every`` so many seconds, while the rest of the page stays as it is.

    ``ended`` is called once it has ended; without it the page is drawn anew.
    """
    st.fragment(_look, run_every=every)(job, draw, ended or draw_anew)


def _look(job: Background[Any], draw: Callable[[], None], ended: Callable[[], None]) -> None:
    if job.running:
        draw()
    else:
        ended()


def draw_anew() -> None:
    """Draw the whole page anew, from within a fragment as well."""
    st.rerun(scope="app")


def progress_row(job: Background[Any], words: str, *, place: str, key: str) -> None:
    """A bar with ``words`` on it, and a button that stops the work; ``place`` and ``key`` are unique on the page."""
    with st.container(key=place, horizontal=True, vertical_alignment="center", gap="small"):
        st.progress(job.how_far.share, text=words)
        stop_button(job, key=key, stopping=STOP)


def stop_button(
    job: Background[Any],
    *,
    key: str,
    label: str = STOP,
    stopping: str = STOPPING,
    type: Literal["secondary", "tertiary"] = "secondary",
    help: str | None = None,
) -> None:
    """A button that ends the work with what is finished; pressed, it says ``stopping`` until that has happened."""
    pressed = job.cancelled()
    st.button(stopping if pressed else label, key=key, on_click=job.stop, disabled=pressed, type=type, help=help)
