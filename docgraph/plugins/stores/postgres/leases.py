"""Pooled connections between uses: whether one still leads to its server, and a COMMIT that nobody has to wait for."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

import psycopg
from psycopg.pq import ConnStatus, TransactionStatus

Connection = psycopg.Connection[tuple[Any, ...]]
_PATIENCE = 5.0
"""Seconds that the answer to a COMMIT may take before the connection counts as lost."""


class Pooled(Protocol):
    """What a pool hands out (SQLAlchemy's fairy)."""

    @property
    def is_valid(self) -> bool:
        """Whether it still holds a connection: not after ``invalidate``."""
        ...

    def close(self) -> None:
        """Give it back."""
        ...

    def invalidate(self) -> None:
        """Close it; the pool opens another when one is needed."""
        ...


class Lease:
    """A pooled connection for one use; ``replace`` gives another one where the first leads nowhere."""

    def __init__(self, take: Callable[[], tuple[Pooled, Connection]]) -> None:
        self._take = take
        self.pooled, self.connection = take()

    def replace(self) -> Connection:
        """Another connection in the place of this one. Raises what opening one raises."""
        self.pooled.invalidate()
        self.pooled, self.connection = self._take()
        return self.connection


def is_lost(connection: Connection, error: psycopg.Error) -> bool:
    """Whether to ask once more on another connection: this one leads nowhere, or its session holds a lost one.

    The latter (SQL state 08…, told by a coordinator) is what sessions meet that were there before a server of the
    cluster was replaced; where it is still down, the second answer is the same and comes at once.
    """
    return connection.closed or (error.sqlstate or "").startswith("08")


def commit_later(connection: Connection) -> None:
    """Send COMMIT and do not wait: its answer is taken when the connection is used next (``is_alive``).

    A transaction that only read has nothing to lose by it. Unlike ROLLBACK it lets psycopg keep prepared statements.
    """
    with suppress(psycopg.Error):  # everything was read; a connection that breaks now is replaced before its next use
        if connection.pgconn.transaction_status == TransactionStatus.INTRANS:
            connection.pgconn.send_query(b"COMMIT")
            while connection.pgconn.flush():
                _wait(connection, writing=True, seconds=_PATIENCE)


def is_alive(connection: Connection) -> bool:
    """Whether the connection can be used, looked at from this side: no trip unless the server has said something.

    What a server says to a connection at rest is nearly always that it ends it.
    """
    if connection.closed:
        return False
    try:
        said_nothing = _settled(connection) and not _wait(connection, seconds=0)
        return said_nothing or _answers(connection)
    except psycopg.Error:
        return False


def _settled(connection: Connection) -> bool:
    """Take the answer to a COMMIT that was sent; False when it does not come."""
    server = connection.pgconn
    while server.transaction_status == TransactionStatus.ACTIVE:
        while server.is_busy():
            if not _wait(connection, seconds=_PATIENCE):
                raise psycopg.OperationalError("the server did not answer")
            server.consume_input()
        if server.get_result() is None:
            break
    return True


def _answers(connection: Connection) -> bool:
    before, connection.autocommit = connection.autocommit, True
    connection.execute("SELECT 1", prepare=False)
    connection.autocommit = before
    return connection.pgconn.status == ConnStatus.OK


def _wait(connection: Connection, *, writing: bool = False, seconds: float) -> bool:
    """Whether the connection's socket can be read (or written) within ``seconds``."""
    socket = connection.pgconn.socket
    if sys.platform == "win32":
        return any(select.select([] if writing else [socket], [socket] if writing else [], [], seconds))
    poll = select.poll()  # select() knows no file descriptor above 1,023
    poll.register(socket, select.POLLOUT if writing else select.POLLIN)
    return bool(poll.poll(seconds * 1000))
