"""Rank correlations against their definitions, counted pair by pair and place by place."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from docgraph.plugins.measures import kendall, spearman

orders = st.permutations("abcdefghij").flatmap(lambda ids: st.tuples(st.just(ids), st.permutations(ids)))


@settings(max_examples=100, deadline=None)
@given(orders)
def test_kendall_counts_pairs_in_the_same_and_in_opposite_order(pair: tuple[list[str], list[str]]) -> None:
    a, b = pair
    signs = [1 if b.index(x) < b.index(y) else -1 for x, y in combinations(a, 2)]
    assert kendall.build().compute(a, b) == pytest.approx(sum(signs) / len(signs))


@settings(max_examples=100, deadline=None)
@given(orders)
def test_spearman_sums_the_squares_of_the_differences_of_places(pair: tuple[list[str], list[str]]) -> None:
    a, b = pair
    squares, n = sum((i - b.index(item)) ** 2 for i, item in enumerate(a)), len(a)
    assert spearman.build().compute(a, b) == pytest.approx(1 - 6 * squares / (n * (n * n - 1)))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 40), unique=True), st.lists(st.integers(0, 40), unique=True))
def test_correlations_are_those_that_scipy_finds(first: list[int], second: list[int]) -> None:
    a, b = list(map(str, first)), list(map(str, second))
    places = [(i, b.index(item)) for i, item in enumerate(a) if item in b]
    expected = [
        round(float(of(*zip(*places, strict=True)).statistic), 12) if len(places) > 1 else None
        for of in (kendalltau, spearmanr)
    ]
    assert [measure.build().compute(a, b) for measure in (kendall, spearman)] == expected


def test_kendall_is_that_of_the_published_ranking_of_ten() -> None:
    """Kendall (1938) sets 1 … 10 against 4 7 2 10 3 6 8 1 5 9: S = +5, tau = +0.11."""
    natural = [str(i) for i in range(1, 11)]
    places = (4, 7, 2, 10, 3, 6, 8, 1, 5, 9)
    other = [item for _, item in sorted(zip(places, natural, strict=True))]
    assert round(kendall.build().compute(natural, other) or 0, 2) == 0.11


@pytest.mark.parametrize("measure", [kendall.build(), spearman.build()], ids=lambda m: m.name)
def test_fewer_than_two_common_items_have_no_order(measure: kendall.Kendall | spearman.Spearman) -> None:
    assert [measure.compute(a, b) for a, b in (("", ""), ("a", "a"), ("ab", "bc"), ("ab", "cd"))] == [None] * 4


@pytest.mark.parametrize("measure", [kendall.build(), spearman.build()], ids=lambda m: m.name)
def test_items_of_one_side_alone_do_not_count(measure: kendall.Kendall | spearman.Spearman) -> None:
    assert measure.compute("xabyc", "azbc") == 1
