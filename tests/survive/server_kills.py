"""The embedded server of a folder is killed while somebody asks it: at a round trip that another process named."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import psycopg


@dataclass(frozen=True)
class Kill:
    """Kill at round trip ``trip`` (from 1) of a program, ``before`` it is sent or after its answer came.

    ``all_of_it`` = each process of the server, else its main process alone: the others answer until they notice.
    """

    trip: int
    before: bool
    all_of_it: bool

    def arm(self, folder: Path) -> None:
        """Have the next program that asks count its round trips from now on."""
        beside = _armed(folder).with_suffix(".new")
        beside.write_text(f"{self.trip} {self.before:d} {self.all_of_it:d}")
        beside.replace(_armed(folder))


def disarm(folder: Path) -> bool:
    """Whether nobody has counted yet: then nobody will."""
    with suppress(FileNotFoundError):
        _armed(folder).unlink()
        return True
    return False


def kill_server(folder: Path, *, all_of_it: bool) -> None:
    """Kill -9; nothing where none runs."""
    with suppress(FileNotFoundError, psutil.NoSuchProcess):
        main = psutil.Process(int((folder / "pgdata" / "postmaster.pid").read_text().split()[0]))
        for process in (main, *(main.children() if all_of_it else ())):
            with suppress(psutil.NoSuchProcess):
                process.kill()


def watch_trips(folder: Path) -> None:
    """Count this process's round trips to a database from when a ``Kill`` is armed, and kill where it says."""
    lock, left, wait = threading.Lock(), [0], psycopg.Connection.wait
    at: list[Kill] = []

    def watched(connection: Any, *arguments: Any, **options: Any) -> Any:
        with lock:
            with suppress(FileNotFoundError):
                trip, *more = map(int, _armed(folder).read_text().split())
                _armed(folder).unlink()
                at[:], left[0] = [Kill(trip, *map(bool, more))], trip
            left[0] -= 1
            now = at[0] if at and not left[0] else None
        if now and now.before:
            kill_server(folder, all_of_it=now.all_of_it)
        answer = wait(connection, *arguments, **options)
        if now and not now.before:
            kill_server(folder, all_of_it=now.all_of_it)
        return answer

    psycopg.Connection.wait = watched  # type: ignore[method-assign]


def _armed(folder: Path) -> Path:
    return folder / "armed"
