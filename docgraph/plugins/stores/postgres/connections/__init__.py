"""Connections to one PostgreSQL: opened, prepared for vectors, pooled, replaced when the server was restarted."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import psycopg
from psycopg.types.string import StrDumperUnknown

from docgraph.errors import StoreError
from docgraph.plugins.stores.postgres.connections.failures import first_line, store_errors
from docgraph.plugins.stores.postgres.connections.inspection import inspect, register_types
from docgraph.plugins.stores.postgres.connections.naming import Connection, Naming
from docgraph.plugins.stores.postgres.connections.pool import Lease, Pool, commit_later, is_lost
from docgraph.plugins.stores.postgres.connections.retries import is_lacking_statement, waited
from docgraph.plugins.stores.postgres.queries import pg_text
from docgraph.plugins.stores.postgres.statements.values import Texts, TextsDumper

if TYPE_CHECKING:
    from sqlalchemy import Connection as SchemaConnection
    from sqlalchemy import Engine


T = TypeVar("T")
PreparedStatements = Literal["auto", "off"]
logging.getLogger("psycopg").addHandler(logging.NullHandler())
"""What the driver notes of a lost connection is for logs: without any it would be lines of its own beside our error."""
SETUP_LOCK = 0x646F636772617068
"""Advisory lock ("docgraph" in ASCII): one process at a time prepares a database."""
_ASKED_OFTEN = 5
"""How often a statement is asked on a connection before it is prepared, where it is not known to be asked again."""


class Connector:
    """A pool of connections to one server, and how they are opened.

    ``revive`` starts an embedded server again when it does not answer; a served one is simply reported. Statements are
    prepared for readings alone, which can be asked again, and no more once a pooler is met (or never: ``off``).
    ``prefix`` stands before the names of docgraph's schemas.
    """

    def __init__(
        self,
        conninfo: str,
        *,
        pool_size: int,
        revive: Callable[[], None] | None = None,
        prepared_statements: PreparedStatements = "auto",
        prefix: str = "",
    ) -> None:
        self.conninfo, self._revive, self.naming = conninfo, revive, Naming(prefix)
        self._unprepared = "" if prepared_statements == "auto" else "DOCGRAPH_PREPARED_STATEMENTS is off"
        self.is_pooled = False
        """Whether a pooler stands between: each transaction may be another session of the server's."""
        self._pool, self._lock = Pool(self._pooled, pool_size), threading.Lock()
        self.n_written = 0
        """How many transactions that may have written have ended; a replica is asked for what they wrote."""

    @contextmanager
    def connection(self, action: str) -> Iterator[Connection]:
        """A pooled connection in autocommit: transactions are begun by name, an open one is rolled back at the end.

        Threads that wait for one get it in the order in which they asked. No statement is prepared: what is done here
        may not be done twice. Raises StoreError, which says that ``action`` cannot be done.
        """
        with self._lease(action) as lease:
            yield lease.connection

    @contextmanager
    def reading(self, action: str) -> Iterator[Lease]:
        """A pooled connection to read on, in autocommit; what is open at the end is committed. Raises StoreError.

        COMMIT rather than ROLLBACK, after which psycopg would forget every prepared statement; nobody waits for it.
        """
        with self._lease(action, prepared=True) as lease:
            yield lease
            commit_later(lease.connection)

    def rows(self, action: str, statement: bytes, values: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """What one reading statement finds, asked once more where the connection turns out to be lost.

        Raises StoreError, which says that ``action`` cannot be done.
        """
        with self._lease(action, prepared=True) as lease:
            try:
                return lease.connection.execute(statement, values).fetchall()
            except psycopg.Error as error:
                if not lease.may_ask_again(error):
                    raise
            return lease.replace().execute(statement, values).fetchall()

    @contextmanager
    def _lease(self, action: str, *, prepared: bool = False) -> Iterator[Lease]:
        def ready(connection: Connection) -> None:
            if not connection.autocommit:
                connection.autocommit = True
            connection.prepare_threshold = _ASKED_OFTEN if prepared and not self._unprepared else None

        with store_errors(action), self._pool.use(action, ready=ready, may_ask_again=self._may_ask_again) as lease:
            yield lease

    def _may_ask_again(self, connection: Connection, error: psycopg.Error) -> bool:
        """Whether a reading may be asked once more, on another connection."""
        if is_lacking_statement(error):
            if "cached plan" not in str(error):  # which means that a table was changed, and nothing else
                self._unprepared = "the server answered by the statements of another session"
            return True
        return isinstance(error, psycopg.OperationalError) and is_lost(connection, error)

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
        with store_errors(action), self._waited(self._engine.connect) as connection:
            raw = connection.connection.driver_connection
            assert isinstance(raw, Connection)
            raw.autocommit, raw.prepare_threshold = False, None
            try:
                with connection.begin():
                    yield connection
            finally:
                self._note_written()

    def facts(self) -> dict[str, Any]:
        """``pooled``, and ``prepared_statements``: ``on``, or ``off`` with the reason."""
        return {
            "pooled": self.is_pooled,
            "prepared_statements": f"off: {self._unprepared}" if self._unprepared else "on",
        }

    def _note_written(self) -> None:
        with self._lock:
            self.n_written += 1

    def close(self) -> None:
        """Close the pooled connections; those in use are closed when they are given back."""
        self._pool.close()

    @cached_property
    def _engine(self) -> Engine:
        """SQLAlchemy over connections that are opened for each use: importing it takes a fifth of a command's start."""
        from sqlalchemy import create_engine
        from sqlalchemy.pool import NullPool

        return create_engine(
            "postgresql+psycopg://", creator=self._pooled, poolclass=NullPool, pool_reset_on_return=None
        )

    def _waited(self, opened: Callable[[], T]) -> T:
        return waited(opened, meanwhile=lambda left: self._pool.rest())

    def connect(self) -> Connection:
        """A connection outside the pool; where the server has none left, one is waited for."""
        return self._waited(self._opened)

    def _pooled(self) -> Connection:
        """A connection that vectors can be sent on. Raises ExtensionError where there is no pgvector."""
        connection = self._opened()
        try:
            self._seen(connection)
        except BaseException:  # the pool forgets a connection that cannot be prepared, and does not close it
            connection.close()
            raise
        return connection

    def _seen(self, connection: Connection) -> None:
        connection.autocommit = True
        found = inspect(connection)
        found.check()
        connection.named(found.naming(self.naming.prefix))
        register_types(connection, found.types)
        connection.adapters.register_dumper(Texts, TextsDumper)
        connection.adapters.register_dumper(str, TextDumper)
        if found.is_pooled:
            self.is_pooled = True
            self._unprepared = self._unprepared or "a pooler hands out the server's sessions"

    def _opened(self) -> Connection:
        try:
            return self._dialled()
        except psycopg.OperationalError:
            if self._revive is None:
                raise
        self._revive()
        return self._dialled()

    def _dialled(self) -> Connection:
        """Its prepared statements have names that no other client has: none is ever taken for another's."""
        connection = Connection.connect(self.conninfo, prepare_threshold=None).named(self.naming)
        connection._prepared._prepared_idx = secrets.randbits(60)
        return connection


def ensure_vector_extension(connection: Connection) -> None:
    """Create the extension ``vector`` when it is missing. Raises StoreError with what an administrator must do."""
    if connection.execute("SELECT FROM pg_catalog.pg_extension WHERE extname = 'vector'").fetchone() is not None:
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


class TextDumper(StrDumperUnknown):
    """Every text that is sent, also in a list: half of a surrogate pair would end in an error of psycopg's own."""

    def dump(self, obj: str) -> bytes:
        """See ``psycopg.adapt.Dumper.dump``."""
        return pg_text(obj).encode()
