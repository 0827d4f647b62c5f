"""Documents under new ids in PostgreSQL: what was decided follows and the old ones go, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from docgraph.plugins.stores._rows.history import ready_changes
from docgraph.plugins.stores._rows.moving import following, starts_of
from docgraph.plugins.stores.postgres.decided import columns_of
from docgraph.plugins.stores.postgres.history import MAX_ENTRY, change, find
from docgraph.plugins.stores.postgres.queries import SQL as READING
from docgraph.plugins.stores.postgres.statements import family
from docgraph.plugins.stores.postgres.writing import SQL, edge_of

if TYPE_CHECKING:
    from docgraph.domain.history import HistoryEntry
    from docgraph.plugins.stores.postgres.writing import Writing

JUDGMENTS = family("judgments")


def carry_over(
    writing: Writing, workspace: str, moves: Mapping[str, str], *, at: str, by: str
) -> tuple[HistoryEntry, ...]:
    """See ``ports.GraphWriter.carry_over``; the workspace is locked, as anybody may point at a moved document."""
    writing.execute(SQL["lock_workspace"], {"schema": writing.schema, "ids": []})
    stored = _hashes(writing, {*moves, *moves.values()})
    known = {old: new for old, new in moves.items() if old in stored and new in stored}
    if not known:
        return ()
    ids = sorted({*known, *known.values()})
    edges = [edge_of(row) for row in writing.rows(SQL["edges_at"], {"ids": ids})]
    entries = {entry.entry_id: entry for old in known for entry in _history(writing, workspace, old)}
    hashes = _hashes(writing, starts_of(known, list(entries.values())))
    found = following(known, edges, entries.values(), content_hashes=hashes)
    writing.change.edges_went(writing.rows(SQL["delete_edges_of_keys"], columns_of(found.cleared)))
    writing.copy_edges(found.put)
    written: tuple[HistoryEntry, ...] = ()
    if found.changes:
        written = change(writing, workspace, ready_changes(found.changes), at=at, by=by, reason="")
    values = {"workspace": workspace, "old": list(known), "new": list(known.values())}
    writing.execute(JUDGMENTS["move"], values)
    writing.execute(JUDGMENTS["move_passages"], values)
    writing.delete(sorted(known))
    return written


def _hashes(writing: Writing, document_ids: set[str]) -> dict[str, str]:
    return dict(writing.rows(READING["content_hashes_of"], {"ids": sorted(document_ids)}))


def _history(writing: Writing, workspace: str, document_id: str) -> tuple[HistoryEntry, ...]:
    return find(writing.connection, workspace, key=None, document_id=document_id, limit=MAX_ENTRY, before=None)
