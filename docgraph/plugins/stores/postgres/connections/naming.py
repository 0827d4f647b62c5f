"""Names in statements as this database has them: docgraph's own schema with its prefix, and what pgvector brought."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

import psycopg
from psycopg import sql

if TYPE_CHECKING:
    from sqlalchemy import Connection as SchemaConnection

WORKBENCH = "docgraph"
"""The schema of what belongs to no document."""

_WORDS = re.compile(
    rb"""(?P<own> (?<![\w."$]) (?: docgraph | "docgraph" ) (?=\s*\.) )
    | (?P<kept>
      '(?:[^']|'')*'                       # a text; the last part of E'..' with a quote in it is one as well
    | \$(?P<tag>\w*)\$.*?\$(?P=tag)\$                   # a text between dollars
    | --[^\n]* | /\*.*?\*/                 # a remark
    | "(?:[^"]|"")*"                       # a name that says itself what it is
    | %\(\w+\)[sbt]                        # a value to be bound
    )
    | (?P<cast> ::\s* | \bTYPE\s+ ) (?P<type> vector | halfvec | sparsevec ) \b (?!\s*\.)
    | (?<![\w."$]) (?P<called> vector | halfvec | sparsevec
        | (?:vector|halfvec|sparsevec)_(?:dims|norm|send|recv|add|sub|mul|concat)
        | cosine_distance | l1_distance | l2_distance | inner_product | hamming_distance | jaccard_distance
        | l2_norm | l2_normalize | binary_quantize | subvector ) (?=\s*\()
    | (?<![\w."$]) (?P<class> (?:vector|halfvec|sparsevec)_(?:cosine|ip|l1|l2)_ops ) \b
    | (?<![.]) (?P<operator> <=> | <~> )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Naming:
    """How names are written: ``prefix`` stands before every schema of docgraph's.

    ``extension`` is the schema of pgvector, where names are not found in it by themselves; else it is empty.
    """

    prefix: str = ""
    extension: str = ""

    @property
    def workbench(self) -> str:
        """The schema of what belongs to no document."""
        return self.prefix + WORKBENCH

    def schema_of(self, workspace: str) -> str:
        """The schema of a workspace; ``$`` stands for ``-``, which no workspace name can hold."""
        return f"{self.prefix}ws_{workspace.replace('-', '$')}"

    def written(self, statement: bytes, *, bound: bool = True) -> bytes:
        """``statement`` with every name as this database has it; written twice it stays the same.

        ``bound`` = values are bound to it, so that a percent sign is written twice.
        """
        return _written(statement, self, bound) if self.prefix or self.extension else statement


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that knows how names are written where it leads."""

    naming = Naming()

    def named(self, naming: Naming) -> Self:
        """The same, with names written so in every statement from now on."""
        self.naming = naming
        if naming.prefix or naming.extension:
            self.cursor_factory, self.server_cursor_factory = NamingCursor, NamingServerCursor
        return self


class NamingCursor(psycopg.Cursor[Any]):
    """Writes the names of a statement before it goes out, of the store, of SQLAlchemy and of migrations."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> Self:
        """See ``psycopg.Cursor.execute``."""
        return super().execute(_named(self, query, bound=params is not None), params, **options)

    def executemany(self, query: Any, *values: Any, **options: Any) -> None:
        """See ``psycopg.Cursor.executemany``."""
        super().executemany(_named(self, query, bound=True), *values, **options)

    def copy(self, statement: Any, params: Any = None, **options: Any) -> Any:
        """See ``psycopg.Cursor.copy``."""
        return super().copy(_named(self, statement, bound=params is not None), params, **options)


class NamingServerCursor(psycopg.ServerCursor[Any]):
    """In the place of ``psycopg.ServerCursor``."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> Self:
        """See ``psycopg.ServerCursor.execute``."""
        return super().execute(_named(self, query, bound=params is not None), params, **options)


def _named(cursor: psycopg.Cursor[Any], query: Any, *, bound: bool) -> bytes:
    if isinstance(query, sql.Composable):
        query = query.as_bytes(cursor)
    given = query.encode() if isinstance(query, str) else bytes(query)
    connection = cursor.connection
    return connection.naming.written(given, bound=bound) if isinstance(connection, Connection) else given


def naming_of(connection: SchemaConnection) -> Naming:
    """How names are written on a connection of SQLAlchemy."""
    raw = connection.connection.driver_connection
    assert isinstance(raw, Connection)
    return raw.naming


@lru_cache(maxsize=2_048)
def _written(statement: bytes, naming: Naming, bound: bool) -> bytes:
    own = f'"{naming.workbench}"'.encode()
    extension = naming.extension.replace('"', '""')
    schema = '"{}"'.format(extension.replace("%", "%%") if bound else extension).encode()

    def replaced(found: re.Match[bytes]) -> bytes:
        kind = found.lastgroup
        if kind == "own":
            return own if naming.prefix else found[0]
        if kind == "kept" or not naming.extension:
            return found[0]
        if kind == "operator":
            return b"OPERATOR(%s.%s)" % (schema, found[0])
        if kind == "type":
            return b"%s%s.%s" % (found["cast"], schema, found["type"])
        return b"%s.%s" % (schema, found[0])

    return _WORDS.sub(replaced, statement)
