"""Fills a workspace much faster than an import does: the same rows, words written down at the end, keys made last.

What is left is what an import leaves (the store's own statements write it), so that what is measured on it is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice

import psycopg
from pgvector.psycopg import register_vector

from docgraph.domain.graph import PreparedDocument
from docgraph.domain.workspace import EmbedderInfo
from docgraph.plugins.stores._rows.writing import accepted
from docgraph.plugins.stores.postgres.connections.naming import Naming
from docgraph.plugins.stores.postgres.postings import add_postings
from docgraph.plugins.stores.postgres.statements import placed
from docgraph.plugins.stores.postgres.writing import CHUNK_TYPES, Writing, chunk_rows

BATCH = 1_000
"""Documents of a transaction, and of one statement that writes their words down."""
_WITHOUT_KEYS = (
    'ALTER TABLE :"schema".vector_postings DROP CONSTRAINT vector_postings_pkey',
    'DROP INDEX :"schema".vector_postings_document',
)
_KEYS = (
    'ALTER TABLE :"schema".vector_postings ADD PRIMARY KEY (lexeme, document_id)',
    'CREATE INDEX vector_postings_document ON :"schema".vector_postings (document_id)',
)


class _Loading(Writing):
    """A write that leaves the words for later."""

    def _add_chunks(self, changed: Sequence[PreparedDocument]) -> None:
        self._copy("copy_chunks", CHUNK_TYPES, (row for prepared in changed for row in chunk_rows(prepared)))
        self.change.n_chunks += sum(len(p.chunks) for p in changed)


def load(
    url: str, name: str, embedder: EmbedderInfo, *, documents: Iterator[PreparedDocument], n_documents: int
) -> None:
    """Put so many documents into a workspace that holds none, with two connections: one for rows, one for words."""
    schema = Naming().schema_of(name)
    with _connected(url) as rows, _connected(url) as words, ThreadPoolExecutor(1) as second:
        _run(rows, schema, _WITHOUT_KEYS)
        pending: list[Future[None]] = []
        while batch := list(islice(documents, min(BATCH, n_documents))):
            n_documents -= len(batch)
            ready = accepted(batch, embedder)
            with rows.transaction():
                writing = _Loading(rows, name, schema)
                writing.replace(ready)
                writing.finish()
            pending.append(second.submit(add_postings, words, schema, [p.document.document_id for p in batch]))
            pending = [each for each in pending if not each.done() or each.result()]
        for each in pending:
            each.result()
        _run(rows, schema, _KEYS)


def _connected(url: str) -> psycopg.Connection:
    connection = psycopg.connect(url, autocommit=True)
    register_vector(connection)
    connection.execute("SET synchronous_commit = off")
    connection.execute("SET maintenance_work_mem = '1GB'")
    connection.execute("SET work_mem = '256MB'")
    return connection


def _run(connection: psycopg.Connection, schema: str, statements: Sequence[str]) -> None:
    for statement in statements:
        connection.execute(placed(statement, schema))
