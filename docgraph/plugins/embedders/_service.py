"""An embedder that asks a service over HTTP: what openai_compatible and ollama have in common."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from docgraph.boundary.outbound.json_service import JsonService
from docgraph.domain.graph import Vectors
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import EmbedderError
from docgraph.plugins.embedders._answers import checked, in_batches

MAX_BATCH = 2_048
MAX_DIMENSION = 16_384
"""Numbers of a vector whose width is not known yet: more than any database here takes."""
MAX_ANSWER_BYTES = 100_000_000
_NUMBER_BYTES = 48
"""Of a number as JSON, however it is written: 24 characters, a comma, and a line of its own with its indentation."""
_ROOM, _ROOM_OF_A_TEXT = 64_000, 1_000
_VALUES, _VALUES_OF_A_TEXT = 1_000, 50
"""Bytes and values beside the numbers: of an answer, and of each text's part of it."""


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

    def ask_service(self, path: str, body: Mapping[str, Any], n_texts: int) -> Any:
        """The answer about so many texts, which may be as long as their vectors make it. Raises EmbedderError."""
        width = (self._info.dimension if self._info else self._dimension) or MAX_DIMENSION
        n_bytes = _ROOM + n_texts * (_ROOM_OF_A_TEXT + width * _NUMBER_BYTES)
        n_values = _VALUES + n_texts * (_VALUES_OF_A_TEXT + width)
        return self.service.post(path, body, max_bytes=min(n_bytes, MAX_ANSWER_BYTES), max_values=n_values)

    def _ask(self, texts: list[str]) -> Vectors:
        width = self._info.dimension if self._info else self._dimension
        return checked(self.answer(texts), len(texts), width, fail=self._fail)

    def _fail(self, message: str) -> EmbedderError:
        return self.service.error(message, hint=f"model {self.model!r}: is it an embedding model of that width?")

    @abstractmethod
    def answer(self, texts: list[str]) -> Any:
        """The rows the service answers for ``texts``, in their order, unchecked."""
