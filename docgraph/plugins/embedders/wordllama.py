"""The default embedder: wordllama's averaged word-piece vectors, bundled with its package: offline, deterministic."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file
from tokenizers import Tokenizer as BytePairTokenizer

from docgraph.domain.graph import Vectors
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import EmbedderError
from docgraph.plugins._word_pieces import pieces_of
from docgraph.plugins.bundled import REINSTALL, WEIGHTS, bundled, word_pieces

MODEL = "l2_supercat"
WIDTHS = (64, 128, 256)
_TOKENS_AT_ONCE = 8_192
_CHARACTERS_AT_ONCE = 200_000
_TENSOR = "embedding.weight"


def build(*, model: str = MODEL, dimension: int = 256) -> WordLlamaEmbedder:
    """Load the bundled model; ``dimension`` 64 or 128 takes the beginning of each vector. Raises EmbedderError."""
    if model != MODEL or dimension not in WIDTHS:
        raise EmbedderError(
            f"wordllama has no model {model!r} with {dimension} dimensions",
            hint=f"the bundled one is {MODEL!r} with {', '.join(map(str, WIDTHS))} dimensions",
        )
    return WordLlamaEmbedder(_weights(dimension), word_pieces())


class WordLlamaEmbedder:
    """Means of word-piece vectors, one text at a time: no padding, so a vector never depends on its batch.

    Thread-safe; uses one core, because nothing in it is a matrix product.
    """

    def __init__(self, weights: Vectors, tokenizer: BytePairTokenizer) -> None:
        self.info = EmbedderInfo(name="wordllama", model=MODEL, dimension=weights.shape[1])
        self._weights, self._pieces = weights, pieces_of(tokenizer)

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
        total = np.zeros(self.info.dimension, dtype=np.float64)
        for start in range(0, len(text), _CHARACTERS_AT_ONCE):
            part = text[start : start + _CHARACTERS_AT_ONCE]
            ids = self._pieces.ids(part)
            for first in range(0, len(ids), _TOKENS_AT_ONCE):
                total += self._weights[ids[first : first + _TOKENS_AT_ONCE]].sum(axis=0, dtype=np.float32)
        length = float(np.sqrt(np.square(total).sum()))
        return np.asarray(total / length if length > 0 else total, dtype=np.float32)


def _weights(dimension: int) -> Vectors:
    """One row for each word piece, shape (32000, dimension), float32.

    The file is read, the package that it comes with is not imported: that would take longer than all the rest.
    """
    path = bundled(WEIGHTS)
    try:
        return np.ascontiguousarray(load_file(path)[_TENSOR][:, :dimension], dtype=np.float32)
    except (OSError, KeyError, SafetensorError) as error:
        raise EmbedderError(f"wordllama's bundled model cannot be loaded: {error}", hint=REINSTALL) from error
