"""Pooled connections between uses: whether one still leads to its server, and a COMMIT that nobody has to wait for."""

from __future__ import annotations

import select
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

import psycopg
from psycopg.pq import ConnStatus, TransactionStatus

from docgraph.plugins.stores.postgres.connections.naming import Connection as Connection

_PATIENCE = 5.0
"""Seconds that the answer to a COMMIT may take before the connection counts as lost."""


class Pooled(Protocol):
    """What a pool hands out (``Held``, or SQLAlchemy's fairy)."""

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


class First:
    """The first connection of a pool, kept between uses; whoever needs another one meanwhile takes it elsewhere.

    A program that does one thing after the other needs no other one.
    """

    def __init__(self, opened: Callable[[], Connection]) -> None:
        self._opened, self._lock = opened, threading.Lock()
        self._kept: Connection | None = None
        self._is_out = self._is_closed = False

    def take(self) -> Held | None:
        """The connection, opened where none lives; None while it is in use. Raises what opening raises."""
        with self._lock:
            if self._is_out:
                return None
            self._is_out, kept, self._kept = True, self._kept, None
        try:
            if kept is not None and not is_alive(kept):
                kept.close()
                kept = None
            return Held(self, kept or self._opened())
        except BaseException:
            self.give_back(None)
            raise

    def give_back(self, connection: Connection | None) -> None:
        """Keep a connection for the next use, or nothing: then the next one is opened."""
        with self._lock:
            self._is_out = False
            if not self._is_closed:
                self._kept, connection = connection, None
        if connection is not None:
            connection.close()

    def rest(self) -> None:
        """Close what is kept for later; the next use opens another one."""
        with self._lock:
            kept, self._kept = self._kept, None
        if kept is not None:
            kept.close()

    def close(self) -> None:
        """Close what is kept; what is in use is closed when it comes back."""
        with self._lock:
            self._is_closed, kept, self._kept = True, self._kept, None
        if kept is not None:
            kept.close()


class Held:
    """The use of a ``First`` connection (``Pooled``)."""

    def __init__(self, of: First, connection: Connection) -> None:
        self._of, self.connection, self.is_valid = of, connection, True

    def close(self) -> None:
        """Give it back."""
        if self.is_valid:
            self.is_valid = False
            self._of.give_back(self.connection)

    def invalidate(self) -> None:
        """Close it; the next one is opened anew."""
        if self.is_valid:
            self.is_valid = False
            try:
                self.connection.close()
            finally:
                self._of.give_back(None)


class Lease:
    """A pooled connection for one use; ``replace`` gives another one where the first leads nowhere."""

    def __init__(
        self,
        take: Callable[[], tuple[Pooled, Connection]],
        again: Callable[[Connection, psycopg.Error], bool],
    ) -> None:
        self._take, self._again = take, again
        self.pooled, self.connection = take()

    def may_ask_again(self, error: psycopg.Error) -> bool:
        """Whether what only reads may be asked once more, on the connection that ``replace`` gives."""
        return self._again(self.connection, error)

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
                wait(connection, writing=True, seconds=_PATIENCE)


def is_alive(connection: Connection) -> bool:
    """Whether the connection can be used, looked at from this side: no trip unless the server has said something.

    What a server says to a connection at rest is nearly always that it ends it.
    """
    if connection.closed:
        return False
    try:
        said_nothing = _settled(connection) and not wait(connection, seconds=0)
        return said_nothing or _answers(connection)
    except psycopg.Error:
        return False


def _settled(connection: Connection) -> bool:
    """Take the answer to a COMMIT that was sent; False when it does not come."""
    server = connection.pgconn
    while server.transaction_status == TransactionStatus.ACTIVE:
        while server.is_busy():
            if not wait(connection, seconds=_PATIENCE):
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


def wait(connection: Connection, *, writing: bool = False, seconds: float) -> bool:
    """Whether the connection's socket can be read (or written) within ``seconds``."""
    socket = connection.pgconn.socket
    if sys.platform == "win32":
        return any(select.select([] if writing else [socket], [socket] if writing else [], [], seconds))
    poll = select.poll()  # select() knows no file descriptor above 1,023
    poll.register(socket, select.POLLOUT if writing else select.POLLIN)
    return bool(poll.poll(seconds * 1000))
