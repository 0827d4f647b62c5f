"""The rows of wordllama's file, mapped: only those that are used are read, and one text is counted without numpy."""

from __future__ import annotations

import json
import mmap
import struct
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from math import sqrt
from typing import Any

from docgraph.errors import EmbedderError
from docgraph.plugins.bundled import REINSTALL, WEIGHTS, bundled

_TENSOR = "embedding.weight"
_BLOCK = 128
"""numpy adds up to so many numbers in eight sums, and more of them in halves."""


class Rows:
    """One row of 16-bit numbers for each word piece, of which the first ``dimension`` count. Raises EmbedderError.

    The package that the file comes with is not imported: that would take longer than all the rest.
    """

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        try:
            with bundled(WEIGHTS).open("rb") as file:
                length = int.from_bytes(file.read(8), "little")
                described = json.loads(file.read(length))[_TENSOR]
                self._mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._start, end = (8 + length + offset for offset in described["data_offsets"])
            self._n, self._width = described["shape"]
            if described["dtype"] != "F16" or self._width < dimension or end > len(self._mapped):
                raise ValueError(f"{described} is not what it should hold")
        except (OSError, ValueError, LookupError, TypeError, OverflowError, MemoryError) as error:
            raise EmbedderError(f"wordllama's bundled model cannot be loaded: {error}", hint=REINSTALL) from error

    def plain(self, row: int) -> tuple[float, ...]:
        """One row."""
        return struct.unpack_from(f"<{self.dimension}e", self._mapped, self._start + 2 * self._width * row)

    @cached_property
    def stored(self) -> Any:
        """All of them, shape (32000, dimension), float16."""
        import numpy as np

        found = np.frombuffer(self._mapped, dtype="<f2", count=self._n * self._width, offset=self._start)
        return found.reshape(self._n, self._width)[:, : self.dimension]


def unit(rows: Iterable[Sequence[float]], dimension: int) -> array[float]:
    """The direction of the rows' sum, zeros when that is zero: as numpy adds them up, bit for bit."""
    total = array("f", bytes(4 * dimension))
    for i, row in enumerate(rows):
        total = array("f", [a + b for a, b in zip(total, row, strict=True)] if i else row)
    wide = [0.0 + number for number in total]
    length = sqrt(_sum([number * number for number in wide]))
    return array("f", [number / length for number in wide] if length > 0 else wide)


def _sum(numbers: Sequence[float]) -> float:
    n = len(numbers)
    if n > _BLOCK:
        half = n // 2 - n // 2 % 8
        return _sum(numbers[:half]) + _sum(numbers[half:])
    sums = list(numbers[:8])
    for start in range(8, n, 8):
        sums = [a + b for a, b in zip(sums, numbers[start : start + 8], strict=True)]
    a, b, c, d, e, f, g, h = sums
    return ((a + b) + (c + d)) + ((e + f) + (g + h))
