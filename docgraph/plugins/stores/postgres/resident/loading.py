"""Reading the bits of a workspace into memory, in one transaction that sees one state of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from docgraph.plugins.stores.postgres import workspaces
from docgraph.plugins.stores.postgres.resident.codes import Codes, Rows, n_words
from docgraph.plugins.stores.postgres.resident.sending import with_length
from docgraph.plugins.stores.postgres.statements import family, placed

if TYPE_CHECKING:
    from docgraph.plugins.stores.postgres.connections.naming import Connection

SQL = family("resident")
_BEGIN = b"BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_MEMORY = b"SELECT set_config('work_mem', '64MB', true)"
_HEADER = 19
"""Bytes in front of the first row of a binary COPY."""
_READ = 1 << 22
"""Bytes of rows that are taken apart together."""


def read_codes(
    connection: Connection, name: str, schema: str, *, timeout: int, going_on: Callable[[], bool]
) -> Codes | None:
    """The bits of a workspace; None where it has none that can be held, or where nobody wants them any more.

    ``timeout`` = milliseconds that a statement may take.
    """
    with connection.transaction():
        connection.execute(b"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        row = connection.execute(workspaces.SQL["opened"].encode(), {"name": name, "timeout": str(timeout)}).fetchone()
        known = None if row is None else workspaces.workspace_of(row[:-1])
        if known is None or known.vector_search != "quantized" or not _is_plain(connection, schema):
            return None
        connection.execute(_MEMORY)
        ids = [with_length(each[0]) for each in connection.execute(placed(SQL["documents"], schema)).fetchall()]
        sizes = connection.execute(placed(SQL["sizes"], schema)).fetchone()
        assert sizes is not None
        n_chunks, n_heads, n_summaries = sizes
        if (n_summaries, n_chunks) != (len(ids), known.n_chunks):  # the server's own way finds what there is
            return None
        n_bits = 3 * known.embedder.dimension
        chunks, heads = _Filling(n_chunks, n_bits), _Filling(n_heads, n_bits)
        for rows in _parts(connection, placed(SQL["codes"], schema), n_bits):
            if not going_on():
                return None
            chunks.take(rows[rows["place"] >= 0])
            heads.take(rows[rows["place"] < 0])
    return Codes(known.content_revision, ids, chunks.rows(), heads.rows())


def _is_plain(connection: Connection, schema: str) -> bool:
    row = connection.execute(SQL["plain"].encode(), {"quoted": f'"{schema}"'}).fetchone()
    return row is not None and bool(row[0])


def _parts(connection: Connection, statement: bytes, n_bits: int) -> Iterator[npt.NDArray[Any]]:
    """The rows of a binary COPY, many at a time: a field stands behind its length, bits behind their number too."""
    fields = [("document", ">i4"), ("place", ">i4")]
    sized = [each for name, kind in fields for each in ((f"{name}_bytes", ">i4"), (name, kind))]
    bits = [("bits_bytes", ">i4"), ("n_bits", ">i4"), ("bits", "u1", (-(-n_bits // 8),))]
    row = np.dtype([("n_fields", ">i2"), *sized, *bits])
    read, skipped = bytearray(), 0
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for data in copy:
            read += data
            if not skipped:
                del read[:_HEADER]
                skipped = _HEADER
            if len(read) >= _READ:
                n = len(read) // row.itemsize
                yield np.frombuffer(bytes(read[: n * row.itemsize]), dtype=row)
                del read[: n * row.itemsize]
    yield np.frombuffer(bytes(read[: len(read) // row.itemsize * row.itemsize]), dtype=row)


class _Filling:
    """Rows of a known number, put beside one another as they come."""

    def __init__(self, n: int, n_bits: int) -> None:
        self._n = 0
        self._bits = np.zeros((n_words(n_bits), n), dtype=np.uint64)
        self._documents, self._places = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int32)

    def take(self, rows: npt.NDArray[Any]) -> None:
        """Put rows behind those that are there."""
        start, self._n = self._n, self._n + len(rows)
        self._documents[start : self._n], self._places[start : self._n] = rows["document"], rows["place"]
        wide = np.zeros((len(rows), 8 * len(self._bits)), dtype=np.uint8)
        wide[:, : rows["bits"].shape[1]] = rows["bits"]
        self._bits[:, start : self._n] = wide.view(np.uint64).T

    def rows(self) -> Rows:
        """All of them, by document and place, in whatever order they came."""
        key = (self._documents.astype(np.int64) << 32) + self._places
        if np.any(key[1:] < key[:-1]):
            order = np.argsort(key)
            for row in self._bits:
                row[:] = row[order]
            return Rows(self._bits, self._documents[order], self._places[order])
        return Rows(self._bits, self._documents, self._places)
