"""Judgments in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.domain.judgment import Judgment
from docgraph.errors import NotFoundError
from docgraph.plugins.stores._rows.batches import cleaned
from docgraph.plugins.stores._rows.judgments import query_hash, ready_judgments
from docgraph.plugins.stores.postgres.connections import Connection, Connector

_LOCK_WORKSPACE = "SELECT name FROM docgraph.workspaces WHERE name = %s FOR NO KEY UPDATE"
_LIST = """
SELECT query, document_id, relevant, by, at FROM docgraph.judgments
WHERE workspace = %(workspace)s AND (%(hash)s::text IS NULL OR query_hash = %(hash)s)
ORDER BY query, document_id"""
_JUDGE = """
WITH given AS (
  SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::boolean[], %s::text[], %s::text[])
    AS g (query_hash, document_id, query, relevant, by, at)),
there AS MATERIALIZED (
  SELECT query_hash, document_id FROM docgraph.judgments JOIN given USING (query_hash, document_id)
  WHERE workspace = %s),
kept AS (
  INSERT INTO docgraph.judgments (workspace, query_hash, document_id, query, relevant, by, at)
  SELECT %s, * FROM given
  ON CONFLICT (workspace, query_hash, document_id) DO {conflict})
SELECT (SELECT count(*) FROM given) - (SELECT count(*) FROM there)"""
_REPLACE = "UPDATE SET relevant = excluded.relevant, by = excluded.by, at = excluded.at"
_WITHDRAW = "DELETE FROM docgraph.judgments WHERE workspace = %s AND query_hash = %s AND document_id = %s"


class PostgresJudgments:
    """What people said about documents and questions (``ports.JudgmentStore``).

    Who judges holds the workspace's row, so that it is there until the judgments are.
    """

    _name: str
    _writer: Connector
    _reader: Connector

    def judgments(self, query: str | None = None) -> tuple[Judgment, ...]:
        """All of them, or those of one question, by query, then by document_id."""
        asked = None if query is None else query_hash(cleaned(query))
        with self._reader.connection(f"read the judgments of workspace {self._name!r}") as connection:
            rows = connection.execute(_LIST.encode(), {"workspace": self._name, "hash": asked}).fetchall()
        return tuple(
            Judgment(query=text, document_id=document_id, relevant=relevant, by=by, at=at)
            for text, document_id, relevant, by, at in rows
        )

    def judge(self, judgments: Sequence[Judgment], *, replace: bool = True) -> int:
        """Keep them; how many were not there before."""
        ready = list(ready_judgments(judgments).values())
        columns = (
            [query_hash(each.query) for each in ready],
            [each.document_id for each in ready],
            [each.query for each in ready],
            [each.relevant for each in ready],
            [each.by for each in ready],
            [each.at for each in ready],
        )
        statement = _JUDGE.replace("{conflict}", _REPLACE if replace else "NOTHING")
        with self._writer.transaction(f"store judgments in workspace {self._name!r}") as connection:
            self._hold(connection)
            row = connection.execute(statement.encode(), (*columns, self._name, self._name)).fetchone()
        return int(row[0]) if row else 0

    def withdraw_judgment(self, query: str, document_id: str) -> bool:
        """Forget one; whether it was there."""
        values = (self._name, query_hash(cleaned(query)), cleaned(document_id))
        with self._writer.transaction(f"withdraw a judgment in workspace {self._name!r}") as connection:
            self._hold(connection)
            return connection.execute(_WITHDRAW.encode(), values).rowcount > 0

    def _hold(self, connection: Connection) -> None:
        if connection.execute(_LOCK_WORKSPACE.encode(), (self._name,)).fetchone() is None:
            raise NotFoundError(f"there is no workspace {self._name!r} any more", hint="it was dropped meanwhile")
