"""Certainty: intervals and p values against what one can work out by hand, or by trying everything."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap, false_discovery_control, permutation_test

from docgraph.evaluation.significance import N_RESAMPLES, SEED, corrected, interval, p_value


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), min_size=1, max_size=9))
@settings(max_examples=40)
def test_p_is_the_share_of_all_signs_that_are_as_extreme(differences: list[float]) -> None:
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    exact = sum(each >= abs(sum(differences)) - 1e-9 for each in sums) / len(sums)
    assert p_value(differences) == pytest.approx(exact)


def test_p_of_many_questions_is_drawn_and_the_same_each_time() -> None:
    differences = [0.5] * 30 + [-0.5] * 10 + [0.0] * 60
    assert p_value(differences) == p_value(differences[::-1])
    assert 0 < (p_value(differences) or 0) < 0.01
    assert (p_value([0.5, -0.5] * 20) or 0) > 0.9


def test_nothing_to_compare_has_no_p_and_no_interval() -> None:
    assert p_value([]) is None
    assert interval([]) is interval([0.4]) is None


def test_the_interval_holds_the_mean_and_narrows_with_more_questions() -> None:
    few, many = [0.0, 1.0] * 5, [0.0, 1.0] * 500
    bounds = [interval(each) for each in (few, many)]
    widths = [high - low for low, high in (each for each in bounds if each is not None)]
    assert all(low < 0.5 < high for low, high in (each for each in bounds if each is not None))
    assert widths[1] < widths[0] / 5
    assert interval([0.25] * 7) == (0.25, 0.25)
    assert interval(few) == interval(few[::-1]), "equal differences, another interval"


def test_p_values_are_corrected_as_benjamini_and_hochberg_say_and_unknown_ones_stay() -> None:
    assert corrected([0.01, None, 0.04, 0.03]) == pytest.approx((0.03, None, 0.04, 0.04))
    assert corrected([None, None]) == (None, None)
    assert corrected([0.2]) == pytest.approx((0.2,))


def test_what_is_found_does_not_depend_on_how_much_is_resampled_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    values = [(n % 7 - 2) / 7 for n in range(300)]
    found = interval(values), p_value(values)
    monkeypatch.setattr("docgraph.evaluation.significance._ROOM", 7_000)
    assert (interval(values), p_value(values)) == found


@given(st.lists(st.one_of(st.floats(-2, 2), st.sampled_from([-0.5, 0.0, 0.5])), min_size=2, max_size=40))
@example([0.5] * 9 + [-0.25] * 4)
@example([0.5] * 9 + [-0.25] * 5)
@example([1 / 3, -1 / 3, 0.1] * 7)
@settings(max_examples=25, deadline=None)
def test_interval_and_p_are_those_that_scipy_finds_with_the_same_draws(differences: list[float]) -> None:
    given_ = np.sort(differences)
    if np.ptp(given_):
        found = bootstrap(
            (given_,), np.mean, n_resamples=N_RESAMPLES, method="percentile", rng=np.random.default_rng(SEED)
        )
        assert interval(differences) == pytest.approx(tuple(found.confidence_interval), rel=1e-9, abs=1e-12)
    changed = given_[given_ != 0]
    if len(changed) > 1:
        tested = permutation_test(
            (changed,),
            lambda values, axis=-1: np.sum(values, axis=axis),
            permutation_type="samples",
            n_resamples=N_RESAMPLES,
            rng=np.random.default_rng(SEED),
        )
        assert p_value(differences) == min(1.0, float(tested.pvalue))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_corrected_p_values_are_those_that_scipy_finds(values: list[float]) -> None:
    assert corrected(values) == pytest.approx(tuple(false_discovery_control(values, method="bh")), rel=1e-12)
