"""Moves the data of another major version of PostgreSQL to the one that comes with docgraph, by a backup file."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

from docgraph.errors import StoreError
from docgraph.plugins.stores.postgres.backup.writing import back_up
from docgraph.plugins.stores.postgres.connections.failures import store_errors
from docgraph.plugins.stores.postgres.connections.naming import Connection
from docgraph.plugins.stores.postgres.server.binaries import (
    MAJOR_VERSION,
    check_reachable,
    major_of,
    other_binaries,
    server_user,
)
from docgraph.plugins.stores.postgres.server.cluster import Cluster
from docgraph.plugins.stores.postgres.server.embedded import DATABASE, START_TIMEOUT, alone
from docgraph.ports.backups import BacksUp, Upgrade
from docgraph.ports.progress import Progress

_NEED = (
    "give --old-programs FOLDER, the bin folder of PostgreSQL {major} with pgvector; without one, let the docgraph "
    "that made the data write a backup, and restore that into a new DOCGRAPH_DATA_DIR"
)


def upgrade(
    root: Path,
    *,
    open_database: Callable[[Path], AbstractContextManager[BacksUp]],
    old_programs: Path | None,
    progress: Progress | None,
) -> Upgrade | None:
    """See ``ports.ManagesServer.upgrade``. The new data are made beside the old ones, which then make room for them."""
    if sys.platform == "win32":
        raise StoreError(
            "an upgrade of the embedded server needs kernel file locks, which Windows has not",
            hint="write a backup with the docgraph that made the data, and restore it into a new DOCGRAPH_DATA_DIR",
        )
    old = Cluster(root)
    if not old.version or old.version == MAJOR_VERSION:
        return None
    before, programs = old.version, _programs(old.version, old_programs)
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    kept, file, beside = root / f"pgdata-{before}-{stamp}", root / f"upgrade-{before}-{stamp}.backup", root / "upgrade"
    with alone(root):
        shutil.rmtree(beside, ignore_errors=True)
        try:
            _write(Cluster(root, programs), file, progress)
            with open_database(beside) as database, file.open("rb") as source:
                made = database.restore_backup(source, progress=progress)
            old.data.rename(kept)
            (beside / "postgres" / "pgdata").rename(old.data)
        except BaseException:
            if kept.exists() and not old.data.exists():
                kept.rename(old.data)
            raise
        finally:
            shutil.rmtree(beside, ignore_errors=True)
        old.started.unlink(missing_ok=True)
    return Upgrade(before=before, after=MAJOR_VERSION, old_data=str(kept), backup=str(file), workspaces=made)


def _programs(major: str, given: Path | None) -> Path:
    if given is None:
        found = other_binaries(major)
        if found is None:
            raise StoreError(f"the data need the programs of PostgreSQL {major}", hint=_NEED.format(major=major))
        return found
    if major_of(given) != major:
        there = major_of(given)
        what = f"those of PostgreSQL {there}" if there else "no programs of PostgreSQL that run here"
        raise StoreError(f"{given} holds {what}, the data need {major}", hint=_NEED.format(major=major))
    return given.resolve()


def _write(cluster: Cluster, file: Path, progress: Progress | None) -> None:
    """A backup by the server that made the data; it is stopped again, whatever comes."""
    check_reachable(cluster.folder, server_user(cluster.data))
    cluster.prepare()
    part = file.with_suffix(".part")
    try:
        cluster.start(timeout=START_TIMEOUT)
        conninfo = cluster.conninfo(DATABASE)
        with (
            store_errors("write a backup of the old data"),
            Connection.connect(conninfo, autocommit=True) as connection,
            part.open("wb") as target,
        ):
            part.chmod(0o600)
            back_up(connection, target, workspaces=None, progress=progress)
        part.rename(file)
    finally:
        part.unlink(missing_ok=True)
        cluster.stop()
