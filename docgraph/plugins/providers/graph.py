"""Matches and related documents: a plan selects the documents, and execution reads from those (MS5). The default."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docgraph.plugins.providers._plans import plan_request

if TYPE_CHECKING:
    from docgraph.domain.packet import PacketMode, PacketRequest, ProviderHit, ProviderStatus
    from docgraph.ports.retrieval import Access


@dataclass(frozen=True)
class GraphProvider:
    """Plan, then execute; with ``use_relationships=False`` in the request it answers like MS3."""

    name: str = "graph"
    modes: tuple[PacketMode, ...] = ("fast", "accurate", "conversation")
    priority: int = 10
    stands_in_for: str | None = None
    native_rerank: bool = False
    keeps_places: bool = True

    def status(self) -> ProviderStatus:
        """Always to be asked; a database that is down is found out by asking."""
        return "available"

    def search(self, request: PacketRequest, access: Access) -> Sequence[ProviderHit]:
        """The best chunk of each planned document, in plan order, and what else there is room for, by similarity."""
        return access.evidence(plan_request(request, use_relationships=request.use_relationships))


build = GraphProvider
