"""A pool of connections to one server: places given in order, connections kept between uses, lost ones replaced."""

from __future__ import annotations

import select
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import psycopg
from psycopg.pq import ConnStatus, TransactionStatus

from docgraph.errors import StoreError
from docgraph.plugins.stores.postgres.connections.naming import Connection
from docgraph.plugins.stores.postgres.connections.retries import waited

TIMEOUT = 30.0
"""Seconds that a connection is waited for."""
_COMMIT_TIMEOUT = 5.0
"""Seconds that the answer to a COMMIT may take before the connection counts as lost."""
_REST = 60.0
"""Seconds after which a pool that found the server full tries again to open more connections."""


class Pool:
    """Keeps ``n`` connections between uses, and lets ``2 n`` be used at a time, in the order in which threads ask.

    While the server opens no more connections there are fewer places: a thread that meets a full server gives its place
    up, and waits for that of another, which comes with an open connection.
    """

    def __init__(self, opened: Callable[[], Connection], n: int) -> None:
        self._opened, self._n = opened, n
        self._turns, self._lock = Turns(2 * n), threading.Lock()
        self._idle: list[Connection] = []
        self._is_closed = False
        self._n_out = self._n_given_up = 0
        self._since = 0.0

    @contextmanager
    def use(
        self,
        action: str,
        *,
        ready: Callable[[Connection], object],
        may_ask_again: Callable[[Connection, psycopg.Error], bool],
    ) -> Iterator[Lease]:
        """A connection in a place of its own, made ``ready``; kept for the next use unless it is broken.

        Raises StoreError where no place is free in time, and what opening a connection raises.
        """

        def take() -> Connection:
            return self._taken(ready)

        self._open_up()
        self._wait(action, TIMEOUT)
        try:
            lease = Lease(waited(take, meanwhile=lambda left: self._exchanged(action, left)), take, may_ask_again)
            self._count(1)
            is_done = False
            try:
                yield lease
                is_done = True
            finally:
                self._count(-1)
                self._give_back(lease.connection, is_done=is_done)
        finally:
            self._turns.give_back()

    def rest(self) -> None:
        """Close what is kept for later; the next use opens another one."""
        with self._lock:
            idle, self._idle = self._idle, []
        for each in idle:
            each.close()

    def close(self) -> None:
        """Close what is kept; what is in use is closed when it comes back: a thread may end later."""
        self._is_closed = True
        self.rest()

    def _taken(self, ready: Callable[[Connection], object]) -> Connection:
        """The connection that came back last and lives, else a new one."""
        connection = None
        while connection is None and (kept := self._popped()) is not None:
            if is_alive(kept):
                connection = kept
            else:
                kept.close()
        connection = connection or self._opened()
        try:
            ready(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _popped(self) -> Connection | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _give_back(self, connection: Connection, *, is_done: bool) -> None:
        if _is_settled(connection) if is_done else is_rolled_back(connection):
            with self._lock:
                if not self._is_closed and len(self._idle) < self._n:
                    self._idle.append(connection)
                    return
        connection.close()

    def _wait(self, action: str, timeout: float) -> None:
        """For a place, in order. Raises StoreError."""
        if not self._turns.take(timeout):
            n = 2 * self._n - self._n_given_up
            raise StoreError(
                f"cannot {action}: all {n} connections were in use for {timeout:.0f} seconds",
                hint="ask again, or let fewer work at the same time",
            )

    def _count(self, step: int) -> None:
        with self._lock:
            self._n_out += step

    def _exchanged(self, action: str, left: float) -> bool:
        """Give the place up for a while, and wait for that of another, where there is one. Raises StoreError."""
        if not self._n_out:
            return False
        with self._lock:
            self._n_given_up += 1
            self._since = time.monotonic()
        try:
            self._wait(action, left)
        except BaseException:
            with self._lock:
                self._n_given_up -= 1  # the place that was given up is given back as the one that was asked for
            raise
        return True

    def _open_up(self) -> None:
        """Try as many as before, once the server may have room again."""
        with self._lock:
            if not self._n_given_up or time.monotonic() - self._since < _REST:
                return
            n, self._n_given_up = self._n_given_up, 0
        for _ in range(n):
            self._turns.give_back()


class Turns:
    """``n`` places, given to waiting threads in the order in which they asked.

    A pool of connections alone lets a thread that gives one back take it again at once, so that under constant work
    a thread that waits may never get one.
    """

    def __init__(self, n: int) -> None:
        self._lock, self._free = threading.Lock(), n
        self._waiting: deque[threading.Event] = deque()

    @property
    def n_waiting(self) -> int:
        """How many threads wait for a place."""
        return len(self._waiting)

    def take(self, timeout: float) -> bool:
        """One place, at most ``timeout`` seconds from now; False when there was none. ``give_back`` ends it."""
        with self._lock:
            if self._free:  # nobody waits then: a place is handed over, not freed, while somebody does
                self._free -= 1
                return True
            mine = threading.Event()
            self._waiting.append(mine)
        if mine.wait(timeout):
            return True
        with self._lock:
            if mine.is_set():  # handed over in the last moment
                return True
            self._waiting.remove(mine)
            return False

    def give_back(self) -> None:
        """Hand the place to the thread that has waited longest."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._free += 1


class Lease:
    """A pooled connection for one use; ``replace`` gives another one where the first leads nowhere."""

    def __init__(
        self, connection: Connection, take: Callable[[], Connection], again: Callable[[Connection, psycopg.Error], bool]
    ) -> None:
        self.connection, self._take, self._again = connection, take, again

    def may_ask_again(self, error: psycopg.Error) -> bool:
        """Whether what only reads may be asked once more, on the connection that ``replace`` gives."""
        return self._again(self.connection, error)

    def replace(self) -> Connection:
        """Another connection in the place of this one. Raises what opening one raises."""
        self.connection.close()
        self.connection = self._take()
        return self.connection


def _is_settled(connection: Connection) -> bool:
    """Whether nothing is open: what was begun has ended, or its COMMIT is on its way."""
    status = connection.pgconn.transaction_status
    return status in (TransactionStatus.IDLE, TransactionStatus.ACTIVE) or is_rolled_back(connection)


def is_rolled_back(connection: Connection) -> bool:
    """Roll back what is open; False when the connection is broken."""
    try:
        connection.rollback()
    except psycopg.Error:
        return False
    return not connection.closed


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
                wait(connection, writing=True, seconds=_COMMIT_TIMEOUT)


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
            if not wait(connection, seconds=_COMMIT_TIMEOUT):
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
