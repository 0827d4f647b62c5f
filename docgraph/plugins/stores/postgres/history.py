"""Edits and their history in PostgreSQL: relationships and entries change in one transaction, or neither does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docgraph.domain.graph import Relationship
from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey
from docgraph.errors import NotFoundError
from docgraph.plugins.stores._rows.history import (
    already_there,
    check_unchanged,
    check_undoes,
    entries_of,
    key_hash,
    no_start,
)
from docgraph.plugins.stores.postgres.connections import Connection
from docgraph.plugins.stores.postgres.decisions import ENTRIES, entry_of
from docgraph.plugins.stores.postgres.writing import Writing
from docgraph.ports import EdgeChange

MAX_ENTRY = 2**63 - 1
_DELETE_EDGE = """
DELETE FROM {schema}.document_relationships
WHERE from_document_id = %s AND relation_type = %s AND to_document_id = %s
RETURNING fingerprint, relationship_metadata"""
_IS_THERE = """
SELECT EXISTS (SELECT 1 FROM {schema}.document_nodes WHERE document_id = %s), EXISTS (
  SELECT 1 FROM {schema}.document_relationships
  WHERE from_document_id = %s AND relation_type = %s AND to_document_id = %s)"""
_LOCK_WORKSPACE = "SELECT name FROM docgraph.workspaces WHERE name = %s FOR UPDATE"
_NEXT = "SELECT COALESCE(max(entry_id), 0) + 1 FROM docgraph.relationship_history WHERE workspace = %s"
_UNDONE_BY = """
SELECT h.entry_id, u.entry_id FROM docgraph.relationship_history h
LEFT JOIN docgraph.relationship_history u ON u.workspace = h.workspace AND u.undoes = h.entry_id
WHERE h.workspace = %s AND h.entry_id = ANY(%s::bigint[])"""
_INSERT = """
INSERT INTO docgraph.relationship_history
  (workspace, entry_id, act, at, by, reason, edit, before, after, undoes, keys, document_ids)
VALUES (%(workspace)s, %(entry_id)s, %(act)s, %(at)s, %(by)s, %(reason)s, %(edit)s::json, %(before)s::json,
        %(after)s::json, %(undoes)s, %(keys)s::text[], %(document_ids)s::text[])"""
_FIND = f"""{ENTRIES}
WHERE h.workspace = %(workspace)s AND h.entry_id < %(before)s{{filter}}
ORDER BY h.entry_id DESC LIMIT %(limit)s"""
_OF_KEY = " AND h.keys @> ARRAY[%(key)s::text]"
_OF_DOCUMENT = " AND h.document_ids @> ARRAY[%(document_id)s::text]"


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
    if not writing.rows(_LOCK_WORKSPACE, (workspace,)):
        raise NotFoundError(f"there is no workspace {workspace!r} any more", hint="it was dropped meanwhile")
    _check_undone(writing, workspace, changes)
    first = writing.rows(_NEXT, (workspace,))[0][0]
    entries = entries_of(changes, first=first, at=at, by=by, reason=reason)
    for entry in entries:
        writing.execute(_INSERT, _row(workspace, entry))
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
    chosen = (_OF_KEY if key is not None else "") + (_OF_DOCUMENT if document_id is not None else "")
    values: dict[str, Any] = {
        "workspace": workspace,
        "before": MAX_ENTRY if before is None else min(before, MAX_ENTRY),
        "limit": limit,
        "key": None if key is None else key_hash(key),
        "document_id": document_id,
    }
    rows = connection.execute(_FIND.replace("{filter}", chosen).encode(), values).fetchall()
    return tuple(map(entry_of, rows))


def _change_one(writing: Writing, each: EdgeChange) -> None:
    if each.before is not None:
        rows = writing.rows(_DELETE_EDGE, each.before.key)
        now = each.before.model_copy(update={"relationship_metadata": rows[0][1]}) if rows else None
        check_unchanged(each.before, now)
        writing.change.edges_went(rows)
    if each.after is not None:
        has_start, is_there = writing.rows(_IS_THERE, (each.after.from_document_id, *each.after.key))[0]
        if not has_start:
            raise no_start(each.after.from_document_id)
        if is_there:
            raise already_there(each.after.key)
        writing.copy_edges([each.after])


def _check_undone(writing: Writing, workspace: str, changes: Sequence[EdgeChange]) -> None:
    undoes = [each.undoes for each in changes if each.undoes is not None]
    there = dict(writing.rows(_UNDONE_BY, (workspace, undoes))) if undoes else {}
    for place, entry_id in enumerate(undoes):
        check_undoes(entry_id, there)
        there[entry_id] = place  # the same entry twice in one act


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
