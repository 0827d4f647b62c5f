"""Words in memory: the documents that hold them and where, the words asked for last, and how well documents fit."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

_OVERHEAD = 300
"""Bytes of a word beside its holders."""
_PLACES_OVERHEAD = 500
_WIDE = 1 << 32
"""More than there are places in a document."""
_ARRAY, _ELEMENT = 20, 8
"""Bytes in front of the first number of an array that the server sends, and of each number with its length."""


@dataclass(frozen=True)
class Word:
    """A word of one content revision: its weight, and the documents that hold it, as numbers or as a bit for each."""

    idf: float
    weight: int
    """The idf as a whole number: sums of these do not depend on their order."""
    n: int
    holders: npt.NDArray[np.int32] | npt.NDArray[np.uint8]

    @classmethod
    def of(cls, documents: Sequence[int], *, n_documents: int, idf: float, weight: int) -> Word:
        """In the form that takes less."""
        holders = np.asarray(documents, dtype=np.int32)
        if 32 * len(holders) < n_documents:
            return cls(idf, weight, len(holders), holders)
        is_holding = np.zeros(n_documents, dtype=np.uint8)
        is_holding[holders] = 1
        return cls(idf, weight, len(holders), np.packbits(is_holding))

    @property
    def n_bytes(self) -> int:
        """Memory."""
        return self.holders.nbytes + _OVERHEAD

    def documents(self, n_documents: int) -> npt.NDArray[np.integer]:
        """The documents that hold it, in order."""
        if self.holders.dtype == np.uint8:
            return np.flatnonzero(np.unpackbits(self.holders.view(np.uint8), count=n_documents))
        return self.holders

    def add_to(self, sums: npt.NDArray[np.int64]) -> None:
        """Its weight, for each document that holds it."""
        if self.holders.dtype == np.uint8:
            sums += np.unpackbits(self.holders.view(np.uint8), count=len(sums)) * np.int64(self.weight)
        else:
            sums[self.holders] += self.weight


class Kept(Protocol):
    """What takes so many bytes."""

    @property
    def n_bytes(self) -> int:
        """Memory."""
        ...


K = TypeVar("K", bound=Kept)


class Words:
    """What was asked for last of words, of all workspaces together, within a number of bytes; any thread may ask.

    Of each workspace what is of one state; ``most`` may change.
    """

    def __init__(self, most: int) -> None:
        self.most, self.n_bytes = most, 0
        self._kept: OrderedDict[tuple[str, str, type[Kept], str], Kept] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def kept(self, kind: type[K], workspace: str, revision: str, keys: Sequence[str]) -> dict[str, K]:
        """Those of the keys that are there."""
        found = {}
        with self._lock:
            for key in keys:
                if isinstance(there := self._kept.get((workspace, revision, kind, key)), kind):
                    self._kept.move_to_end((workspace, revision, kind, key))
                    found[key] = there
        return found

    def keep(self, workspace: str, revision: str, read: Mapping[str, Kept]) -> None:
        """Those of another state of the workspace go, and as many of the oldest as must."""
        with self._lock:
            for old in [name for name in self._kept if name[0] == workspace and name[1] != revision]:
                self.n_bytes -= self._kept.pop(old).n_bytes
            for key, each in read.items():
                name = (workspace, revision, type(each), key)
                if name not in self._kept:
                    self._kept[name] = each
                    self.n_bytes += each.n_bytes
            while self.n_bytes > self.most and self._kept:
                self.n_bytes -= self._kept.popitem(last=False)[1].n_bytes


def holding_most(words: Sequence[Word], n: int, *, n_documents: int) -> npt.NDArray[np.int64]:
    """The documents for which the words that they hold weigh most, the first ``n``; ties by their order."""
    sums = np.zeros(n_documents, dtype=np.int64)
    for word in words:
        word.add_to(sums)
    within = np.flatnonzero(sums)
    if len(within) > n:
        least = np.partition(sums[within], len(within) - n)[len(within) - n]
        within = within[sums[within] >= least]
    return within[np.argsort(-sums[within], kind="stable")][:n]


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
        return self.starts.nbytes + self.places.nbytes + self.frequencies.nbytes + _PLACES_OVERHEAD


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
