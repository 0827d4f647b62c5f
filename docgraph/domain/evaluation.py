"""What an evaluation finds: what each configuration read for each question, how good that is, and what differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from docgraph.domain import shown
from docgraph.domain.edit import Edit
from docgraph.domain.frozen import Frozen, fingerprint
from docgraph.domain.graph import Identifier
from docgraph.domain.query_set import Half, QuerySet
from docgraph.domain.report import Adjusted, Rejected

if TYPE_CHECKING:
    from pandas import DataFrame

Change = Literal["improved", "worse", "equal", "not_judged", "failed"]
"""What became of a question from the first configuration to the last one, by the first measure.

``not_judged``: the measure has no value, because nothing is known to be relevant. ``failed``: a configuration gave no
answer.
"""

Source = Literal["request", "retriever", "file"]
"""Who answers: docgraph, by a plan; a retriever of somebody's own; a file of rankings."""

NONE: Mapping[str, float | None] = {}


class Configuration(Frozen):
    """One way to answer every question of a set.

    Of the source ``request``: ``fields`` = the fields of the request beside its question, ``baseline`` = which of its
    baselines is asked (``domain.baselines``), ``edits`` = changes of relationships that nobody has saved. Of the others
    ``fields`` has the fingerprint of the rankings or of the address.
    """

    name: str = Field(min_length=1, max_length=100)
    label: str
    source: Source = "request"
    baseline: str = ""
    fields: Mapping[str, Any] = Field(default_factory=dict)
    edits: tuple[Edit, ...] = ()


class Answer(Frozen):
    """What one configuration read for one question.

    ``documents`` as they are read, best first (of a plan: in its order), those of which something is read. ``chunks`` =
    their chunks' ids in reading order; a retriever that answers with documents has none. ``tokens`` of the assembled
    context; ``None`` where nothing was assembled. ``unknown`` = ids of a retriever that no document or chunk has.
    ``has_evidence``: whether all of the question's evidence was read; ``None`` where none is known, or where a
    retriever names no passages. ``evidence_rank`` = of the passages that are read, in the order in which they are let
    in, how many it takes until all of it is read. ``within_tokens`` = token budget (as text, as JSON names it) →
    whether all of it stands in the context that is assembled under it.
    ``failure`` = why there is no answer.
    """

    documents: tuple[Identifier, ...] = ()
    chunks: tuple[Identifier, ...] = ()
    tokens: int | None = None
    milliseconds: float | None = None
    has_evidence: bool | None = None
    evidence_rank: int | None = Field(default=None, ge=1, exclude_if=lambda rank: rank is None)
    within_tokens: Mapping[str, bool] = Field(default_factory=dict, exclude_if=lambda within: not within)
    unknown: tuple[str, ...] = ()
    plan_id: str = ""
    failure: str = ""


class Outcome(Frozen):
    """One question: its answers and their values, by configuration; ``revision`` = of the data that were read.

    A value is ``None`` where it is not known. ``n_judged`` = how many of the documents that a configuration read
    somebody judged, ``n_relevant_read`` = how many of the ``n_relevant`` are among them, whatever the measures' K.
    """

    query_id: Identifier
    query: str
    kind: str = ""
    half: Half = "tune"
    revision: str = ""
    n_relevant: int = 0
    answers: Mapping[str, Answer] = Field(default_factory=dict)
    values: Mapping[str, Mapping[str, float | None]] = Field(default_factory=dict)
    n_judged: Mapping[str, int] = Field(default_factory=dict)
    n_relevant_read: Mapping[str, int] = Field(default_factory=dict)

    def value(self, configuration: str, measure: str) -> float | None:
        """One value; ``None`` where it is not known."""
        return self.values.get(configuration, NONE).get(measure)

    def difference(self, a: str, b: str, measure: str) -> float | None:
        """B − A; ``None`` unless both are known."""
        x, y = self.value(a, measure), self.value(b, measure)
        return None if x is None or y is None else y - x

    def change(self, a: str, b: str, measure: str) -> Change:
        """What became of the question from A to B."""
        if any(name not in self.answers or self.answers[name].failure for name in (a, b)):
            return "failed"
        return change_between(self.value(a, measure), self.value(b, measure))


