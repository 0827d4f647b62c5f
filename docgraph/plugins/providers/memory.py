"""Conversation memory: what was said before, by similarity, words and recency. Goes first in conversations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docgraph.domain.packet import PacketMode, PacketRequest, ProviderHit, ProviderStatus
    from docgraph.ports.retrieval import Access

FLOOR = 0.3
"""The least similarity (cosine) of a memory that holds none of the question's words."""


@dataclass(frozen=True)
class MemoryProvider:
    """The memories of the workspace; its order is a fusion of three rankings already, so no reranker is asked.

    A memory that shares no word with the question and points another way would only push documents out: it is left
    out. Where nothing fits, nothing is said, and the documents stand alone.
    """

    name: str = "memory"
    modes: tuple[PacketMode, ...] = ("conversation",)
    priority: int = 1
    stands_in_for: str | None = None
    native_rerank: bool = True
    floor: float = FLOOR

    def status(self) -> ProviderStatus:
        """Always to be asked; a database that is down is found out by asking."""
        return "available"

    def search(self, request: PacketRequest, access: Access) -> Sequence[ProviderHit]:
        """The memories that fit, in the order of ``domain.memory.fused_order``."""
        hits = access.memories(request.query, request.top_k)
        return [hit for hit in hits if hit.metadata["words"] > 0 or (hit.score or 0.0) >= self.floor]


build = MemoryProvider
