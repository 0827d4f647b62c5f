"""Progress of an import or a check: a bar on a terminal, plain lines elsewhere; the first Ctrl+C stops it."""

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

from docgraph.cli.text.output import one_line
from docgraph.views.words.embedding import pace

SECONDS_BETWEEN_LINES = 2.0
SECONDS_BETWEEN_STEPS = 5.0
"""Between the lines on a check: most have ended before the first."""


class ImportProgress:
    """Shows n of N, the rate and the present source on the standard error; fulfils ``ports.Progress``."""

    stopping = "stopping after this batch; Ctrl+C again interrupts"

    def __init__(self, bar: Progress | None = None) -> None:
        self._bar = bar
        self._task: TaskID | None = None
        self._started = self._written = time.monotonic()
        self._last = -1
        self._stop = threading.Event()

    def update(self, done: int, total: int, message: str) -> None:
        """``done`` of ``total`` sources are accounted for."""
        if self._bar is not None:
            self._draw(done, total, self._beside(done, message))
        elif self._is_due(done, total):
            self._written, self._last = time.monotonic(), done
            print(self._line(done, total, message), file=sys.stderr, flush=True)

    def _beside(self, done: int, message: str) -> str:
        """What stands beside the bar."""
        return f"{self._rate(done)}  {one_line(message)[:48]}"

    def _line(self, done: int, total: int, message: str) -> str:
        del message
        return f"{done:,} of {total:,}  {self._rate(done)}"

    def _rate(self, done: int) -> str:
        return f"{done / max(time.monotonic() - self._started, 1e-6):,.0f}/s"

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


class CheckProgress(ImportProgress):
    """Shows n of N checks and what is being done; a rate would say nothing."""

    stopping = "stopping, finished work is kept; Ctrl+C again interrupts"

    def _beside(self, done: int, message: str) -> str:
        return one_line(message)[:60]

    def _line(self, done: int, total: int, message: str) -> str:
        return f"{done:,} of {total:,} checks  {one_line(message)[:80]}"

    def _is_due(self, done: int, total: int) -> bool:
        return time.monotonic() - self._written >= SECONDS_BETWEEN_STEPS


class EmbeddingProgress(ImportProgress):
    """Shows n of N texts and the pace of this run: what an earlier one did says nothing of it."""

    stopping = "stopping after this batch, finished work is kept; Ctrl+C again interrupts"

    def __init__(self, bar: Progress | None = None) -> None:
        super().__init__(bar)
        self._before: int | None = None

    def update(self, done: int, total: int, message: str) -> None:
        """``done`` of ``total`` texts are embedded, or generated questions asked."""
        if self._before is None or done < self._last_done:
            self._before, self._started = done, time.monotonic()
        self._last_done, self._total = done, total
        super().update(done, total, message)

    def _rate(self, done: int) -> str:
        n = done - (self._before or 0)
        return pace(n, time.monotonic() - self._started, self._total - done) or "…"

    def _line(self, done: int, total: int, message: str) -> str:
        return f"{done:,} of {total:,}  {self._rate(done)}  {one_line(message)[:48]}"

    _last_done, _total = 0, 0


@contextmanager
def import_progress(*, quiet: bool = False) -> Iterator[ImportProgress]:
    """Progress for one import; a bar only where a person watches and ``quiet`` is not asked for."""
    with _shown(ImportProgress, quiet=quiet) as progress:
        yield progress


@contextmanager
def check_progress(*, quiet: bool = False) -> Iterator[ImportProgress]:
    """The same for a run of the checks."""
    with _shown(CheckProgress, quiet=quiet) as progress:
        yield progress


@contextmanager
def embedding_progress(*, quiet: bool = False) -> Iterator[ImportProgress]:
    """The same for a workspace that is embedded anew."""
    with _shown(EmbeddingProgress, quiet=quiet) as progress:
        yield progress


@contextmanager
def _shown(kind: type[ImportProgress], *, quiet: bool) -> Iterator[ImportProgress]:
    if quiet or not sys.stderr.isatty():
        with _stopping(kind()) as progress:
            yield progress
        return
    console = Console(file=sys.stderr, markup=False, emoji=False, highlight=False)
    columns = (
        BarColumn(bar_width=32),
        MofNCompleteColumn(),
        TextColumn("{task.description}", markup=False),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, transient=True) as bar, _stopping(kind(bar)) as progress:
        yield progress


@contextmanager
def _stopping(progress: ImportProgress) -> Iterator[ImportProgress]:
    """The first Ctrl+C asks ``progress`` to stop; the second one interrupts."""
    if threading.current_thread() is not threading.main_thread():
        yield progress
        return

    def first(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        print(progress.stopping, file=sys.stderr, flush=True)
        progress.stop()

    before = signal.signal(signal.SIGINT, first)
    try:
        yield progress
    finally:
        signal.signal(signal.SIGINT, before)
