"""The default embedder: wordllama's averaged word-piece vectors, bundled with its package: offline, deterministic."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

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
    """Means of word-piece vectors, one text at a time: no padding, so a vector never depends on its batch.

    Thread-safe; uses one core, because nothing in it is a matrix product.
    """

    def __init__(self, dimension: int) -> None:
        self.info = EmbedderInfo(name="wordllama", model=MODEL, dimension=dimension)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, unit rows; white space alone gives zeros. Raises EmbedderError."""
        import numpy as np

        vectors = np.zeros((len(texts), self.info.dimension), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            row[:] = self._one(text.strip().encode("utf-8", "surrogatepass").decode("utf-8", "replace"))
        return vectors

    def _one(self, text: str) -> Vectors:
        import numpy as np

        total = np.zeros(self.info.dimension, dtype=np.float64)
        for start in range(0, len(text), _CHARACTERS_AT_ONCE):
            ids = pieces().ids(text[start : start + _CHARACTERS_AT_ONCE])
            for first in range(0, len(ids), _TOKENS_AT_ONCE):
                total += self._table[ids[first : first + _TOKENS_AT_ONCE]].sum(axis=0, dtype=np.float32)
        length = float(np.sqrt(np.square(total).sum()))
        return np.asarray(total / length if length > 0 else total, dtype=np.float32)

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
