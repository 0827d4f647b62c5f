"""PostgreSQL servers of several versions, their standbys, and poolers before them, started for a test."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
from psycopg.conninfo import conninfo_to_dict

from docgraph.plugins.stores.postgres.server.binaries import binaries, major_of, other_binaries, run, server_user
from tests.conftest import reachable_folder

VERSIONS = ("16", "17", "18")
PROGRAMS = "DOCGRAPH_TEST_SERVER_PROGRAMS"
"""Further folders with the programs of a PostgreSQL that has pgvector, separated by ``:``."""
POOLERS = "DOCGRAPH_TEST_POOLERS"
"""Further PgBouncers, separated by ``:``."""
_SETTINGS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=60", "hot_standby=on")


def programs_of(major: str) -> Path | None:
    """The folder of the programs of a version that has pgvector; None where this machine has none."""
    given = [Path(each) for each in os.environ.get(PROGRAMS, "").split(":") if each]
    own = [binaries()] if major_of(binaries()) == major else []
    found = other_binaries(major)
    for folder in (*own, *given, *((found,) if found else ())):
        if major_of(folder) == major and _has_vectors(folder):
            return folder
    return None


def poolers() -> dict[str, Path]:
    """Version → PgBouncer."""
    there = [each for each in (shutil.which("pgbouncer", path=os.environ["PATH"] + ":/usr/sbin"),) if each]
    there += [each for each in os.environ.get(POOLERS, "").split(":") if each]
    return {_version_of(each): Path(each) for each in there}


def _version_of(pooler: str) -> str:
    return subprocess.run([pooler, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]


def numbers(version: str) -> list[int]:
    """A version as numbers, to be compared."""
    return [int(part) for part in version.split(".")]


def _has_vectors(programs: Path) -> bool:
    """By what the programs say of where their extensions lie; a package that was moved has them beside."""
    major = major_of(programs)
    beside = [programs.parent / "share", programs.parents[3] / "share" / "postgresql" / major]
    names = [*beside, *(each / "postgresql" for each in beside)]
    return any((each / "extension" / "vector.control").exists() for each in names)


def free_port() -> int:
    """A TCP port that nobody listens on now."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


@dataclass(frozen=True)
class Place:
    """Where a server, or a pooler before one, is reached."""

    port: int
    database: str = "docgraph"

    @property
    def conninfo(self) -> str:
        """As a pooler is told where its server is."""
        return f"host=127.0.0.1 port={self.port}"

    def url(self, role: str = "postgres", database: str | None = None, **options: str) -> str:
        """As ``DOCGRAPH_DATABASE_URL`` takes it."""
        asked = "&".join(f"{name}={quote(value, safe='')}" for name, value in options.items())
        return f"postgresql://{role}@127.0.0.1:{self.port}/{database or self.database}{'?' if asked else ''}{asked}"

    def execute(self, *statements: str, role: str = "postgres", database: str | None = None) -> list[Any]:
        """The rows of the last one."""
        with psycopg.connect(self.url(role, database), autocommit=True) as connection:
            for each in statements:
                cursor = connection.execute(each.encode())
            return cursor.fetchall() if cursor.description else []


@dataclass(frozen=True)
class Server(Place):
    """A running PostgreSQL in a folder of its own."""

    programs: Path = Path()
    folder: Path = Path()


