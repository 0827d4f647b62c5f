"""Makes the fingerprint of every document and relationship anew from what is stored, and names those that differ."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import groupby, product
from operator import itemgetter
from typing import Any

import numpy as np
from psycopg import Cursor, sql

from docgraph.domain.graph import PreparedDocument, Relationship, StoredDocument
from docgraph.domain.revision import BITS, N_BYTES, document_fingerprint, relationship_fingerprint, with_vectors
from docgraph.errors import DocgraphError
from docgraph.plugins.stores.postgres.connections.naming import Connection, NamingServerCursor
from docgraph.plugins.stores.postgres.queries import NODE, chunk
from docgraph.plugins.stores.postgres.statements.values import numbers_of

NAMED = 3
"""So many are named; the others are counted."""
AT_ONCE = 200
"""Rows that are held at a time, beside the chunks of one document."""
_LOW = (1 << BITS) - 1
_NODES = """
SELECT document_id, title, summary, source, doc_type, ingestion_id, headings, metadata, content_hash, n_chunks,
       n_tokens, vector_send(summary_embedding), vector_send(title_embedding), fingerprint
FROM {} ORDER BY document_id"""
_CHUNKS = """
SELECT document_id, chunk_id, chunk_index, chunk_text, heading_path, token_count, source_place, vector_send(embedding)
FROM {} ORDER BY document_id, chunk_index"""
_EDGES = """
SELECT from_document_id, relation_type, to_document_id, relationship_metadata, fingerprint
FROM {} ORDER BY from_document_id, relation_type, to_document_id"""
_EDGE = ("from_document_id", "relation_type", "to_document_id", "relationship_metadata")
_LARGE = 10**16
MAX_UNCLEAR = 6
"""Numbers of one metadata that are tried in each of their forms."""


def changed_contents(connection: Connection, schema: str) -> Iterator[str]:
    """What differs from its own fingerprint, in words; rows are read in pieces, on the snapshot of the transaction.

    A fingerprint of an earlier version says less, and is asked for no more than it says.
    """
    said: dict[str, list[str]] = {}
    for what, name in (*_documents(connection, schema), *_relationships(connection, schema)):
        said.setdefault(what, []).append(name)
    for what, names in said.items():
        more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
        yield f"{what} not what was stored: {', '.join(names[:NAMED])}{more}"


def _documents(connection: Connection, schema: str) -> Iterator[tuple[str, str]]:
    with (
        closing(_rows(connection, _CHUNKS, sql.Identifier(schema, "vector_chunks"))) as every,
        closing(_rows(connection, _NODES, sql.Identifier(schema, "document_nodes"))) as nodes,
    ):
        chunks = groupby(every, key=itemgetter(0))
        after = next(chunks, None)
        for *node, vector, title, stored in nodes:
            while after is not None and after[0] < node[0]:  # of a document that is gone
                after = next(chunks, None)
            own: list[Sequence[Any]] = []
            if after is not None and after[0] == node[0]:
                own = list(after[1])
                after = next(chunks, None)
            if len(stored) >= N_BYTES:
                for what in _differences(node, (vector, title), own, int.from_bytes(stored, "big")):
                    yield what, repr(str(node[0])[:80])


def _differences(
    node: Sequence[Any], heads: tuple[bytes, bytes | None], own: Sequence[Sequence[Any]], stored: int
) -> Iterator[str]:
    """Title, texts and metadata are one part of it, vectors another; ``heads`` = those of summary and title."""
    vector, title = heads
    fields = dict(zip(NODE, node, strict=True))

    def made(metadata: Any) -> int:
        document = StoredDocument(**(fields | {"metadata": metadata}))
        cut = tuple(chunk(tuple(row)) for row in own)
        rows = np.array([numbers_of(row[-1]) for row in own]) if own else np.empty((0, 0), dtype="<f4")
        prepared = PreparedDocument(
            document, numbers_of(vector), cut, rows, title_vector=None if title is None else numbers_of(title)
        )
        return with_vectors(document_fingerprint(prepared), prepared)

    found, said = _like(made, fields["metadata"], stored)
    if not said:
        yield "documents with a title, text or metadata that is"
    if stored >> 2 * BITS and found >> 2 * BITS != stored >> 2 * BITS:
        yield "documents with vectors that are"


def _relationships(connection: Connection, schema: str) -> Iterator[tuple[str, str]]:
    with closing(_rows(connection, _EDGES, sql.Identifier(schema, "document_relationships"))) as edges:
        for *edge, stored in edges:
            if len(stored) < N_BYTES:
                continue
            fields = dict(zip(_EDGE, edge, strict=True))

            def made(metadata: Any, fields: dict[str, Any] = fields) -> int:
                return relationship_fingerprint(Relationship(**(fields | {"relationship_metadata": metadata})))

            if not _like(made, fields["relationship_metadata"], int.from_bytes(stored, "big"))[1]:
                yield "relationships with metadata that is", repr(" → ".join(map(str, edge[:3]))[:120])


def _like(made: Callable[[Any], int], metadata: Any, stored: int) -> tuple[int, bool]:
    """The fingerprint, and whether it is the stored one's content, by any of the numbers that the metadata may mean."""
    found = 0
    n_unclear = _n_unclear(metadata)
    ways: Iterable[Sequence[bool]] = product((False, True), repeat=n_unclear)
    if n_unclear > MAX_UNCLEAR:
        ways = ((False,) * n_unclear, (True,) * n_unclear)
    for way in ways:
        with suppress(DocgraphError, ValueError):  # nothing that could ever have been stored
            found = made(_meant(metadata, iter(way)))
            if found & _LOW == stored & _LOW:
                return found, True
    return found, False


def _is_unclear(value: Any) -> bool:
    """The database keeps 1e16 as a whole number, and -0.0 as 0.0: what was stored may have been either."""
    return (type(value) is int and abs(value) >= _LARGE) or (type(value) is float and value == 0.0)


def _n_unclear(value: Any) -> int:
    if isinstance(value, dict | list):
        return sum(map(_n_unclear, value.values() if isinstance(value, dict) else value))
    return int(_is_unclear(value))


def _meant(value: Any, others: Iterator[bool]) -> Any:
    """The metadata with the other form of each unclear number where ``others`` says so."""
    if isinstance(value, dict):
        return {key: _meant(each, others) for key, each in value.items()}
    if isinstance(value, list):
        return [_meant(each, others) for each in value]
    if not _is_unclear(value) or not next(others):
        return value
    return float(value) if type(value) is int else -0.0


def _rows(connection: Connection, statement: str, table: sql.Identifier) -> Generator[Sequence[Any], None, None]:
    """Rows in pieces, to be closed whatever happens.

    Left to the garbage collector, the cursor is closed in the middle of another statement of this thread, which holds
    the connection: both would wait for each other without end.
    """
    cursor = NamingServerCursor(connection, f"recomputing_{id(statement)}")
    try:
        cursor.itersize = AT_ONCE
        cursor.execute(sql.SQL(statement).format(table), binary=True)
        yield from cursor
    finally:
        try:
            cursor.close()
        finally:
            Cursor.close(cursor)  # where the server cannot be told any more, it has no cursor either
