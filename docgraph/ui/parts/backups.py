"""Backups that were made on the page: written in the background to a file of their own, which waits to be fetched."""

from __future__ import annotations

import os
import secrets
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from docgraph.boundary.files.regular import reason_of
from docgraph.errors import EnvironmentProblem
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ports import Backup, Progress
from docgraph.ports.progress import Stopped
from docgraph.ui.frame.state import session
from docgraph.ui.parts.background import Background

PATH = "/docgraph-backup"
"""Under it and a secret word each backup is fetched."""

KEPT_SECONDS = 3_600
MAX_KEPT = 4
BACKUP = "backup"
"""Name in the session of the backup that was begun last."""


@dataclass(frozen=True)
class Waiting:
    """A backup that can be fetched: what it says of itself, its file, its size, and the name that it is saved under."""

    word: str
    said: Backup
    file: Path
    n_bytes: int
    name: str

    @property
    def address(self) -> str:
        """Where a browser fetches it; whoever knows the address can."""
        return f"{PATH}/{self.word}"


class Shelf:
    """The files that wait, of all sessions: at most ``MAX_KEPT``, each for an hour, gone with the process."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="docgraph-backups-", ignore_cleanup_errors=True)
        self._lock = threading.Lock()
        self._kept: dict[str, Waiting] = {}

    @property
    def folder(self) -> Path:
        """Readable by the owner of the process alone."""
        return Path(self._folder.name)

    def put(self, file: Path, said: Backup, name: str) -> Waiting:
        """Keep a file that is whole; the oldest ones make room."""
        made = Waiting(secrets.token_urlsafe(32), said, file, file.stat().st_size, name)
        with self._lock:
            self._kept[made.word] = made
            surplus = list(self._kept)[:-MAX_KEPT]
        for word in surplus:
            self.drop(word)
        timer = threading.Timer(KEPT_SECONDS, self.drop, (made.word,))
        timer.daemon = True
        timer.start()
        return made

    def get(self, word: str) -> Waiting | None:
        """The one of this address; None once it is gone."""
        return self._kept.get(word)

    def drop(self, word: str) -> None:
        """Remove it."""
        with self._lock:
            gone = self._kept.pop(word, None)
        if gone is not None:
            gone.file.unlink(missing_ok=True)

    def close(self) -> None:
        """Remove everything."""
        with self._lock:
            self._kept.clear()
        self._folder.cleanup()


@cache
def shelf() -> Shelf:
    """The one of this process."""
    return Shelf()


def clear_shelf() -> None:
    """At the end of the server: a process that is terminated by a signal takes nothing away by itself."""
    if shelf.cache_info().currsize:
        shelf().close()
        shelf.cache_clear()


class BackupJob(Background[Waiting | None]):
    """One backup of one session; stopped, it leaves nothing behind, and its result is None."""

    def __init__(self, docgraph: Docgraph, workspace: str | None) -> None:
        self.workspace, self.what = workspace, workspace or "all workspaces"
        names = None if workspace is None else (workspace,)
        super().__init__(lambda progress: _made(docgraph, names, progress), what=f"the backup of {self.what}")


def last_backup() -> BackupJob | None:
    """The backup that this session began last, running or ended."""
    found: BackupJob | None = session().page.get(BACKUP)
    return found


def begin_backup(docgraph: Docgraph, workspace: str | None) -> None:
    """Begin one of a workspace (None = of all, and every saved run); the file of the last one goes."""
    before = last_backup()
    if before is not None:
        before.stop()
        if before.result is not None:
            shelf().drop(before.result.word)
    session().page[BACKUP] = BackupJob(docgraph, workspace)


def _made(docgraph: Docgraph, names: Sequence[str] | None, progress: Progress) -> Waiting | None:
    """Raises EnvironmentProblem where there is no room for it, and what ``Backups.write`` raises."""
    kept = False
    handle, path = tempfile.mkstemp(dir=shelf().folder)
    file = Path(path)
    try:
        with os.fdopen(handle, "wb") as target:
            said = docgraph.backups.write(target, workspaces=names, progress=progress)
        if progress.cancelled():
            return None
        made = shelf().put(file, said, f"{_stem(names)}-{datetime.now(UTC):%Y-%m-%d-%H%M}.backup")
        kept = True
        return made
    except Stopped:
        return None
    except OSError as error:
        raise EnvironmentProblem(
            f"the backup could not be written on the server: {reason_of(error)}",
            hint="free some space there, or start docgraph with TMPDIR in a folder that has room",
        ) from error
    finally:
        if not kept:
            with suppress(OSError):
                file.unlink(missing_ok=True)


def _stem(names: Sequence[str] | None) -> str:
    return "docgraph" if names is None else names[0]
