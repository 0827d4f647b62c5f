"""The effect of edits on the saved questions in words: how many change, and what one of them gains and loses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.graph import DocumentRef
from docgraph.domain.impact import Gains, ImpactReport, QuestionImpact
from docgraph.views.words.counts import plural
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
    return f"{who}: so it is not known whether the answer improves (--)."


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
