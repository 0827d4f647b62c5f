"""Connections to one PostgreSQL: opened, prepared for vectors, pooled, replaced when the server was restarted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import psycopg
from pgvector.psycopg import register_vector
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus
from psycopg.types.string import StrDumperUnknown

from docgraph.errors import SettingsError, StoreError
from docgraph.plugins.stores.postgres.connections.failures import first_line, store_errors
from docgraph.plugins.stores.postgres.connections.leases import First, Lease, commit_later, is_alive, is_lost
from docgraph.plugins.stores.postgres.connections.turns import Turns
from docgraph.plugins.stores.postgres.queries import pg_text
from docgraph.plugins.stores.postgres.statements.values import Texts, TextsDumper

if TYPE_CHECKING:
    from sqlalchemy import Connection as SchemaConnection
    from sqlalchemy import Engine

    from docgraph.plugins.stores.postgres.connections.leases import Connection, Pooled

CONNECT_TIMEOUT = 10
_URL_HINT = (
    "write postgresql://user:password@host:5432/database; special characters percent-encoded (/ is %2F, @ is %40)"
)
POOL_TIMEOUT = 30.0
SETUP_LOCK = 0x646F636772617068
"""Advisory lock ("docgraph" in ASCII): one process at a time prepares a database."""


def checked_conninfo(database_url: str) -> str:
    """A connection string that libpq understands. Raises SettingsError, without repeating what was given."""
    url = database_url.replace("postgresql+psycopg://", "postgresql://", 1)
    parts: dict[str, Any] | None = None
    with suppress(psycopg.Error):  # its text repeats the password, so it must not become our error's context
        parts = dict(conninfo_to_dict(url))
    if parts is None or _is_torn(url):
        raise SettingsError("the database URL cannot be understood", hint=_URL_HINT)
    ports = str(parts.get("port") or "5432").split(",")
    if not all(port.isascii() and port.isdigit() and 0 < int(port) < 65_536 for port in ports if port):
        raise SettingsError("the port in the database URL is not a number from 1 to 65535", hint=_URL_HINT)
    parts.setdefault("connect_timeout", CONNECT_TIMEOUT)
    parts.setdefault("application_name", "docgraph")
    return make_conninfo("", **parts)


def _is_torn(url: str) -> bool:
    """True when a password with a bare ``/`` or ``@`` was cut there: its rest would pass for a host or a database."""
    authority, _, path = url.partition("://")[2].partition("/")
    return authority.count("@") > 1 or "@" in path.partition("?")[0]


def location(conninfo: str) -> str:
    """Where a connection string leads, without the password: ``user@host:port/database``."""
    parts = conninfo_to_dict(conninfo)
    user, host = parts.get("user") or "", parts.get("host") or parts.get("hostaddr") or "local socket"
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"{user}{'@' if user else ''}{host}{port}/{parts.get('dbname') or user}"


class Connector:
    """A pool of connections to one server: a first one, and SQLAlchemy's pool for all that are needed beside it.

    ``revive`` starts an embedded server again when it does not answer; a served one is simply reported.
    """

    def __init__(self, conninfo: str, *, pool_size: int, revive: Callable[[], None] | None = None) -> None:
        self.conninfo, self._revive = conninfo, revive
        self._first = First(lambda: _prepared(self.connect()))
        self._beside: Engine | None = None
        self._closed, self._lock, self._pool_size = False, threading.Lock(), pool_size
        self._turns, self._n_places = Turns(2 * pool_size), 2 * pool_size
        self.n_written = 0
        """How many transactions that may have written have ended; a replica is asked for what they wrote."""

    @contextmanager
    def connection(self, action: str) -> Iterator[Connection]:
        """A pooled connection in autocommit: transactions are begun by name, an open one is rolled back at the end.

        Threads that wait for one get it in the order in which they asked. Raises StoreError, which says that ``action``
        cannot be done.
        """
        with self._lease(action) as lease:
            yield lease.connection

    @contextmanager
    def reading(self, action: str) -> Iterator[Lease]:
        """A pooled connection to read on, in autocommit; what is open at the end is committed. Raises StoreError.

        COMMIT rather than ROLLBACK, after which psycopg would forget every prepared statement; nobody waits for it.
        """
        with self._lease(action) as lease:
            yield lease
            commit_later(lease.connection)

    def rows(self, action: str, statement: bytes, values: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """What one reading statement finds, asked once more where the connection turns out to be lost.

        Raises StoreError, which says that ``action`` cannot be done.
        """
        with self._lease(action) as lease:
            try:
                return lease.connection.execute(statement, values).fetchall()
            except psycopg.OperationalError as error:
                if not is_lost(lease.connection, error):
                    raise
            return lease.replace().execute(statement, values).fetchall()

    @contextmanager
    def _lease(self, action: str) -> Iterator[Lease]:
        with store_errors(action), self._turn(action):
            lease = Lease(self._take)
            is_done = False
            try:
                yield lease
                is_done = True
            finally:
                self._give_back(lease, is_done=is_done)

    def _take(self) -> tuple[Pooled, Connection]:
        pooled: Pooled
        raw: object
        if (held := self._first.take()) is not None:
            pooled, raw = held, held.connection
        else:
            fairy = self._engine().raw_connection()
            pooled, raw = fairy, fairy.driver_connection
        assert isinstance(raw, psycopg.Connection)
        if not raw.autocommit:
            try:
                raw.autocommit = True
            except BaseException:
                pooled.invalidate()
                raise
        return pooled, raw

    def _give_back(self, lease: Lease, *, is_done: bool) -> None:
        """To the pool, unless it is broken; after close() nobody would close what goes back: a thread may end later."""
        if (_is_settled(lease.connection) if is_done else _is_rolled_back(lease.connection)) and not self._closed:
            lease.pooled.close()
        elif lease.pooled.is_valid:  # it is not where no other could be opened in its place
            lease.pooled.invalidate()

    @contextmanager
    def _turn(self, action: str) -> Iterator[None]:
        if not self._turns.take(POOL_TIMEOUT):
            raise StoreError(
                f"cannot {action}: all {self._n_places} connections were in use for {POOL_TIMEOUT:.0f} seconds",
                hint="ask again, or let fewer work at the same time",
            )
        try:
            yield
        finally:
            self._turns.give_back()

    @contextmanager
    def transaction(self, action: str) -> Iterator[Connection]:
        """A pooled connection inside one READ COMMITTED transaction, committed at the end. Raises StoreError."""
        try:
            with self.connection(action) as connection, connection.transaction():
                yield connection
        finally:
            self._note_written()

    @contextmanager
    def schema_change(self, action: str) -> Iterator[SchemaConnection]:
        """One transaction on a connection of SQLAlchemy, as migrations want it. Raises StoreError."""
        with store_errors(action), self._engine().connect() as connection:
            raw = connection.connection.driver_connection
            assert isinstance(raw, psycopg.Connection)
            raw.autocommit = False
            try:
                with connection.begin():
                    yield connection
            finally:  # where COMMIT itself failed, nobody else has rolled back
                self._note_written()
                if not _is_rolled_back(raw):
                    connection.invalidate()

    def _note_written(self) -> None:
        with self._lock:
            self.n_written += 1

    def close(self) -> None:
        """Close the pooled connections; those in use are closed when they are given back."""
        self._closed = True
        self._first.close()
        with self._lock:
            if self._beside is not None:
                self._beside.dispose()

    def _engine(self) -> Engine:
        """SQLAlchemy's pool, made when it is first needed: importing it takes a fifth of a command's start."""
        with self._lock:
            if self._beside is None:
                self._beside = _engine(self.connect, self._pool_size)
            return self._beside

    def connect(self) -> Connection:
        """A connection outside the pool."""
        try:
            return psycopg.connect(self.conninfo)
        except psycopg.OperationalError:
            if self._revive is None:
                raise
        self._revive()
        return psycopg.connect(self.conninfo)


def ensure_vector_extension(connection: Connection) -> None:
    """Create the extension ``vector`` when it is missing. Raises StoreError with what an administrator must do."""
    if connection.execute("SELECT to_regtype('vector')").fetchone() != (None,):
        return
    try:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (SETUP_LOCK,))
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        connection.commit()
    except psycopg.Error as error:
        raise StoreError(
            f"the database has no pgvector, and it cannot be added: {first_line(error)}",
            hint="install pgvector on the server, then let a superuser run CREATE EXTENSION vector in this database",
        ) from error


def _engine(connect: Callable[[], Connection], pool_size: int) -> Engine:
    """All connections of a pool but the first; of a pool of one, those that are opened for a moment."""
    from sqlalchemy import create_engine, event
    from sqlalchemy.pool import NullPool

    kept = {"pool_size": pool_size - 1, "max_overflow": pool_size, "pool_timeout": POOL_TIMEOUT}
    engine = create_engine(
        "postgresql+psycopg://",
        creator=connect,
        pool_reset_on_return=None,
        **(kept if pool_size > 1 else {"poolclass": NullPool}),
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "checkout", _look)
    return engine


class TextDumper(StrDumperUnknown):
    """Every text that is sent, also in a list: half of a surrogate pair would end in an error of psycopg's own."""

    def dump(self, obj: str) -> bytes:
        """See ``psycopg.adapt.Dumper.dump``."""
        return pg_text(obj).encode()


def _prepared(connection: Connection) -> Connection:
    _prepare(connection, None)
    return connection


def _prepare(connection: Connection, _record: object) -> None:
    try:
        register_vector(connection)
    except BaseException:  # the pool forgets a connection that cannot be prepared, and does not close it
        connection.close()
        raise
    connection.adapters.register_dumper(Texts, TextsDumper)
    connection.adapters.register_dumper(str, TextDumper)


def _look(connection: Connection, _record: object, _pooled: object) -> None:
    """Before each use, without a trip. Where one is lost the others are looked on as lost too: the server restarted."""
    from sqlalchemy.exc import InvalidatePoolError

    if not is_alive(connection):
        raise InvalidatePoolError


def _is_settled(connection: Connection) -> bool:
    """Whether nothing is open: what was begun has ended, or its COMMIT is on its way."""
    status = connection.pgconn.transaction_status
    return status in (TransactionStatus.IDLE, TransactionStatus.ACTIVE) or _is_rolled_back(connection)


def _is_rolled_back(connection: Connection) -> bool:
    """Roll back what is open; False when the connection is broken."""
    try:
        connection.rollback()
    except psycopg.Error:
        return False
    return not connection.closed
