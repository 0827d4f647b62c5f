"""Vectors of another width in PostgreSQL: a table for them, room in the columns, the switch, and the old room freed.

What a reader sees is decided by rows alone: no table is made anew under somebody who began to read before. So a column
that took one width takes any from then on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql

from docgraph.domain.document_vector import is_long
from docgraph.domain.revision import BITS, N_BYTES, N_DOCUMENT_BYTES, document_fingerprint, with_vectors
from docgraph.errors import StoreError, UserError
from docgraph.plugins.stores.postgres import postings
from docgraph.plugins.stores.postgres.statements import family, placed
from docgraph.plugins.stores.postgres.workspaces import hold, search_of

if TYPE_CHECKING:
    from docgraph.domain.embedding import NewVectors
    from docgraph.domain.workspace import EmbedderInfo, VectorSearch
    from docgraph.plugins.stores.postgres.connections import Connector
    from docgraph.plugins.stores.postgres.connections.naming import Connection

SQL, WRITING = family("embedding"), family("writing")
Ask = Callable[[str, Mapping[str, Any]], list[tuple[Any, ...]]]
"""The rows of a statement in the workspace's schema."""
TABLE = "next_vectors"
OWNED = ("vector_chunks", "document_nodes", "memories", "vector_bits")
"""Tables that hold vectors, or what is made of them."""
WIDEST_PLAIN, WIDEST_PLAIN_TITLE = 1_900, 900
"""Numbers of a vector that fit into a page beside the rest of its row; of two vectors both."""
LOCK_TIMEOUT, TRIES = "5s", 12
ROOM_TRIES, _NAP = 20, 0.25
_LOCK_NOT_AVAILABLE = "55P03"
"""How long is waited for readers that began before, and how often, so that others who come are not held up."""
_OF_TEXT = (1 << 2 * BITS) - 1
_HAS_SERVERS = "SELECT to_regclass('pg_dist_partition') IS NOT NULL"
_LIES_ON_SERVERS = "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass(%s))"
_DISTRIBUTE = "SELECT create_distributed_table(%s::regclass, 'document_id', colocate_with => %s)"


def make_table(connection: Connection, schema: str, dimension: int) -> None:
    """An empty table for the new vectors; on a cluster they lie where their documents do."""
    drop_table(connection, schema)
    name, first = sql.Identifier(schema, TABLE), sql.Identifier(schema, "document_nodes")
    connection.execute(
        sql.SQL(
            'CREATE TABLE {} (document_id text COLLATE "C" NOT NULL, chunk_index int NOT NULL, '
            "embedding vector({}) NOT NULL, made_of bytea NOT NULL, fingerprint bytea, "
            "PRIMARY KEY (document_id, chunk_index))"
        ).format(name, sql.Literal(dimension))
    )
    if dimension <= WIDEST_PLAIN:
        connection.execute(sql.SQL("ALTER TABLE {} ALTER embedding SET STORAGE PLAIN").format(name))
    if _is_distributed(connection, schema):
        connection.execute(_DISTRIBUTE, (name.as_string(connection), first.as_string(connection)))


def drop_table(connection: Connection, schema: str) -> None:
    """The new vectors go, or what is left of them."""
    connection.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(sql.Identifier(schema, TABLE)))


def fingerprints(ask: Ask, whole: Sequence[NewVectors]) -> dict[str, tuple[bytes, bool]]:
    """document_id → (its fingerprint with the new vectors, whether it is long), where all of them are there.

    A document that is gone, or is made of something else by now, is left out.
    """
    import numpy as np

    from docgraph.plugins.stores.postgres.statements.values import numbers_of

    ids = {"ids": [each.document_id for each in whole]}
    nodes = {row[0]: row for row in ask(SQL["made_of"], ids)} if whole else {}
    vectors: dict[str, list[Any]] = {}
    for document_id, _, sent in ask(SQL["staged"], ids) if whole else ():
        vectors.setdefault(document_id, []).append(numbers_of(sent))
    made = {}
    for each in whole:
        node, own = nodes.get(each.document_id), vectors.get(each.document_id, [])
        if node is not None and bytes(node[-1]).hex() == each.stamp and len(own) == node[-3]:
            made[each.document_id] = _fingerprint(ask, each, node, np.asarray(own, dtype=np.float32)), is_long(len(own))
    return made


