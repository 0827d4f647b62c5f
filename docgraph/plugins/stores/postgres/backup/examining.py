"""Holds a database against what it records of itself: counts, revision, and table files that lost their rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql

from docgraph.domain.revision import BITS, MODULUS, decided_fingerprints, revision_text
from docgraph.domain.type_roles import Decided
from docgraph.plugins.stores.postgres.backup.recomputing import changed_contents
from docgraph.plugins.stores.postgres.connections.failures import first_line
from docgraph.plugins.stores.postgres.connections.naming import Connection
from docgraph.plugins.stores.postgres.workspaces import decisions_of, dropped
from docgraph.ports.backups import Examination

N_WORDS = 12
"""A fingerprint as numbers of 32 bits, the first ones zero where it is shorter: 128 bits of vectors, place, content."""
_BY_ROWS = ("enable_indexscan", "enable_indexonlyscan", "enable_bitmapscan")
_BY_KEYS = ("enable_seqscan", "enable_bitmapscan", "enable_sort")
_HEX = sql.SQL("lpad(encode(fingerprint, 'hex'), 96, '0')")
_TABLES = """
SELECT c.relname::text, pg_relation_size(c.oid),
       array_agg(a.attname::text ORDER BY k.place) FILTER (WHERE i.indisprimary),
       COALESCE(bool_or(pg_relation_size(i.indexrelid) = 0), false)
FROM pg_class c LEFT JOIN pg_index i ON i.indrelid = c.oid
LEFT JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(number, place) ON i.indisprimary
LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
WHERE c.relnamespace = to_regnamespace(%s) AND c.relkind = 'r' GROUP BY c.oid, c.relname ORDER BY c.relname"""
_ROW = """
SELECT revision, off_relation_types, n_documents, n_relationships, n_chunks, to_jsonb(w)
FROM docgraph.workspaces w WHERE name = %s"""
_CHUNKS_OF = """
SELECT n.document_id FROM {nodes} n
LEFT JOIN (SELECT document_id, count(*) AS n FROM {chunks} GROUP BY document_id) c USING (document_id)
WHERE n.n_chunks <> COALESCE(c.n, 0) ORDER BY n.document_id LIMIT 1"""
_NO_POSTINGS = """
SELECT n.document_id FROM {nodes} n
WHERE length(n.words) > 0 AND NOT EXISTS (SELECT 1 FROM {postings} p WHERE p.document_id = n.document_id
  AND p.lexeme = (tsvector_to_array(n.words))[1])
  AND octet_length((tsvector_to_array(n.words))[1]) <= 256 ORDER BY n.document_id LIMIT 1"""
_COUNTS = ("n_documents", "n_relationships", "n_chunks")
_MAIN = ("document_nodes", "document_relationships", "vector_chunks")


@dataclass(frozen=True)
class _Table:
    schema: str
    name: str
    n_bytes: int
    key: tuple[str, ...]
    lost_index: bool

    @property
    def identifier(self) -> sql.Identifier:
        return sql.Identifier(self.schema, self.name)


def examine_quickly(connection: Connection, *, counting: bool) -> tuple[Examination, ...]:
    """Every schema whose table files are not what they were, in little time; ``counting`` = count the rows as well.

    An emptied file is seen by its size and by what the index of its key still knows. That takes one look into the
    catalogue; counting reads every row's page once.
    """
    found = []
    for name in (None, *_names(connection)):
        schema = connection.naming.workbench if name is None else connection.naming.schema_of(name)
        faults = list(_lost_files(connection, schema))
        if counting and not faults:
            faults += _small_tables(connection, schema) if name is None else _wrong_counts(connection, name)
        if faults:
            found.append(Examination(workspace=name or "", faults=tuple(faults)))
    return tuple(found)


def examine_workbench(connection: Connection) -> Examination:
    """What belongs to no workspace alone: every row is read, and counted by its key as well."""
    schema = connection.naming.workbench
    faults = (*_lost_files(connection, schema), *_small_tables(connection, schema))
    return Examination(workspace="", faults=faults)


def examine_workspace(connection: Connection, name: str, *, texts: bool = False) -> Examination:
    """Counts and revision of a workspace out of its rows, beside those that are recorded. Raises NotFoundError.

    ``texts`` = make every row's fingerprint anew as well, from the texts and vectors that it stands for.
    """
    schema = connection.naming.schema_of(name)
    row = connection.execute(_ROW, (name,)).fetchone()
    if row is None:
        raise dropped(name)
    faults = list(_lost_files(connection, schema))
    made = Examination(workspace=name)
    try:
        with connection.transaction():
            made, more = _added_up(connection, name, row)
            faults += more
            faults += _small_tables(connection, schema)
            faults += _contents(connection, schema)
            if texts:
                faults += changed_contents(connection, schema)
    except psycopg.Error as error:
        if not _is_damage(error):
            raise
        faults.append(f"its tables cannot be read: {first_line(error)}")
    return made.model_copy(update={"faults": tuple(dict.fromkeys(faults))})


def put_sums(connection: Connection, name: str) -> None:
    """Record counts and sums of a workspace as its rows have them."""
    row = connection.execute(_ROW, (name,)).fetchone()
    if row is None:
        raise dropped(name)
    counts, sums = _sums(connection, connection.naming.schema_of(name), _decided(row))
    values: dict[str, Any] = {**counts, **{key: value for key, value in sums.items() if key in row[5]}}
    put = sql.SQL(", ").join(
        sql.SQL("{} = {}").format(sql.Identifier(key), sql.Literal(v)) for key, v in values.items()
    )
    connection.execute(sql.SQL("UPDATE docgraph.workspaces SET {} WHERE name = %s").format(put), (name,))


def _added_up(connection: Connection, name: str, row: Sequence[Any]) -> tuple[Examination, list[str]]:
    counts, sums = _sums(connection, connection.naming.schema_of(name), _decided(row))
    recorded = dict(zip(_COUNTS, row[2:5], strict=True))
    faults = [
        f"{_said(key)}: {recorded[key]:,} are recorded, {counts[key]:,} are there"
        for key in _COUNTS
        if recorded[key] != counts[key]
    ]
    if int(row[0]) != sums["revision"]:
        was, is_now = revision_text(int(row[0])), revision_text(sums["revision"])
        faults.append(
            f"revision: {was} is recorded, the rows have {is_now}" if was != is_now else "places: they differ"
        )
    for key in ("relationships_sum", "vectors_sum"):
        if key in row[5] and int(row[5][key]) != sums[key]:
            faults.append(f"{key}: {row[5][key]} is recorded, the rows have {sums[key]}")
    found = Examination(workspace=name, revision=revision_text(sums["revision"]))
    return found.model_copy(update=counts), faults


def _decided(row: Sequence[Any]) -> Decided:
    """What a workspace's row says of relation types, whatever migration the workbench is at."""
    return Decided(tuple(row[1]), decisions_of(row[5].get("type_decisions", "")))


