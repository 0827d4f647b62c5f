"""Conversations over providers that answer from a script, so that every branch can be had at will."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from docgraph.domain.conversation import ConversationState, FocusDocument, Turn
from docgraph.domain.packet import PacketMode, PacketRequest, ProviderHit, ProviderStatus
from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.embedders import wordllama
from docgraph.plugins.stores.memory import MemoryDatabase
from docgraph.ports import Embedder
from docgraph.ports.retrieval import Access
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

NOW = "2026-05-01T10:00:00+00:00"
MODES: tuple[PacketMode, ...] = ("fast", "accurate", "conversation")
Script = Sequence[Any]
"""What a provider answers, call by call; the last one for all further calls.

A list of hits (``[document_id, title, doc_type, heading, confidence]``), ``"raises"``, or ``"nonsense"``.
"""


@dataclass
class ScriptedProvider:
    """Answers call by call from its script."""

    name: str
    script: Script
    health: ProviderStatus = "available"
    priority: int = 10
    stands_in_for: str | None = None
    modes: tuple[PacketMode, ...] = MODES
    native_rerank: bool = False
    n_calls: int = 0

    def status(self) -> ProviderStatus:
        """As the script says."""
        return self.health

    def search(self, request: PacketRequest, access: Access) -> Sequence[ProviderHit]:
        """The next answer."""
        answer = self.script[min(self.n_calls, len(self.script) - 1)] if self.script else []
        self.n_calls += 1
        if answer == "raises":
            raise StoreError("the database is down", hint="")
        if answer == "nonsense":
            nonsense: Any = {"no": "hits"}
            return nonsense  # type: ignore[no-any-return]
        return [_hit(place, *each) for place, each in enumerate(answer)]


def _hit(place: int, name: str, title: str, doc_type: str, heading: str, confidence: float) -> ProviderHit:
    path = [heading] if heading else []
    return ProviderHit(
        key=(name, str(place)),
        content=f"{title} {heading} {place}",
        source=" › ".join((title, *path)),
        score=confidence,
        score_kind="probability",
        channels=(doc_type,) if doc_type else (),
        metadata={"document_id": name, "title": title, "doc_type": doc_type, "heading_path": path},
    )


@cache
def default_embedder() -> Embedder:
    """The one that docgraph has by default, loaded once."""
    return wordllama.build()


def scripted(
    scripts: Mapping[str, Script],
    *,
    health: Mapping[str, ProviderStatus] | None = None,
    embedder: Embedder | None = None,
) -> Docgraph:
    """A docgraph whose providers are those of ``scripts``, in this order; all but the first stand in for it."""
    names = list(scripts)
    providers = tuple(
        ScriptedProvider(
            name=name,
            script=script,
            health=(health or {}).get(name, "available"),
            priority=10 * place,
            stands_in_for=names[0] if place > 1 else None,
        )
        for place, (name, script) in enumerate(scripts.items(), start=1)
    )
    adapters = Adapters(
        database=MemoryDatabase(),
        embedder=embedder or HashingEmbedder(),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
        now=lambda: NOW,
        providers=providers,
    )
    return Docgraph(adapters, "default")


def talk(docgraph: Docgraph, *texts: str, state: ConversationState | None = None, **options: Any) -> list[Turn]:
    """The turns of a conversation."""
    turns: list[Turn] = []
    for text in texts:
        turns.append(docgraph.converse(state, text, **options))
        state = turns[-1].state
    return turns


def nowhere(texts: Sequence[str]) -> None:
    """A vector function that has no vectors."""


def after(question: str = "", *documents: tuple[str, str, str], **fields: Any) -> ConversationState:
    """The state in which a question was answered from documents (id, title, type)."""
    topic = tuple(word.strip("?.").casefold() for word in question.split() if len(word) > 4)
    focus = tuple(FocusDocument(document_id=i, title=t, doc_type=d) for i, t, d in documents)
    return ConversationState(question=question, topic=topic[:12], documents=focus, **fields)
