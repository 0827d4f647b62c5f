"""What stores of query sets share: sets as they can be kept, how they stand in lists, and what to raise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from docgraph.domain.evaluation import Outcome
from docgraph.domain.query_set import QuerySetSummary, StoredQuerySet
from docgraph.errors import ConflictError, NotFoundError
from docgraph.plugins.stores._rows.ready import storable
from docgraph.plugins.stores._rows.writing import cleaned

if TYPE_CHECKING:
    from docgraph.domain.evaluation import BegunEvaluation, KeptEvaluation
    from docgraph.ports import QuerySetArchive


def ready_evaluation(begun: BegunEvaluation) -> BegunEvaluation:
    """The evaluation with what is said of it as a database can hold it."""
    said = {name: cleaned(getattr(begun.summary, name)) for name in ("query_set", "workspace", "by", "note", "at")}
    return begun.model_copy(update={"summary": begun.summary.model_copy(update=said)})


def summary_of_set(stored: StoredQuerySet, *, n_runs: int = 0) -> QuerySetSummary:
    """A set as it stands in a list."""
    asked = stored.query_set
    return QuerySetSummary(
        name=stored.name,
        note=stored.note,
        by=stored.by,
        at=stored.at,
        n=len(asked.queries),
        n_judged=asked.n_judged,
        n_runs=n_runs,
        fingerprint=asked.fingerprint,
    )


def summed_up(there: BegunEvaluation, now: BegunEvaluation) -> BegunEvaluation:
    """What is kept after an evaluation was summed up: note and pin stay."""
    stay = {name: getattr(there.summary, name) for name in ("note", "pinned")}
    return now.model_copy(update={"summary": now.summary.model_copy(update=stay)})


def check_kept(begun: BegunEvaluation, asked: str, revision: str) -> None:
    """Raises ConflictError when something else is asked than was begun with, or of other data."""
    kept = begun.summary
    if begun.asked != asked:
        raise ConflictError(
            f"the evaluation {kept.evaluation_id} asks something else: other questions, configurations or measures",
            hint="go on with what it was begun with, or begin a new one",
        )
    if kept.revision != revision:
        raise ConflictError(
            f"the data have changed since the evaluation {kept.evaluation_id} was begun "
            f"(revision {kept.revision[:12]}, now {revision[:12]})",
            hint="what it has stays as it is; begin a new one on the data of today",
        )


def unknown_set(name: str) -> NotFoundError:
    """What to raise when a workspace keeps no set of this name."""
    return NotFoundError(f"there is no query set {name[:80]!r}", hint="list them: docgraph query-sets list")


def unknown_evaluation(evaluation_id: str) -> NotFoundError:
    """What to raise when a workspace keeps no evaluation of this id."""
    return NotFoundError(
        f"there is no evaluation {evaluation_id[:64]!r}", hint="list them: docgraph query-sets runs NAME"
    )


def taken(kept: KeptEvaluation) -> ConflictError:
    """What to raise when the id of a new evaluation is one that is there."""
    return ConflictError(f"there is an evaluation {kept.evaluation_id!r} already", hint="begin it under another id")


class Outcomes:
    """Keeps the outcomes of one evaluation (``ports.KeepsOutcomes``)."""

    def __init__(self, archive: QuerySetArchive, keep: Callable[..., None], workspace: str, evaluation_id: str) -> None:
        self._archive, self._keep, self._key, self._place = archive, keep, (workspace, evaluation_id), 0

    def begin(self, asked: str, revision: str) -> Iterable[Outcome]:
        """What is kept so far. Raises ConflictError."""
        check_kept(self._archive.evaluation(*self._key), asked, revision)
        return self._known()

    def _known(self) -> Iterator[Outcome]:
        for outcome in self._archive.outcomes(*self._key):
            self._place += 1
            yield outcome

    def add(self, outcome: Outcome) -> None:
        """Keep one more. Raises NotFoundError, StoreError."""
        self._keep(*self._key, place=self._place, outcome=storable(outcome, "json"))
        self._place += 1
