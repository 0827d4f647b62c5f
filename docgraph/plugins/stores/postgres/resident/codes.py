"""The bits of a workspace's vectors in memory, and which of them differ least from a question's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
_BLOCK = 65_536
"""Rows that are looked at together: what is counted of them stays in the processor's cache."""
_SAMPLED = 64
"""Every so many-th row tells how unlike those are about that are wanted."""
_PER_DOCUMENT = 230
"""Bytes of a short id as it is sent, in a list, and as a text in a dictionary with its number."""


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
