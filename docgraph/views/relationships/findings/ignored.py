"""Ignored findings in words: who, when and why, and why one is open again."""

from __future__ import annotations

from docgraph.domain.curators.dismissal import Dismissal
from docgraph.domain.finding import Finding
from docgraph.views.words.counts import plural
from docgraph.views.words.moments import moment, person
from docgraph.views.words.texts import excerpt

MAX_NAMED = 2
MAX_TITLE = 80


def ignored_words(dismissal: Dismissal) -> str:
    """``ignored by Ann on 22 Nov 2026, 02:04 UTC``. Holds a name: hostile data."""
    return f"ignored by {excerpt(person(dismissal.by), MAX_TITLE)} on {moment(dismissal.at)}"


def reopened_words(finding: Finding) -> str:
    """``ignored by Ann on …, but the text of B changed since``; empty for a finding that nobody ignored before."""
    if finding.dismissal is None:
        return ""
    titles = [excerpt(each.title, MAX_TITLE) or each.document_id for each in finding.texts_changed]
    rest = len(titles) - MAX_NAMED
    named = [*titles[:MAX_NAMED], *([plural(rest, "other document")] if rest > 0 else [])]
    whose = ", ".join(named[:-1]) + " and " + named[-1] if len(named) > 1 else "".join(named)
    return f"{ignored_words(finding.dismissal)}, but the text of {whose} changed since"


def depends_words(finding: Finding, n_questions: int) -> str:
    """``3 of 12 saved questions``; empty where none depends on it."""
    noun = "saved question" if n_questions == 1 else "saved questions"
    return f"{finding.n_questions:,} of {n_questions:,} {noun}" if finding.n_questions else ""
