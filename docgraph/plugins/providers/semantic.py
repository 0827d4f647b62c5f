"""Similar chunks without relationships (MS3): takes the place of ``graph`` where that one is off or down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docgraph.plugins.providers._plans import plan_request

if TYPE_CHECKING:
    from docgraph.domain.packet import PacketMode, PacketRequest, ProviderHit, ProviderStatus
    from docgraph.ports.retrieval import Access


@dataclass(frozen=True)
class SemanticProvider:
    """The same question with relationships disabled.

    It is not merged with ``graph``: that one answers like this one where nothing is related, and two lists of which one
    is blind to relationships would push the related documents out of the first places.
    """

    name: str = "semantic"
    modes: tuple[PacketMode, ...] = ("fast", "accurate", "conversation")
    priority: int = 20
    stands_in_for: str | None = "graph"
    native_rerank: bool = False
    keeps_places: bool = True

    def status(self) -> ProviderStatus:
        """Always to be asked; a database that is down is found out by asking."""
        return "available"

    def search(self, request: PacketRequest, access: Access) -> Sequence[ProviderHit]:
        """The same as ``graph`` would say of the plan without relationships."""
        return access.evidence(plan_request(request, use_relationships=False))


build = SemanticProvider
