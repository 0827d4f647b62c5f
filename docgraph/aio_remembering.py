"""The async face of conversation memory: the same names, with the work done in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from docgraph.aio_retrieving import AsyncRetrieving
from docgraph.domain.memory import Memory, MemoryHit, MemoryItem, Remembered
from docgraph.orchestration.memories import DEFAULT_CONVERSATION


class AsyncRemembering(AsyncRetrieving):
    """What ``AsyncDocgraph`` remembers of conversations; every method is awaited."""

    async def remember(
        self, items: str | MemoryItem | Sequence[str | MemoryItem], *, conversation_id: str = DEFAULT_CONVERSATION
    ) -> Remembered:
        """Keep texts of a conversation; see ``Docgraph.remember``."""
        return await asyncio.to_thread(self._docgraph.remember, items, conversation_id=conversation_id)

    async def recall(self, query: str, limit: int = 5, *, conversation_id: str | None = None) -> tuple[MemoryHit, ...]:
        """Memories that fit a question, best first; see ``Docgraph.recall``."""
        return await asyncio.to_thread(self._docgraph.recall, query, limit, conversation_id=conversation_id)

    async def memories(
        self, *, conversation_id: str | None = None, limit: int = 200, before: int | None = None
    ) -> tuple[Memory, ...]:
        """What is remembered, newest first; see ``Docgraph.memories``."""
        return await asyncio.to_thread(
            self._docgraph.memories, conversation_id=conversation_id, limit=limit, before=before
        )

    async def forget(self, *, conversation_id: str | None = None, memory_ids: Sequence[str] | None = None) -> int:
        """Remove memories; see ``Docgraph.forget``."""
        return await asyncio.to_thread(self._docgraph.forget, conversation_id=conversation_id, memory_ids=memory_ids)
