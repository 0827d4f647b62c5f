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
    rb"""(?P<kept>
      '(?:[^']|'')*'                       # a text; the last part of E'..' with a quote in it is one as well
    | \$(\w*)\$.*?\$\2\$                   # a text between dollars
    | --[^\n]* | /\*.*?\*/                 # a remark
    | %\(\w+\)[sbt]                        # a value to be bound
    )
    | (?P<own> (?<![\w."$]) (?: docgraph | "docgraph" ) (?=\s*\.) )
    | (?P<cast> ::\s* | \bTYPE\s+ ) (?P<type> vector | halfvec | sparsevec ) \b (?!\s*\.)
    | (?<![\w."$]) (?P<called> vector | halfvec | sparsevec | vector_dims | vector_norm | cosine_distance | l1_distance
        | l2_distance | inner_product | l2_normalize | binary_quantize | hamming_distance | jaccard_distance
        | subvector ) (?=\s*\()
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

    def written(self, statement: bytes) -> bytes:
        """``statement`` with every name as this database has it; written twice it stays the same."""
        return _written(statement, self) if self.prefix or self.extension else statement


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that knows how names are written where it leads."""

    naming = Naming()

    def named(self, naming: Naming) -> Self:
        """The same, with names written so in every statement from now on."""
        self.naming = naming
        self.cursor_factory = NamingCursor if naming.prefix or naming.extension else psycopg.Cursor
        return self


class NamingCursor(psycopg.Cursor[Any]):
    """Writes the names of a statement before it goes out, whoever made it: the store, SQLAlchemy or a migration."""

    def execute(self, query: Any, *values: Any, **options: Any) -> Self:
        """See ``psycopg.Cursor.execute``."""
        return super().execute(self._written(query), *values, **options)

    def executemany(self, query: Any, *values: Any, **options: Any) -> None:
        """See ``psycopg.Cursor.executemany``."""
        super().executemany(self._written(query), *values, **options)

    def copy(self, statement: Any, *values: Any, **options: Any) -> Any:
        """See ``psycopg.Cursor.copy``."""
        return super().copy(self._written(statement), *values, **options)

    def _written(self, query: Any) -> bytes:
        if isinstance(query, sql.Composable):
            query = query.as_bytes(self)
        given = query.encode() if isinstance(query, str) else bytes(query)
        connection = self.connection
        return connection.naming.written(given) if isinstance(connection, Connection) else given


def naming_of(connection: SchemaConnection) -> Naming:
    """How names are written on a connection of SQLAlchemy."""
    raw = connection.connection.driver_connection
    assert isinstance(raw, Connection)
    return raw.naming


@lru_cache(maxsize=2_048)
def _written(statement: bytes, naming: Naming) -> bytes:
    own = f'"{naming.workbench}"'.encode()
    schema = '"{}"'.format(naming.extension.replace('"', '""').replace("%", "%%")).encode()

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
