"""Embeds with an Ollama server."""

from __future__ import annotations

from typing import Any

from docgraph.boundary.outbound.json_service import JsonService
from docgraph.plugins.embedders._service import ServiceEmbedder


def build(
    *,
    url: str = "http://127.0.0.1:11434",
    model: str = "nomic-embed-text",
    api_key: str = "",
    dimension: int | None = None,
    timeout: float = 120.0,
    batch_size: int = 32,
    attempts: int = 4,
    first_pause: float = 0.5,
) -> OllamaEmbedder:
    """``url`` is the server (it ends before ``/api``); the model must have been pulled there.

    ``timeout`` in seconds for one answer as a whole. Raises EmbedderError.
    """
    service = JsonService(
        url,
        what="Ollama server",
        setting="DOCGRAPH_EMBEDDER",
        api_key=api_key,
        timeout=timeout,
        attempts=attempts,
        first_pause=first_pause,
    )
    return OllamaEmbedder(service, model=model, dimension=dimension, batch_size=batch_size)


class OllamaEmbedder(ServiceEmbedder):
    """``POST /api/embed`` with ``{"model", "input", "truncate"}`` → ``{"embeddings": [[…]]}``, in order."""

    name = "ollama"

    def answer(self, texts: list[str]) -> Any:
        """The rows as they come; the server truncates texts that are longer than the model's window."""
        found = self.ask_service("/api/embed", {"model": self.model, "input": texts, "truncate": True}, len(texts))
        if not isinstance(found, dict) or "embeddings" not in found:
            raise self.service.error("answered without 'embeddings'", hint=f"ollama pull {self.model}")
        return found["embeddings"]