def _sums(connection: Connection, schema: str, decided: Decided) -> tuple[dict[str, int], dict[str, int]]:
    """Counts of rows, and the numbers that are recorded of their fingerprints."""
    with connection.transaction(force_rollback=True):
        _without(connection, _BY_ROWS)
        n_documents, documents = _added(connection, sql.Identifier(schema, "document_nodes"))
        n_relationships, edges = _added(connection, sql.Identifier(schema, "document_relationships"))
        chunks = sql.Identifier(schema, "vector_chunks")
        ((n_chunks,),) = connection.execute(sql.SQL("SELECT count(*) FROM {}").format(chunks)).fetchall()
    switched = sum(decided_fingerprints(decided))
    return {"n_documents": n_documents, "n_relationships": n_relationships, "n_chunks": n_chunks}, {
        "revision": (_number(documents[4:]) + _number(edges[4:]) + switched) % MODULUS,
        "relationships_sum": (_number(edges[8:]) + switched) % (1 << BITS),
        "vectors_sum": _number(documents[:4]) % (1 << BITS),
    }


def _added(connection: Connection, table: sql.Identifier) -> tuple[int, list[int]]:
    """How many rows, and the sum of each 32 bits of their fingerprints."""
    words = sql.SQL(", ").join(
        sql.SQL("COALESCE(sum(('x' || substr(h, {}, 8))::bit(32)::bigint), 0)").format(sql.Literal(8 * i + 1))
        for i in range(N_WORDS)
    )
    statement = sql.SQL("SELECT count(*), {} FROM (SELECT {} AS h FROM {}) f").format(words, _HEX, table)
    ((n_rows, *sums),) = connection.execute(statement).fetchall()
    return n_rows, [int(each) for each in sums]


def _number(words: Sequence[int]) -> int:
    return sum(word << 32 * place for place, word in enumerate(reversed(words)))


def _lost_files(connection: Connection, schema: str) -> Iterator[str]:
    """Tables of which nothing is left while the index of the key still knows rows; indexes that are gone."""
    for table in _tables(connection, schema):
        if table.lost_index:
            yield f"an index of {table.name} is empty"
        elif table.n_bytes == 0 and table.key and _has_lost_rows(connection, table):
            yield f"the table {table.name} has lost its rows: its file is empty"


