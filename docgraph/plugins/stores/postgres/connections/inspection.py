"""A new connection inspected: whether it leads to the server itself, and where pgvector is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg
import psycopg.errors
from psycopg import pq
from psycopg.types import TypeInfo

from docgraph.plugins.stores.postgres.connections.naming import Naming
from docgraph.plugins.stores.postgres.connections.pool import wait
from docgraph.plugins.stores.postgres.connections.retries import NO_SESSION

if TYPE_CHECKING:
    from docgraph.plugins.stores.postgres.connections.naming import Connection

TIMEOUT = 5.0
"""Seconds in which a server that is there says who it is."""
_INSPECT = b"""
SELECT pg_backend_pid(), current_user::text, n.nspname::text, n.nspname = ANY(current_schemas(true)),
       has_schema_privilege(n.oid, 'USAGE'), t.typname::text, t.oid::int8, t.typarray::int8
FROM (VALUES (1)) one
LEFT JOIN pg_catalog.pg_extension e ON e.extname = 'vector'
LEFT JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
LEFT JOIN pg_catalog.pg_type t ON t.typnamespace = n.oid AND t.typname IN ('vector', 'halfvec', 'sparsevec')"""


class ExtensionError(psycopg.ProgrammingError):
    """pgvector is not there, or this role may not use it; ``hint`` says what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True)
class Inspection:
    """What was found: whether a pooler hands out the server's sessions, the role, pgvector's schema and its types."""

    is_pooled: bool
    role: str
    schema: str | None
    is_on_path: bool
    may_use: bool
    types: tuple[TypeInfo, ...]

    def naming(self, prefix: str) -> Naming:
        """How names are written there. Behind a pooler the search path is somebody else's perhaps."""
        found_alone = self.schema is None or (self.is_on_path and not self.is_pooled)
        return Naming(prefix, "" if found_alone else self.schema or "")

    def check(self) -> None:
        """Raises ExtensionError where there is no pgvector to be used."""
        if self.schema is None:
            raise ExtensionError(
                "the database has no pgvector",
                "let a superuser run CREATE EXTENSION vector in this database, or name another one",
            )
        if not self.may_use:
            raise ExtensionError(
                f"the role {self.role} may not use the schema {self.schema}, where pgvector is",
                f'let the owner of that schema run: GRANT USAGE ON SCHEMA "{self.schema}" TO "{self.role}"',
            )


def inspect(connection: Connection) -> Inspection:
    """One round trip. A pooler cannot tell a client which server process will serve it: what it told is another number.

    A pooler that has no session left lets its clients wait for minutes: it is not waited for that long, as it may be
    this program that holds them. Raises psycopg.OperationalError then.
    """
    connection.pgconn.send_query(_INSPECT)
    while connection.pgconn.flush():
        wait(connection, writing=True, seconds=TIMEOUT)
    if not wait(connection, seconds=TIMEOUT):
        connection.close()
        raise psycopg.OperationalError(NO_SESSION)
    rows = _rows_of(connection.pgconn)
    pid, role, schema, is_on_path, may_use, *_ = rows[0]
    types = tuple(TypeInfo(row[5], int(row[6]), int(row[7])) for row in rows if row[5])
    is_pooled = pid != str(connection.info.backend_pid)
    return Inspection(is_pooled, role, schema or None, is_on_path == "t", may_use == "t", types)


def _rows_of(server: pq.abc.PGconn) -> list[list[str]]:
    """What the server answers to one statement, as text. Raises psycopg.Error."""
    rows: list[list[str]] = []
    while (result := server.get_result()) is not None:
        if result.status != pq.ExecStatus.TUPLES_OK:
            raise psycopg.errors.error_from_result(result)
        columns = range(result.nfields)
        rows += [[(result.get_value(i, k) or b"").decode() for k in columns] for i in range(result.ntuples)]
    return rows


def register_types(connection: Connection, types: tuple[TypeInfo, ...]) -> None:
    """Let vectors go and come as numbers; by the types that were seen, whatever the search path is."""
    from pgvector.psycopg.bit import register_bit_info
    from pgvector.psycopg.halfvec import register_halfvec_info
    from pgvector.psycopg.sparsevec import register_sparsevec_info
    from pgvector.psycopg.vector import register_vector_info

    known = {"vector": register_vector_info, "halfvec": register_halfvec_info, "sparsevec": register_sparsevec_info}
    register_bit_info(connection, TypeInfo("bit", *_BIT))
    for each in types:
        known[each.name](connection, each)


_BIT = (1560, 1561)
"""The numbers of ``bit`` and ``bit[]``, which every server has."""
