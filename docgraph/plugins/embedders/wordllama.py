"""The default embedder: wordllama's averaged word-piece vectors, bundled with its package: offline, deterministic."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from docgraph.domain.graph import Vectors
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import EmbedderError
from docgraph.plugins._word_pieces import WordPieces
from docgraph.plugins.bundled import REINSTALL, WEIGHTS, bundled, pieces

MODEL = "l2_supercat"
WIDTHS = (64, 128, 256)
_TOKENS_AT_ONCE = 8_192
_CHARACTERS_AT_ONCE = 200_000
_TENSOR = "embedding.weight"
_FEW = 64
"""Texts that are embedded before all weights are read: a question should not wait for that."""


def build(*, model: str = MODEL, dimension: int = 256) -> WordLlamaEmbedder:
    """Load the bundled model; ``dimension`` 64 or 128 takes the beginning of each vector. Raises EmbedderError."""
    if model != MODEL or dimension not in WIDTHS:
        raise EmbedderError(
            f"wordllama has no model {model!r} with {dimension} dimensions",
            hint=f"the bundled one is {MODEL!r} with {', '.join(map(str, WIDTHS))} dimensions",
        )
    return WordLlamaEmbedder(_weights(dimension), pieces())


class WordLlamaEmbedder:
    """Means of word-piece vectors, one text at a time: no padding, so a vector never depends on its batch.

    Thread-safe; uses one core, because nothing in it is a matrix product.
    """

    def __init__(self, weights: Any, pieces: WordPieces) -> None:
        self.info = EmbedderInfo(name="wordllama", model=MODEL, dimension=weights.shape[1])
        self._stored, self._pieces, self._n_embedded = weights, pieces, 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, unit rows; a text of white space gives zeros."""
        vectors = np.zeros((len(texts), self.info.dimension), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            row[:] = self._one(text)
        return vectors

    def _one(self, text: str) -> Vectors:
        text = text.strip()
        if not text.isascii():
            text = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        self._n_embedded += 1
        weights = self._stored if self._n_embedded <= _FEW else self._weights
        total = np.zeros(self.info.dimension, dtype=np.float64)
        for start in range(0, len(text), _CHARACTERS_AT_ONCE):
            part = text[start : start + _CHARACTERS_AT_ONCE]
            ids = self._pieces.ids(part)
            for first in range(0, len(ids), _TOKENS_AT_ONCE):
                rows = np.asarray(weights[ids[first : first + _TOKENS_AT_ONCE]], dtype=np.float32)
                total += rows.sum(axis=0, dtype=np.float32)
        length = float(np.sqrt(np.square(total).sum()))
        return np.asarray(total / length if length > 0 else total, dtype=np.float32)

    @cached_property
    def _weights(self) -> Vectors:
        """All of them as numbers to count with: many texts are embedded faster by these."""
        return np.ascontiguousarray(self._stored, dtype=np.float32)


def _weights(dimension: int) -> Any:
    """One row for each word piece, shape (32000, dimension), as they lie in the file: only rows that are used are read.

    The package that it comes with is not imported: that would take longer than all the rest.
    """
    path = bundled(WEIGHTS)
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            described = json.loads(file.read(length))[_TENSOR]
        rows, columns = described["shape"]
        if described["dtype"] != "F16" or columns < dimension:
            raise ValueError(f"it holds {described['dtype']} of {columns} columns")
        start = 8 + length + described["data_offsets"][0]
        return np.memmap(path, dtype="<f2", mode="r", offset=start, shape=(rows, columns))[:, :dimension]
    except (OSError, ValueError, LookupError, TypeError, OverflowError) as error:
        raise EmbedderError(f"wordllama's bundled model cannot be loaded: {error}", hint=REINSTALL) from error
