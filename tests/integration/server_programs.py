"""Programs that use the embedded server in processes of their own, as a user's programs do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil

from tests import ROOT

SECRET = "hunter2-is-secret"
"""The password of the role ``asked`` on a server that asks for passwords."""
_STORE = ROOT / "docgraph" / "plugins" / "stores" / "postgres"
_START = """
import sys, time, types, psycopg
sys.path.insert(0, {root!r})
sys.modules["docgraph.plugins.stores.postgres"] = store = types.ModuleType("docgraph.plugins.stores.postgres")
store.__path__ = [{store!r}]
from docgraph.plugins.stores.postgres.server.embedded import embedded_server
server = embedded_server({folder!r}, idle_minutes={idle_minutes!r})
def query(text):
    with psycopg.connect(server.conninfo, autocommit=True) as connection:
        return connection.execute(text).fetchall()
print("up", flush=True)
"""
"""The modules of the server alone: to import the store around them takes longer than to start a server."""


class Program:
    """A Python process that has the embedded server of a folder up, and then runs ``code``.

    Where it is the first, the server ends when nobody has used it for ``idle_minutes``.
    """

    def __init__(self, folder: Path, code: str = "", idle_minutes: float = 30.0) -> None:
        text = _START.format(root=str(ROOT), store=str(_STORE), folder=str(folder), idle_minutes=idle_minutes) + code
        self.process = subprocess.Popen(
            [sys.executable, "-c", text],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_until_up(self) -> Program:
        """The server is up; without that the program's errors are told."""
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "up\n", self.process.communicate()[1]
        return self

    def finish(self) -> str:
        """Let it read the end of its input, wait for its end and return what it printed; it must end well."""
        printed, errors = self.process.communicate(timeout=280)
        assert self.process.returncode == 0, errors
        return printed

    def end(self) -> None:
        """Kill it when it is still there."""
        self.process.kill()
        self.process.communicate()


def servers_of(folder: Path) -> list[int]:
    """Ids of the living PostgreSQL processes, main and others, whose working folder is the data folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.name().startswith("postgres") and Path(process.cwd()) == folder.resolve() / "pgdata":
                found.append(process.pid)
        except (psutil.NoSuchProcess, psutil.AccessDenied, FileNotFoundError):
            continue
    return found


def mains_of(folder: Path) -> list[int]:
    """Those of ``servers_of`` that none of the others has started; one that has ended since is none of them."""
    there, found = set(servers_of(folder)), []
    for process_id in sorted(there):
        with suppress(psutil.NoSuchProcess):
            if psutil.Process(process_id).ppid() not in there:
                found.append(process_id)
    return found


def signal_servers(folder: Path, number: int = signal.SIGKILL) -> list[int]:
    """Send a signal to each of ``servers_of``; the ids of those that got it: others of a server end with the first."""
    found = []
    for process_id in servers_of(folder):
        with suppress(ProcessLookupError):
            os.kill(process_id, number)
            found.append(process_id)
    return found
