"""The async face of judgments: the same names, with the work done in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from docgraph.aio_runs import AsyncSavedRuns
from docgraph.domain.judgment import Judgment, JudgmentsImported


class AsyncJudging(AsyncSavedRuns):
    """Which documents ``AsyncDocgraph`` was told to be relevant; every method is awaited."""

    async def judge(self, query: str, document_id: str, relevant: bool | None, *, by: str) -> Judgment | None:
        """Say whether a document helps to answer a question; see ``Docgraph.judge``."""
        return await asyncio.to_thread(self._docgraph.judge, query, document_id, relevant, by=by)

    async def judgments(self, query: str | None = None) -> tuple[Judgment, ...]:
        """What was said about all questions, or about one; see ``Docgraph.judgments``."""
        return await asyncio.to_thread(self._docgraph.judgments, query)

    async def import_judgments(self, relevant: Mapping[str, Sequence[str]], *, by: str) -> JudgmentsImported:
        """Judge documents relevant that a file names; see ``Docgraph.import_judgments``."""
        return await asyncio.to_thread(self._docgraph.import_judgments, relevant, by=by)
