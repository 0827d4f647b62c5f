"""What people decided about relationships, asked of PostgreSQL, and what of it an import contests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docgraph.domain.decisions import Decision, decisions
from docgraph.domain.dismissal import Contested
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Relationship
from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey
from docgraph.plugins.stores._rows.history import key_hash
from docgraph.plugins.stores.postgres.connections import Connection

ENTRIES = """
SELECT h.entry_id, h.act, h.at, h.by, h.reason, h.edit::text, h.before::text, h.after::text, h.undoes, u.entry_id
FROM docgraph.relationship_history h
LEFT JOIN docgraph.relationship_history u ON u.workspace = h.workspace AND u.undoes = h.entry_id"""
# One lookup in an index for each key or document: of one condition over all of them (&&) the planner makes a look at
# every entry. An entry that several of them found comes several times.
_FOUND = """
  SELECT h.* FROM unnest(%(wanted)s::text[]) AS wanted (value), LATERAL (
    SELECT * FROM docgraph.relationship_history
    WHERE {column} @> ARRAY[wanted.value] AND workspace = %(workspace)s) AS h"""
_ABOUT = ENTRIES.replace("docgraph.relationship_history h", f"({_FOUND.replace('{column}', 'keys')}) AS h", 1)
_KEY = "h.{side}->>'from_document_id', h.{side}->>'relation_type', h.{side}->>'to_document_id'"
_AT_DOCUMENTS = f"""
SELECT h.entry_id, h.undoes, u.entry_id, {_KEY.replace("{side}", "before")}, {_KEY.replace("{side}", "after")}
FROM ({_FOUND.replace("{column}", "document_ids")}) AS h
LEFT JOIN docgraph.relationship_history u ON u.workspace = h.workspace AND u.undoes = h.entry_id"""
_FORGET = """
DELETE FROM docgraph.contested_relationships WHERE workspace = %s AND from_document_id = ANY(%s::text[])"""
_FORGET_KEYS = """
DELETE FROM docgraph.contested_relationships c USING unnest(%s::text[], %s::text[], %s::text[]) AS k (f, t, d)
WHERE c.workspace = %s AND c.from_document_id = k.f AND c.relation_type = k.t AND c.to_document_id = k.d"""
_CONTEST = """
INSERT INTO docgraph.contested_relationships
  (workspace, from_document_id, relation_type, to_document_id, kind, relationship, entry_id, at)
SELECT %s, * FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::json[], %s::bigint[], %s::text[])"""


def decisions_about(connection: Connection, workspace: str, keys: Sequence[EdgeKey]) -> dict[EdgeKey, HistoryEntry]:
    """Relationship → the last standing decision about it, for ``keys`` (and for others that their entries touched)."""
    if not keys:
        return {}
    rows = connection.execute(_ABOUT.encode(), {"workspace": workspace, "wanted": sorted(map(key_hash, keys))})
    return decisions(map(entry_of, rows.fetchall()))


def decisions_from(connection: Connection, workspace: str, document_ids: Sequence[str]) -> dict[EdgeKey, Decision]:
    """The same for every relationship that starts at one of these documents."""
    rows = connection.execute(_AT_DOCUMENTS.encode(), {"workspace": workspace, "wanted": list(document_ids)})
    return decisions(map(_decision, rows.fetchall()))


def forget_contested(connection: Connection, workspace: str, document_ids: Sequence[str]) -> None:
    """Nothing is contested of these documents any more."""
    connection.execute(_FORGET.encode(), (workspace, list(document_ids)))


def forget_contested_keys(connection: Connection, workspace: str, keys: Sequence[EdgeKey]) -> None:
    """Nothing is contested of these relationships any more."""
    columns = ([key[place] for key in keys] for place in range(3))
    connection.execute(_FORGET_KEYS.encode(), (*columns, workspace))


def put_contested(connection: Connection, workspace: str, contested: Sequence[Contested]) -> None:
    """Remember them; their keys must be free."""
    if not contested:
        return
    keys = [each.relationship.key for each in contested]
    columns = (
        *([key[place] for key in keys] for place in range(3)),
        [each.kind for each in contested],
        [each.relationship.model_dump_json() for each in contested],
        [each.entry_id for each in contested],
        [each.at for each in contested],
    )
    connection.execute(_CONTEST.encode(), (workspace, *columns))


def entry_of(row: tuple[Any, ...]) -> HistoryEntry:
    """An entry from a row of ``ENTRIES``."""
    entry_id, act, at, by, reason, edit, before, after, undoes, undone_by = row
    return HistoryEntry(
        entry_id=entry_id,
        act=str(act),
        at=at,
        by=by,
        reason=reason,
        edit=Edit.model_validate_json(edit),
        before=None if before is None else Relationship.model_validate_json(before),
        after=None if after is None else Relationship.model_validate_json(after),
        undoes=undoes,
        undone_by=undone_by,
    )


def _decision(row: tuple[Any, ...]) -> Decision:
    before, after = (row[start : start + 3] for start in (3, 6))
    there: list[EdgeKey] = [key for key in (before, after) if key[0] is not None]
    return Decision(row[0], row[1], row[2], frozenset(there), None if after[0] is None else after)