COSTS: Mapping[str, str] = {
    "tokens": "tokens of the assembled context",
    "documents": "documents of which something is read",
    "milliseconds": "time from the question to the assembled context; each configuration reads everything by itself",
}
"""Measure → what it is: neither better nor worse."""

OVERLAPS: Mapping[str, str] = {
    "jaccard": "documents that are read here and by the first configuration, of those that either reads",
    "rbo_90": "rank-biased overlap with the first configuration's documents, p = 0.9",
    "rbo_50": "rank-biased overlap with the first configuration's documents, p = 0.5",
}
"""Measure → how alike what is read is, in [0, 1]: neither better nor worse, and no judgment is needed."""

NEUTRAL = frozenset((*COSTS, *OVERLAPS))
"""Measures by which no question improves, and no gate is missed."""

EQUAL = 1e-9
"""Values that differ by less are the same: what is left is the rounding of sums."""


def change_between(a: float | None, b: float | None) -> Change:
    """What a question counts as whose value is A's and B's; neither failed."""
    if a is None or b is None:
        return "not_judged"
    if abs(b - a) < EQUAL:
        return "equal"
    return "improved" if b > a else "worse"


class Figure(Frozen):
    """The mean of one measure over the questions of which it is known: ``n`` of them; ``None`` where there is none."""

    configuration: str
    measure: str
    mean: float | None
    n: int = Field(ge=0)


class Difference(Frozen):
    """One measure from A to B, over the ``n`` questions of which both are known.

    ``low`` and ``high`` bound the mean difference with 95 % (paired bootstrap, percentiles); ``p`` = two-sided, by a
    paired permutation test; ``p_corrected`` = after Benjamini and Hochberg, over the ``n_tests`` of one evaluation. All
    ``None`` where there is nothing to compare. Costs and overlaps are neither better nor worse:
    they have no p and count no question. ``improved`` … ``failed`` count questions.
    """

    a: str
    b: str
    measure: str
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    p_corrected: float | None = None
    n: int = 0
    n_tests: int = 0
    improved: int = 0
    worse: int = 0
    equal: int = 0
    not_judged: int = 0
    failed: int = 0


class Slice(Frozen):
    """The questions of one kind or one half: how many, the means, and the mean difference from A to B."""

    by: Literal["kind", "half"]
    name: str
    n: int
    figures: tuple[Figure, ...] = ()
    differences: tuple[Difference, ...] = ()


class Evaluation(Frozen):
    """A query set asked in several configurations.

    ``n`` = questions of the set, ``outcomes`` = of those that were asked, in the set's order. ``revisions`` = of the
    data that were read: more than one means that somebody changed them meanwhile. ``differences`` go from the first
    configuration to each other one. ``unmatched`` = judged documents that the workspace does not hold.
    ``unread`` = what the files of questions, judgments and rankings say and could not be taken; ``adjusted`` = what was
    read otherwise than it is written. ``stopped`` = somebody ended it early.
    """

    schema_version: Literal["1"] = "1"
    name: str
    workspace: str
    embedder_id: str = ""
    query_set: str = ""
    n: int = Field(ge=0)
    configurations: tuple[Configuration, ...] = ()
    measures: tuple[str, ...] = ()
    revisions: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    figures: tuple[Figure, ...] = ()
    differences: tuple[Difference, ...] = ()
    slices: tuple[Slice, ...] = ()
    unmatched: tuple[Rejected, ...] = ()
    unread: tuple[Rejected, ...] = ()
    adjusted: tuple[Adjusted, ...] = ()
    stopped: bool = False
    seconds: float = 0.0

    def figure(self, configuration: str, measure: str) -> Figure | None:
        """One mean; ``None`` for what was not measured."""
        return next((f for f in self.figures if (f.configuration, f.measure) == (configuration, measure)), None)

    def difference(self, b: str, measure: str) -> Difference | None:
        """The difference from the first configuration to ``b``; ``None`` for what was not measured."""
        return next((d for d in self.differences if (d.b, d.measure) == (b, measure)), None)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One flat row a question and configuration, values under the measures' names."""
        return [
            {
                "query_id": outcome.query_id,
                "query": outcome.query,
                "kind": outcome.kind,
                "half": outcome.half,
                "configuration": name,
                "documents": " ".join(answer.documents),
                "failure": answer.failure,
                **{measure: outcome.value(name, measure) for measure in self.measures},
            }
            for outcome in self.outcomes
            for name, answer in outcome.answers.items()
        ]

    def to_pandas(self) -> DataFrame:
        """A row for each question and configuration, in the order of the set.

        Columns: ``query_id``, ``query``, ``kind``, ``half``, ``configuration``, ``documents`` (ids, separated by
        blanks), ``failure``, and one for each of ``measures``. Needs pandas.
        """
        return shown.frame(self)

    @property
    def failures(self) -> tuple[tuple[str, str, str], ...]:
        """(query_id, configuration, reason) of every question that got no answer."""
        return tuple(
            (outcome.query_id, name, answer.failure)
            for outcome in self.outcomes
            for name, answer in outcome.answers.items()
            if answer.failure
        )


