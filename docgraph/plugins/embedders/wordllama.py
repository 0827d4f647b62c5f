"""The default embedder: wordllama's averaged word-piece vectors, bundled with its package: offline, deterministic."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from docgraph.domain.graph import Vectors
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import EmbedderError
from docgraph.plugins._word_pieces import WordPieces

MODEL = "l2_supercat"
WIDTHS = (64, 128, 256)
_TOKENS_AT_ONCE = 8_192
_CHARACTERS_AT_ONCE = 200_000
_importing = threading.Lock()


def build(*, model: str = MODEL, dimension: int = 256) -> WordLlamaEmbedder:
    """Load the bundled model; ``dimension`` 64 or 128 takes the beginning of each vector. Raises EmbedderError."""
    if model != MODEL or dimension not in WIDTHS:
        raise EmbedderError(
            f"wordllama has no model {model!r} with {dimension} dimensions",
            hint=f"the bundled one is {MODEL!r} with {', '.join(map(str, WIDTHS))} dimensions",
        )
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    return WordLlamaEmbedder(_load(dimension), dimension=dimension)


class WordLlamaEmbedder:
    """Means of word-piece vectors, one text at a time: no padding, so a vector never depends on its batch.

    Thread-safe; uses one core, because nothing in it is a matrix product.
    """

    def __init__(self, model: Any, *, dimension: int) -> None:
        self.info = EmbedderInfo(name="wordllama", model=MODEL, dimension=dimension)
        self._weights = np.ascontiguousarray(model.embedding, dtype=np.float32)
        model.tokenizer.no_padding()
        model.tokenizer.no_truncation()
        self._pieces = WordPieces(model.tokenizer)

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


def _load(dimension: int) -> Any:
    """The model object, with the root logger left as it was: importing the package installs a handler on it."""
    with _importing:
        root = logging.getLogger()
        handlers, level = list(root.handlers), root.level
        import wordllama

        root.handlers[:] = handlers
        root.setLevel(level)
    folder = Path(wordllama.__file__).parent
    try:
        return wordllama.WordLlama.load(
            MODEL, cache_dir=folder, dim=256, trunc_dim=None if dimension == 256 else dimension, disable_download=True
        )
    except (OSError, ValueError) as error:
        raise EmbedderError(
            f"wordllama's bundled model cannot be loaded: {error}", hint="pip install --force-reinstall wordllama"
        ) from error
