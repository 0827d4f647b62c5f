"""How well documents fit a question by its words, out of places in memory: the server's sums, bit by bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from docgraph.plugins.stores.postgres.resident.words import Word

_OVERHEAD = 500
_WIDE = 1 << 32
"""More than there are places in a document."""
_ARRAY, _ELEMENT = 20, 8
"""Bytes in front of the first number of an array that the server sends, and of each number with its length."""


@dataclass(frozen=True)
class Places:
    """Where a word stands in each document that holds it, in their order, and how much it counts there."""

    starts: npt.NDArray[np.int32]
    """Of each document, and the end of the last."""
    places: npt.NDArray[np.int32]
    frequencies: npt.NDArray[np.float32]

    @classmethod
    def of(cls, counts: bytes | None, places: bytes | None, frequencies: bytes | None) -> Places:
        """Out of three arrays as the server sends them: how many of each document, the places, what each counts."""
        starts = np.concatenate(([0], np.cumsum(_numbers(counts, ">i4"))))
        return cls(starts.astype(np.int32), _numbers(places, ">i4"), _numbers(frequencies, ">f4"))

    @property
    def n_bytes(self) -> int:
        """Memory."""
        return self.starts.nbytes + self.places.nbytes + self.frequencies.nbytes + _OVERHEAD


def fits(
    words: Sequence[tuple[Word, Places]], documents: npt.NDArray[np.int64], *, n_documents: int
) -> npt.NDArray[np.float64]:
    """How well each of the documents fits by the words, which come in their order: sums depend on it.

    A document fits as well as its title with its summary and the best of its chunks together.
    """
    order = np.argsort(documents)
    found = [_places_in(word, places, documents[order], n_documents) for word, places in words]
    slots, slot_of = np.unique(np.concatenate([slot for slot, _ in found]), return_inverse=True)
    sums, start = np.zeros(len(slots)), 0
    for (word, _), (slot, frequencies) in zip(words, found, strict=True):
        sums[slot_of[start : start + len(slot)]] += word.idf * frequencies.astype(np.float64)
        start += len(slot)
    document, is_head = slots // _WIDE, slots % _WIDE < _WIDE // 2
    best = np.zeros((2, len(documents)))
    for row, chosen in zip(best, (is_head, ~is_head), strict=True):
        np.maximum.at(row, document[chosen], sums[chosen])
    scores = np.empty(len(documents))
    scores[order] = best[0] + best[1]
    return scores


def _places_in(
    word: Word, places: Places, documents: npt.NDArray[np.int64], n_documents: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """Where the word stands in the documents (by their numbers here), as one number each, and what it counts there."""
    holders = word.documents(n_documents)
    row = np.searchsorted(holders, documents)
    row[row == len(holders)] = 0
    here = np.flatnonzero(holders[row] == documents)
    starts, ends = places.starts[row[here]], places.starts[row[here] + 1]
    counts = ends - starts
    at = np.arange(counts.sum()) + np.repeat(starts - (np.cumsum(counts) - counts), counts)
    slots = np.repeat(here, counts) * _WIDE + places.places[at] + _WIDE // 2
    return slots, places.frequencies[at]


def _numbers(sent: bytes | None, kind: str) -> npt.NDArray[Any]:
    if sent is None:
        return np.zeros(0, dtype=np.dtype(kind).newbyteorder("="))
    rows = np.frombuffer(sent, dtype=np.dtype([("size", ">i4"), ("number", kind)]), offset=_ARRAY)
    return rows["number"].astype(np.dtype(kind).newbyteorder("="))
