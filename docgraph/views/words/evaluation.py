"""An evaluation in words: means, differences, certainty, and the limits that it suggests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.evaluation import COSTS, Difference, Evaluation, Outcome
from docgraph.domain.scoreboard import CapPressure, HalfEvidence, LimitChange, LimitField
from docgraph.views.words.counts import UNKNOWN, measured, plural


def verdict(difference: Difference) -> str:
    """``11 questions improve, 3 get worse, 22 stay equal; 5 are not judged``."""
    n_improved, n_worse, n_equal = difference.improved, difference.worse, difference.equal
    said = [
        f"{plural(n_improved, 'question')} {'improves' if n_improved == 1 else 'improve'}",
        f"{n_worse:,} {'gets' if n_worse == 1 else 'get'} worse",
        f"{n_equal:,} {'stays' if n_equal == 1 else 'stay'} equal",
    ]
    rest = [
        f"{n:,} {'is' if n == 1 else 'are'} {word}" if word == "not judged" else f"{n:,} got no answer"
        for n, word in ((difference.not_judged, "not judged"), (difference.failed, "failed"))
        if n
    ]
    return "; ".join((", ".join(said), *rest))


_TITLES = {"ndcg": "nDCG", "reciprocal_rank": "MRR", "average_precision": "MAP", "jaccard": "Jaccard"}
_TITLES |= {"rbo_90": "RBO 0.9", "rbo_50": "RBO 0.5"}


def measure_title(measure: str) -> str:
    """A measure as the field writes it: ``nDCG@5``, ``MRR@5``, ``recall@5``, ``tokens``."""
    stem, at, k = measure.partition("@")
    return f"{_TITLES.get(stem, stem.replace('_', ' '))}{at}{k}"


def mean_words(value: float | None, measure: str) -> str:
    """A mean with two digits; a cost as a whole number, documents with one digit."""
    if value is None:
        return UNKNOWN
    if measure == "documents":
        return f"{value:,.1f}"
    return f"{value:,.0f}" if measure in COSTS else measured(value)


def difference_words(value: float | None, measure: str) -> str:
    """The same with its sign: ``+0.10``, ``−118``, ``0.00``."""
    said = mean_words(None if value is None else abs(value), measure)
    if value is None or not any(character in "123456789" for character in said):
        return said
    return f"{'+' if value > 0 else '−'}{said}"


def interval_words(difference: Difference) -> str:
    """``−0.01 to +0.21``; ``--`` where there is none."""
    if difference.low is None or difference.high is None:
        return UNKNOWN
    low, high = (difference_words(value, difference.measure) for value in (difference.low, difference.high))
    return f"{low} to {high}"


def certainty(difference: Difference) -> str:
    """Whether the mean difference is more than chance: *settled* at a corrected p below 0.05."""
    if difference.p_corrected is None:
        return ""
    return "settled" if difference.p_corrected < 0.05 else "not settled yet"


def p_words(value: float | None) -> str:
    """``0.28``, ``< 0.001``, ``--``."""
    if value is None:
        return UNKNOWN
    return "< 0.001" if value < 0.001 else f"{value:.3f}" if value < 0.1 else f"{value:.2f}"


def asked_words(evaluation: Evaluation) -> str:
    """``41 of 60 questions asked, 38 judged, 0 failed``."""
    n, failed = len(evaluation.outcomes), len({query_id for query_id, _, _ in evaluation.failures})
    judged = sum(bool(outcome.n_relevant) for outcome in evaluation.outcomes)
    asked = plural(n, "question") if n == evaluation.n else f"{n:,} of {plural(evaluation.n, 'question')}"
    stopped = "; stopped, what is finished is kept" if evaluation.stopped else ""
    return f"{asked} asked, {judged:,} judged, {failed:,} failed{stopped}"


def unread_words(evaluation: Evaluation) -> str:
    """``2 lines are not read: line 4, line 5``; empty where all were."""
    n, some = len(evaluation.unread), ", ".join(each.place for each in evaluation.unread[:5])
    more = f" and {n - 5:,} more" if n > 5 else ""
    return f"{n:,} {'line is' if n == 1 else 'lines are'} not read: {some}{more}" if n else ""


def changed_data(evaluation: Evaluation) -> str:
    """What is to be known when the data changed meanwhile; empty when they did not."""
    n = len(evaluation.revisions)
    return f"the data changed while they were asked: {n} revisions" if n > 1 else ""


def most_changed(evaluation: Evaluation, b: str, measure: str) -> list[tuple[Outcome, float | None]]:
    """The questions with their difference from the first configuration: the largest first, what is not known last."""
    a = evaluation.configurations[0].name
    pairs = [(outcome, outcome.difference(a, b, measure)) for outcome in evaluation.outcomes]
    return sorted(pairs, key=lambda pair: (pair[1] is None, -abs(pair[1] or 0.0)))


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
