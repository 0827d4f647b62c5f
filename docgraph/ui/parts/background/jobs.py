"""Work in the background by name: of one session, or of this process for all sessions."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import streamlit as st

from docgraph.ui.frame.state import session
from docgraph.ui.parts.background.work import Background

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
