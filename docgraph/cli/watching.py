"""A folder that is watched: every change that has settled is imported, until somebody ends it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver

SETTLED, AT_MOST = 0.7, 15.0
"""Seconds without a change after which a change is imported, and after which it is even if more come in."""
POLL, LOOK = 2.0, 10.0
"""Seconds between two looks where the system tells of no changes, and where it does: it may stop to without a word."""
_READ_ONLY = {"opened", "closed_no_write"}


class Changes(FileSystemEventHandler):
    """Notes that something in the folder changed; what is hidden, and what lies in ``besides``, does not count."""

    def __init__(self, folder: Path, *, besides: Path | None = None) -> None:
        self._folder = folder.resolve()
        self._besides = None if besides is None else besides.resolve()
        self._changed = threading.Condition()
        self._n = 0
        self._last = 0.0
        self._seen, self._looked = self._look(), time.monotonic()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Called from the observer's thread."""
        if event.event_type in _READ_ONLY or (event.is_directory and event.event_type == "modified"):
            return
        if any(self._counts(os.fsdecode(path)) for path in (event.src_path, event.dest_path) if path):
            with self._changed:
                self._n, self._last = self._n + 1, time.monotonic()
                self._changed.notify_all()

    def _counts(self, path: str) -> bool:
        there = Path(path)
        if self._besides is not None and there.is_relative_to(self._besides):
            return False
        try:
            parts = there.relative_to(self._folder).parts
        except ValueError:
            return True  # a link out of the folder, or the folder itself
        return not any(part.startswith(".") for part in parts)

    def _look(self) -> int:
        """What stands in the folder now, in one number: names, sizes and times of change."""
        found = []
        for at, folders, names in os.walk(self._folder):
            folders[:] = [each for each in folders if self._counts(os.path.join(at, each))]
            for name in names:
                path = os.path.join(at, name)
                if self._counts(path):
                    with suppress(OSError):  # gone since it was listed
                        there = os.stat(path)
                        found.append((path, there.st_size, there.st_mtime_ns))
        return hash(tuple(sorted(found)))

    def _is_seen_to_change(self) -> bool:
        """Whether the folder is another than at the last look; not asked more often than every ``LOOK`` seconds."""
        if time.monotonic() - self._looked < LOOK:
            return False
        before, self._seen, self._looked = self._seen, self._look(), time.monotonic()
        return before != self._seen

    def wait(self) -> None:
        """Wait for a change that nobody has waited for yet, and until it has settled."""
        with self._changed:
            while not self._n and not self._is_seen_to_change():
                self._changed.wait(1.0)  # in steps, so that a signal is noticed
            began = time.monotonic()
            while True:
                left = min(self._last + SETTLED, began + AT_MOST) - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
            self._n = 0
        self._seen, self._looked = self._look(), time.monotonic()


@contextmanager
def watched(folder: Path, *, besides: Path | None, say: Callable[[str], object]) -> Iterator[Changes]:
    """Changes of a folder with all that is in it, from now on; looks for itself where the system tells nothing."""
    changes = Changes(folder, besides=besides)
    observer = _observer(Observer(), changes, folder)
    if observer is None:
        say(f"The system tells of no changes here: looking every {POLL:.0f} s.")
        observer = _observer(PollingObserver(timeout=POLL), changes, folder)
    assert observer is not None
    try:
        yield changes
    finally:
        observer.stop()
        observer.join()


def _observer(observer: BaseObserver, changes: Changes, folder: Path) -> BaseObserver | None:
    """Started; None where the system has nothing left to tell of changes with."""
    observer.schedule(changes, str(folder), recursive=True)
    try:
        observer.start()
    except OSError:
        if isinstance(observer, PollingObserver):
            raise
        return None
    return observer
