"""The effect of edits on the saved questions in words: how many change, and what one of them gains and loses."""

from __future__ import annotations

from docgraph.domain.impact import Gains, ImpactReport, QuestionImpact
from docgraph.views.report_words import line
from docgraph.views.wording import plural

NAMED = 3
"""Documents that one line names."""


def verdict(report: ImpactReport) -> str:
    """``3 of 12 saved questions change``; says when none is saved, and when it was stopped."""
    if not report.n_questions:
        return "No saved question to ask: the effect is not known (--). Save a few plans as runs, then it is."
    if not report.complete:
        return f"Stopped: {report.sentence[:1].lower()}{report.sentence[1:]} so far"
    if not report.n_changed:
        return f"None of {plural(report.n_questions, 'saved question')} changes"
    return report.sentence


def change_words(question: QuestionImpact) -> str:
    """``gains ADR-009 and 2 more; loses 3 chunks``; the verdict's sentence when only the order changes."""
    said = [
        f"{verb} {named}"
        for verb, named in (("gains", _named(question.gained)), ("loses", _named(question.lost)))
        if named
    ]
    return "; ".join(said) or line(question.sentence)


def _named(gains: Gains) -> str:
    if gains.n_documents:
        names = [line(document.title) or document.document_id for document in gains.documents[:NAMED]]
        rest = gains.n_documents - len(names)
        return ", ".join(names) + (f" and {rest:,} more" if rest else "")
    return plural(gains.n_chunks, "chunk") if gains.n_chunks else ""


def left_out_words(report: ImpactReport) -> str:
    """What was not asked, and why; empty when everything was."""
    said = []
    if report.n_left_out:
        verb = "has" if report.n_left_out == 1 else "have"
        said.append(f"{plural(report.n_left_out, 'more question')} {verb} no plan on today's data")
    if report.n_not_asked:
        verb = "was" if report.n_not_asked == 1 else "were"
        said.append(f"{plural(report.n_not_asked, 'saved run')} beyond the limit {verb} not asked")
    return "; ".join(said) + ("." if said else "")