@contextmanager
def server(programs: Path) -> Iterator[Server]:
    """A new server with an empty database ``docgraph``; whoever comes from this machine is let in."""
    folder = reachable_folder()
    user = server_user(folder)
    if user is not None:
        shutil.chown(folder, user.uid, user.gid)
    made = Server(free_port(), programs=programs, folder=folder)
    try:
        run(
            "initdb",
            *("-D", "pgdata", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"),
            folder=folder,
            user=user,
            programs=programs,
        )
        _start(made)
        made.execute("CREATE DATABASE docgraph", database="postgres")
        yield made
    finally:
        _stop(made)


@contextmanager
def standby(of: Server) -> Iterator[Server]:
    """A server that replays what another one writes."""
    folder = reachable_folder()
    user = server_user(folder)
    if user is not None:
        shutil.chown(folder, user.uid, user.gid)
    made = Server(free_port(), programs=of.programs, folder=folder)
    try:
        told = ("-h", "127.0.0.1", "-p", str(of.port), "-U", "postgres", "--checkpoint=fast", "--no-sync")
        run(
            *("pg_basebackup", "-D", "pgdata", "-R", "-X", "stream", *told),
            folder=folder,
            user=user,
            programs=of.programs,
        )
        _start(made)
        yield made
    finally:
        _stop(made)


def _start(made: Server) -> None:
    options = " ".join(("-h 127.0.0.1", f"-p {made.port}", f"-k {made.folder}", *(f"-c {each}" for each in _SETTINGS)))
    run(
        "pg_ctl",
        *("-D", "pgdata", "-l", "server.log", "-w", "-t", "60", "-o", options, "start"),
        folder=made.folder,
        user=server_user(made.folder),
        programs=made.programs,
    )


def _stop(made: Server) -> None:
    with suppress(Exception):
        stop = ("-D", "pgdata", "-m", "immediate", "-w", "stop")
        user = server_user(made.folder)
        run("pg_ctl", *stop, folder=made.folder, user=user, programs=made.programs, check=False)
    shutil.rmtree(made.folder, ignore_errors=True)


@dataclass(frozen=True)
class Pooler(Place):
    """A running PgBouncer in a folder of its own."""

    program: Path = Path()
    folder: Path = Path()
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self) -> None:
        """Start it, also after it was killed, and wait until it answers."""
        user = server_user(self.folder)
        who: Any = {} if user is None else {"user": user.uid, "group": user.gid, "extra_groups": []}
        command = [str(self.program), "-q", str(self.folder / "ini")]
        with (self.folder / "out").open("ab") as out:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, **who)
        self.running.append(process)
        _wait_for(self, process)

    def kill(self) -> None:
        """kill -9."""
        process = self.running.pop()
        process.kill()
        process.wait()

    def tell(self, command: str) -> None:
        """One command of its console, for which ``admin_users`` has to name ``postgres``."""
        with psycopg.connect(self.url(database="pgbouncer"), autocommit=True) as connection:
            connection.execute(command.encode())


@contextmanager
def pooler(program: Path, before: str, *, mode: str, roles: tuple[str, ...], **settings: object) -> Iterator[Pooler]:
    """A PgBouncer before the server of a connection string, few sessions for many clients."""
    folder = reachable_folder()
    user = server_user(folder)
    made = Pooler(free_port(), program=program, folder=folder)
    chosen = {
        "listen_addr": "127.0.0.1",
        "listen_port": made.port,
        "unix_socket_dir": "",
        "auth_type": "trust",
        "auth_file": folder / "users",
        "logfile": folder / "log",
        "pool_mode": mode,
        "default_pool_size": 4,
        "max_client_conn": 100,
        **settings,
    }
    lines = ["[databases]", f"* = {before}", "[pgbouncer]"]
    lines += [f"{name} = {value}" for name, value in chosen.items() if str(value) or name == "unix_socket_dir"]
    (folder / "ini").write_text("\n".join(lines) + "\n")
    (folder / "users").write_text("".join(f'"{role}" ""\n' for role in roles))
    if user is not None:
        for each in (folder, *folder.iterdir()):
            shutil.chown(each, user.uid, user.gid)
    try:
        made.start()
        yield made
    finally:
        for process in made.running:
            process.terminate()
            process.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(place: Place, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        assert process.poll() is None, "the pooler has ended"
        with suppress(OSError), socket.create_connection(("127.0.0.1", place.port), 1):
            return
        time.sleep(0.05)
    raise AssertionError("the pooler does not answer")


def conninfo_of(url: str) -> str:
    """As a pooler is told where the server of a URL is."""
    parts = conninfo_to_dict(url)
    return f"host={parts['host']} port={parts.get('port') or 5432}"
