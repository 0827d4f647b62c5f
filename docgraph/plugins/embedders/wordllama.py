"""The default embedder: wordllama's averaged word-piece vectors, bundled with its package: offline, deterministic."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from docgraph.domain.graph import Vectors
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import EmbedderError
from docgraph.plugins.bundled import REINSTALL, WEIGHTS, bundled, pieces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL = "l2_supercat"
WIDTHS = (64, 128, 256)
_TOKENS_AT_ONCE = 8_192
_CHARACTERS_AT_ONCE = 200_000
_TEXTS_AT_ONCE = 64
_FEW = 1_000
"""Pieces of texts for which nothing is made beforehand."""


def build(*, model: str = MODEL, dimension: int = 256) -> WordLlamaEmbedder:
    """The bundled model; ``dimension`` 64 or 128 takes the beginning of each vector. Raises EmbedderError."""
    if model != MODEL or dimension not in WIDTHS:
        raise EmbedderError(
            f"wordllama has no model {model!r} with {dimension} dimensions",
            hint=f"the bundled one is {MODEL!r} with {', '.join(map(str, WIDTHS))} dimensions",
        )
    bundled(WEIGHTS)  # a missing package or file is an error now, not with the first question
    return WordLlamaEmbedder(dimension)


class WordLlamaEmbedder:
    """Means of word-piece vectors, each text by itself: no padding, so a vector never depends on its batch.

    Thread-safe; uses one core, because nothing in it is a matrix product.
    """

    def __init__(self, dimension: int) -> None:
        self.info = EmbedderInfo(name="wordllama", model=MODEL, dimension=dimension)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, unit rows; white space alone gives zeros. Raises EmbedderError."""
        import numpy as np

        vectors = np.zeros((len(texts), self.info.dimension), dtype=np.float32)
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            several = [_encodable(text) for text in texts[start : start + _TEXTS_AT_ONCE]]
            slices = [
                (start + number, pieces().ids(text[first : first + _CHARACTERS_AT_ONCE]))
                for number, text in enumerate(several)
                for first in range(0, len(text), _CHARACTERS_AT_ONCE)
            ]
            self._sum(vectors, slices)
        return vectors

    def _sum(self, vectors: Vectors, slices: Sequence[tuple[int, Sequence[int]]]) -> None:
        """Put the direction of the pieces' sum into each row; ``slices`` = (row, its next pieces), rows in order."""
        import numpy as np

        rows = _Rows(self._table, [ids for _, ids in slices])
        for row, own in groupby(slices, key=itemgetter(0)):
            total = np.zeros(self.info.dimension, dtype=np.float64)
            for _, ids in own:
                for first in range(0, len(ids), _TOKENS_AT_ONCE):
                    total += rows.of(ids[first : first + _TOKENS_AT_ONCE]).sum(axis=0, dtype=np.float32)
            length = float(np.sqrt(np.square(total).sum()))
            vectors[row] = total / length if length > 0 else total

    @cached_property
    def _table(self) -> NDArray[np.float16]:
        """Shape (32000, dimension): one row for each word piece."""
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(bundled(WEIGHTS), "np") as file:
                stored = file.get_slice("embedding.weight")
                n, width = stored.get_shape()
                if stored.get_dtype() != "F16" or width < self.info.dimension:
                    raise ValueError(f"its vectors are {n} × {width} of {stored.get_dtype()}")
                table: NDArray[np.float16] = stored[:, : self.info.dimension]
        except (SafetensorError, OSError, ValueError, MemoryError) as error:
            raise EmbedderError(f"wordllama's bundled model cannot be loaded: {error}", hint=REINSTALL) from error
        return table


class _Rows:
    """The table's rows for these pieces as 32-bit numbers, each made once: making them is most of an embedding."""

    def __init__(self, table: NDArray[np.float16], slices: Sequence[Sequence[int]]) -> None:
        import numpy as np

        self._table: NDArray[Any] = table
        self._places: NDArray[np.intp] | None = None
        if sum(map(len, slices)) > _FEW:
            used = np.zeros(len(table), dtype=bool)
            for ids in slices:
                used[ids] = True
            self._places = np.cumsum(used, dtype=np.intp) - 1
            self._table = table[used].astype(np.float32)

    def of(self, ids: Sequence[int]) -> NDArray[Any]:
        """Shape (len(ids), dimension)."""
        return self._table[ids if self._places is None else self._places[ids]]


def _encodable(text: str) -> str:
    """Without white space around it and lone surrogates, which cannot be tokenized."""
    bare = text.strip()
    return bare if bare.isascii() else bare.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
