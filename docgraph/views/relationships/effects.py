"""The effect of edits on the saved questions in words: how many change, what they gain and lose, what is not known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.graph import DocumentRef
from docgraph.domain.impact import Gains, ImpactReport, QuestionImpact
from docgraph.views.relationships.findings.subject import short_title
from docgraph.views.words.counts import n_of_m, plural
from docgraph.views.words.texts import line

NAMED = 3
"""Documents that one line names."""


@dataclass(frozen=True)
class JudgedMove:
    """Documents judged relevant that an answer gains or loses; ``titles`` names the first of them."""

    verb: Literal["gains", "loses"]
    n: int
    titles: str

    @property
    def words(self) -> str:
        """``gains 1 judged relevant: ADR-009``."""
        return f"{self.verb} {self.n:,} judged relevant: {self.titles}"


def verdict(report: ImpactReport) -> str:
    """``3 of 12 saved questions change``; says when none is saved, and when it was stopped."""
    if not report.n_questions:
        return "No saved questions yet. Save one to see which answers a change would affect."
    if not report.complete:
        return f"Stopped: {report.sentence[:1].lower()}{report.sentence[1:]} so far"
    if not report.n_changed:
        return f"None of {plural(report.n_questions, 'saved question')} changes"
    return report.sentence


def change_words(question: QuestionImpact) -> str:
    """``gains ADR-009 and 2 more; loses 3 chunks``; the verdict's sentence when only the order changes."""
    said = [f"{verb} {named}" for verb, gains in _gains(question) if (named := _named(gains))]
    return "; ".join(said) or line(question.sentence)


def judged_moves(question: QuestionImpact) -> tuple[JudgedMove, ...]:
    """What the answer gains and loses of what is judged relevant to the question; empty when that is nothing."""
    moves: list[JudgedMove] = []
    for verb, gains in _gains(question):
        if gains.n_relevant:
            moves.append(JudgedMove(verb, gains.n_relevant, _titles(gains.relevant, gains.n_relevant)))
    return tuple(moves)


def judged_note(reports: Iterable[ImpactReport]) -> str:
    """One line where nobody knows whether the answers that change get better; empty when one of them is judged."""
    changed = [question for report in reports for question in report.questions]
    if not changed or any(gains.n_relevant is not None for each in changed for _, gains in _gains(each)):
        return ""
    who = "The question that changes is not judged" if len(changed) == 1 else "No question that changes is judged"
    return f"{who}, so it is not known whether the answer improves (--)."


def judged_questions(report: ImpactReport) -> tuple[int, int] | None:
    """(questions that gain, questions that lose a document judged relevant to them); None when none is judged."""
    known = [each for each in report.questions if any(gains.n_relevant is not None for _, gains in _gains(each))]
    if not known:
        return None
    return sum(bool(each.gained.n_relevant) for each in known), sum(bool(each.lost.n_relevant) for each in known)


def _gains(question: QuestionImpact) -> tuple[tuple[Literal["gains", "loses"], Gains], ...]:
    return (("gains", question.gained), ("loses", question.lost))


def _named(gains: Gains) -> str:
    if gains.n_documents:
        return _titles(gains.documents, gains.n_documents)
    return plural(gains.n_chunks, "chunk") if gains.n_chunks else ""


def _titles(documents: Sequence[DocumentRef], n: int) -> str:
    names = [line(document.title) or document.document_id for document in documents[:NAMED]]
    return ", ".join(names) + (f" and {n - len(names):,} more" if n > len(names) else "")


def left_out_words(report: ImpactReport) -> str:
    """What was not asked, and why; empty when everything was."""
    said = []
    if report.n_left_out:
        verb = "has" if report.n_left_out == 1 else "have"
        said.append(f"{plural(report.n_left_out, 'more question')} {verb} no plan with the current data")
    if report.n_not_asked:
        verb = "was" if report.n_not_asked == 1 else "were"
        said.append(f"{plural(report.n_not_asked, 'saved question')} beyond the limit {verb} not asked")
    return "; ".join(said) + ("." if said else "")


MAX_SQUARES = 32
MOVED_NAMED = 2
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
        out.update(_moved_titles(question.lost))
        into.update(_moved_titles(question.gained))
    parts = [f"{title} removed in {n:,}" for title, n in _most(out)] + [
        f"{title} added in {n:,}" for title, n in _most(into)
    ]
    rest = max(0, len(out) - MOVED_NAMED) + max(0, len(into) - MOVED_NAMED)
    if rest:
        parts.append(plural(rest, "more document"))
    if parts:
        return ", ".join(parts)
    lost, gained = (sum(getattr(q, side).n_chunks for q in report.questions) for side in ("lost", "gained"))
    parts = [f"{plural(n, 'passage')} {way}" for n, way in ((lost, "out"), (gained, "in")) if n]
    return ", ".join(parts) or "the same passages in a different order"


def _moved_titles(gains: Gains) -> list[str]:
    return [short_title(line(document.title) or document.document_id, 34) for document in gains.documents]


def _most(counts: Counter[str]) -> Sequence[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOVED_NAMED]


def not_asked_words(report: ImpactReport) -> str:
    """Why there is nothing to draw, when no saved question could be asked."""
    if report.n_left_out:
        return f"{n_of_m(report.n_left_out, report.n_left_out)} saved questions have no plan with the current data"
    return "No saved questions yet. Save one to see which answers a change would affect."
