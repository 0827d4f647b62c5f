"""Query sets in PostgreSQL: sets and evaluations as they were written, outcomes as rows, each there when it is kept."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from docgraph.domain.evaluation import BegunEvaluation, KeptEvaluation, Outcome
from docgraph.domain.query_set import QuerySet, QuerySetSummary, StoredQuerySet
from docgraph.plugins.stores._rows.query_sets import (
    Outcomes,
    ready_evaluation,
    summary_of_set,
    summed_up,
    taken,
    unknown_evaluation,
    unknown_set,
)
from docgraph.plugins.stores._rows.ready import storable
from docgraph.plugins.stores._rows.writing import cleaned
from docgraph.plugins.stores.postgres.connections.failures import refusing_foreign_rows
from docgraph.plugins.stores.postgres.statements import family

if TYPE_CHECKING:
    from docgraph.plugins.stores.postgres.connections import Connector

SQL = family("query_sets")
_READ, _CHANGE = "read query sets", "change a query set"
_SUMMARY = ("name", "note", "by", "at", "n", "n_judged", "fingerprint", "n_runs")
PAGE = 500
"""Outcomes that are read at once."""


@refusing_foreign_rows
class PostgresQuerySets:
    """Query sets of a database (``ports.QuerySetArchive``); safe to use from several threads."""

    def __init__(self, writer: Connector, reader: Connector) -> None:
        self._writer, self._reader = writer, reader

    def keep_set(self, workspace: str, stored: StoredQuerySet) -> None:
        """Keep a set, in the place of the one that has its name."""
        ready = storable(stored, "json")
        values = summary_of_set(ready).model_dump(exclude={"n_runs"})
        values |= {"workspace": workspace, "query_set": ready.query_set.model_dump_json()}
        self._change("keep_set", values)

    def query_sets(self, workspace: str) -> tuple[QuerySetSummary, ...]:
        """All sets of a workspace by name."""
        rows = self._rows("sets", {"workspace": workspace})
        return tuple(QuerySetSummary(**dict(zip(_SUMMARY, row, strict=True))) for row in rows)

    def query_set(self, workspace: str, name: str) -> StoredQuerySet:
        """One set with its questions. Raises NotFoundError."""
        rows = self._rows("set", {"workspace": workspace, "name": cleaned(name)})
        if not rows:
            raise unknown_set(name)
        called, note, by, at, text = rows[0]
        asked = QuerySet.model_validate_json(text)
        return StoredQuerySet(name=called, note=note, by=by, at=at, query_set=asked)

    def remove_set(self, workspace: str, name: str) -> None:
        """Remove a set with its evaluations. Raises NotFoundError."""
        key = {"workspace": workspace, "name": cleaned(name)}
        with self._writer.transaction(_CHANGE) as connection:
            if connection.execute(SQL["remove_set"].encode(), key).rowcount != 1:
                raise unknown_set(name)
            connection.execute(SQL["remove_evaluations"].encode(), key)

    def begin_evaluation(self, begun: BegunEvaluation) -> None:
        """Keep a new evaluation. Raises NotFoundError for an unknown set, ConflictError for an id that is taken."""
        ready = ready_evaluation(begun)
        kept = ready.summary
        values = _written(ready) | {"query_set": kept.query_set, "at": kept.at, "pinned": kept.pinned}
        with self._writer.transaction("begin an evaluation") as connection:
            key = {"workspace": kept.workspace, "name": kept.query_set}
            if connection.execute(SQL["lock_set"].encode(), key).fetchone() is None:
                raise unknown_set(kept.query_set)
            if connection.execute(SQL["begin"].encode(), values).rowcount != 1:
                raise taken(kept)

    def evaluations(self, workspace: str, name: str | None = None) -> tuple[KeptEvaluation, ...]:
        """Those of a set, or of all sets, newest first. Raises NotFoundError."""
        values = {"workspace": workspace, "name": None if name is None else cleaned(name)}
        found = tuple(map(_summary, self._rows("evaluations", values)))
        if not found and name is not None:
            self.query_set(workspace, name)
        return found

    def evaluation(self, workspace: str, evaluation_id: str) -> BegunEvaluation:
        """What is kept of one beside its outcomes. Raises NotFoundError."""
        rows = self._rows("evaluation", {"workspace": workspace, "evaluation_id": cleaned(evaluation_id)})
        if not rows:
            raise unknown_evaluation(evaluation_id)
        *row, beside, questions = rows[0]
        return BegunEvaluation.model_validate(
            json.loads(beside)
            | {"summary": _summary(row), "questions": None if questions is None else json.loads(questions)}
        )

    def outcomes(self, workspace: str, evaluation_id: str) -> Iterator[Outcome]:
        """The kept outcomes, in the order of the questions, some read at a time. Raises NotFoundError."""
        self.evaluation(workspace, evaluation_id)
        key, after = {"workspace": workspace, "evaluation_id": evaluation_id}, -1
        while rows := self._rows("outcomes", key | {"after": after, "limit": PAGE}):
            yield from (Outcome.model_validate_json(text) for _, text in rows)
            after = rows[-1][0]

    def keep_outcomes(self, workspace: str, evaluation_id: str) -> Outcomes:
        """What keeps its outcomes. Raises NotFoundError."""
        self.evaluation(workspace, evaluation_id)
        return Outcomes(self, self._add_outcome, workspace, evaluation_id)

    def sum_up(self, begun: BegunEvaluation) -> None:
        """Write what the outcomes come to. Raises NotFoundError."""
        ready = ready_evaluation(begun)
        there = self.evaluation(ready.summary.workspace, ready.summary.evaluation_id)
        if not self._change("sum_up", _written(summed_up(there, ready))):
            raise unknown_evaluation(ready.summary.evaluation_id)

    def pin_evaluation(self, workspace: str, evaluation_id: str, pinned: bool) -> KeptEvaluation:
        """Mark one, or take the mark away. Raises NotFoundError."""
        values = {"workspace": workspace, "evaluation_id": cleaned(evaluation_id), "pinned": pinned}
        with self._writer.transaction(_CHANGE) as connection:
            row = connection.execute(SQL["pin"].encode(), values).fetchone()
        if row is None:
            raise unknown_evaluation(evaluation_id)
        return _summary(row)

    def remove_evaluation(self, workspace: str, evaluation_id: str) -> None:
        """Remove one with its outcomes. Raises NotFoundError."""
        if not self._change("remove", {"workspace": workspace, "evaluation_id": cleaned(evaluation_id)}):
            raise unknown_evaluation(evaluation_id)

    def _add_outcome(self, workspace: str, evaluation_id: str, *, place: int, outcome: Outcome) -> None:
        """Keep an outcome at its place, once. Raises NotFoundError when the evaluation was removed meanwhile."""
        key = {"workspace": workspace, "evaluation_id": evaluation_id}
        if not self._change("add", key | {"place": place, "outcome": outcome.model_dump_json()}):
            self.evaluation(workspace, evaluation_id)

    def _rows(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        return self._reader.rows(_READ, SQL[name].encode(), values)

    def _change(self, name: str, values: dict[str, Any]) -> bool:
        """Whether a row was changed."""
        with self._writer.transaction(_CHANGE) as connection:
            return connection.execute(SQL[name].encode(), values).rowcount > 0


def _written(begun: BegunEvaluation) -> dict[str, Any]:
    """The evaluation as it lies in its row."""
    return {
        "workspace": begun.summary.workspace,
        "evaluation_id": begun.summary.evaluation_id,
        "summary": begun.summary.model_dump_json(),
        "beside": begun.model_dump_json(exclude={"summary", "questions"}),
        "questions": None if begun.questions is None else begun.questions.model_dump_json(),
    }


def _summary(row: Iterable[Any]) -> KeptEvaluation:
    """What stands in a list; a workspace that was restored under another name is the one it is kept by."""
    workspace, pinned, text, n = row
    return KeptEvaluation.model_validate(json.loads(text) | {"workspace": workspace, "pinned": pinned, "n": n})
