"""What keeps query sets and their evaluations: beside the workspaces, as saved runs are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from docgraph.domain.evaluation import BegunEvaluation, KeptEvaluation, Outcome
    from docgraph.domain.query_set import QuerySetSummary, StoredQuerySet


class KeepsOutcomes(Protocol):
    """Keeps the outcomes of one evaluation, each as soon as it is finished: a file of them, or a database."""

    def begin(self, asked: str, revision: str) -> Iterable[Outcome]:
        """What is kept of this evaluation, in the order in which it was added; nothing of a new one.

        ``asked`` = ``domain.evaluation.what_is_asked``, ``revision`` = of the data now. Raises ConflictError where
        another evaluation is kept, or one of other data.
        """
        ...

    def add(self, outcome: Outcome) -> None:
        """Keep one more. Raises UserError or StoreError where that is not possible."""
        ...


class QuerySetArchive(Protocol):
    """Query sets and evaluations of all workspaces of a database, by the workspace's name; ``Database.query_sets``.

    They outlive the workspace, and are there again when one of its name is made. Every method that names a set or an
    evaluation raises NotFoundError for an unknown one. Text is kept without NUL.
    """

    def keep_set(self, workspace: str, stored: StoredQuerySet) -> None:
        """Keep a set, in the place of the one that has its name; evaluations stay."""
        ...

    def query_sets(self, workspace: str) -> tuple[QuerySetSummary, ...]:
        """All sets of a workspace by name; ``n_judged`` by what the sets say themselves."""
        ...

    def query_set(self, workspace: str, name: str) -> StoredQuerySet:
        """One set with its questions."""
        ...

    def remove_set(self, workspace: str, name: str) -> None:
        """Remove a set with its evaluations."""
        ...

    def begin_evaluation(self, begun: BegunEvaluation) -> None:
        """Keep a new evaluation, without outcomes. Raises ConflictError when another one has its id."""
        ...

    def evaluations(self, workspace: str, name: str | None = None) -> tuple[KeptEvaluation, ...]:
        """Those of a set, or of all sets, newest first, of one second by later ids; outcomes are counted alone."""
        ...

    def evaluation(self, workspace: str, evaluation_id: str) -> BegunEvaluation:
        """What is kept of one beside its outcomes."""
        ...

    def outcomes(self, workspace: str, evaluation_id: str) -> Iterator[Outcome]:
        """The kept outcomes, in the order of the questions."""
        ...

    def keep_outcomes(self, workspace: str, evaluation_id: str) -> KeepsOutcomes:
        """What keeps its outcomes; outcomes are added in the order of the questions, each counted once."""
        ...

    def sum_up(self, begun: BegunEvaluation) -> None:
        """Write what the outcomes that are kept come to: figures, differences, ``whole``, ``questions``, seconds.

        Note and pin stay as they are.
        """
        ...

    def pin_evaluation(self, workspace: str, evaluation_id: str, pinned: bool) -> KeptEvaluation:
        """Mark one as what others are compared with, or take the mark away."""
        ...

    def remove_evaluation(self, workspace: str, evaluation_id: str) -> None:
        """Remove one with its outcomes."""
        ...
