"""Judgments in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from docgraph.plugins.stores._rows.writing import cleaned
from docgraph.plugins.stores.postgres.connections.failures import refusing_foreign_rows
from docgraph.plugins.stores.postgres.statements import family
from docgraph.plugins.stores.postgres.workspaces import hold

if TYPE_CHECKING:
    from docgraph.domain.judgment import Judgment, PassageJudgment
    from docgraph.plugins.stores.postgres.connections import Connector

SQL = family("judgments")
_OF_PASSAGES = ("chunk_id", "text_hash", "grade", "note")


@refusing_foreign_rows
class PostgresJudgments:
    """What people said about documents and questions (``ports.JudgmentStore``).

    Who judges holds the workspace's row, so that it is there until the judgments are.
    """

    _name: str
    _writer: Connector
    _reader: Connector

    def judgments(self, query: str | None = None) -> tuple[Judgment, ...]:
        """All of them, or those of one question, by query, then by document_id."""
        from docgraph.domain.judgment import Judgment
        from docgraph.plugins.stores._rows.judgments import query_hash

        asked = None if query is None else query_hash(cleaned(query))
        action, values = f"read the judgments of workspace {self._name!r}", {"workspace": self._name, "hash": asked}
        rows = self._reader.rows(action, SQL["list"].encode(), values)
        return tuple(
            Judgment(query=text, document_id=document_id, relevant=relevant, by=by, at=at)
            for text, document_id, relevant, by, at in rows
        )

    def judge(self, judgments: Sequence[Judgment], *, replace: bool = True) -> int:
        """Keep them; how many were not there before."""
        from docgraph.plugins.stores._rows.judgments import query_hash, ready_judgments

        ready = list(ready_judgments(judgments).values())
        values = {
            "hashes": [query_hash(each.query) for each in ready],
            "document_ids": [each.document_id for each in ready],
            "queries": [each.query for each in ready],
            "relevant": [each.relevant for each in ready],
            "by": [each.by for each in ready],
            "at": [each.at for each in ready],
            "workspace": self._name,
            "into": self._name,
        }
        statement = SQL["judge" if replace else "judge_what_nobody_did"]
        with self._writer.transaction(f"store judgments in workspace {self._name!r}") as connection:
            hold(connection, self._name)
            row = connection.execute(statement.encode(), values).fetchone()
        return int(row[0]) if row else 0

    def withdraw_judgment(self, query: str, document_id: str) -> bool:
        """Forget one; whether it was there."""
        from docgraph.plugins.stores._rows.judgments import query_hash

        key = {"hash": query_hash(cleaned(query)), "document_id": cleaned(document_id)}
        with self._writer.transaction(f"withdraw a judgment in workspace {self._name!r}") as connection:
            hold(connection, self._name)
            return connection.execute(SQL["withdraw"].encode(), {"workspace": self._name, **key}).rowcount > 0

    def passages(self, query: str | None = None) -> tuple[PassageJudgment, ...]:
        """Judgments of passages, all or those of one question, by key."""
        from docgraph.domain.judgment import PassageJudgment
        from docgraph.plugins.stores._rows.judgments import query_hash

        asked = None if query is None else query_hash(cleaned(query))
        action, values = f"read the judgments of workspace {self._name!r}", {"workspace": self._name, "hash": asked}
        fields = ("query", "document_id", "chunk_id", "text_hash", "grade", "by", "at", "note")
        rows = self._reader.rows(action, SQL["passages"].encode(), values)
        return tuple(PassageJudgment(**dict(zip(fields, row, strict=True))) for row in rows)

    def said(self, query: str | None = None) -> tuple[tuple[Judgment, ...], tuple[PassageJudgment, ...]]:
        """Both in one statement."""
        from docgraph.domain.judgment import Judgment, PassageJudgment
        from docgraph.plugins.stores._rows.judgments import query_hash

        asked = None if query is None else query_hash(cleaned(query))
        action, values = f"read the judgments of workspace {self._name!r}", {"workspace": self._name, "hash": asked}
        documents, passages = list[Judgment](), list[PassageJudgment]()
        for text, document_id, relevant, by, at, *passage in self._reader.rows(action, SQL["said"].encode(), values):
            said = {"query": text, "document_id": document_id, "by": by, "at": at}
            if relevant is not None:
                documents.append(Judgment(**said, relevant=relevant))
            else:
                passages.append(PassageJudgment(**said, **dict(zip(_OF_PASSAGES, passage, strict=True))))
        return tuple(documents), tuple(passages)

    def judge_passages(self, judgments: Sequence[PassageJudgment]) -> int:
        """Keep them; how many were not there before."""
        from docgraph.plugins.stores._rows.judgments import query_hash, ready_passages

        ready, n_new = ready_passages(judgments), 0
        with self._writer.transaction(f"store judgments in workspace {self._name!r}") as connection:
            hold(connection, self._name)
            for each in ready.values():
                values = each.model_dump() | {"workspace": self._name, "hash": query_hash(each.query)}
                row = connection.execute(SQL["judge_passage"].encode(), values).fetchone()
                n_new += bool(row and row[0])
        return n_new

    def withdraw_passage(self, query: str, document_id: str, *, text_hash: str, by: str) -> bool:
        """Forget what one judge said of one text; whether it was there."""
        from docgraph.plugins.stores._rows.judgments import query_hash

        key = {"hash": query_hash(cleaned(query)), "document_id": cleaned(document_id)}
        values = {**key, "workspace": self._name, "text_hash": text_hash, "by": cleaned(by)}
        with self._writer.transaction(f"withdraw a judgment in workspace {self._name!r}") as connection:
            hold(connection, self._name)
            return connection.execute(SQL["withdraw_passage"].encode(), values).rowcount > 0
