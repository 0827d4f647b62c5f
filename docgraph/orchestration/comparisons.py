"""Two runs side by side: a question with one of its baselines, or any two sides that are there already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from docgraph.boundary.records import as_record, as_request
from docgraph.comparison.compare import compare as compared
from docgraph.domain.baselines import BASELINES, MS3, baseline_request
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.judgment import Judgment
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.saved_run import SavedRun
from docgraph.orchestration.judgments import judgments_that_count
from docgraph.orchestration.pipeline import run
from docgraph.orchestration.session import HasSession

Question = RetrievalRequest | Mapping[str, Any] | str
"""A retrieval request, its fields, or the text of its question."""


def compare(
    self: HasSession, question: Question | Run | SavedRun, baseline: str = MS3, *, anyway: bool = False
) -> Comparison:
    """What changed from the baseline (A) to the run of ``question`` (B).

    ``baseline`` is ``ms3`` (the same request with relationships off), ``plain`` (plain vector search), ``literal``,
    ``today`` or the id of a saved run. A saved run is compared with the baselines that were saved with it. Raises
    ComparisonError for another corpus or embedder unless ``anyway``, and NotFoundError.
    """
    known = question if isinstance(question, Run | SavedRun) else run(self.session, as_request(question))
    return compare_sides(self, baseline_of(self, known, baseline), Side.of(known), anyway=anyway)


def baseline_of(self: HasSession, question: Run | SavedRun, name: str) -> Side:
    """A baseline of a run by name, as one side of a comparison. Raises NotFoundError."""
    if name not in BASELINES:
        return Side.of(self.session.archive.load(name))
    if isinstance(question, SavedRun) and name in question.baselines:
        return Side(name=name, label=BASELINES[name][0], run=question.baselines[name])
    there = self.session.at(question.workspace) if isinstance(question, SavedRun) else self.session
    made = question.run if isinstance(question, SavedRun) else as_record(question, Run)
    return Side(name=name, label=BASELINES[name][0], run=run(there, baseline_request(made.request, name)))


def compare_sides(
    self: HasSession,
    a: Side,
    b: Side,
    *,
    anyway: bool = False,
    gone: Iterable[str] = (),
    judgments: Sequence[Judgment] | None = None,
) -> Comparison:
    """What changed between two runs that are there already. Raises ComparisonError.

    ``judgments`` = those to measure by, of stored documents; None = those that the workspace of the runs has now,
    which is all that the database is asked.
    """
    if judgments is None:
        judgments = judgments_that_count(self.session, b.run.plan.workspace, b.run.plan.query)
    measures = self.session.adapters.measures
    return compared(a, b, measures, anyway=anyway, gone=frozenset(gone), judgments=judgments)
