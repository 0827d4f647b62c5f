"""Judgments in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from docgraph.plugins.stores._rows.ready import query_hash, ready_judgments, ready_passages
from docgraph.plugins.stores._rows.writing import cleaned
from docgraph.plugins.stores.postgres.connections.failures import refusing_foreign_rows
from docgraph.plugins.stores.postgres.part import WorkspacePart
from docgraph.plugins.stores.postgres.statements import family

if TYPE_CHECKING:
    from docgraph.domain.judgment import Judgment, PassageJudgment

SQL = family("judgments")
_OF_PASSAGES = ("chunk_id", "text_hash", "grade", "note")


@refusing_foreign_rows
class PostgresJudgments(WorkspacePart):
    """What people said about documents and questions (``ports.JudgmentStore``)."""

    def judgments(self, query: str | None = None) -> tuple[Judgment, ...]:
        """All of them, or those of one question, by query, then by document_id."""
        return self.said(query)[0]

    def passages(self, query: str | None = None) -> tuple[PassageJudgment, ...]:
        """Judgments of passages, all or those of one question, by key."""
        return self.said(query)[1]

    def said(self, query: str | None = None) -> tuple[tuple[Judgment, ...], tuple[PassageJudgment, ...]]:
        """Both in one statement."""
        from docgraph.domain.judgment import Judgment, PassageJudgment

        asked = None if query is None else query_hash(cleaned(query))
        documents, passages = list[Judgment](), list[PassageJudgment]()
        for text, document_id, relevant, by, at, *passage in self._read("the judgments", SQL["said"], {"hash": asked}):
            said = {"query": text, "document_id": document_id, "by": by, "at": at}
            if relevant is not None:
                documents.append(Judgment(**said, relevant=relevant))
            else:
                passages.append(PassageJudgment(**said, **dict(zip(_OF_PASSAGES, passage, strict=True))))
        return tuple(documents), tuple(passages)

    def judge(self, judgments: Sequence[Judgment], *, replace: bool = True) -> int:
        """Keep them; how many were not there before."""
        ready = list(ready_judgments(judgments).values())
        values = {
            "hashes": [query_hash(each.query) for each in ready],
            "document_ids": [each.document_id for each in ready],
            "queries": [each.query for each in ready],
            "relevant": [each.relevant for each in ready],
            "by": [each.by for each in ready],
            "at": [each.at for each in ready],
            "into": self._name,
            "replace": replace,
        }
        with self._holding("store judgments in") as run:
            row = run(SQL["judge"], values).fetchone()
        return int(row[0]) if row else 0

    def withdraw_judgment(self, query: str, document_id: str) -> bool:
        """Forget one; whether it was there."""
        key = {"hash": query_hash(cleaned(query)), "document_id": cleaned(document_id)}
        with self._holding("withdraw a judgment in") as run:
            return run(SQL["withdraw"], key).rowcount > 0

    def judge_passages(self, judgments: Sequence[PassageJudgment]) -> int:
        """Keep them; how many were not there before."""
        ready, n_new = ready_passages(judgments), 0
        with self._holding("store judgments in") as run:
            for each in ready.values():
                row = run(SQL["judge_passage"], each.model_dump() | {"hash": query_hash(each.query)}).fetchone()
                n_new += bool(row and row[0])
        return n_new

    def withdraw_passage(self, query: str, document_id: str, *, text_hash: str, by: str) -> bool:
        """Forget what one judge said of one text; whether it was there."""
        key = {"hash": query_hash(cleaned(query)), "document_id": cleaned(document_id)}
        with self._holding("withdraw a judgment in") as run:
            return run(SQL["withdraw_passage"], key | {"text_hash": text_hash, "by": cleaned(by)}).rowcount > 0
