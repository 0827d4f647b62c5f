"""The effect of each action on the saved questions: a row of squares, a number, what goes out and in, and its worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.domain.impact import Gains, ImpactReport
from docgraph.views.relationships.edges.effects import judged_questions
from docgraph.views.relationships.findings.subject import short_title
from docgraph.views.words.counts import n_of_m, plural
from docgraph.views.words.texts import line

MAX_SQUARES = 32
NAMED = 2
"""Documents that a row names."""

NOTHING = "nothing changes"


@dataclass(frozen=True)
class Square:
    """One saved question, the same place in every row; ``changed`` = another text is read for it."""

    name: str
    changed: bool


@dataclass(frozen=True)
class EffectRow:
    """One action: ``squares`` of the first questions, ``n_changed`` of ``n_questions``, ``moves`` = "5 out, 2 in".

    ``words`` = which documents these are; ``judged`` = (questions that gain, questions that lose a document judged
    relevant to them), None where nobody knows.
    """

    squares: tuple[Square, ...]
    n_changed: int
    n_questions: int
    moves: str
    words: str
    judged: tuple[int, int] | None = None


def effect_row(report: ImpactReport) -> EffectRow:
    """The row of one alternative."""
    asked = report.asked[:MAX_SQUARES]
    squares = tuple(Square(line(each.name) or line(each.query), each.changed) for each in asked)
    judged = judged_questions(report)
    return EffectRow(
        squares, report.n_changed, report.n_questions, moves_words(report), effect_words(report), judged=judged
    )


def unchanged_row(like: ImpactReport) -> EffectRow:
    """The row of an action that no plan reads: nothing changes, by what a plan is."""
    squares = tuple(Square(line(each.name) or line(each.query), False) for each in like.asked[:MAX_SQUARES])
    return EffectRow(squares, 0, like.n_questions, NOTHING, NOTHING)


def numbers_note(report: ImpactReport) -> str:
    """``how many of 12 saved questions it gives another answer``: what the numbers under the acts are."""
    n = report.n_questions
    left = report.n_left_out + report.n_not_asked
    said = "whether the one saved question" if n == 1 else f"how many of {n:,} saved questions"
    return f"{said} would change" + (f"; {left:,} more not asked" if left else "")


def squares_note(report: ImpactReport) -> str:
    """``each square is one of 12 saved questions, filled when its answer changes``."""
    n, drawn = report.n_questions, min(len(report.asked), MAX_SQUARES)
    if n == 1:
        said = "the square is the one saved question; filled if its answer changes"
    elif drawn < n:
        said = f"each square is one of the newest {drawn} of {n:,} saved questions; filled if its answer changes"
    else:
        said = f"each square is one of {n:,} saved questions; filled if its answer changes"
    left = report.n_left_out + report.n_not_asked
    return f"{said}; {left:,} more not asked" if left else said


def moves_words(report: ImpactReport) -> str:
    """``23 out, 22 in``: in how many answers a document goes out, and comes in; chunks when no document does."""
    if not report.n_changed:
        return NOTHING
    out, into = (sum(bool(getattr(q, side).n_documents) for q in report.questions) for side in ("lost", "gained"))
    if out or into:
        return f"{out:,} removed, {into:,} added"
    return (
        "different passages"
        if any(q.lost.n_chunks or q.gained.n_chunks for q in report.questions)
        else "different order"
    )


def effect_words(report: ImpactReport) -> str:
    """``ADR-009 out in 5, ADR-021 in for 2``; chunks when no document changes; ``nothing changes``."""
    if not report.n_changed:
        return NOTHING
    out, into = Counter[str](), Counter[str]()
    for question in report.questions:
        out.update(_titles(question.lost))
        into.update(_titles(question.gained))
    parts = [f"{title} removed in {n:,}" for title, n in _most(out)] + [
        f"{title} added in {n:,}" for title, n in _most(into)
    ]
    rest = max(0, len(out) - NAMED) + max(0, len(into) - NAMED)
    if rest:
        parts.append(plural(rest, "more document"))
    if parts:
        return ", ".join(parts)
    lost, gained = (sum(getattr(q, side).n_chunks for q in report.questions) for side in ("lost", "gained"))
    parts = [f"{plural(n, 'passage')} {way}" for n, way in ((lost, "out"), (gained, "in")) if n]
    return ", ".join(parts) or "the same passages in a different order"


def _titles(gains: Gains) -> list[str]:
    return [short_title(line(document.title) or document.document_id, 34) for document in gains.documents]


def _most(counts: Counter[str]) -> Sequence[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:NAMED]


def not_asked_words(report: ImpactReport) -> str:
    """Why there is nothing to draw, when no saved question could be asked."""
    if report.n_left_out:
        return f"{n_of_m(report.n_left_out, report.n_left_out)} saved questions have no plan with the current data"
    return "No saved questions yet. Save one to see which answers a change would affect."
