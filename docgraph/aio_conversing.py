"""The async face of conversations."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from docgraph.aio_retrieving import AsyncRetrieving
from docgraph.domain.conversation import ConversationState, Turn
from docgraph.domain.packet import PacketMode, ProviderStatus
from docgraph.orchestration.conversations import THRESHOLD


class AsyncConversing(AsyncRetrieving):
    """What ``AsyncDocgraph`` says in conversations; every method is awaited."""

    async def converse(
        self,
        state: ConversationState | None,
        text: str,
        *,
        mode: PacketMode = "conversation",
        channel: str | None = None,
        top_k: int = 5,
        threshold: float = THRESHOLD,
        flags: Mapping[str, bool] | None = None,
        statuses: Mapping[str, ProviderStatus] | None = None,
        timeout: float | None = None,
        provider_override: str | None = None,
    ) -> Turn:
        """One turn of a conversation; see ``Docgraph.converse``."""
        return await asyncio.to_thread(
            self._docgraph.converse,
            state,
            text,
            mode=mode,
            channel=channel,
            top_k=top_k,
            threshold=threshold,
            flags=flags,
            statuses=statuses,
            timeout=timeout,
            provider_override=provider_override,
        )
