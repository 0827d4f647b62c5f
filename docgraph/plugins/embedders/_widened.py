"""The rows of a table of 16-bit numbers as numbers to count with, each widened once, when a text first needs it."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

import numpy as np
import numpy.typing as npt

from docgraph.domain.graph import Vectors


class WidenedRows:
    """Memory for those rows alone that were asked for: texts of one kind use a small part of a vocabulary. Thread-safe.

    ``stored`` has the shape (n, width), float16.
    """

    def __init__(self, stored: npt.NDArray[np.float16]) -> None:
        self._stored = stored
        self._wide = np.empty(stored.shape, dtype=np.float32)  # the system gives memory where it is written to
        self._places = np.full(len(stored), -1, dtype=np.int32)
        self._n_wide = 0
        self._lock = Lock()

    def rows(self, numbers: Sequence[int]) -> Vectors:
        """These rows, shape (len(numbers), width), float32; the same one may be asked for many times."""
        asked = np.asarray(numbers, dtype=np.intp)
        places = self._places[asked]
        if places.size and places.min() < 0:
            self._widen(asked)
            places = self._places[asked]
        return np.asarray(self._wide[places])

    @property
    def n_wide(self) -> int:
        """How many have been widened so far."""
        return self._n_wide

    def _widen(self, asked: npt.NDArray[np.intp]) -> None:
        with self._lock:
            new = np.unique(asked[self._places[asked] < 0])
            end = self._n_wide + len(new)
            self._wide[self._n_wide : end] = self._stored[new]
            self._places[new] = np.arange(self._n_wide, end)  # last: who finds a place finds a whole row there
            self._n_wide = end
