"""Everybody in docgraph who asks over HTTP: how each is built, asked, and answered rightly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from docgraph import plugins
from docgraph.boundary.retrievers import as_retriever, named_retriever
from docgraph.boundary.telemetry import exporter
from docgraph.domain.graph import Document
from docgraph.errors import EmbedderError

SECONDS = 0.25
"""Of one call as a whole."""
WIDTH = 4
TEXTS = ("Queue", "Slots of a sailing")
DOCUMENT = Document(document_id="a", title="A", text="Queues are limited.")


@dataclass(frozen=True)
class Client:
    """One of them, built: what asks, what ends it, and what a failure has to name."""

    ask: Callable[[], Any]
    close: Callable[[], None]
    names: tuple[str, ...]


Build = Callable[[str, float], Client]
FEW = {"attempts": 2, "first_pause": 0.001, "api_key": "sk-own-key-4711"}


def _service(kind: str, name: str, ask: Callable[[Any], Any], setting: str, **more: Any) -> Build:
    def build(url: str, seconds: float) -> Client:
        built = plugins.build(kind, name, url=url, model="m", timeout=seconds, **FEW, **more)
        service = built.chat.service if hasattr(built, "chat") else built.service
        return Client(lambda: ask(built), service.close, (url, setting))

    return build


def _named(url: str, seconds: float) -> Client:
    ask = named_retriever("ours", url, timeout=seconds)
    return Client(lambda: ask("why?"), lambda: None, ("'ours'", "DOCGRAPH_RETRIEVERS"))


def _url(url: str, seconds: float) -> Client:
    ask = as_retriever(url, timeout=seconds)
    return Client(lambda: ask("why?"), lambda: None, (url,))


def _collector(url: str, seconds: float) -> Client:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExportResult

    made = exporter(f"{url}/v1/traces", timeout=seconds)
    span = TracerProvider().get_tracer("t").start_span("s")
    span.end()

    def ask() -> None:
        if made.export([span]) is not SpanExportResult.SUCCESS:
            raise EmbedderError("not exported")

    return Client(ask, made.shutdown, ())


USERS: dict[str, Build] = {
    "retriever of the settings": _named,
    "retriever by its URL": _url,
    "openai_compatible": _service(
        "embedders", "openai_compatible", lambda built: built.embed(TEXTS), "DOCGRAPH_EMBEDDER_", dimension=WIDTH
    ),
    "ollama": _service("embedders", "ollama", lambda built: built.embed(TEXTS), "DOCGRAPH_EMBEDDER_"),
    "cohere": _service("rerankers", "cohere", lambda built: built.rerank("why?", TEXTS), "DOCGRAPH_RERANKER_"),
    "voyage": _service("rerankers", "voyage", lambda built: built.rerank("why?", TEXTS), "DOCGRAPH_RERANKER_"),
    **{
        f"rewriter, {protocol}": _service(
            "rewriters",
            "language_model",
            lambda built: built.rewrite("and now?", TEXTS, rules_query="why?"),
            "DOCGRAPH_REWRITER_",
            protocol=protocol,
        )
        for protocol in ("openai", "ollama")
    },
    **{
        f"summarizer, {protocol}": _service(
            "summarizers",
            "language_model",
            lambda built: built.summarize(DOCUMENT, None),
            "DOCGRAPH_SUMMARIZER_",
            protocol=protocol,
        )
        for protocol in ("openai", "ollama")
    },
    "collector of spans": _collector,
}


def right(asked: dict[str, Any]) -> Any:
    """The answer to a request of any of them."""
    if "messages" in asked:
        message = {"role": "assistant", "content": "Why is it?", "score": 0.5}
        return {"choices": [{"message": message}], "message": message}
    if "documents" in asked:
        items = [{"index": at, "relevance_score": 0.25 * at} for at in range(len(asked["documents"]))]
        return {"results": items, "data": items}
    if "input" in asked:
        rows = [[0.5, 1.5, 0.25, 0.125] for _ in asked["input"]]
        return {"data": [{"index": at, "embedding": row} for at, row in enumerate(rows)], "embeddings": rows}
    return {"results": [{"id": "a", "score": 0.5}, {"id": "b", "score": 0.25}]} if "query" in asked else {}


def finite(found: Any) -> bool:
    """Whether an answer that was taken holds numbers that are some, wherever it holds numbers."""
    if isinstance(found, np.ndarray):
        return bool(np.isfinite(found).all()) and bool((np.linalg.norm(found, axis=1) > 0.99).all())
    if isinstance(found, tuple):
        return all(0 <= each.score <= 1 for each in found)
    return all(np.isfinite(score) for _, score in found) if isinstance(found, list) else True
