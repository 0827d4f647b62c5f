"""Wall time, CPU of this process and CPU of a PostgreSQL on this machine, taken together for a piece of work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

PROC = Path("/proc")
BACKGROUND = (b"checkpointer", b"background writer", b"walwriter", b"autovacuum", b"logical replication", b"io worker")
"""Processes of a server that do not answer questions; what they do is not counted."""


@dataclass(frozen=True)
class Cost:
    """Seconds of one piece of work: by the clock, CPU of this process, CPU of the server (None: it is not seen)."""

    wall: float
    client: float
    server: float | None = None

    @property
    def cpu(self) -> float | None:
        """Client and server together."""
        return None if self.server is None else self.client + self.server


def postmaster_in(folder: Path) -> int | None:
    """The process of the embedded server whose data lie somewhere under a folder; None where none runs."""
    file = next(folder.rglob("postmaster.pid"), None)
    return int(file.read_text().split()[0]) if file else None


class ServerClock:
    """CPU seconds of the backends and parallel workers of a PostgreSQL on this machine; None for any other.

    Backends that live are read to the nanosecond (``/proc/PID/schedstat``), those that ended are in what the
    postmaster has waited for, in ticks of 10 ms.
    """

    def __init__(self, postmaster: int | None, proc: Path = PROC) -> None:
        self.postmaster, self._proc = postmaster, proc

    @classmethod
    def of(cls, url: str) -> ServerClock:
        """The clock of the server behind a URL: its backend is looked for among the processes here."""
        with psycopg.connect(url) as connection:
            row = connection.execute("SELECT pg_backend_pid(), inet_client_addr() IS NULL").fetchone()
            assert row is not None
            backend, by_socket = row
            try:
                title = (PROC / str(backend) / "cmdline").read_bytes()
                is_here = by_socket and title.startswith(b"postgres:")
                return cls(int(_fields(PROC / str(backend))[1]) if is_here else None)
            except OSError:
                return cls(None)

    def seconds(self) -> float | None:
        """CPU so far."""
        if self.postmaster is None:
            return None
        try:
            ended = sum(map(int, _fields(self._proc / str(self.postmaster))[13:15])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            return None
        return ended + sum(self._living())

    def _living(self) -> Iterator[float]:
        folder = self._proc / str(self.postmaster)
        for child in (folder / "task" / str(self.postmaster) / "children").read_text().split():
            try:
                if any(name in (self._proc / child / "cmdline").read_bytes() for name in BACKGROUND):
                    continue
                yield int((self._proc / child / "schedstat").read_text().split()[0]) / 1e9
            except OSError:
                continue  # it ended in between


def _fields(folder: Path) -> list[str]:
    """What ``/proc/PID/stat`` says behind the name of the program: state, parent, …"""
    return (folder / "stat").read_text().rpartition(")")[2].split()


def measured(work: Callable[[], Any], clock: ServerClock) -> tuple[Cost, Any]:
    """What the work cost, and its result."""
    server = clock.seconds()
    client, wall = time.process_time(), time.perf_counter()
    result = work()
    wall, client = time.perf_counter() - wall, time.process_time() - client
    after = clock.seconds()
    return Cost(wall, client, None if server is None or after is None else max(after - server, 0.0)), result


@dataclass(frozen=True)
class ProgramCost:
    """A program from start to end: seconds by the clock, CPU seconds, the most memory it held (bytes)."""

    wall: float
    cpu: float
    memory: int


def program(arguments: Sequence[str], **options: Any) -> ProgramCost:
    """Run a program to its end. Raises subprocess.CalledProcessError where it fails.

    A small process starts it and waits for it: what a large one starts has the large one's memory as its own peak.
    """
    asked = [sys.executable, "-S", "-E", "-c", _WAIT, *arguments]
    done = subprocess.run(asked, stdout=subprocess.PIPE, check=True, text=True, **options)
    wall, cpu, memory = json.loads(done.stdout)
    return ProgramCost(wall, cpu, int(memory) * (1 if sys.platform == "darwin" else 1024))


_WAIT = """
import json, os, sys, time
started = time.perf_counter()
silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
_, status, usage = os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=silent), 0)
print(json.dumps([time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss]))
sys.exit(os.waitstatus_to_exitcode(status))
"""
