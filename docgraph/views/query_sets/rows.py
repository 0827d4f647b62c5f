"""A question as a row: what came and went, how many relevant documents were read, and what that makes of it."""

from __future__ import annotations

from dataclasses import dataclass

from docgraph.domain.evaluation import Change, Outcome
from docgraph.views.query_sets.part import Part
from docgraph.views.words.counts import UNKNOWN
from docgraph.views.words.evaluation import difference_words


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
