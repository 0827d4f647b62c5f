"""Reads question and text together with a cross-encoder from a local model folder: nothing is downloaded.

``sentence_transformers.CrossEncoder`` (sbert.net/docs/package_reference/cross_encoder): ``predict(pairs)`` gives one
number a pair when the model has one label. Here its raw output is asked for (identity as activation, whose argument is
``activation_fn``, ``activation_fct`` before version 4), and the score is its sigmoid.
"""

from __future__ import annotations

import importlib
import inspect
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from docgraph.errors import EmbedderError
from docgraph.plugins.rerankers._service import scored
from docgraph.ports.retrieval import Reranked


def build(*, model: str = "", device: str = "cpu", batch_size: int = 16) -> CrossEncoderReranker:
    """``model`` is a folder with a cross-encoder of one label. Needs ``pip install 'docgraph[cross-encoder]'``.

    Raises EmbedderError when there is no such folder or it cannot be loaded.
    """
    hint = "set reranker_model to a local folder with a cross-encoder; docgraph downloads nothing"
    if not model or not Path(model).is_dir():
        raise EmbedderError(f"the cross_encoder reranker found no model folder {model[:200]!r}", hint=hint)
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import sentence_transformers

    identity = importlib.import_module("torch").nn.Identity()
    try:
        loaded = sentence_transformers.CrossEncoder(
            model, device=device, local_files_only=True, trust_remote_code=False
        )
    except (OSError, ValueError, RuntimeError) as error:
        said = " ".join(str(error).split())[:200]
        raise EmbedderError(f"the cross-encoder {model[:200]!r} cannot be loaded: {said}", hint=hint) from error
    return CrossEncoderReranker(loaded, identity=identity, batch_size=batch_size)


class CrossEncoderReranker:
    """Scores of a local model; one call at a time."""

    name = "cross_encoder"

    def __init__(self, loaded: Any, *, identity: Any, batch_size: int) -> None:
        takes = inspect.signature(loaded.predict).parameters
        activation = "activation_fn" if "activation_fn" in takes else "activation_fct"
        self._loaded = loaded
        self._options = {activation: identity, "batch_size": batch_size, "show_progress_bar": False}
        self._lock = threading.Lock()

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[Reranked]:
        """A score for every text; texts of white space get 0. Raises EmbedderError for a model of several labels."""
        return scored(query, texts, self._scores)

    def _scores(self, question: str, texts: list[str]) -> Any:
        pairs = [(question, text) for text in texts]
        with self._lock:
            found = np.asarray(self._loaded.predict(pairs, **self._options), dtype=np.float64)
        if found.shape != (len(pairs),) or not np.isfinite(found).all():
            raise EmbedderError(
                f"the cross-encoder gave values of shape {found.shape} or values that are not finite",
                hint="it takes a cross-encoder with one label",
            )
        return np.exp(-np.logaddexp(0.0, -found))
