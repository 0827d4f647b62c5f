"""Chunks that hold the question's words, by PostgreSQL's full text: finds names and codes that vectors do not know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docgraph.domain.packet import PacketMode, PacketRequest, ProviderHit, ProviderStatus
    from docgraph.ports.retrieval import Access


@dataclass(frozen=True)
class LexicalProvider:
    """Ordered by words (``ts_rank_cd``); the score, of which a confidence is made, is the cosine of the same chunk."""

    name: str = "lexical"
    modes: tuple[PacketMode, ...] = ("fast", "accurate")
    priority: int = 30
    stands_in_for: str | None = None
    native_rerank: bool = False

    def status(self) -> ProviderStatus:
        """Always to be asked; a database that is down is found out by asking."""
        return "available"

    def search(self, request: PacketRequest, access: Access) -> Sequence[ProviderHit]:
        """The chunks in which the words stand most often and closest together."""
        return access.full_text(request.query, request.top_k)


build = LexicalProvider