def _fingerprint(ask: Ask, each: NewVectors, node: Sequence[Any], own: Any) -> bytes:
    """What it says of the texts stays; that of the oldest documents says too little, and is made anew."""
    from docgraph.domain.graph import PreparedDocument, StoredDocument
    from docgraph.plugins.stores.postgres.queries import NODE, chunk

    there, is_old = int.from_bytes(node[-1], "big"), len(node[-1]) < N_BYTES
    chunks = tuple(map(chunk, ask(WRITING["chunks_of"], {"ids": [each.document_id]}))) if is_old else ()
    title = each.title_vector if is_long(len(own)) else None
    document = StoredDocument(**dict(zip(NODE, node, strict=False)))
    assert each.vector is not None
    prepared = PreparedDocument(document, each.vector, chunks, own, title_vector=title)
    of_text = document_fingerprint(prepared) if is_old else there & _OF_TEXT
    return with_vectors(of_text, prepared).to_bytes(N_DOCUMENT_BYTES, "big")


def make_room(connector: Connector, name: str, schema: str, dimension: int) -> None:
    """Let the columns take the new width; the approximate index, which cannot, goes.

    Nothing is rewritten. Raises StoreError where somebody reads for long, such as a backup.
    """
    action = f"make room for other vectors in workspace {name!r}"
    for _ in range(TRIES):
        try:
            with connector.transaction(action) as connection:
                connection.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'".encode())
                _widened(connection, name, schema, dimension)
                return
        except StoreError as error:
            if not isinstance(error.__cause__, psycopg.errors.LockNotAvailable):
                raise
    raise StoreError(
        f"cannot {action}: somebody has read in it for a minute, a backup perhaps",
        hint="all new vectors are kept: give the same command again when that has ended",
    )


def _widened(connection: Connection, name: str, schema: str, dimension: int) -> None:
    if postings.search_of(connection, name) == "hnsw":
        connection.execute(WRITING["lock_workspace"].encode(), {"schema": schema})
        hold(connection, name, alone=True)
        _searched(connection, name, schema, "exact")
    for table, column in connection.execute(SQL["widths"].encode(), {"schema": schema}).fetchall():
        kind = sql.SQL('"bit"' if table == "vector_bits" else "vector")
        change = sql.SQL("ALTER TABLE {} ALTER {} TYPE {}")
        connection.execute(change.format(sql.Identifier(schema, table), sql.Identifier(column), kind))
    _store_as(connection, schema, dimension)


def _store_as(connection: Connection, schema: str, dimension: int) -> None:
    """Vectors that do not fit into a page any more leave their row; the texts of a row that grows need not."""
    nodes = sql.Identifier(schema, "document_nodes")
    external = [(t, c) for t, c in _VECTORS if dimension > (WIDEST_PLAIN_TITLE if "title" in c else WIDEST_PLAIN)]
    if _is_distributed(connection, schema):
        if external:
            raise UserError(
                f"vectors of {dimension:,} numbers do not fit into rows that lie on several servers",
                hint="bring it back first: docgraph db undistribute; then embed it, and distribute it again",
            )
        return
    for table, column in external:
        change = sql.SQL("ALTER TABLE {} ALTER {} SET STORAGE EXTERNAL")
        connection.execute(change.format(sql.Identifier(schema, table), sql.Identifier(column)))
    if dimension <= WIDEST_PLAIN_TITLE:
        most = min(2_040 + 4 * dimension, 8_160)
        connection.execute(sql.SQL("ALTER TABLE {} SET (toast_tuple_target = {})").format(nodes, sql.Literal(most)))


_VECTORS = (
    ("document_nodes", "summary_embedding"),
    ("document_nodes", "title_embedding"),
    ("vector_chunks", "embedding"),
    ("memories", "embedding"),
)


