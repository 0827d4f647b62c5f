"""Platt scaling by itself: the fit, its refusals, errors and bins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from docgraph.errors import UserError
from docgraph.retrieval.calibration import (
    LEAST_SLOPE,
    Constants,
    balanced,
    calibration_error,
    confidences,
    fit,
    out_of_fold,
    reliability,
)


def drawn(n: int = 400, *, slope: float = 9.0, intercept: float = -3.0, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    scores = rng.uniform(-0.2, 0.9, n)
    return scores, rng.uniform(size=n) < confidences(scores, slope, intercept)


def test_the_fit_is_the_minimum_that_scipy_finds() -> None:
    scores, relevant = drawn()
    n1, n0 = relevant.sum(), (~relevant).sum()
    targets = np.where(relevant, (n1 + 1) / (n1 + 2), 1 / (n0 + 2))
    weights = np.where(relevant, 0.5 / n1, 0.5 / n0)

    def loss(p: np.ndarray) -> float:
        z = p[0] * scores + p[1]
        return float((weights * (np.logaddexp(0, z) - targets * z)).sum())

    expected = minimize(loss, [1.0, 0.0], method="BFGS", options={"gtol": 1e-9}).x
    assert np.allclose(fit(scores, relevant.tolist())[:2], expected, atol=1e-3)


def test_it_is_deterministic_and_does_not_depend_on_the_order_of_pairs() -> None:
    scores, relevant = drawn()
    first = fit(scores, relevant.tolist())
    assert first == fit(scores.copy(), relevant.tolist())
    order = np.random.default_rng(1).permutation(len(scores))
    assert np.allclose(first, fit(scores[order], relevant[order].tolist()), atol=1e-6)


def test_how_many_irrelevant_pairs_there_are_hardly_matters() -> None:
    scores, relevant = drawn(1_000)
    more = np.concatenate([scores, *[scores[~relevant]] * 9])
    labels = np.concatenate([relevant, np.zeros(9 * int((~relevant).sum()), dtype=bool)])
    assert np.allclose(fit(scores, relevant.tolist()), fit(more, labels.tolist()), rtol=0.03)


def test_classes_that_do_not_overlap_still_have_a_finite_fit() -> None:
    scores = [0.1] * 15 + [0.9] * 15
    slope, intercept, _ = fit(scores, [False] * 15 + [True] * 15)
    assert 0 < slope < 20
    low, high = confidences([0.1, 0.9], slope, intercept)
    assert (round(low, 3), round(high, 3)) == (0.059, 0.941)  # Platt's targets: 1/17 and 16/17


@pytest.mark.parametrize(("n_relevant", "n_others"), [(0, 100), (100, 0), (4, 100), (100, 4), (9, 10), (0, 0)])
def test_too_few_pairs_are_refused_with_what_it_takes(n_relevant: int, n_others: int) -> None:
    scores = list(np.linspace(0, 1, n_relevant + n_others))
    with pytest.raises(UserError, match=f"{n_relevant + n_others} pairs of which {n_relevant} are relevant"):
        fit(scores, [False] * n_others + [True] * n_relevant)


@pytest.mark.parametrize(
    ("scores", "relevant"),
    [([0.9] * 20 + [0.1] * 20, [False] * 20 + [True] * 20), ([0.5] * 40, [False] * 20 + [True] * 20)],
)
def test_scores_that_do_not_rise_with_relevance_are_refused(scores: list[float], relevant: list[bool]) -> None:
    with pytest.raises(UserError, match="scores do not rise with relevance"):
        fit(scores, relevant)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-1, 1), st.booleans()), min_size=20, max_size=80),
    st.floats(0.01, 100.0),
)
def test_a_fit_is_monotone_or_refused(pairs: list[tuple[float, bool]], stretch: float) -> None:
    scores, relevant = [s * stretch for s, _ in pairs], [r for _, r in pairs]
    try:
        slope, intercept, _ = fit(scores, relevant)
    except UserError:
        return
    assert slope > 0
    assert math.isfinite(intercept)
    given = confidences(sorted(scores), slope, intercept)
    assert np.all(np.diff(given) >= -1e-12), "but for the last digit of a double"
    assert np.all((given >= 0) & (given <= 1))


def test_the_error_is_the_mean_gap_between_said_and_true() -> None:
    relevant = np.array([True] * 10 + [False] * 10)
    assert calibration_error(relevant.astype(float), relevant) == 0.0
    assert calibration_error(1 - relevant.astype(float), relevant) == 1.0
    assert calibration_error(np.full(20, 0.5), relevant) == 0.0
    assert calibration_error(np.full(20, 0.95), relevant) == 0.45


def test_bins_hold_every_pair_once_and_the_last_one_holds_1() -> None:
    scores, relevant = drawn()
    given = np.append(confidences(scores, 9, -3)[:-2], [0.0, 1.0])
    bins = reliability(given, relevant)
    assert [(b.lower, b.upper) for b in bins] == [(i / 10, (i + 1) / 10) for i in range(10)]
    assert sum(b.n_pairs for b in bins) == len(given)
    assert all(b.lower - 1e-9 <= b.confidence <= b.upper + 1e-9 for b in bins if b.confidence is not None)
    assert reliability(np.zeros(20), np.array([True] * 10 + [False] * 10))[5].relevant is None


def test_a_calibrated_score_has_a_small_error_out_of_fold() -> None:
    scores, relevant = drawn(3_000, slope=9, intercept=-4)
    questions = np.arange(3_000) // 10
    after, folds = out_of_fold(scores, relevant, questions)
    assert folds == 5
    assert calibration_error(after, relevant) < 0.05 < calibration_error(np.clip(scores, 0, 1), relevant)


def test_a_pair_is_judged_by_constants_that_never_saw_its_question() -> None:
    scores, relevant = drawn(100)
    questions = np.arange(100) // 10
    before, _ = out_of_fold(scores, relevant, questions)
    turned = np.where(questions == 0, ~relevant, relevant)
    after, _ = out_of_fold(scores, turned, questions)
    assert np.array_equal(before[questions == 0], after[questions == 0])
    assert not np.array_equal(before, after)


def test_weights_of_the_classes_are_halves() -> None:
    relevant = np.array([True, False, False, False])
    assert balanced(relevant).tolist() == pytest.approx([0.5, 1 / 6, 1 / 6, 1 / 6])
    assert balanced(relevant, [7, 1, 1, 2]).tolist() == pytest.approx([0.5, 0.125, 0.125, 0.25])
    assert balanced(np.array([True, True])).tolist() == [0.5, 0.5]


def told(n: int = 600, *, seed: int = 5) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores, shares of words, and labels that follow from both."""
    rng = np.random.default_rng(seed)
    scores, shares = rng.uniform(0, 0.8, n), rng.uniform(size=n)
    return scores, shares, rng.uniform(size=n) < confidences(scores, 9.0, -7.0, 6.0, shares=shares)


