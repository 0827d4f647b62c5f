"""An embedder that asks a service over HTTP: what openai_compatible and ollama have in common."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from docgraph.boundary.json_service import JsonService
from docgraph.domain.graph import Vectors
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import EmbedderError
from docgraph.plugins.embedders._answers import checked, in_batches

MAX_BATCH = 2_048


class ServiceEmbedder(ABC):
    """Batches, checks and normalises; a service's file only says how its protocol looks. Thread-safe."""

    name: str

    def __init__(self, service: JsonService, *, model: str, dimension: int | None, batch_size: int) -> None:
        if not model:
            raise EmbedderError(f"the {self.name} embedder needs a model", hint="set embedder_model")
        if not 1 <= batch_size <= MAX_BATCH:
            raise EmbedderError(f"batch_size = {batch_size} is not possible", hint=f"1 to {MAX_BATCH}")
        self.service, self.model = service, model
        self._dimension, self._batch_size = dimension, batch_size
        self._info: EmbedderInfo | None = None
        self._lock = threading.Lock()

    @property
    def info(self) -> EmbedderInfo:
        """Name, model and dimension; an unknown dimension is found by embedding one word, once."""
        with self._lock:
            if self._info is None:
                width = self._dimension or self._ask(["docgraph"]).shape[1]
                self._info = EmbedderInfo(name=self.name, model=self.model, dimension=width)
            return self._info

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, unit rows; white space gives zeros. Raises EmbedderError."""
        clean = [text.encode("utf-8", "replace").decode() for text in texts]
        return in_batches(clean, self.info.dimension, batch_size=self._batch_size, ask=self._ask)

    def _ask(self, texts: list[str]) -> Vectors:
        width = self._info.dimension if self._info else self._dimension
        return checked(self.answer(texts), len(texts), width, fail=self._fail)

    def _fail(self, message: str) -> EmbedderError:
        return self.service.error(message, hint=f"model {self.model!r}: is it an embedding model of that width?")

    @abstractmethod
    def answer(self, texts: list[str]) -> Any:
        """The rows the service answers for ``texts``, in their order, unchecked."""
