"""Decisions in PostgreSQL: about relationships, what of them an import contests, and about relation types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from docgraph.domain.decisions import Decision, decisions
from docgraph.domain.graph import Relationship
from docgraph.domain.revision import decided_fingerprints
from docgraph.domain.type_roles import Decided, Origin
from docgraph.plugins.stores._rows.decided import key_hash
from docgraph.plugins.stores._rows.ready import type_changes, with_defaults
from docgraph.plugins.stores.postgres.statements import family
from docgraph.plugins.stores.postgres.workspaces import decisions_of, decisions_text, dropped

if TYPE_CHECKING:
    from collections.abc import Callable

    from docgraph.domain.curation import Contested
    from docgraph.domain.history import HistoryEntry
    from docgraph.domain.overrides import EdgeKey
    from docgraph.domain.type_roles import TypeChange, TypeDecision
    from docgraph.plugins.stores.postgres.connections.naming import Connection
    from docgraph.plugins.stores.postgres.writing import Writing

SQL, READING, WRITING = family("decided"), family("reading"), family("writing")


def decisions_about(connection: Connection, workspace: str, keys: Sequence[EdgeKey]) -> dict[EdgeKey, HistoryEntry]:
    """Relationship → the last standing decision about it, for ``keys`` (and for others that their entries touched)."""
    if not keys:
        return {}
    values = {"workspace": workspace, "wanted": sorted(map(key_hash, keys))}
    rows = connection.execute(SQL["about_keys"].encode(), values)
    return decisions(map(entry_of, rows.fetchall()))


def decisions_from(connection: Connection, workspace: str, document_ids: Sequence[str]) -> dict[EdgeKey, Decision]:
    """The same for every relationship that starts at one of these documents."""
    rows = connection.execute(SQL["at_documents"].encode(), {"workspace": workspace, "wanted": list(document_ids)})
    return decisions(map(_decision, rows.fetchall()))


def forget_contested(connection: Connection, workspace: str, document_ids: Sequence[str]) -> None:
    """Nothing is contested of these documents any more."""
    connection.execute(SQL["forget_contested"].encode(), {"workspace": workspace, "ids": list(document_ids)})


def forget_contested_keys(connection: Connection, workspace: str, keys: Sequence[EdgeKey]) -> None:
    """Nothing is contested of these relationships any more."""
    connection.execute(SQL["forget_contested_keys"].encode(), {"workspace": workspace, **columns_of(keys)})


def put_contested(connection: Connection, workspace: str, contested: Sequence[Contested]) -> None:
    """Remember them; their keys must be free."""
    if not contested:
        return
    values = {
        "workspace": workspace,
        **columns_of([each.relationship.key for each in contested]),
        "kind": [each.kind for each in contested],
        "relationship": [each.relationship.model_dump_json() for each in contested],
        "entry_id": [each.entry_id for each in contested],
        "at": [each.at for each in contested],
    }
    connection.execute(SQL["put_contested"].encode(), values)


def columns_of(keys: Sequence[EdgeKey]) -> dict[str, list[str]]:
    """The keys as columns ``from``, ``type`` and ``to``."""
    return {name: [key[place] for key in keys] for place, name in enumerate(("from", "type", "to"))}


def entry_of(row: tuple[Any, ...]) -> HistoryEntry:
    """An entry from a row that begins with ``entry_id`` and ends with the entry that undid it."""
    from docgraph.domain.edit import Edit  # only here: a question reads no history
    from docgraph.domain.history import HistoryEntry

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


def decide(
    writing: Writing, workspace: str, made: Callable[[Decided], Sequence[TypeDecision]]
) -> tuple[TypeChange, ...]:
    """Make the decisions that ``made`` gives for those there are, and the defaults that follow, with the row held.

    Raises NotFoundError.
    """
    origins = [Origin(*row) for row in writing.rows(READING["type_origins"], {})]
    rows = writing.rows(WRITING["decided_types"], {"name": workspace})
    if not rows:
        raise dropped(workspace)
    before = Decided(tuple(rows[0][0]), decisions_of(rows[0][1]))
    decisions = with_defaults(before, made(before), origins)
    if not before.changes(decisions):
        return ()
    after = before.after(decisions)
    writing.change.linked += decided_fingerprints(after)
    writing.change.unlinked += decided_fingerprints(before)
    texts = {"types": list(after.off), "decisions": decisions_text(after.decisions), "name": workspace}
    writing.execute(WRITING["decide_types"], texts)
    ((last,),) = writing.rows(WRITING["last_type_change"], {"workspace": workspace})
    entries = type_changes(before, decisions, after=last)
    values = {"ids": [e.entry_id for e in entries], "entries": [e.model_dump_json() for e in entries]}
    writing.execute(WRITING["add_type_changes"], {"workspace": workspace, **values})
    return entries
