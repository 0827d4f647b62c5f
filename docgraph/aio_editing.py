"""The async face of edits and their history: the same names, with the work done in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from docgraph.aio_runs import AsyncSavedRuns
from docgraph.domain.edit import Edit
from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey


class AsyncEditing(AsyncSavedRuns):
    """What ``AsyncDocgraph`` changes by hand; every method is awaited."""

    async def edit(
        self, edits: Sequence[Edit], *, by: str, reason: str = "", dry_run: bool = False
    ) -> tuple[HistoryEntry, ...]:  # fmt: skip
        """Change relationships, with a name and a reason; see ``Docgraph.edit``."""
        return await asyncio.to_thread(self._docgraph.edit, edits, by=by, reason=reason, dry_run=dry_run)

    async def history(
        self, *, key: EdgeKey | None = None, document_id: str | None = None, limit: int = 200, before: int | None = None
    ) -> tuple[HistoryEntry, ...]:  # fmt: skip
        """Edits of relationships, newest first; see ``Docgraph.history``."""
        return await asyncio.to_thread(
            self._docgraph.history, key=key, document_id=document_id, limit=limit, before=before
        )  # fmt: skip

    async def undo(self, entry_id: int, *, by: str, reason: str = "") -> HistoryEntry:
        """Take back one entry of the history; see ``Docgraph.undo``."""
        return await asyncio.to_thread(self._docgraph.undo, entry_id, by=by, reason=reason)