class KeptEvaluation(Frozen):
    """A kept evaluation in a list: everything but its outcomes.

    ``query_set`` = the name of its set, ``at`` = when it was begun (ISO 8601, UTC). ``n_asked`` = questions of the set,
    ``n`` = those of which the outcome is kept; ``whole`` = all of them are, and summed up. ``revision`` and
    ``content_revision`` = of the data that it was begun with, as are ``n_documents`` and ``n_relationships``.
    ``figures`` and ``differences`` are of what was finished when it ended; of one whose process was killed there are
    none until it is gone on with.
    """

    evaluation_id: str = Field(min_length=1, max_length=64)
    query_set: str
    workspace: str
    at: str
    by: str = ""
    note: str = ""
    pinned: bool = False
    whole: bool = False
    n_asked: int = Field(ge=0)
    n: int = Field(default=0, ge=0)
    n_documents: int = Field(default=0, ge=0)
    n_relationships: int = Field(default=0, ge=0)
    revision: str = ""
    content_revision: str = ""
    configurations: tuple[Configuration, ...] = ()
    measures: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    differences: tuple[Difference, ...] = ()

    def to_pandas(self) -> DataFrame:
        """A row for each configuration and measure: ``configuration``, ``measure``, ``mean``, ``n``. Needs pandas."""
        return shown.frame(self)


class BegunEvaluation(Frozen):
    """What is kept of an evaluation beside its outcomes, so that it can be gone on with and told as a whole.

    ``asked`` = ``what_is_asked``. ``questions`` = what is asked, judgments included, as they were when it began; none
    once it is whole. ``fingerprint`` = of the set (``Evaluation.query_set``). ``seconds`` = of work, all sittings.
    """

    summary: KeptEvaluation
    asked: str
    questions: QuerySet | None = None
    fingerprint: str = ""
    embedder_id: str = ""
    unmatched: tuple[Rejected, ...] = ()
    seconds: float = Field(default=0.0, ge=0)


def what_is_asked(query_set: str, configurations: Sequence[Configuration], measures: Sequence[str]) -> str:
    """SHA-256 (hex) of what decides an evaluation beside the data: kept outcomes of another one cannot be used."""
    asked = [each.model_dump(mode="json") for each in configurations]
    return fingerprint({"query_set": query_set, "configurations": asked, "measures": list(measures)})


class Gate(Frozen):
    """What an evaluation has to reach: the mean of a measure; ``configuration`` empty = the last one."""

    measure: str
    at_least: float
    configuration: str = ""


class GateResult(Frozen):
    """Whether one promise held, and the line that says so; ``queries`` = ids of questions that it is about."""

    name: str
    passed: bool
    sentence: str
    queries: tuple[str, ...] = ()
