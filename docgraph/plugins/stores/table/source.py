"""Reads the rows of a foreign table in transactions that cannot write, and tells whether they are still the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any

import numpy as np
from psycopg import sql
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.pq import Format
from psycopg.rows import tuple_row

from docgraph.boundary.text import one_line
from docgraph.domain.graph import Vector
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import EmbeddingMismatchError, SettingsError, StoreError
from docgraph.plugins.stores.postgres.connections import Connector
from docgraph.plugins.stores.postgres.connections.conninfo import location
from docgraph.plugins.stores.postgres.connections.inspection import ExtensionError
from docgraph.plugins.stores.postgres.connections.naming import Connection
from docgraph.plugins.stores.table.columns import VECTORS, Column, columns_of
from docgraph.plugins.stores.table.rows import NODE, Row, fields_of_source, name_of, read_object

MAX_ROWS = 50_000
"""Chunks that are read into memory."""
MAX_NUMBERS = 100_000_000
"""Numbers in their vectors: 400 MB."""
MAX_CHARACTERS = 400_000_000
"""Characters of their texts and metadata."""
AT_ONCE = 2_000
OTHER_WIDTH = "with a vector of another width"
UNREADABLE = "\x00"
"""In the place of bytes that are no UTF-8; no text of PostgreSQL has this character."""
_BEGIN = b"BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_STORED = ("r", "p", "m")
"""Kinds of relations whose rows say by themselves when they came: tables, their partitions, materialized views."""
_RELATION = """
SELECT c.oid, n.nspname, c.relname, c.relkind::text, (
SELECT pg_catalog.json_agg(
pg_catalog.json_build_array(a.attname, t.typname, greatest(a.atttypmod, 0)) ORDER BY a.attnum)
FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'm', 'v', 'f')
AND (n.nspname::text OPERATOR(pg_catalog.||) '.'::text OPERATOR(pg_catalog.||) c.relname::text = %(table)s::text
OR c.relname = %(table)s AND pg_catalog.pg_table_is_visible(c.oid)) ORDER BY c.relname = %(table)s DESC"""
"""The relation and its columns. Whatever is called is the server's own: anybody may have made a function of that name,
and what fits the types better is taken before what is built in."""
_OTHERS = """
SELECT DISTINCT n.nspname::text || '.'::text || c.relname::text FROM pg_catalog.pg_attribute a
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE t.typname = ANY(%(kinds)s) AND c.relkind IN ('r', 'p', 'm', 'v', 'f') AND NOT a.attisdropped
ORDER BY 1 LIMIT 12"""
_COLLECTIONS = """
SELECT c.uuid::text, c.name, (SELECT count(*) FROM {table} e WHERE e.collection_id = c.uuid)
FROM {collections} c ORDER BY c.name"""


class TableSource:
    """A table, or one collection of LangChain's, on somebody else's server; nothing is ever written there.

    Raises StoreError where the server does not answer, SettingsError where the table cannot be found or read, and
    EmbeddingMismatchError where its vectors have another width than the embedder's.
    """

    def __init__(
        self, conninfo: str, *, table: str, collection: str | None, embedder: EmbedderInfo, statement_timeout: float
    ) -> None:
        self._connector = Connector(conninfo, pool_size=1)
        self._embedder, self._timeout = embedder, statement_timeout
        self._where = location(conninfo)
        self._asked, self._collected = table, collection
        self._seen: tuple[Any, ...] = ()
        try:
            with self._reading("look at the table") as connection:
                self._find(connection, table)
        except StoreError as error:
            self.close()
            if isinstance(error.__cause__, ExtensionError):
                raise SettingsError(
                    f"the database {self._where} has no vectors to be read: {error.__cause__}", hint=error.hint
                ) from error
            raise
        except BaseException:
            self.close()
            raise

    def look(self, known: str) -> tuple[str, list[Row] | None]:
        """The state of the rows, and the rows; None in their place where the state is the known one."""
        with self._reading(f"read {self.name}") as connection:
            self._find(connection, self._asked)
            state = self._state(connection)
            if state == known:
                return state, None
            self._check_size(connection)
            rows = list(self._rows(connection))
            self._check_widths(rows)
            return state, rows

    def health(self) -> dict[str, Any]:
        """Where the table lies, and which columns are read as what."""
        columns = self._columns
        fields = ", ".join(filter(None, (columns.metadata, *columns.others)))
        read = {"text": columns.text, "vector": columns.vector.name, "id": columns.key, "fields": fields}
        return {
            "location": self._where,
            "table": self.name,
            "columns": {name: text or "" for name, text in read.items()},
        }

    def close(self) -> None:
        """Close the connection."""
        self._connector.close()

    @contextmanager
    def _reading(self, action: str) -> Iterator[Connection]:
        """One transaction that sees one state, and that the server lets write nothing."""
        with self._connector.connection(action) as connection:
            if connection.info.encoding == "ascii":  # its texts would come as bytes
                for kind, loader in product(("text", "varchar", "name"), (_TextOrNot, _BinaryTextOrNot)):
                    connection.adapters.register_loader(kind, loader)
            connection.execute(_BEGIN)
            milliseconds = str(int(self._timeout * 1000))
            connection.execute(b"SELECT set_config('statement_timeout', %s, true)", (milliseconds,))
            yield connection

    def _find(self, connection: Connection, table: str) -> None:
        """Which relation it is now, and how it is read; nothing to do where both are as they were seen."""
        found = connection.execute(_RELATION, {"table": table}).fetchall()
        if not found:
            raise self._unknown(connection, table)
        if found[0] == self._seen:
            return
        self._seen, collection = (), self._collected
        _, schema, name, kind, there = found[0]
        self._relation, self._is_stored = sql.Identifier(schema, name), kind in _STORED
        self.name = f"table {one_line(schema, 80)}.{one_line(name, 80)}"
        self._columns = columns_of(f"{schema}.{name}", [Column(*each) for each in there or ()])
        self._check_width(self._columns.vector.width)
        self._filter: sql.Composable = sql.SQL("")
        if self._columns.collection is not None:
            chosen, called = self._collection(connection, schema, collection)
            self._filter = sql.SQL("WHERE t.collection_id = {}::uuid").format(sql.Literal(chosen))
            self.name = f"collection {called} of {self.name}"
        elif collection is not None:
            raise SettingsError(
                f"{self.name} has no collections, but DOCGRAPH_TABLE_COLLECTION names {collection[:60]!r}",
                hint="take that setting away: only LangChain's langchain_pg_embedding has some",
            )
        if self._columns.written_by:
            self.name += f" ({self._columns.written_by})"
        self._seen = found[0]

    def _unknown(self, connection: Connection, table: str) -> SettingsError:
        there = [one_line(row[0], 80) for row in connection.execute(_OTHERS, {"kinds": list(VECTORS)}).fetchall()]
        return SettingsError(
            f"there is no table {table[:80]!r} at {self._where}",
            hint=f"tables with vectors are: {', '.join(there)}" if there else "no table there has a column of vectors",
        )

    def _collection(self, connection: Connection, schema: str, wanted: str | None) -> tuple[str, str]:
        """(id, name) of the wanted collection, or of the only one. Raises SettingsError that lists them."""
        statement = sql.SQL(_COLLECTIONS).format(
            table=self._relation, collections=sql.Identifier(schema, "langchain_pg_collection")
        )
        there = connection.execute(statement).fetchall()
        found = [row for row in there if wanted in (None, row[1])]
        if len(found) == 1:
            return found[0][0], one_line(found[0][1], 80)
        listed = ", ".join(f"{one_line(name, 60)} ({n:,} chunks)" for _, name, n in there[:20]) or "none"
        what = "has several collections" if wanted is None else f"has no collection {wanted[:60]!r}"
        raise SettingsError(
            f"{self.name} {what if there else 'has no collections'}: {listed}",
            hint="name one: DOCGRAPH_TABLE_COLLECTION=…",
        )

    def _state(self, connection: Connection) -> str:
        """Another text whenever a row or a column came, changed or went; of a view, whenever that shows others."""
        of_row = "(t.tableoid, t.ctid, t.xmin)::text" if self._is_stored else "t::text"
        summed = sql.SQL(f"coalesce(sum(pg_catalog.hashtextextended({of_row}, 0::bigint)::numeric), 0::numeric)")
        statement = sql.SQL("SELECT count(*), {} FROM {} t {}").format(summed, self._relation, self._filter)
        return f"{self._seen} {connection.execute(statement).fetchone()}"

    def _check_size(self, connection: Connection) -> None:
        """Raises StoreError for more than is read into memory, before any of it is read."""
        columns = self._columns
        sized = [columns.text, *filter(None, (columns.metadata,))]
        lengths = sql.SQL(" + ").join(
            sql.SQL("coalesce(length(t.{}::text), 0)").format(sql.Identifier(c)) for c in sized
        )
        statement = sql.SQL("SELECT count(*), coalesce(sum({}), 0)::bigint FROM {} t {}")
        n_rows, n_characters = connection.execute(statement.format(lengths, self._relation, self._filter)).fetchall()[0]
        bounds = (
            (n_rows, MAX_ROWS, "chunks"),
            (n_rows * self._embedder.dimension, MAX_NUMBERS, "numbers in its vectors"),
            (n_characters, MAX_CHARACTERS, "characters"),
        )
        for n, bound, what in bounds:
            if n > bound:
                raise StoreError(
                    f"{self.name} has {n:,} {what}; at most {bound:,} are read where they lie",
                    hint="write it as docs.jsonl and relations.jsonl (docs/formats.md) and import these",
                )

    def _rows(self, connection: Connection) -> Iterator[Row]:
        columns = self._columns
        place = f"t.{columns.serial}::text" if columns.serial else "t.tableoid::text || t.ctid::text"
        others = sql.SQL(", ").join(sql.SQL("t.{}").format(sql.Identifier(name)) for name in columns.others)
        statement = sql.SQL("SELECT {}, {}, {}, {}, {}, t.{} FROM {} t {}").format(
            sql.SQL(place if columns.serial or self._is_stored else "''"),
            *(_text(name) for name in (columns.key, columns.text, columns.metadata)),
            sql.SQL("(SELECT pg_catalog.to_json(o) FROM (SELECT {}) o)::text").format(others)
            if columns.others
            else sql.NULL,
            sql.Identifier(columns.vector.name),
            self._relation,
            self._filter,
        )
        with connection.cursor("docgraph_rows", row_factory=tuple_row) as cursor:
            cursor.itersize = AT_ONCE
            cursor.execute(statement, binary=True)
            for each in cursor:
                yield self._row(each)

    def _row(self, found: Sequence[Any]) -> Row:
        if any(isinstance(each, str) and each == UNREADABLE for each in found):
            return Row(place=(), key="", text="", vector=None, fields=None, node={}, fault="with text that is no UTF-8")
        place, key, text, metadata, others, given = found
        vector = _vector(given)
        is_other = vector is not None and len(vector) != self._embedder.dimension
        fields, more = read_object(metadata), read_object(others)
        node = read_object(fields[NODE]) if fields and isinstance(fields.get(NODE), str) else None
        if fields is not None:
            fields = {**(more or {}), **fields_of_source(node or {}), **fields}
        return Row(
            place=tuple(map(int, re.findall(r"\d+", place))),
            key=name_of(key),
            text=text or "",
            vector=vector,
            fields=fields,
            node=node or {},
            fault=OTHER_WIDTH if is_other else "",
        )

    def _check_widths(self, rows: Sequence[Row]) -> None:
        """Some rows may have vectors of another width, which are left out. Raises EmbeddingMismatchError for most."""
        others = [len(row.vector) for row in rows if row.fault == OTHER_WIDTH and row.vector is not None]
        if 2 * len(others) > sum(row.vector is not None for row in rows):
            self._check_width(Counter(others).most_common(1)[0][0])

    def _check_width(self, width: int) -> None:
        """Raises EmbeddingMismatchError with both numbers."""
        if width not in (0, self._embedder.dimension):
            raise EmbeddingMismatchError(
                f"the vectors of {self.name} have {width:,} numbers, those of the embedder "
                f"{self._embedder.embedder_id} have {self._embedder.dimension:,}",
                hint="name the embedder that the table was filled with: DOCGRAPH_EMBEDDER, DOCGRAPH_EMBEDDER_MODEL",
            )


class _TextOrNot(Loader):
    """Text, where it is some: a database without an encoding holds any bytes."""

    def load(self, data: Buffer) -> str | None:
        """See ``psycopg.adapt.Loader.load``."""
        try:
            return bytes(data).decode()
        except UnicodeDecodeError:
            return UNREADABLE


class _BinaryTextOrNot(_TextOrNot):
    format = Format.BINARY


def _text(column: str | None) -> sql.Composable:
    return sql.NULL if column is None else sql.SQL("t.{}::text").format(sql.Identifier(column))


def _vector(given: Any) -> Vector | None:
    """As it lies, float32; a halfvec comes as an object of its own."""
    if given is None:
        return None
    try:
        return np.asarray(given.to_numpy() if hasattr(given, "to_numpy") else given, dtype=np.float32)
    except (ValueError, TypeError):
        raise StoreError("the vectors became something else while they were read", hint="ask again") from None
