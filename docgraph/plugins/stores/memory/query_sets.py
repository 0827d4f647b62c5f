"""Query sets in a dict: the reference of ``ports.QuerySetArchive``."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from docgraph.domain.evaluation import BegunEvaluation, KeptEvaluation, Outcome
from docgraph.domain.query_set import QuerySetSummary, StoredQuerySet
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

Key = tuple[str, str]
"""(workspace, name of a set or id of an evaluation)."""


@dataclass
class _Kept:
    begun: BegunEvaluation
    outcomes: list[Outcome] = field(default_factory=list)

    def summary(self) -> KeptEvaluation:
        return self.begun.summary.model_copy(update={"n": len(self.outcomes)})


class MemoryQuerySets:
    """Holds query sets by name, and evaluations by id (``ports.QuerySetArchive``)."""

    def __init__(self) -> None:
        self._sets: dict[Key, StoredQuerySet] = {}
        self._evaluations: dict[Key, _Kept] = {}
        self._lock = threading.Lock()

    def keep_set(self, workspace: str, stored: StoredQuerySet) -> None:
        """Keep a set, in the place of the one that has its name."""
        ready = storable(stored, "json")
        with self._lock:
            self._sets[workspace, ready.name] = ready

    def query_sets(self, workspace: str) -> tuple[QuerySetSummary, ...]:
        """All sets of a workspace by name."""
        with self._lock:
            asked = [kept.begun.summary.query_set for (at, _), kept in self._evaluations.items() if at == workspace]
            found = [self._sets[key] for key in sorted(self._sets) if key[0] == workspace]
        return tuple(summary_of_set(each, n_runs=asked.count(each.name)) for each in found)

    def query_set(self, workspace: str, name: str) -> StoredQuerySet:
        """One set with its questions. Raises NotFoundError."""
        found = self._sets.get((workspace, cleaned(name)))
        if found is None:
            raise unknown_set(name)
        return found

    def remove_set(self, workspace: str, name: str) -> None:
        """Remove a set with its evaluations. Raises NotFoundError."""
        key = (workspace, cleaned(name))
        with self._lock:
            if self._sets.pop(key, None) is None:
                raise unknown_set(name)
            mine = [i for i, kept in self._evaluations.items() if (i[0], kept.begun.summary.query_set) == key]
            for each in mine:
                del self._evaluations[each]

    def begin_evaluation(self, begun: BegunEvaluation) -> None:
        """Keep a new evaluation. Raises NotFoundError for an unknown set, ConflictError for an id that is taken."""
        ready = ready_evaluation(begun)
        kept = ready.summary
        with self._lock:
            if (kept.workspace, kept.query_set) not in self._sets:
                raise unknown_set(kept.query_set)
            if (kept.workspace, kept.evaluation_id) in self._evaluations:
                raise taken(kept)
            self._evaluations[kept.workspace, kept.evaluation_id] = _Kept(ready)

    def evaluations(self, workspace: str, name: str | None = None) -> tuple[KeptEvaluation, ...]:
        """Those of a set, or of all sets, newest first."""
        wanted = None if name is None else cleaned(name)
        with self._lock:
            if wanted is not None and (workspace, wanted) not in self._sets:
                raise unknown_set(wanted)
            found = [kept.summary() for (at, _), kept in self._evaluations.items() if at == workspace]
        found = [each for each in found if wanted in (None, each.query_set)]
        return tuple(sorted(found, key=lambda each: (each.at, each.evaluation_id), reverse=True))

    def evaluation(self, workspace: str, evaluation_id: str) -> BegunEvaluation:
        """What is kept of one beside its outcomes. Raises NotFoundError."""
        kept = self._one(workspace, evaluation_id)
        return kept.begun.model_copy(update={"summary": kept.summary()})

    def outcomes(self, workspace: str, evaluation_id: str) -> Iterator[Outcome]:
        """The kept outcomes, in the order of the questions. Raises NotFoundError."""
        yield from list(self._one(workspace, evaluation_id).outcomes)

    def keep_outcomes(self, workspace: str, evaluation_id: str) -> Outcomes:
        """What keeps its outcomes. Raises NotFoundError."""
        self._one(workspace, evaluation_id)
        return Outcomes(self, self._add_outcome, workspace, evaluation_id)

    def sum_up(self, begun: BegunEvaluation) -> None:
        """Write what the outcomes come to. Raises NotFoundError."""
        ready = ready_evaluation(begun)
        with self._lock:
            kept = self._one(ready.summary.workspace, ready.summary.evaluation_id)
            kept.begun = summed_up(kept.begun, ready)

    def pin_evaluation(self, workspace: str, evaluation_id: str, pinned: bool) -> KeptEvaluation:
        """Mark one, or take the mark away. Raises NotFoundError."""
        with self._lock:
            kept = self._one(workspace, evaluation_id)
            summary = kept.begun.summary.model_copy(update={"pinned": pinned})
            kept.begun = kept.begun.model_copy(update={"summary": summary})
            return kept.summary()

    def remove_evaluation(self, workspace: str, evaluation_id: str) -> None:
        """Remove one with its outcomes. Raises NotFoundError."""
        with self._lock:
            self._one(workspace, evaluation_id)
            del self._evaluations[workspace, evaluation_id]

    def _add_outcome(self, workspace: str, evaluation_id: str, *, place: int, outcome: Outcome) -> None:
        """Keep an outcome at its place, once. Raises NotFoundError when the evaluation was removed meanwhile."""
        with self._lock:
            kept = self._one(workspace, evaluation_id)
            if place == len(kept.outcomes):
                kept.outcomes.append(outcome)

    def _one(self, workspace: str, evaluation_id: str) -> _Kept:
        found = self._evaluations.get((workspace, evaluation_id))
        if found is None:
            raise unknown_evaluation(evaluation_id)
        return found
