"""Edits and their history in PostgreSQL: relationships and entries change in one transaction, or neither does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from docgraph.plugins.stores._rows.decided import key_hash
from docgraph.plugins.stores._rows.history import (
    already_there,
    check_unchanged,
    check_undoes,
    entries_of,
    no_start,
    ready_changes,
)
from docgraph.plugins.stores._rows.moving import following, starts_of
from docgraph.plugins.stores.postgres.connections.naming import Connection
from docgraph.plugins.stores.postgres.decided import columns_of, entry_of
from docgraph.plugins.stores.postgres.statements import family, with_parts
from docgraph.plugins.stores.postgres.workspaces import hold
from docgraph.plugins.stores.postgres.writing import edge_of

if TYPE_CHECKING:
    from docgraph.domain.graph import Relationship
    from docgraph.domain.history import HistoryEntry
    from docgraph.domain.overrides import EdgeKey
    from docgraph.plugins.stores.postgres.connections.naming import Connection
    from docgraph.plugins.stores.postgres.writing import Writing
    from docgraph.ports import EdgeChange

MAX_ENTRY = 2**63 - 1
SQL, JUDGMENTS, READING, WRITING = (family(name) for name in ("history", "judgments", "reading", "writing"))


def change(
    writing: Writing, workspace: str, changes: Sequence[EdgeChange], *, at: str, by: str, reason: str
) -> tuple[HistoryEntry, ...]:
    """Do all ``changes`` in the caller's transaction and write them down. Raises as the port says.

    Their documents are locked first, so of two who change one relationship the second meets what the first left.
    """
    writing.lock(sorted({edge.from_document_id for each in changes for edge in (each.before, each.after) if edge}))
    for each in changes:
        _change_one(writing, each)
    # The workspace's row is locked late and for a moment; entries are numbered in the order in which they commit.
    hold(writing.connection, workspace, alone=True)
    _check_undone(writing, workspace, changes)
    first = writing.rows(SQL["next_entry"], {"workspace": workspace})[0][0]
    entries = entries_of(changes, first=first, at=at, by=by, reason=reason)
    for entry in entries:
        writing.execute(SQL["insert"], _row(workspace, entry))
    return entries


def find(
    connection: Connection,
    workspace: str,
    *,
    key: EdgeKey | None,
    document_id: str | None,
    limit: int,
    before: int | None,
) -> tuple[HistoryEntry, ...]:
    """Entries, newest first."""
    values: dict[str, Any] = {
        "workspace": workspace,
        "before": MAX_ENTRY if before is None else min(before, MAX_ENTRY),
        "limit": limit,
        "key": None if key is None else key_hash(key),
        "document_id": document_id,
    }
    statement = finding(of_key=key is not None, of_document=document_id is not None)
    return tuple(map(entry_of, connection.execute(statement.encode(), values).fetchall()))


def finding(*, of_key: bool, of_document: bool) -> str:
    """The statement that lists entries: all, those of a relationship, those of a document, or those that are both."""
    chosen = (f" {SQL['of_key']}" if of_key else "") + (f" {SQL['of_document']}" if of_document else "")
    return with_parts(SQL["find"], **{"and": chosen})


def carry_over(
    writing: Writing, workspace: str, moves: Mapping[str, str], *, at: str, by: str
) -> tuple[HistoryEntry, ...]:
    """See ``ports.GraphWriter.carry_over``; the workspace is locked, as anybody may point at a moved document."""
    writing.execute(WRITING["lock_workspace"], {"schema": writing.schema, "ids": []})
    stored = _hashes(writing, {*moves, *moves.values()})
    known = {old: new for old, new in moves.items() if old in stored and new in stored}
    if not known:
        return ()
    ids = sorted({*known, *known.values()})
    edges = [edge_of(row) for row in writing.rows(WRITING["edges_at"], {"ids": ids})]
    entries = {entry.entry_id: entry for old in known for entry in _history(writing, workspace, old)}
    hashes = _hashes(writing, starts_of(known, list(entries.values())))
    found = following(known, edges, entries.values(), content_hashes=hashes)
    writing.change.edges_went(writing.rows(WRITING["delete_edges_of_keys"], columns_of(found.cleared)))
    writing.copy_edges(found.put)
    written: tuple[HistoryEntry, ...] = ()
    if found.changes:
        written = change(writing, workspace, ready_changes(found.changes), at=at, by=by, reason="")
    values = {"workspace": workspace, "old": list(known), "new": list(known.values())}
    writing.execute(JUDGMENTS["move"], values)
    writing.execute(JUDGMENTS["move_passages"], values)
    writing.delete(sorted(known))
    return written


def _change_one(writing: Writing, each: EdgeChange) -> None:
    if each.before is not None:
        rows = writing.rows(SQL["delete_edge"], _values(each.before.key))
        now = each.before.model_copy(update={"relationship_metadata": rows[0][1]}) if rows else None
        check_unchanged(each.before, now)
        writing.change.edges_went(rows)
    if each.after is not None:
        key = each.after.key
        has_start, is_there = writing.rows(SQL["is_there"], {"start": key[0], **_values(key)})[0]
        if not has_start:
            raise no_start(each.after.from_document_id)
        if is_there:
            raise already_there(each.after.key)
        writing.copy_edges([each.after])


def _check_undone(writing: Writing, workspace: str, changes: Sequence[EdgeChange]) -> None:
    undoes = [each.undoes for each in changes if each.undoes is not None]
    asked = {"workspace": workspace, "entry_ids": undoes}
    there = dict(writing.rows(SQL["undone_by"], asked)) if undoes else {}
    for place, entry_id in enumerate(undoes):
        check_undoes(entry_id, there)
        there[entry_id] = place  # the same entry twice in one act


def _values(key: EdgeKey) -> dict[str, str]:
    return dict(zip(("from", "type", "to"), key, strict=True))


def _row(workspace: str, entry: HistoryEntry) -> dict[str, Any]:
    documents = sorted({document_id for key in entry.keys for document_id in (key[0], key[2])})
    return {
        "workspace": workspace,
        "entry_id": entry.entry_id,
        "act": int(entry.act),
        "at": entry.at,
        "by": entry.by,
        "reason": entry.reason,
        "edit": entry.edit.model_dump_json(),
        "before": _json(entry.before),
        "after": _json(entry.after),
        "undoes": entry.undoes,
        "keys": sorted(map(key_hash, entry.keys)),
        "document_ids": documents,
    }


def _json(edge: Relationship | None) -> str | None:
    return None if edge is None else edge.model_dump_json()


def _hashes(writing: Writing, document_ids: set[str]) -> dict[str, str]:
    return dict(writing.rows(READING["content_hashes_of"], {"ids": sorted(document_ids)}))


def _history(writing: Writing, workspace: str, document_id: str) -> tuple[HistoryEntry, ...]:
    return find(writing.connection, workspace, key=None, document_id=document_id, limit=MAX_ENTRY, before=None)
