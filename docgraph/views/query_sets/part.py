"""What is shown of an evaluation: two configurations and one measure of it, and a row for each question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.domain.evaluation import NEUTRAL, Change, Configuration, Difference, Evaluation, Outcome
from docgraph.domain.query_set import Half
from docgraph.views.words.counts import UNKNOWN
from docgraph.views.words.evaluation import difference_words, most_changed

CHANGES: tuple[Change, ...] = ("improved", "worse", "equal", "not_judged", "failed")


@dataclass(frozen=True)
class Part:
    """What the page shows of an evaluation, from its first configuration to ``b``; ``half`` ``None`` = all questions.

    ``measure`` decides which questions improve. Figures are those of the evaluation or of its slice: nothing is
    averaged here.
    """

    evaluation: Evaluation
    b: Configuration
    measure: str
    half: Half | None = None

    @property
    def a(self) -> Configuration:
        """What the others are compared with."""
        return self.evaluation.configurations[0]

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The questions, in the order of the set."""
        return tuple(each for each in self.evaluation.outcomes if self.half in (None, each.half))

    def difference(self, measure: str = "") -> Difference | None:
        """Mean difference and counts of a measure; of a half without an interval and a test."""
        wanted = measure or self.measure
        if self.half is None:
            return self.evaluation.difference(self.b.name, wanted)
        found = next((each for each in self.evaluation.slices if (each.by, each.name) == ("half", self.half)), None)
        of = found.differences if found else ()
        return next((each for each in of if (each.b, each.measure) == (self.b.name, wanted)), None)

    def means(self, measure: str) -> tuple[float | None, float | None]:
        """The means of A and B."""
        figures = self.evaluation.figures
        if self.half is not None:
            found = (each for each in self.evaluation.slices if (each.by, each.name) == ("half", self.half))
            figures = next((each.figures for each in found), ())
        means = {each.configuration: each.mean for each in figures if each.measure == measure}
        return means.get(self.a.name), means.get(self.b.name)

    def change(self, outcome: Outcome) -> Change:
        """What became of a question."""
        return outcome.change(self.a.name, self.b.name, self.measure)

    def values(self, measure: str) -> list[tuple[str, float]]:
        """(query_id, difference) of the questions of which both values are known, in the order of the set."""
        return [
            (each.query_id, value)
            for each in self.outcomes
            if (value := each.difference(self.a.name, self.b.name, measure)) is not None
        ]


def part_of(evaluation: Evaluation, *, b: str = "", measure: str = "", half: str = "") -> Part | None:
    """The part that names in an address ask for, each the default where it is none; ``None`` for one configuration."""
    others = evaluation.configurations[1:]
    judged = judged_measures(evaluation)
    if not others or not judged:
        return None
    halves = {each.half for each in evaluation.outcomes}
    wanted: Half | None = "tune" if half == "tune" else "hold_out" if half == "hold_out" else None
    return Part(
        evaluation,
        next((each for each in others if each.name == b), others[-1]),
        measure if measure in judged else judged[0],
        wanted if wanted in halves and len(halves) > 1 else None,
    )


def judged_measures(evaluation: Evaluation) -> tuple[str, ...]:
    """Those by which a question improves, in the evaluation's order."""
    return tuple(each for each in evaluation.measures if each not in NEUTRAL)


def counted(part: Part) -> dict[Change, int]:
    """How many questions became what; together as many as there are."""
    found = part.difference()
    return {change: 0 if found is None else int(getattr(found, change)) for change in CHANGES}


def in_order(part: Part, change: str = "") -> list[tuple[Outcome, float | None]]:
    """The questions that changed most first, then equal, not judged and failed ones; ``change`` keeps one kind."""
    shown: Sequence[tuple[Outcome, float | None]] = most_changed(part.evaluation, part.b.name, part.measure)
    kept = [pair for pair in shown if part.half in (None, pair[0].half)]
    if change in CHANGES:
        kept = [pair for pair in kept if part.change(pair[0]) == change]
    return sorted(kept, key=lambda pair: part.change(pair[0]) == "failed")


@dataclass(frozen=True)
class Row:
    """One question; what is not known is ``None``: of an answer that failed, or where nobody judged.

    ``came`` and ``went`` = documents that only B, or only A reads. ``read`` = relevant documents that A and B read of
    ``n_relevant``. ``tokens`` = difference of the costs.
    """

    query_id: str
    query: str
    kind: str
    change: Change
    came: int | None
    went: int | None
    read: tuple[int | None, int | None]
    n_relevant: int
    value: float | None
    tokens: float | None


def row_of(part: Part, outcome: Outcome) -> Row:
    """The row of one question."""
    a, b = part.a.name, part.b.name
    came, went = documents_between(part, outcome)
    return Row(
        query_id=outcome.query_id,
        query=outcome.query,
        kind=outcome.kind,
        change=part.change(outcome),
        came=None if came is None else len(came),
        went=None if went is None else len(went),
        read=(_relevant_read(outcome, a), _relevant_read(outcome, b)),
        n_relevant=outcome.n_relevant,
        value=outcome.difference(a, b, part.measure),
        tokens=outcome.difference(a, b, "tokens"),
    )


def documents_between(part: Part, outcome: Outcome) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """The documents that only B, and those that only A reads, in their order; ``None`` where an answer failed."""
    a, b = (outcome.answers.get(each.name) for each in (part.a, part.b))
    if a is None or b is None or a.failure or b.failure:
        return None, None
    return (
        tuple(each for each in b.documents if each not in a.documents),
        tuple(each for each in a.documents if each not in b.documents),
    )


def _relevant_read(outcome: Outcome, name: str) -> int | None:
    answer = outcome.answers.get(name)
    if answer is None or answer.failure or not outcome.n_relevant:
        return None
    return outcome.n_relevant_read.get(name)


def read_words(row: Row) -> str:
    """``1 → 2 of 2``; ``--`` where nothing is known to be relevant."""
    if row.read == (None, None):
        return UNKNOWN
    a, b = (UNKNOWN if each is None else f"{each:,}" for each in row.read)
    return f"{a} → {b} of {row.n_relevant:,}"


def signed(n: int | None, sign: str) -> str:
    """``+2``, ``−2``, ``0``, ``--``."""
    return UNKNOWN if n is None else f"{sign}{n:,}" if n else "0"


def value_words(row: Row, part: Part) -> str:
    """The difference with its sign; ``--`` where it is not known."""
    return difference_words(row.value, part.measure)


def bar(row: Row) -> tuple[str, float]:
    """The look of a bar and its length, 0 to 1: a difference of 1 is the longest there is."""
    if row.value is None or row.change not in ("improved", "worse"):
        return "none", 0.0
    return row.change, min(abs(row.value), 1.0)
