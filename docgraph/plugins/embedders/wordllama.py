"""The default embedder: wordllama's averaged word-piece vectors, bundled with its package: offline, deterministic."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from docgraph.domain.graph import Vectors
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import EmbedderError
from docgraph.plugins._word_pieces import WordPieces
from docgraph.plugins.bundled import pieces
from docgraph.plugins.embedders._rows import Rows, unit

if TYPE_CHECKING:  # brings numpy, which one short question does without
    from docgraph.plugins.embedders._widened import WidenedRows

MODEL = "l2_supercat"
WIDTHS = (64, 128, 256)
_TOKENS_AT_ONCE = 8_192
_CHARACTERS_AT_ONCE = 200_000
_PLAIN = 2_000
"""Characters of a text that is counted without numpy; a longer one is worth loading it."""


def build(*, model: str = MODEL, dimension: int = 256) -> WordLlamaEmbedder:
    """Load the bundled model; ``dimension`` 64 or 128 takes the beginning of each vector. Raises EmbedderError."""
    if model != MODEL or dimension not in WIDTHS:
        raise EmbedderError(
            f"wordllama has no model {model!r} with {dimension} dimensions",
            hint=f"the bundled one is {MODEL!r} with {', '.join(map(str, WIDTHS))} dimensions",
        )
    return WordLlamaEmbedder(Rows(dimension), pieces())


class WordLlamaEmbedder:
    """Means of word-piece vectors, one text at a time: no padding, so a vector never depends on its batch.

    Thread-safe; uses one core, because nothing in it is a matrix product.
    """

    def __init__(self, rows: Rows, pieces: WordPieces) -> None:
        self.info = EmbedderInfo(name="wordllama", model=MODEL, dimension=rows.dimension)
        self._rows, self._pieces = rows, pieces

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, unit rows; a text of white space gives zeros."""
        import numpy as np

        vectors = np.zeros((len(texts), self.info.dimension), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            row[:] = self._one(_encodable(text))
        return vectors

    def plain_vector(self, text: str) -> array[float] | None:
        """What ``embed`` gives for one text, bit for bit: sums of 32-bit numbers, their length of 64-bit ones."""
        text = _encodable(text)
        return unit(map(self._rows.plain, self._pieces.ids(text)), self.info.dimension) if len(text) <= _PLAIN else None

    def _one(self, text: str) -> Vectors:
        import numpy as np

        total = np.zeros(self.info.dimension, dtype=np.float64)
        for start in range(0, len(text), _CHARACTERS_AT_ONCE):
            part = text[start : start + _CHARACTERS_AT_ONCE]
            ids = self._pieces.ids(part)
            for first in range(0, len(ids), _TOKENS_AT_ONCE):
                rows = self._widened.rows(ids[first : first + _TOKENS_AT_ONCE])
                total += rows.sum(axis=0, dtype=np.float32)
        length = float(np.sqrt(np.square(total).sum()))
        return np.asarray(total / length if length > 0 else total, dtype=np.float32)

    @cached_property
    def _widened(self) -> WidenedRows:
        from docgraph.plugins.embedders._widened import WidenedRows

        return WidenedRows(self._rows.stored)


def _encodable(text: str) -> str:
    text = text.strip()
    return text if text.isascii() else text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
