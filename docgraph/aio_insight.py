"""The async face of what a curator looks at: the same names, with the work done in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from docgraph.aio_runs import AsyncSavedRuns
from docgraph.domain.edge_evidence import EdgeEvidence
from docgraph.domain.edit import Edit
from docgraph.domain.suggestion import Suggestions
from docgraph.domain.vocabulary import Vocabulary


class AsyncInsight(AsyncSavedRuns):
    """What ``AsyncDocgraph`` shows to a curator; every method is awaited."""

    async def vocabulary(self) -> Vocabulary:
        """The relation types and how they are used; see ``Docgraph.vocabulary``."""
        return await asyncio.to_thread(self._docgraph.vocabulary)

    async def suggestions(self) -> Suggestions:
        """Relationships that nobody stated yet; see ``Docgraph.suggestions``."""
        return await asyncio.to_thread(self._docgraph.suggestions)

    async def evidence(self, a_id: str, b_id: str) -> EdgeEvidence:
        """What two documents say about a relationship between them; see ``Docgraph.evidence``."""
        return await asyncio.to_thread(self._docgraph.evidence, a_id, b_id)

    async def merge_edits(self, types: Sequence[str], into: str) -> tuple[Edit, ...]:
        """The edits that merge relation types; see ``Docgraph.merge_edits``."""
        return await asyncio.to_thread(self._docgraph.merge_edits, types, into)
