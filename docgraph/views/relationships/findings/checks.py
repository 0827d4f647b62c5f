"""The checks in words: what they looked at, how far they are, what a stopped run leaves open, how much is decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from docgraph.domain.decisions import review_state
from docgraph.domain.finding import CheckReport
from docgraph.domain.graph import Relationship
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


_MENTIONS = "mentions"
"""The type of relationships that were only found in running text; nobody judges those one by one."""


@dataclass(frozen=True)
class Judged:
    """``n`` of ``total`` typed relationships are judged."""

    n: int
    total: int

    @property
    def share(self) -> float:
        """Between 0.0 and 1.0."""
        return self.n / self.total if self.total else 0.0


def judged(relationships: Iterable[Relationship], content_hashes: Mapping[str, str]) -> Judged:
    """Counts typed relationships that are judged; ``content_hashes`` = those of all stored documents."""
    n = total = 0
    for edge in relationships:
        if edge.relation_type != _MENTIONS:
            total += 1
            n += is_judged(edge, content_hashes)
    return Judged(n, total)


def is_judged(edge: Relationship, content_hashes: Mapping[str, str]) -> bool:
    """Whether a review of this relationship still holds (both texts are as they were), or a person made it so."""
    data = edge.relationship_metadata
    if (state := review_state(edge, content_hashes)) != "unreviewed":
        return state == "accepted"
    return isinstance(data.get("edited"), Mapping) or data.get("extractor") == "manual"
