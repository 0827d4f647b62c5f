"""A folder that is watched: every change that has settled is imported, until somebody ends it."""

from __future__ import annotations

import os
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver

from docgraph.boundary.files.folders import RootedFolder
from docgraph.boundary.imports.excluding import (
    GITIGNORE,
    IGNORED_FOLDERS,
    MAX_GITIGNORE,
    Rules,
    excluded_by,
    given_rules,
    rules_of,
)

SETTLED, AT_MOST = 0.7, 15.0
"""Seconds without a change after which a change is imported, and after which it is even if more come in."""
POLL, LOOK = 2.0, 10.0
"""Seconds between two looks where the system tells of no changes, and where it does: it may stop to without a word."""
_READ_ONLY = {"opened", "closed_no_write"}


class LeftOut:
    """What of a folder no import takes: hidden entries, other people's code, what patterns and ``.gitignore`` say.

    ``exclude`` = patterns as in a ``.gitignore``; without ``gitignore`` the folder's own files are not asked. Raises
    RequestError for a pattern that is none.
    """

    def __init__(self, folder: Path, *, exclude: Sequence[str] = (), gitignore: bool = True) -> None:
        self._folder, self._given, self._asked = folder, given_rules(exclude), gitignore
        self._own: dict[str, tuple[Rules, ...]] = {}

    def read_again(self) -> None:
        """Forget what the ``.gitignore`` files said."""
        self._own = {}

    def __contains__(self, entry: tuple[tuple[str, ...], bool]) -> bool:
        """Whether an entry is left out: the parts of its path in the folder, and whether it is a folder."""
        parts, is_folder = entry
        if self._asked and parts[-1:] == (GITIGNORE,):
            parts, is_folder = parts[:-1], True  # what it says is a change of the folder that it stands in
        rules: tuple[Rules, ...] = ()
        for at, part in enumerate(parts):
            above, goes_on = "/".join(parts[:at]), is_folder or at < len(parts) - 1
            rules += self._rules(above)
            if part.startswith(".") or (goes_on and part in IGNORED_FOLDERS):
                return True
            if excluded_by(f"{above}/{part}" if above else part, (*rules, *self._given), is_folder=goes_on):
                return True
        return False

    def _rules(self, folder: str) -> tuple[Rules, ...]:
        """The rules of one folder's own ``.gitignore``, as they were when first asked; none where it has none."""
        if self._asked and folder not in self._own:
            self._own[folder] = ()
            within = f"{folder}/" if folder else ""
            with suppress(OSError, ValueError):
                data = RootedFolder(self._folder).read(f"{within}{GITIGNORE}", MAX_GITIGNORE)
                self._own[folder] = (rules_of(data, folder=within)[0],)
        return self._own.get(folder, ())


class Changes(FileSystemEventHandler):
    """Notes that something in the folder changed; what no import takes, and what lies in ``besides``, does not count.

    ``exclude`` and ``gitignore`` as for ``LeftOut``.
    """

    def __init__(
        self, folder: Path, *, besides: Path | None = None, exclude: Sequence[str] = (), gitignore: bool = True
    ) -> None:
        self._folder = folder.resolve()
        self._left_out = LeftOut(self._folder, exclude=exclude, gitignore=gitignore)
        self._besides = None if besides is None else besides.resolve()
        self._changed = threading.Condition()
        self._n = 0
        self._last = 0.0
        self._seen, self._looked = self._look(), time.monotonic()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Called from the observer's thread."""
        if event.event_type in _READ_ONLY or (event.is_directory and event.event_type == "modified"):
            return
        paths = [os.fsdecode(path) for path in (event.src_path, event.dest_path) if path]
        if any(os.path.basename(path) == GITIGNORE for path in paths):
            self._left_out.read_again()
        if any(self._counts(path, is_folder=event.is_directory) for path in paths):
            with self._changed:
                self._n, self._last = self._n + 1, time.monotonic()
                self._changed.notify_all()

    def _counts(self, path: str, *, is_folder: bool = False) -> bool:
        there = Path(path)
        if self._besides is not None and there.is_relative_to(self._besides):
            return False
        try:
            parts = there.relative_to(self._folder).parts
        except ValueError:
            return True  # a link out of the folder, or the folder itself
        return (parts, is_folder) not in self._left_out

    def _look(self) -> int:
        """What stands in the folder now, in one number: names, where links lead, sizes and times.

        The time of change of what the system keeps of a file is one of them: what is copied with its time over a file
        of the same size is another file.
        """
        self._left_out.read_again()
        found: list[tuple[str, str, int, int, int]] = []
        with suppress(OSError, ValueError):  # the folder is not there
            root = RootedFolder(self._folder)
            left = [""]
            while left:
                left += self._look_into(root, left.pop(), found)
        return hash(tuple(sorted(found)))

    def _look_into(self, root: RootedFolder, within: str, found: list[tuple[str, str, int, int, int]]) -> Iterator[str]:
        """Add the files of one folder to ``found``; gives the folders in it, with ``/`` at their ends."""
        with suppress(OSError):  # gone since it was listed, or not to be read
            for entry in root.entries(within.removesuffix("/")):
                name = f"{within}{entry.name}"
                if not self._counts(os.path.join(self._folder, name), is_folder=entry.is_folder):
                    continue
                if entry.is_folder:
                    yield f"{name}/"
                    continue
                with suppress(OSError, ValueError):
                    leads_to = root.target(name) if entry.is_link else name
                    there = root.stat(leads_to)
                    found.append((name, leads_to, there.st_size, there.st_mtime_ns, there.st_ctime_ns))

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
def watched(
    folder: Path,
    *,
    besides: Path | None,
    say: Callable[[str], object],
    exclude: Sequence[str] = (),
    gitignore: bool = True,
) -> Iterator[Changes]:
    """Changes of a folder with all that is in it, from now on; looks for itself where the system tells nothing.

    ``exclude`` and ``gitignore`` say what is no change, as they say what an import leaves out. Raises RequestError.
    """
    # watchdog's own race, where folders come into a watched folder: nothing that anybody could do
    warnings.filterwarnings("ignore", message="Callback with id", category=RuntimeWarning)
    changes = Changes(folder, besides=besides, exclude=exclude, gitignore=gitignore)
    observer = _observer(Observer, changes, folder)
    if observer is None:
        say(f"File notifications are not available; polling every {POLL:.0f} s.")
        observer = _observer(lambda: PollingObserver(timeout=POLL), changes, folder)
    assert observer is not None
    try:
        yield changes
    finally:
        observer.stop()
        observer.join()


def _observer(make: Callable[[], BaseObserver], changes: Changes, folder: Path) -> BaseObserver | None:
    """Started; None where the system has nothing left to tell of changes with, which some say when they are made."""
    observer: BaseObserver | None = None
    try:
        observer = make()
        observer.schedule(changes, str(folder), recursive=True)
        observer.start()
    except OSError:
        if isinstance(observer, PollingObserver):
            raise
        return None
    return observer
