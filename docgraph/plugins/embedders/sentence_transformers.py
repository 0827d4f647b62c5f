"""Embeds with a sentence-transformers model from a local folder or from its cache: nothing is downloaded."""

from __future__ import annotations

import hashlib
import importlib
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from docgraph.domain.graph import Vectors
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import EmbedderError
from docgraph.plugins.embedders._answers import in_batches, unit_rows

DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"


def build(
    *, model: str = DEFAULT_MODEL, device: str = "cpu", batch_size: int = 32, threads: int | None = None
) -> SentenceTransformersEmbedder:
    """``model`` is a folder or the name of a model in the local cache; ``threads`` caps the cores it uses.

    Needs ``pip install 'docgraph[sentence-transformers]'``. Raises EmbedderError when the model is not on this machine.
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import sentence_transformers

    if threads is not None:
        importlib.import_module("torch").set_num_threads(threads)
    try:
        with _no_progress_bars():
            loaded = sentence_transformers.SentenceTransformer(
                model, device=device, local_files_only=True, trust_remote_code=False
            )
    except (OSError, ValueError, RuntimeError) as error:
        raise EmbedderError(
            f"the sentence-transformers model {model!r} is not on this machine: {' '.join(str(error).split())[:200]}",
            hint="set embedder_model to a local model folder; docgraph downloads nothing",
        ) from error
    return SentenceTransformersEmbedder(loaded, model=model, batch_size=batch_size)


class SentenceTransformersEmbedder:
    """Unit vectors of a local model; one call at a time. Another batch changes a vector by about 1e-6."""

    def __init__(self, loaded: Any, *, model: str, batch_size: int) -> None:
        self.info = EmbedderInfo(name="sentence_transformers", model=_label(model), dimension=_width(loaded))
        self._loaded, self._batch_size = loaded, batch_size
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, unit rows; white space gives zeros. Raises EmbedderError."""
        clean = [text.encode("utf-8", "replace").decode() for text in texts]
        return in_batches(clean, self.info.dimension, batch_size=self._batch_size, ask=self._ask)

    def _ask(self, texts: list[str]) -> Vectors:
        with self._lock:
            found = np.asarray(
                self._loaded.encode(texts, batch_size=self._batch_size, convert_to_numpy=True, show_progress_bar=False)
            )
        if found.shape != (len(texts), self.info.dimension) or not np.isfinite(found).all():
            raise EmbedderError(
                f"the model {self.info.model!r} gave vectors of shape {found.shape} or values that are not finite",
                hint="check the model folder",
            )
        return unit_rows(found)


def _width(loaded: Any) -> int:
    """The number of dimensions; the library renamed the method in version 5 and warns about the old name."""
    ask = getattr(loaded, "get_embedding_dimension", None) or loaded.get_sentence_embedding_dimension
    return int(ask())


def _label(model: str) -> str:
    """A model of the cache by its name; a folder by its last part and what is in it.

    Many folders are called ``model`` and many models have 384 dimensions: vectors of two of them must never be taken
    for vectors of one. A folder keeps its label wherever it is moved.
    """
    folder = Path(model)
    if not folder.is_dir():
        return model
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.suffix in (".json", ".safetensors", ".bin") and p.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return f"{folder.resolve().name}@{digest.hexdigest()[:8]}"


@contextmanager
def _no_progress_bars() -> Iterator[None]:
    """Loading stays silent: a command's output belongs to the command."""
    bars = importlib.import_module("transformers.utils.logging")
    shown = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            bars.enable_progress_bar()
