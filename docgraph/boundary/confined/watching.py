"""Watches a process from outside while it reads a file: processor time, memory, and time that passes; ends it beyond.

This holds on every system, also where the process could not be walled in.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from contextlib import suppress
from types import TracebackType

import psutil

from docgraph.boundary.confined.wire import Bounds

EVERY = 0.2
MAX_WAIT, MAX_WAIT_FOR_A_SECOND = 60.0, 20.0
"""Seconds that may pass before a file is read, and for each second of processor time that it may take: one that waits
takes none, and on a busy machine it gets little."""


class Watch:
    """Around the reading of one file. ``over`` = what it took too much of: ``time``, ``memory`` or ``waiting``."""

    def __init__(self, process: subprocess.Popen[bytes], bounds: Bounds) -> None:
        self.over = ""
        self._process = process
        self._bounds = bounds
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, name="docgraph-watch", daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def stop(self) -> None:
        """The file is read: what follows is only told."""
        self._done.set()

    def more(self, bounds: Bounds) -> None:
        """It may take more than it might before."""
        self._bounds = bounds

    def _look(self) -> None:
        began = time.monotonic()
        with suppress(psutil.Error):
            seen = psutil.Process(self._process.pid)
            seconds, memory = _taken(seen)
            while not self._done.wait(EVERY):
                bounds = self._bounds
                now = _taken(seen)
                if now[0] - seconds > bounds.seconds + 1:
                    self.over = "time"
                elif now[1] - memory > bounds.memory:
                    self.over = "memory"
                elif time.monotonic() - began > MAX_WAIT + MAX_WAIT_FOR_A_SECOND * bounds.seconds:
                    self.over = "waiting"
                if self.over:
                    if self._process.returncode is None:
                        end(self._process)
                    return


def _taken(process: psutil.Process) -> tuple[float, int]:
    """Seconds of processor time and bytes of memory of a process and of the programs that it runs now."""
    with process.oneshot():
        times, memory = process.cpu_times(), process.memory_info().rss
    seconds = times.user + times.system + getattr(times, "children_user", 0) + getattr(times, "children_system", 0)
    for child in process.children():
        with suppress(psutil.Error):
            used = child.cpu_times()
            seconds, memory = seconds + used.user + used.system, memory + child.memory_info().rss
    return seconds, memory


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process now that leads a group of its own, with all that it has started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
