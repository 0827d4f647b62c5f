"""The async face of the retrieval contract: the same name, with the work done in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from docgraph.aio_editing import AsyncEditing
from docgraph.domain.packet import ConfidenceSummary, PacketRequest, ProviderStatus, RetrievalResponse
from docgraph.domain.run import Run


class AsyncRetrieving(AsyncEditing):
    """What ``AsyncDocgraph`` retrieves by contract; every method is awaited."""

    async def retrieve(
        self,
        request: PacketRequest | str,
        *,
        flags: Mapping[str, bool] | None = None,
        statuses: Mapping[str, ProviderStatus] | None = None,
        timeout: float | None = None,
    ) -> RetrievalResponse:
        """A packet and a next action, always; see ``Docgraph.retrieve``."""
        return await asyncio.to_thread(
            self._docgraph.retrieve, request, flags=flags, statuses=statuses, timeout=timeout
        )

    async def confidence_in(
        self, run: Run, *, threshold: float = PacketRequest.model_fields["threshold"].default
    ) -> ConfidenceSummary | None:
        """How sure the passages of a run are; see ``Docgraph.confidence_in``."""
        return await asyncio.to_thread(self._docgraph.confidence_in, run, threshold=threshold)
