"""Rules, dismissals and contested relationships in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docgraph.domain.decisions import still_contested
from docgraph.domain.dismissal import Contested, Dismissal
from docgraph.domain.finding import Rule
from docgraph.domain.graph import Relationship
from docgraph.errors import NotFoundError
from docgraph.plugins.stores._rows.batches import cleaned
from docgraph.plugins.stores._rows.curation import ready_dismissals, ready_rules
from docgraph.plugins.stores.postgres.connections import Connection, Connector
from docgraph.plugins.stores.postgres.decisions import decisions_about

WRITTEN = (
    ("docgraph.workspaces", "UPDATE"),
    ("docgraph.relationship_history", "INSERT"),
    ("docgraph.dismissals", "INSERT"),
    ("docgraph.dismissals", "UPDATE"),
    ("docgraph.dismissals", "DELETE"),
    ("docgraph.check_rules", "INSERT"),
    ("docgraph.check_rules", "DELETE"),
    ("docgraph.judgments", "INSERT"),
    ("docgraph.judgments", "UPDATE"),
    ("docgraph.judgments", "DELETE"),
    ("{schema}.document_relationships", "INSERT"),
    ("{schema}.document_relationships", "DELETE"),
)
"""What a curator's work needs the right to."""
_MAY_WRITE = """
SELECT current_setting('transaction_read_only') = 'off'
  AND (SELECT bool_and(has_table_privilege(t, p)) FROM unnest(%s::text[], %s::text[]) AS needed (t, p))"""
_LOCK_WORKSPACE = "SELECT name FROM docgraph.workspaces WHERE name = %s FOR NO KEY UPDATE"
_RULES = "SELECT check_id, rule::text FROM docgraph.check_rules WHERE workspace = %s ORDER BY check_id"
_NO_RULES = "DELETE FROM docgraph.check_rules WHERE workspace = %s"
_SET_RULES = """
INSERT INTO docgraph.check_rules (workspace, check_id, rule)
SELECT %s, * FROM unnest(%s::text[], %s::json[])"""
_DISMISSALS = """
SELECT dismissal::text FROM docgraph.dismissals WHERE workspace = %s ORDER BY at DESC, subject_id"""
_DISMISS = """
INSERT INTO docgraph.dismissals (workspace, subject_id, at, dismissal)
SELECT %s, * FROM unnest(%s::text[], %s::text[], %s::json[])
ON CONFLICT (workspace, subject_id) DO UPDATE SET at = excluded.at, dismissal = excluded.dismissal"""
_WITHDRAW = "DELETE FROM docgraph.dismissals WHERE workspace = %s AND subject_id = ANY(%s::text[])"
_CONTESTED = """
SELECT c.kind, c.relationship::text, c.entry_id, c.at, e.relationship_metadata
FROM docgraph.contested_relationships c
LEFT JOIN "{schema}".document_relationships e USING (from_document_id, relation_type, to_document_id)
WHERE c.workspace = %s"""


class PostgresCuration:
    """What a workspace remembers of its curators (``ports.CurationStore``)."""

    _name: str
    _schema: str
    _writer: Connector
    _reader: Connector

    def may_write(self) -> bool:
        """Whether the writing connection's role may change relationships, and what curators leave, in this database."""
        tables = [table.replace("{schema}", f'"{self._schema}"') for table, _ in WRITTEN]
        with self._writer.connection(f"ask for the rights on workspace {self._name!r}") as connection:
            row = connection.execute(_MAY_WRITE.encode(), (tables, [right for _, right in WRITTEN])).fetchone()
        return bool(row and row[0])

    def rules(self) -> dict[str, Rule]:
        """check_id → rule, as they were stored."""
        rows = self._read(_RULES, "read the rules")
        return {check_id: Rule.model_validate_json(rule) for check_id, rule in rows}

    def set_rules(self, rules: Mapping[str, Rule]) -> None:
        """Put these rules in the place of the stored ones."""
        ready = ready_rules(rules)
        with self._writer.transaction(f"store the rules of workspace {self._name!r}") as connection:
            self._lock(connection)  # of two who store rules at once, one comes after the other
            connection.execute(_NO_RULES.encode(), (self._name,))
            texts = [rule.model_dump_json() for rule in ready.values()]
            connection.execute(_SET_RULES.encode(), (self._name, list(ready), texts))

    def dismissals(self) -> tuple[Dismissal, ...]:
        """All dismissals, newest first, then by subject_id."""
        rows = self._read(_DISMISSALS, "read the dismissals")
        return tuple(Dismissal.model_validate_json(row[0]) for row in rows)

    def dismiss(self, dismissals: Sequence[Dismissal]) -> None:
        """Keep them; a new one about the same subject takes the place of the old one."""
        ready = ready_dismissals(dismissals)
        ids = sorted(ready)  # rows are locked in one order
        columns = (ids, [ready[i].at for i in ids], [ready[i].model_dump_json() for i in ids])
        with self._writer.transaction(f"store dismissals in workspace {self._name!r}") as connection:
            self._lock(connection)
            connection.execute(_DISMISS.encode(), (self._name, *columns))

    def withdraw(self, subject_ids: Sequence[str]) -> int:
        """Forget the dismissals of these subjects; how many there were."""
        with self._writer.transaction(f"withdraw dismissals in workspace {self._name!r}") as connection:
            self._lock(connection)
            return connection.execute(_WITHDRAW.encode(), (self._name, list(map(cleaned, subject_ids)))).rowcount

    def contested(self) -> tuple[Contested, ...]:
        """Where imports and decisions that still stand disagree, by key."""
        with self._reader.transaction(f"read what is contested in workspace {self._name!r}") as connection:
            connection.execute(b"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")  # both of one state
            rows = connection.execute(_CONTESTED.replace("{schema}", self._schema).encode(), (self._name,)).fetchall()
            contested = [
                Contested(kind=kind, relationship=Relationship.model_validate_json(text), entry_id=entry_id, at=at)
                for kind, text, entry_id, at, _ in rows
            ]
            keys = [each.relationship.key for each in contested]
            decided = decisions_about(connection, self._name, keys)
        stored = {
            each.relationship.key: each.relationship.model_copy(update={"relationship_metadata": row[4]})
            for each, row in zip(contested, rows, strict=True)
            if row[4] is not None
        }
        return still_contested(contested, decided, stored)

    def _read(self, statement: str, action: str) -> list[tuple[Any, ...]]:
        with self._reader.connection(f"{action} of workspace {self._name!r}") as connection:
            return connection.execute(statement.encode(), (self._name,)).fetchall()

    def _lock(self, connection: Connection) -> None:
        if connection.execute(_LOCK_WORKSPACE.encode(), (self._name,)).fetchone() is None:
            raise NotFoundError(f"there is no workspace {self._name!r} any more", hint="it was dropped meanwhile")