def test_with_words_the_fit_is_the_minimum_that_scipy_finds() -> None:
    scores, shares, relevant = told()
    n1, n0 = relevant.sum(), (~relevant).sum()
    targets = np.where(relevant, (n1 + 1) / (n1 + 2), 1 / (n0 + 2))
    weights = np.where(relevant, 0.7 / n1, 0.3 / n0)

    def loss(p: np.ndarray) -> float:
        z = p[0] * scores + p[1] + p[2] * shares
        return float((weights * (np.logaddexp(0, z) - targets * z)).sum())

    expected = minimize(loss, [1.0, 0.0, 0.0], method="BFGS", options={"gtol": 1e-9}).x
    assert np.allclose(fit(scores, relevant, shares=shares, answerable=0.7), expected, atol=2e-3)


def test_few_cases_stay_near_the_constants_that_they_start_from_and_many_do_not() -> None:
    scores, shares, relevant = told(4_000)
    start, true = Constants(20.0, -12.0, 0.5), fit(scores, relevant, shares=shares)

    def apart(n: int) -> float:
        found = fit(scores[:n], relevant[:n], shares=shares[:n], start=start)
        return float(np.abs(np.subtract(found, true)).max())

    assert apart(4_000) < 0.1 * np.abs(np.subtract(start, true)).max(), "of the way, nine tenths are gone"
    assert apart(24) > apart(400) > apart(4_000)
    near = fit(scores[:24], relevant[:24], shares=shares[:24], start=start)
    assert np.abs(np.subtract(near, start)).max() < np.abs(np.subtract(true, start)).max() / 2


def test_words_that_speak_against_an_answer_do_not_count() -> None:
    scores, shares, relevant = told()
    against = fit(scores, relevant, shares=1 - shares)
    assert against.words == 0
    assert np.allclose(against, fit(scores, relevant), atol=1e-6)


def test_a_share_that_counts_the_score_already_leaves_the_score_its_least_slope() -> None:
    """With a negative slope the surer one of two passages would be the less similar one."""
    rng = np.random.default_rng(5)
    shares = rng.uniform(0.0, 0.5, 400)
    relevant = rng.uniform(size=400) < confidences(shares, 20.0, -5.0)
    scores = shares + rng.normal(0.0, 0.1, 400) - 0.5 * (shares > 0.25) * shares
    free = fit(scores, relevant.tolist())
    assert free.slope > LEAST_SLOPE, "alone it counts"
    both = fit(scores - 2 * relevant * 0.1, relevant.tolist(), shares=shares)
    assert both.slope == LEAST_SLOPE
    assert both.words > 0
