"""The async face of the retrieval contract: the same name, with the work done in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from docgraph.aio_editing import AsyncEditing
from docgraph.domain.packet import PacketRequest, ProviderStatus, RetrievalResponse


class AsyncRetrieving(AsyncEditing):
    """What ``AsyncDocgraph`` retrieves by contract; every method is awaited."""

    async def retrieve(
        self, request: PacketRequest | str, *, flags: Mapping[str, bool] | None = None,
        statuses: Mapping[str, ProviderStatus] | None = None, timeout: float | None = None,
    ) -> RetrievalResponse:  # fmt: skip
        """A packet and a next action, always; see ``Docgraph.retrieve``."""
        return await asyncio.to_thread(
            self._docgraph.retrieve, request, flags=flags, statuses=statuses, timeout=timeout
        )  # fmt: skip