def _has_lost_rows(connection: Connection, table: _Table) -> bool:
    """Whether the key still knows rows; a table that lies on other servers has some, though none in its file here."""
    there = _counted(connection, table.identifier, _BY_ROWS)
    if there != 0:
        return isinstance(there, str)
    keys = sql.SQL(", ").join(map(sql.Identifier, table.key))
    try:
        with connection.transaction(force_rollback=True):
            _without(connection, _BY_KEYS)
            statement = sql.SQL("SELECT {} FROM {} ORDER BY {} LIMIT 1").format(keys, table.identifier, keys)
            return connection.execute(statement).fetchone() is not None
    except psycopg.Error as error:  # the key leads to a page that is not there
        if not _is_damage(error):
            raise
        return True


def _wrong_counts(connection: Connection, name: str) -> Iterator[str]:
    row = connection.execute(_ROW, (name,)).fetchone()
    for table, key, recorded in zip(_MAIN, _COUNTS, row[2:5] if row else (), strict=bool(row)):
        there = _counted(connection, sql.Identifier(connection.naming.schema_of(name), table), _BY_ROWS)
        if isinstance(there, str):
            yield f"the table {table} cannot be read: {there}"
        elif there != recorded:
            yield f"{_said(key)}: {recorded:,} are recorded, {there:,} are there"


def _small_tables(connection: Connection, schema: str) -> Iterator[str]:
    """Tables whose rows are other than their keys: the end of a file is gone."""
    for table in _tables(connection, schema):
        if not table.key:
            continue
        keys = sql.SQL(", ").join(map(sql.Identifier, table.key))
        by_rows = _counted(connection, table.identifier, _BY_ROWS)
        by_keys = _counted(connection, table.identifier, _BY_KEYS, keys)
        if by_rows != by_keys:
            said = [f"{n:,}" if isinstance(n, int) else n for n in (by_rows, by_keys)]
            yield f"the table {table.name} has {said[0]} rows, its key knows {said[1]}"


def _contents(connection: Connection, schema: str) -> Iterator[str]:
    """Documents without all of their chunks, or without the words that they are found by."""
    names = {name: sql.Identifier(schema, name) for name in ("document_nodes", "vector_chunks", "vector_postings")}
    places = {"nodes": names["document_nodes"], "chunks": names["vector_chunks"], "postings": names["vector_postings"]}
    for statement, said in ((_CHUNKS_OF, "has not all of its chunks"), (_NO_POSTINGS, "has no postings of its words")):
        row = connection.execute(sql.SQL(statement).format(**places)).fetchone()
        if row is not None:
            yield f"document {row[0][:80]!r} {said}"


def _counted(
    connection: Connection, table: sql.Identifier, without: Sequence[str], keys: sql.Composable | None = None
) -> int | str:
    """How many rows there are, or why that cannot be said."""
    try:
        with connection.transaction(force_rollback=True):
            _without(connection, without)
            rows = sql.SQL("SELECT {} FROM {} ORDER BY {}").format(keys, table, keys) if keys else None
            counted = sql.SQL("({}) k").format(rows) if rows else table
            ((n_rows,),) = connection.execute(sql.SQL("SELECT count(*) FROM {}").format(counted)).fetchall()
    except psycopg.Error as error:
        if not _is_damage(error):
            raise
        return first_line(error)
    return int(n_rows)


def _tables(connection: Connection, schema: str) -> list[_Table]:
    quoted = sql.Identifier(schema).as_string(connection)
    rows = connection.execute(_TABLES, (quoted,)).fetchall()
    return [_Table(schema, name, size or 0, tuple(key or ()), lost) for name, size, key, lost in rows]


def _names(connection: Connection) -> list[str]:
    if connection.execute("SELECT to_regclass(%s)", (f"{connection.naming.workbench}.workspaces",)).fetchone() == (
        None,
    ):
        return []
    return [row[0] for row in connection.execute("SELECT name FROM docgraph.workspaces ORDER BY name")]


def _without(connection: Connection, ways: Sequence[str]) -> None:
    """Keep the database from reading rows in these ways until the transaction ends."""
    for way in ways:
        connection.execute(sql.SQL("SET LOCAL {} = off").format(sql.SQL(way)))


def _is_damage(error: psycopg.Error) -> bool:
    """Data corrupted, a page or a file that is not there."""
    return (error.sqlstate or "").startswith(("XX", "58"))


def _said(count: str) -> str:
    return count.removeprefix("n_")
