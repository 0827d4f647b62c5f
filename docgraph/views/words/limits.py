"""Limits in words: what a sweep found, what the set speaks for, and the settings to copy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.scoreboard import CapPressure, HalfEvidence, LimitChange, LimitField
from docgraph.views.words.counts import UNKNOWN, plural
from docgraph.views.words.evaluation import difference_words, interval_words, measure_title

LIMIT_TITLES: Mapping[LimitField, str] = {
    "max_documents": "Documents per plan",
    "max_expanded": "Related documents",
    "max_expanding_seeds": "Matches followed",
    "max_fan_out": "Related per match",
}
"""Limit → what it is called in a heading."""

KEEP = "Keep today's settings"


def limit_noun(field: LimitField) -> str:
    """``documents per plan``."""
    return LIMIT_TITLES[field].lower()


def suggestion_title(found: CapPressure) -> str:
    """``Suggested: 6 → 8 documents per plan``, or that nothing is to be changed."""
    change = found.suggested
    return KEEP if change is None else f"Suggested: {change_words(change)}"


def change_words(change: LimitChange) -> str:
    """``6 → 8 documents per plan``."""
    return f"{change.before:,} → {change.after:,} {limit_noun(change.field)}"


def suggestion_reason(found: CapPressure) -> str:
    """Why nothing is suggested, or that the hold-out half bears it out."""
    if found.suggested is not None:
        return "Chosen on the tune half; the hold-out half gains too, and that is more than chance."
    if not found.n_judged:
        return "No question is judged, so nothing says which setting is better."
    if not found.changes:
        return "No value of any limit does better on the tune half."
    if not any(each.hold_out.difference.n for each in found.changes):
        return "The tune half gains, and no judged question is held out to test that."
    return "What gains on the tune half is not settled on the hold-out half."


def found_words(evidence: HalfEvidence) -> str:
    """``33 → 34 of 44 read``; ``--`` where nothing is judged."""
    if not evidence.n_relevant:
        return UNKNOWN
    before, after = evidence.found
    return f"{before:,} → {after:,} of {evidence.n_relevant:,} read"


def proof_words(change: LimitChange, measure: str) -> str:
    """``31 → 33 of 42 read, recall +0.04, 95 % +0.01 to +0.08: it holds``, of the hold-out half."""
    half = change.hold_out
    if half.difference.mean is None:
        return f"{UNKNOWN}, no judged question is held out"
    said = f"{found_words(half)}, {title_of(measure)} {difference_words(half.difference.mean, measure)}"
    if half.difference.low is not None:
        said += f", 95 % {interval_words(half.difference)}"
    if change.holds:
        return f"{said}: it holds"
    return f"{said}: {'not settled' if half.difference.mean > 0 else 'no gain'}"


def title_of(measure: str) -> str:
    """The measure's name; over all that is read, without the number that says so."""
    return "recall" if measure == "recall@100" else measure_title(measure)


def tokens_words(change: LimitChange) -> str:
    """``+170 tokens a question``, of both halves."""
    n = {half.half: half.difference.n + half.difference.not_judged for half in (change.tune, change.hold_out)}
    known = [(half.tokens, n[half.half]) for half in (change.tune, change.hold_out) if half.tokens is not None]
    total = sum(count for _, count in known)
    if not total:
        return UNKNOWN
    mean = sum(tokens * count for tokens, count in known) / total
    return f"{difference_words(mean, 'tokens')} tokens a question"


def settings_to_copy(found: CapPressure, change: LimitChange) -> dict[str, Any]:
    """The fields of a request with the change, as JSON, ``docgraph plan`` and ``Docgraph`` take them."""
    return {**found.fields, change.field: change.after}


def asked_of(found: CapPressure) -> str:
    """``32 questions, 30 judged; 2 got no answer``."""
    said = f"{plural(found.n, 'question')}, {found.n_judged:,} judged"
    if found.failures:
        said += f"; {len(found.failures):,} got no answer"
    return f"{said}; stopped, what is finished is told" if found.stopped else said
