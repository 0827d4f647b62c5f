"""Providers and rerankers that answer as a test wants, and a docgraph that asks them instead of a database."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from docgraph.domain.packet import PacketMode, PacketRequest, ProviderHit, ProviderStatus
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores.memory import MemoryDatabase
from docgraph.ports.retrieval import Access, Reranked
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

NOW = "2026-05-01T10:00:00+00:00"
MODES: tuple[PacketMode, ...] = ("fast", "accurate", "conversation")


@dataclass(frozen=True)
class FakeProvider:
    """Answers with ``answer(request)``."""

    answer: Callable[[PacketRequest], Any]
    name: str = "fake"
    modes: tuple[PacketMode, ...] = MODES
    priority: int = 10
    stands_in_for: str | None = None
    native_rerank: bool = False
    keeps_places: bool = False
    health: ProviderStatus = "available"

    def status(self) -> ProviderStatus:
        """As it was made."""
        return self.health

    def search(self, request: PacketRequest, access: Access) -> Sequence[ProviderHit]:
        """Whatever the test wants."""
        found: Sequence[ProviderHit] = self.answer(request)
        return found


@dataclass
class FakeReranker:
    """Answers with ``answer(texts)`` and remembers what it was asked."""

    answer: Callable[[Sequence[str]], Any]
    name: str = "fake-reranker"
    asked: list[Sequence[str]] = field(default_factory=list)

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[Reranked]:
        """Whatever the test wants."""
        self.asked.append(texts)
        found: Sequence[Reranked] = self.answer(texts)
        return found


def hit(name: str, score: Any = 0.9, *, text: str | None = None, **fields: Any) -> ProviderHit:
    """A hit with a score that is its confidence."""
    content = f"text of {name}" if text is None else text
    return ProviderHit(key=(name, "0"), content=content, score=score, **{"score_kind": "probability", **fields})


def slowly(seconds: float) -> Callable[[PacketRequest], Any]:
    """An answer that takes its time."""

    def answer(_: PacketRequest) -> Any:
        time.sleep(seconds)
        return [hit("late")]

    return answer


def failing(error: BaseException) -> Callable[..., Any]:
    """An answer that is an exception."""

    def answer(*_: Any) -> Any:
        raise error

    return answer


def asking(*providers: FakeProvider, reranker: FakeReranker | None = None, timeout: float = 5.0) -> Docgraph:
    """A docgraph with these providers alone; time stands still."""
    adapters = Adapters(
        database=MemoryDatabase(),
        embedder=HashingEmbedder(),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
        now=lambda: NOW,
        providers=providers,
        provider_timeout=timeout,
        reranker=reranker,
    )
    return Docgraph(adapters, "default")
