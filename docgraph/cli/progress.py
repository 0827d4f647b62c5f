"""Progress of an import: a bar on a terminal, plain lines elsewhere; the first Ctrl+C stops after the batch."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from docgraph.cli.output import one_line

SECONDS_BETWEEN_LINES = 2.0


class ImportProgress:
    """Shows n of N, the rate and the present source on the standard error; fulfils ``ports.Progress``."""

    def __init__(self, bar: Progress | None = None) -> None:
        self._bar = bar
        self._task: TaskID | None = None
        self._started = self._written = time.monotonic()
        self._last = -1
        self._stop = threading.Event()

    def update(self, done: int, total: int, message: str) -> None:
        """``done`` of ``total`` sources are accounted for."""
        rate = done / max(time.monotonic() - self._started, 1e-6)
        if self._bar is not None:
            self._draw(done, total, f"{rate:,.0f}/s  {one_line(message)[:48]}")
        elif self._is_due(done, total):
            self._written, self._last = time.monotonic(), done
            print(f"{done:,} of {total:,}  {rate:,.0f}/s", file=sys.stderr, flush=True)

    def _is_due(self, done: int, total: int) -> bool:
        waited = time.monotonic() - self._written >= SECONDS_BETWEEN_LINES
        return done != self._last and (done == total or waited)

    def cancelled(self) -> bool:
        """True after the first Ctrl+C."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Ask for an end after the current batch."""
        self._stop.set()

    def _draw(self, done: int, total: int, text: str) -> None:
        assert self._bar is not None
        if self._task is None:
            self._task = self._bar.add_task("import", total=total)
        self._bar.update(self._task, completed=done, total=total, description=text)


@contextmanager
def import_progress(*, quiet: bool = False) -> Iterator[ImportProgress]:
    """Progress for one import; a bar only where a person watches and ``quiet`` is not asked for."""
    if quiet or not sys.stderr.isatty():
        with _stopping(ImportProgress()) as progress:
            yield progress
        return
    console = Console(file=sys.stderr, markup=False, emoji=False, highlight=False)
    columns = (
        BarColumn(bar_width=32), MofNCompleteColumn(), TextColumn("{task.description}", markup=False),
        TimeRemainingColumn(compact=True),
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True) as bar, _stopping(ImportProgress(bar)) as progress:
        yield progress


@contextmanager
def _stopping(progress: ImportProgress) -> Iterator[ImportProgress]:
    """The first Ctrl+C asks ``progress`` to stop; the second one interrupts."""
    if threading.current_thread() is not threading.main_thread():
        yield progress
        return

    def first(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        print("stopping after this batch; Ctrl+C again interrupts", file=sys.stderr, flush=True)
        progress.stop()

    before = signal.signal(signal.SIGINT, first)
    try:
        yield progress
    finally:
        signal.signal(signal.SIGINT, before)
