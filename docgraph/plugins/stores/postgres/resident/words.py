"""Who holds which word, in memory: what was asked for last stays, and the documents that hold most are chosen of it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

_OVERHEAD = 300
"""Bytes of a word beside its holders."""


@dataclass(frozen=True)
class Word:
    """A word of one content revision: its weight, and by whom it is held, as numbers or as a bit for each document."""

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
        """Who holds it, in order."""
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