def put_in_place(connection: Connection, name: str, schema: str, embedder: EmbedderInfo) -> None:
    """Every new vector in the place of the old one, with what follows from them; all writers wait.

    Raises StoreError, changing nothing, where a vector is missing after all.
    """
    from docgraph.plugins.stores.postgres.backup.examining import put_sums

    connection.execute(b"SET LOCAL statement_timeout = 0")
    for table, statement in (("vector_chunks", "switch_chunks"), ("document_nodes", "switch_documents")):
        n_there = connection.execute(
            sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(schema, table))
        ).fetchone()
        if (connection.execute(placed(SQL[statement], schema)).rowcount,) != n_there:
            raise StoreError(
                f"the new vectors of workspace {name!r} are not whole; nothing was switched",
                hint=f"begin again: docgraph workspaces embed {name} --abandon, then without it",
            )
    connection.execute(placed(SQL["switch_memories"], schema))
    if (mode := postings.search_of(connection, name)) != "exact":
        connection.execute(placed(postings.BITS["empty"], schema))
        connection.execute(placed(postings.BITS["fill_heads"], schema))
        if mode == "quantized":
            connection.execute(placed(postings.BITS["fill"], schema))
    said = {"name": name, "embedder": embedder.name, "model": embedder.model, "dimension": embedder.dimension}
    connection.execute(SQL["switch_workspace"].encode(), said)
    put_sums(connection, name)
    drop_table(connection, schema)


def search_again(connector: Connector, name: str, schema: str, mode: VectorSearch) -> None:
    """Make what a mode needs, which had to be left for the switch."""
    with connector.transaction(f"switch the vector search in workspace {name!r}") as connection:
        connection.execute(WRITING["lock_workspace"].encode(), {"schema": schema})
        _searched(connection, name, schema, mode)


def _searched(connection: Connection, name: str, schema: str, mode: VectorSearch) -> None:
    """Whoever chose how it is searched, and why, stays as it is said."""
    row = connection.execute(postings.BITS["mode"].encode(), {"name": name}).fetchone()
    choice = search_of("exact" if row is None else row[0])["search_choice"]
    postings.switch(connection, name, schema, mode=mode, choice=choice)


def free_room(connector: Connector, name: str, schema: str) -> None:
    """Give the room of the old rows back to the disk; where somebody reads for long, to the rows that come next.

    Nobody is waited for by the server: how long it may wait would be a setting of the session, which a pooler hands on.
    """
    with connector.connection(f"free the room of old vectors in workspace {name!r}") as connection:
        for table in OWNED:
            if not _is_rewritten(connection, sql.Identifier(schema, table)):
                connection.execute(sql.SQL("VACUUM (ANALYZE, SKIP_LOCKED) {}").format(sql.Identifier(schema, table)))


def _is_rewritten(connection: Connection, table: sql.Identifier) -> bool:
    """Whether the table was written without what was there: tried ``ROOM_TRIES`` times, as it needs it for itself."""
    skipped: list[str] = []

    def told(notice: psycopg.errors.Diagnostic) -> None:
        if notice.sqlstate == _LOCK_NOT_AVAILABLE:
            skipped.append(notice.message_primary or "")

    connection.add_notice_handler(told)
    try:
        for _ in range(ROOM_TRIES):
            skipped.clear()
            connection.execute(sql.SQL("VACUUM (FULL, ANALYZE, SKIP_LOCKED) {}").format(table))
            if not skipped:
                return True
            time.sleep(_NAP)
    except (psycopg.errors.LockNotAvailable, psycopg.errors.DiskFull):
        return False
    finally:
        connection.remove_notice_handler(told)
    return False


def _is_distributed(connection: Connection, schema: str) -> bool:
    if connection.execute(_HAS_SERVERS.encode()).fetchone() != (True,):
        return False
    name = sql.Identifier(schema, "document_nodes").as_string(connection)
    return connection.execute(_LIES_ON_SERVERS, (name,)).fetchone() == (True,)
