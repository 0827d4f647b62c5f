"""The quantized codes of a workspace's vectors in memory: read at one state of it, and compared with a question's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from docgraph.plugins.stores.postgres import workspaces
from docgraph.plugins.stores.postgres.statements import family, placed
from docgraph.plugins.stores.postgres.statements.values import with_length

if TYPE_CHECKING:
    from docgraph.plugins.stores.postgres.connections.naming import Connection


Numbers = npt.NDArray[np.int64]
_BLOCK = 65_536
"""Rows that are looked at together: what is counted of them stays in the processor's cache."""
_SAMPLED = 64
"""Every so many-th row tells how unlike those are about that are wanted."""
_PER_DOCUMENT = 230
"""Bytes of a short id as it is sent, in a list, and as a text in a dictionary with its number."""


SQL = family("vector_cache")
_MEMORY = b"SELECT set_config('work_mem', '64MB', true)"
_HEADER = 19
"""Bytes in front of the first row of a binary COPY."""
_READ = 1 << 22
"""Bytes of rows that are taken apart together."""


@dataclass(frozen=True)
class Rows:
    """Bits in order of document and place: ``bits[j]`` holds the j-th 64 of every row."""

    bits: npt.NDArray[np.uint64]
    documents: npt.NDArray[np.int32]
    places: npt.NDArray[np.int32]

    @property
    def n_bytes(self) -> int:
        """Memory."""
        return self.bits.nbytes + self.documents.nbytes + self.places.nbytes

    def unlike(self, asked: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint16]:
        """How many bits of each row differ from those asked about."""
        n = self.bits.shape[1]
        found = np.zeros(n, dtype=np.uint16)
        differing, counted = np.empty(_BLOCK, dtype=np.uint64), np.empty(_BLOCK, dtype=np.uint8)
        for start in range(0, n, _BLOCK):
            part = found[start : start + _BLOCK]
            xor, ones = differing[: len(part)], counted[: len(part)]
            for row, word in zip(self.bits, asked, strict=True):
                np.bitwise_xor(row[start : start + _BLOCK], word, out=xor)
                part += np.bitwise_count(xor, out=ones)
        return found

    def nearest(self, asked: npt.NDArray[np.uint64], n: int) -> Numbers:
        """The rows that differ least, the first ``n``; ties by their order."""
        unlike = self.unlike(asked)
        within = _likely(unlike, n)
        if len(within) < n:
            within = np.arange(len(unlike))
        return within[np.argsort(unlike[within], kind="stable")][:n]

    def nearest_documents(self, asked: npt.NDArray[np.uint64], n: int) -> Numbers:
        """The documents of which any row differs least, the first ``n``; ties by their order."""
        unlike = self.unlike(asked)
        found = self._first_documents(unlike, _likely(unlike, n))
        return (found if len(found) >= n else self._first_documents(unlike, np.arange(len(unlike))))[:n]

    def _first_documents(self, unlike: npt.NDArray[np.uint16], rows: Numbers) -> Numbers:
        """Each once, by its best row."""
        documents = self.documents[rows[np.argsort(unlike[rows], kind="stable")]]
        _, first = np.unique(documents, return_index=True)
        return documents[np.sort(first)].astype(np.int64)


@dataclass(frozen=True)
class Codes:
    """All bits of one content revision of a workspace; documents are numbered in the order of their ids."""

    content_revision: str
    ids: Sequence[bytes]
    """As they are sent (``sending.with_length``)."""
    chunks: Rows
    heads: Rows
    """Of summaries and titles."""

    @property
    def n_bytes(self) -> int:
        """Memory, ids included."""
        return self.chunks.n_bytes + self.heads.n_bytes + _PER_DOCUMENT * len(self.ids)

    @cached_property
    def number_of(self) -> dict[str, int]:
        """document_id → its number."""
        return {sent[4:].decode(): number for number, sent in enumerate(self.ids)}

    def near(self, bits: str, n: int) -> tuple[list[bytes], npt.NDArray[np.int32]]:
        """The chunks that differ least from a question's bits (zeros and ones): ids of documents, places."""
        rows = self.chunks.nearest(packed(bits), n)
        return self.ids_of(self.chunks.documents[rows]), self.chunks.places[rows]

    def near_heads(self, bits: str, n: int) -> list[bytes]:
        """The documents whose summaries (or titles) differ least."""
        return self.ids_of(self.heads.nearest_documents(packed(bits), n))

    def ids_of(self, documents: npt.NDArray[np.integer]) -> list[bytes]:
        """The ids of documents by their numbers, as they are sent."""
        return [self.ids[number] for number in documents.tolist()]


def n_words(n_bits: int) -> int:
    """Numbers of 64 bits that hold so many."""
    return -(-n_bits // 64)


def packed(bits: str) -> npt.NDArray[np.uint64]:
    """A text of zeros and ones as numbers, as rows hold them; what is left over is zero."""
    ones = np.frombuffer(bits.encode(), dtype=np.uint8) - ord("0")
    held = np.zeros(8 * n_words(len(bits)), dtype=np.uint8)
    held[: -(-len(bits) // 8)] = np.packbits(ones)
    return held.view(np.uint64)


def _likely(unlike: npt.NDArray[np.uint16], n: int) -> Numbers:
    """Rows that differ no more than a guess says that the first ``n`` do; fewer than ``n`` where it is a bad one."""
    sample = np.sort(unlike[::_SAMPLED])
    place = n // _SAMPLED * 5 // 4 + 8
    if place >= len(sample):
        return np.arange(len(unlike))
    return np.flatnonzero(unlike <= sample[place])


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
