"""How far a run of the checks is, in words, and where it was stopped."""

from __future__ import annotations

from docgraph.domain.finding import CheckReport
from docgraph.views.words.counts import plural
from docgraph.views.words.moments import moment

ASK_AGAIN = "Run the checks"


def steps_words(done: int, total: int) -> str:
    """``5 of 18 checks``; ``reading`` before anything is known."""
    return f"{done:,} of {plural(total, 'check')}" if total else "reading"


def running_words(done: int, total: int, doing: str, *, seconds: float) -> str:
    """``5 of 18 checks, 12 s: Missing document``."""
    said = f"{steps_words(done, total)}, {seconds:.0f} s"
    return f"{said}: {doing}" if doing else said


def again_words(done: int, total: int) -> str:
    """``Checking again, 5 of 18: this list stands until they end``."""
    far = f", {done:,} of {total:,}" if total else ""
    return f"Checking again{far}. This list is from the last check"


def checked_words(report: CheckReport, at: str) -> str:
    """``18 checks looked at 258 relationships and 56 documents``, and when; ``at`` = an ISO 8601 moment or empty."""
    when = f"Checked {moment(at)}" if at else "Checked"
    looked = f"{plural(report.n_relationships, 'relationship')} and {plural(report.n_documents, 'document')}"
    return f"{when}: {plural(report.n_run, 'check')} looked at {looked}"


def stopped_words(report: CheckReport) -> str:
    """``stopped: 11 of 18 checks``; empty for a report that is complete."""
    return "" if report.complete else f"stopped: {steps_words(report.n_run, report.n_on)}"


def unknown_words(report: CheckReport) -> str:
    """What a report that was stopped leaves open: ``What the other 7 look for is not known.``"""
    n = len(report.not_run)
    if report.complete or not n:
        return ""
    if not report.n_run:
        return "Nothing was checked yet."
    return "The result of the other check is not known." if n == 1 else f"The results of the other {n:,} are not known."
