"""Embeds over the OpenAI embeddings protocol, which many servers speak: vLLM, TEI, LM Studio, llama.cpp, LiteLLM …"""

from __future__ import annotations

from typing import Any

from docgraph.boundary.outbound.json_service import JsonService
from docgraph.plugins.embedders._service import ServiceEmbedder


def build(
    *,
    url: str = "",
    model: str = "",
    api_key: str = "",
    dimension: int | None = None,
    timeout: float = 60.0,
    batch_size: int = 64,
    attempts: int = 4,
    first_pause: float = 0.5,
    request_dimension: bool = False,
) -> OpenAICompatibleEmbedder:
    """``url`` is the base that ends before ``/embeddings`` (``http://127.0.0.1:8000/v1``); ``timeout`` in
    seconds for one answer as a whole.

    ``request_dimension`` asks the service to shorten its vectors to ``dimension``. 429, 5xx and lost connections are
    tried ``attempts`` times with growing pauses from ``first_pause`` seconds. Raises EmbedderError.
    """
    service = JsonService(
        url,
        what="embedding service",
        setting="DOCGRAPH_EMBEDDER",
        api_key=api_key,
        timeout=timeout,
        attempts=attempts,
        first_pause=first_pause,
    )
    embedder = OpenAICompatibleEmbedder(service, model=model, dimension=dimension, batch_size=batch_size)
    embedder.extra = {"dimensions": dimension} if request_dimension and dimension else {}
    return embedder


class OpenAICompatibleEmbedder(ServiceEmbedder):
    """``POST /embeddings`` with ``{"model", "input"}`` → ``{"data": [{"index", "embedding"}]}``."""

    name = "openai_compatible"
    extra: dict[str, Any]

    def answer(self, texts: list[str]) -> Any:
        """Rows by ``index``: the protocol does not promise their order."""
        body = {"model": self.model, "input": texts, "encoding_format": "float", **self.extra}
        found = self.ask_service("/embeddings", body, len(texts))
        data = found.get("data") if isinstance(found, dict) else None
        if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
            raise self.service.error("answered without a list called 'data'", hint="is this an embeddings URL?")
        places = [item.get("index", place) for place, item in enumerate(data)]
        if sorted(map(str, places)) != sorted(map(str, range(len(texts)))):
            raise self.service.error(f"gave {len(data)} vectors for {len(texts)} texts, or wrong indexes")
        return [
            item.get("embedding") for _, item in sorted(zip(places, data, strict=True), key=lambda pair: int(pair[0]))
        ]
