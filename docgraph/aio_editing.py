"""The async face of edits and their history: the same names, with the work done in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from docgraph.aio_runs import AsyncSavedRuns
from docgraph.domain.edit import Edit
from docgraph.domain.exchange import RelationshipDiff
from docgraph.domain.graph import Relationship
from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey


class AsyncEditing(AsyncSavedRuns):
    """What ``AsyncDocgraph`` changes by hand; every method is awaited."""

    async def edit(
        self,
        edits: Sequence[Edit],
        *,
        by: str,
        reason: str = "",
        dry_run: bool = False,
        expected: Mapping[EdgeKey, str] | None = None,
        new_types: bool = False,
    ) -> tuple[HistoryEntry, ...]:
        """Change relationships, with a name and a reason; see ``Docgraph.edit``."""
        return await asyncio.to_thread(
            self._docgraph.edit, edits, by=by, reason=reason, dry_run=dry_run, expected=expected, new_types=new_types
        )

    async def add_relationship(self, relationship: Relationship, *, by: str = "python", reason: str = "") -> None:
        """Add a whole relationship; see ``Docgraph.add_relationship``."""
        await asyncio.to_thread(self._docgraph.add_relationship, relationship, by=by, reason=reason)

    async def update_relationship(
        self, key: EdgeKey, relationship: Relationship, *, by: str = "python", reason: str = ""
    ) -> None:
        """Put a whole relationship in the place of another; see ``Docgraph.update_relationship``."""
        await asyncio.to_thread(self._docgraph.update_relationship, key, relationship, by=by, reason=reason)

    async def remove_relationship(self, key: EdgeKey, *, by: str = "python", reason: str = "") -> Relationship:
        """Remove a relationship and return it; see ``Docgraph.remove_relationship``."""
        return await asyncio.to_thread(self._docgraph.remove_relationship, key, by=by, reason=reason)

    async def history(
        self, *, key: EdgeKey | None = None, document_id: str | None = None, limit: int = 200, before: int | None = None
    ) -> tuple[HistoryEntry, ...]:
        """Edits of relationships, newest first; see ``Docgraph.history``."""
        return await asyncio.to_thread(
            self._docgraph.history, key=key, document_id=document_id, limit=limit, before=before
        )

    async def undo(
        self,
        entry_id: int,
        *,
        by: str,
        reason: str = "",
        expected: Mapping[EdgeKey, str] | None = None,
        dry_run: bool = False,
    ) -> HistoryEntry:
        """Take back one entry of the history; see ``Docgraph.undo``."""
        return await asyncio.to_thread(
            self._docgraph.undo, entry_id, by=by, reason=reason, expected=expected, dry_run=dry_run
        )

    async def undo_act(self, act: str, *, by: str, reason: str = "", dry_run: bool = False) -> tuple[HistoryEntry, ...]:
        """Take back every entry of one call, all or none; see ``Docgraph.undo_act``."""
        return await asyncio.to_thread(self._docgraph.undo_act, act, by=by, reason=reason, dry_run=dry_run)

    async def read_relationship_file(
        self, data: bytes, *, name: str = "", new_types: bool = False, remove_missing: bool = False
    ) -> RelationshipDiff:
        """What a file would do to the relationships; see ``Docgraph.read_relationship_file``."""
        return await asyncio.to_thread(
            self._docgraph.read_relationship_file, data, name=name, new_types=new_types, remove_missing=remove_missing
        )

    async def import_relationships(
        self,
        source: RelationshipDiff | bytes,
        *,
        by: str,
        reason: str = "",
        dry_run: bool = False,
        name: str = "",
        new_types: bool = False,
        remove_missing: bool = False,
    ) -> tuple[HistoryEntry, ...]:
        """Do what a file asks for; see ``Docgraph.import_relationships``."""
        return await asyncio.to_thread(
            self._docgraph.import_relationships,
            source,
            by=by,
            reason=reason,
            dry_run=dry_run,
            name=name,
            new_types=new_types,
            remove_missing=remove_missing,
        )

    async def blocking(self, entry_id: int) -> tuple[HistoryEntry, ...]:
        """Entries that have to be undone before this one; see ``Docgraph.blocking``."""
        return await asyncio.to_thread(self._docgraph.blocking, entry_id)
