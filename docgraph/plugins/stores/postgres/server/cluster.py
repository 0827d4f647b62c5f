"""One PostgreSQL data folder: made, configured, started, found alive, stopped; never two of these at once (see caller).

PostgreSQL only asks whether the process id in its lock files exists, so a reused id or a zombie would block it for
ever. Here a process counts as our server only when it is a living ``postgres`` whose working folder is our data folder;
any other process is left alone, and lock files that name one are cleared.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import psycopg

from docgraph.errors import StoreError
from docgraph.plugins.stores.postgres.server.binaries import (
    MAJOR_VERSION,
    ServerUser,
    check_reachable,
    hint_for,
    run,
    server_user,
)

MEGABYTE = 1 << 20
MAX_STARTS = 3
MAX_LOG_BYTES = 10 * MEGABYTE
_CONFIGURATION = """\
# written by docgraph at every start
listen_addresses = ''
unix_socket_directories = '{socket_folder}'
unix_socket_permissions = 0700
max_connections = 100
shared_buffers = {shared_buffers}MB
maintenance_work_mem = {maintenance}MB
max_wal_size = 2GB
max_parallel_workers_per_gather = {helpers}
jit = off
logging_collector = off
"""
_INITDB = (
    "--username=postgres",
    "--auth=trust",
    "--encoding=UTF8",
    "--data-checksums",
    # text order must not depend on the user's environment, or plans would differ between machines
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
)


_CLEAN = re.compile(r"^Database cluster state: +shut down(?: in recovery)?$", flags=re.MULTILINE)


@dataclass(frozen=True)
class Cluster:
    """The files of one server: ``folder``/pgdata and ``folder``/server.log, and a socket in a short private folder."""

    folder: Path
    programs: Path | None = None
    """The folder of another version's programs, for data that it has made."""

    @property
    def data(self) -> Path:
        """PostgreSQL's data folder."""
        return self.folder / "pgdata"

    @property
    def log(self) -> Path:
        """What the server says."""
        return self.folder / "server.log"

    @cached_property
    def socket_folder(self) -> Path:
        """The same for every process, and short: a socket's path has at most 107 bytes."""
        name = hashlib.sha256(str(self.data).encode()).hexdigest()[:12]
        owner = self.data.stat().st_uid if self.data.exists() else os.geteuid()
        return Path("/tmp") / f"docgraph-{owner}-{name}"

    def conninfo(self, database: str) -> str:
        """How to connect; there is no password, the socket's folder is private."""
        return f"host={self.socket_folder} user=postgres dbname={database} connect_timeout=10"

    @property
    def started(self) -> Path:
        """Says that the server was started and nobody has looked since whether its data are whole, and how it ended."""
        return self.folder / "started"

    @property
    def version(self) -> str:
        """The major version that made the data; "" where there are none."""
        file = self.data / "PG_VERSION"
        return file.read_text().strip() if file.exists() else ""

    def prepare(self) -> None:
        """Make the data folder when there is none, and write the configuration. Raises StoreError."""
        user = server_user(self.data)
        check_reachable(self.folder, user)
        if not self.version:
            self._initialize(user)
        if self.version != MAJOR_VERSION and self.programs is None:
            raise StoreError(
                f"{self.data} was made by PostgreSQL {self.version}, the embedded server is {MAJOR_VERSION}",
                hint="docgraph upgrade moves the data; the old ones stay beside them",
            )
        self._make_socket_folder(user)
        self._configure(user)

    def serve(self, database: str, *, timeout: float) -> None:
        """Have the server answer, with this database; one that ends meanwhile is started again. Raises StoreError."""
        for is_last in (False,) * (MAX_STARTS - 1) + (True,):
            if not self.answers():
                self.start(timeout=timeout)
            try:
                self.ensure_database(database)
            except psycopg.OperationalError as error:
                if is_last:
                    raise self._failure("the embedded PostgreSQL answers and is gone again") from error
            else:
                return

    def start(self, *, timeout: float) -> None:
        """Start the server and wait until it answers; recovery after a crash may be long. Raises StoreError."""
        user, deadline, starts = server_user(self.data), time.monotonic() + timeout, 0
        self._note_start(user)
        while time.monotonic() < deadline:
            self._clear_stale_locks()
            if not (self.data / "postmaster.pid").exists():
                if starts == MAX_STARTS:
                    raise self._failure(f"the embedded PostgreSQL stopped {starts} times while it started")
                self._launch(user)
                starts += 1
            if self._wait_for_answer(min(deadline, time.monotonic() + 2)):
                return
        raise self._failure(f"the embedded PostgreSQL did not answer within {timeout:.0f} s")

    def stop(self) -> None:
        """Stop the server quickly and cleanly, even one that lets nobody in; running transactions are rolled back."""
        lock = self.data / "postmaster.pid"
        if lock.exists() and (self.answers() or self._is_our_server(_first_number(lock))):
            user = server_user(self.data)
            arguments = ("-D", "pgdata", "-m", "fast", "-w", "-t", "60", "stop")
            run("pg_ctl", *arguments, folder=self.folder, user=user, check=False, programs=self.programs)
        self.remove_socket_folder()

    def remove_socket_folder(self) -> None:
        """Remove the socket's folder when no server uses it."""
        if self.socket_folder.exists() and not any(self.socket_folder.iterdir()):
            self.socket_folder.rmdir()

    def answers(self) -> bool:
        """True when the server on our socket serves our data folder."""
        try:
            with psycopg.connect(self.conninfo("postgres")) as connection:
                row = connection.execute("SHOW data_directory").fetchone()
        except psycopg.OperationalError:
            return False
        return row is not None and Path(row[0]) == self.data

    def ensure_database(self, name: str) -> None:
        """Create the database when it is missing."""
        with psycopg.connect(self.conninfo("postgres"), autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone():
                connection.execute(psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(name)))

    def _initialize(self, user: ServerUser | None) -> None:
        """Make the data folder beside its place and move it there when it is whole."""
        part = self.folder / "pgdata.part"
        if part.exists():
            shutil.rmtree(part)
        part.mkdir(mode=0o700)
        _give(part, user)
        run("initdb", "-D", part.name, *_INITDB, folder=self.folder, user=user)
        part.rename(self.data)

    def _make_socket_folder(self, user: ServerUser | None) -> None:
        folder = self.socket_folder
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        if folder.is_symlink() or status.st_uid not in (os.geteuid(), user.uid if user else os.geteuid()):
            raise StoreError(f"{folder} belongs to somebody else", hint="remove it: docgraph keeps its socket there")
        folder.chmod(0o700)
        _give(folder, user)

    def _configure(self, user: ServerUser | None) -> None:
        memory = _memory_bytes() // MEGABYTE
        text = _CONFIGURATION.format(
            socket_folder=self.socket_folder,
            shared_buffers=max(128, min(memory // 4, 2048)),
            maintenance=max(64, min(memory // 16, 512)),
            helpers=min(2, (os.cpu_count() or 1) - 1),  # of a process that asks: more than there are cores only wait
        )
        own, main = self.data / "docgraph.conf", self.data / "postgresql.conf"
        if not own.exists() or own.read_text() != text:
            own.write_text(text)
            _give(own, user)
        if own.name not in main.read_text():
            with main.open("a") as file:
                file.write(f"\ninclude_if_exists '{own.name}'\n")

    def _note_start(self, user: ServerUser | None) -> None:
        """Leave word of the start, and of an end that was not clean until somebody has looked at the data."""
        is_unclean = self.started.exists() and self.started.read_text() == "unclean"
        if not is_unclean:
            state = run("pg_controldata", "-D", "pgdata", folder=self.folder, user=user, programs=self.programs)
            is_unclean = (self.data / "postmaster.pid").exists() or not _CLEAN.search(state)
        self.started.write_text("unclean" if is_unclean else "clean")

    def _launch(self, user: ServerUser | None) -> None:
        """Relative paths only: ``pg_ctl`` hands them to a shell, and a folder may be called anything."""
        if self.log.exists() and self.log.stat().st_size > MAX_LOG_BYTES:
            self.log.replace(self.log.with_suffix(".log.1"))
        self.log.touch(mode=0o600)
        _give(self.log, user)
        arguments = ("-D", "pgdata", "-l", self.log.name, "-W", "start")
        run("pg_ctl", *arguments, folder=self.folder, user=user, programs=self.programs)

    def _wait_for_answer(self, until: float) -> bool:
        while time.monotonic() < until:
            if self.answers():
                return True
            time.sleep(0.05)
        return False

    def _clear_stale_locks(self) -> None:
        """Remove the lock files of a server that is gone; the caller's lock keeps others from starting meanwhile."""
        for lock in (self.data / "postmaster.pid", self.socket_folder / ".s.PGSQL.5432.lock"):
            if lock.exists() and not self._is_our_server(_first_number(lock)):
                lock.unlink(missing_ok=True)

    def _is_our_server(self, process_id: int) -> bool:
        import psutil  # here and below: a server that runs is joined without it

        try:
            process = psutil.Process(process_id)
            if process.status() == psutil.STATUS_ZOMBIE or not process.name().startswith("postgres"):
                return False
            return Path(process.cwd()) == self.data
        except (psutil.Error, ValueError):
            return False

    def _failure(self, message: str) -> StoreError:
        lines = self.log.read_text(errors="replace").splitlines()[-50:] if self.log.exists() else []
        grave = [line for line in lines if "FATAL" in line or "PANIC" in line or "could not" in line]
        last = (grave or lines or ["its log is empty"])[-1].strip()
        return StoreError(f"{message}: {last} (log: {self.log})", hint=hint_for("\n".join(lines)))


def _give(path: Path, user: ServerUser | None) -> None:
    if user is not None:
        os.chown(path, user.uid, user.gid)


def _first_number(lock: Path) -> int:
    """The process id in a lock file; -1 when it holds none."""
    first = next(iter(lock.read_text(errors="replace").splitlines()), "")
    return int(first) if first.strip().isdigit() else -1


def _memory_bytes(limit: Path = Path("/sys/fs/cgroup/memory.max")) -> int:
    """Memory of the machine, or of the container when that is less."""
    import psutil

    total = int(psutil.virtual_memory().total)
    text = limit.read_text().strip() if limit.exists() else "max"
    return min(total, int(text)) if text.isdigit() else total
