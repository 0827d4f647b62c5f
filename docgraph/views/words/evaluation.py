"""An evaluation in words: one place decides how a mean, a difference and its certainty are said."""

from __future__ import annotations

from docgraph.domain.evaluation import COSTS, Difference, Evaluation, Outcome
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
