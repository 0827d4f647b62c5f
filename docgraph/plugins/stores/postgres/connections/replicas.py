"""A replica that answers questions: a process that has written waits until it is there, and is shown no older state."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psycopg

from docgraph.errors import StoreError
from docgraph.plugins.stores.postgres.connections import Connector, PreparedStatements
from docgraph.plugins.stores.postgres.connections.inspection import ExtensionError
from docgraph.plugins.stores.postgres.connections.pool import Lease

TIMEOUT = 5.0
"""Seconds that a replica may be behind what this process has written; then the primary is asked instead."""
_NAP = 0.005
_HERE = b"""
SELECT CASE WHEN pg_is_in_recovery() THEN NULL
            WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()::text
            ELSE pg_current_wal_lsn()::text END"""
"""What is committed may not be written yet where nobody waits for that."""
_CAUGHT_UP = b"SELECT NOT pg_is_in_recovery() OR coalesce(pg_last_wal_replay_lsn() >= %s::pg_lsn, true)"
"""A server that replays no log (the primary itself under another role, a copy made by other means) is as it is."""


class Replica(Connector):
    """A pool of connections to a server that receives what ``primary`` writes.

    A read waits at most ``TIMEOUT`` seconds for what this process has written, and not at all without a write since the
    last one. What others write is shown once it has arrived; a plan names the revision that it was made on. Where the
    primary is gone, nobody knows what to wait for: the replica answers as it is.
    """

    def __init__(
        self,
        conninfo: str,
        *,
        pool_size: int,
        primary: Connector,
        prepared_statements: PreparedStatements = "auto",
        prefix: str = "",
    ) -> None:
        super().__init__(conninfo, pool_size=pool_size, prepared_statements=prepared_statements, prefix=prefix)
        self._primary, self._waiting, self._n_seen = primary, threading.Lock(), 0

    @contextmanager
    def _lease(self, action: str, *, prepared: bool = False) -> Iterator[Lease]:
        written = self._primary.n_written
        source: Connector = self if written == self._n_seen or self._has_caught_up(action, written) else self._primary
        with Connector._lease(source, action, prepared=prepared) as lease:
            yield lease

    def _has_caught_up(self, action: str, written: int) -> bool:
        """Whether all of the first ``written`` changes are shown; one thread waits for all. Raises StoreError."""
        with self._waiting:
            if self._n_seen >= written:
                return True
            position: str | None = None
            with suppress(StoreError):
                ((position,),) = self._primary.rows(action, _HERE)
            try:
                with Connector._lease(self, action) as lease:
                    is_there = position is None or _shows(lease, position)
            except StoreError as error:
                if not isinstance(error.__cause__, ExtensionError):
                    raise
                return False  # it is so far behind that it has not even the database's extension
            if is_there:
                self._n_seen = written
            return is_there


def _shows(lease: Lease, position: str) -> bool:
    """Whether the replica has replayed the log up to ``position``, now or soon. Raises ``psycopg.Error``."""
    deadline = time.monotonic() + TIMEOUT
    while True:
        try:
            row = lease.connection.execute(_CAUGHT_UP, (position,)).fetchone()
        except psycopg.OperationalError:
            row = lease.replace().execute(_CAUGHT_UP, (position,)).fetchone()
        if row is not None and row[0]:
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(_NAP)
