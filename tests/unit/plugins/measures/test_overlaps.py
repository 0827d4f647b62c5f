"""Overlaps against published figures, and against the definition written down a second time."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.plugins.measures import jaccard, rbo_50, rbo_90
from docgraph.plugins.measures._rbo import RankBiasedOverlap, _agreements

rankings = st.lists(st.sampled_from("abcdefghijklmnop"), unique=True, max_size=16)
persistence = st.sampled_from((0.1, 0.5, 0.9, 0.95))


def by_definition(a: list[str], b: list[str], p: float) -> float:
    """RBO as equation 4 defines it: the infinite sum, with every unseen agreement filled in as section 4.3 argues.

    Unseen ranks of the shorter list agree as its seen ones did; beyond both lists the last agreement goes on.
    """
    short, long = sorted((a, b), key=len)
    total, agreement = 0.0, 0.0
    for depth in range(1, 4_000):
        if depth <= len(long):
            common = len(set(short[:depth]) & set(long[:depth]))
            unseen = max(depth - len(short), 0)
            agreement = (common + unseen * len(set(short) & set(long[: len(short)])) / len(short)) / depth
        total += (1 - p) * p ** (depth - 1) * agreement
    return total


def equation_32(a: list[str], b: list[str], p: float) -> float:
    """The closed form, symbol by symbol as it is printed."""
    s_list, l_list = sorted((a, b), key=len)
    s, l = len(s_list), len(l_list)  # noqa: E741 (the paper's names)
    x = {d: len(set(s_list[:d]) & set(l_list[:d])) for d in range(1, l + 1)}
    first = sum(x[d] / d * p**d for d in range(1, l + 1))
    second = sum(x[s] * (d - s) / (s * d) * p**d for d in range(s + 1, l + 1))
    return (1 - p) / p * (first + second) + ((x[l] - x[s]) / l + x[s] / s) * p**l


@settings(max_examples=150, deadline=None)
@given(rankings.filter(bool), rankings.filter(bool), persistence)
def test_rbo_is_the_infinite_sum_and_the_closed_form_of_the_paper(a: list[str], b: list[str], p: float) -> None:
    value = RankBiasedOverlap("rbo", p).compute(a, b)
    assert value == pytest.approx(by_definition(a, b, p), abs=1e-9)
    assert value == pytest.approx(equation_32(a, b, p), abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(rankings, rankings, persistence)
def test_rbo_lies_between_0_and_1_and_has_no_direction(a: list[str], b: list[str], p: float) -> None:
    value = RankBiasedOverlap("rbo", p).compute(a, b)
    assert value == RankBiasedOverlap("rbo", p).compute(b, a)
    assert (value is None) == (not a and not b)
    assert value is None or 0 <= value <= 1


def test_agreement_and_its_average_are_those_of_the_papers_figure_5() -> None:
    agreements = _agreements("abcdefg", "zcavwxy")
    averages = [sum(agreements[:depth]) / depth for depth in range(1, 8)]
    assert agreements == pytest.approx([0, 0, 2 / 3, 1 / 2, 2 / 5, 1 / 3, 2 / 7])
    assert [round(average, 3) for average in averages] == [0, 0, 0.222, 0.292, 0.313, 0.317, 0.312]


def test_the_weight_of_the_first_ten_ranks_is_that_of_equation_21() -> None:
    """Rankings that agree in the first ten ranks alone have the weight of those ranks in common: 85.56 % at p = 0.9."""
    p, d = 0.9, 10
    weight = 1 - p ** (d - 1) + (1 - p) / p * d * (math.log(1 / (1 - p)) - sum(p**i / i for i in range(1, d)))
    head = [str(i) for i in range(d)]
    value = rbo_90.build().compute(head + [f"a{i}" for i in range(490)], head + [f"b{i}" for i in range(490)])
    assert round(weight, 4) == 0.8556
    assert value == pytest.approx(weight, abs=1e-9)


@pytest.mark.parametrize(
    ("a", "b", "p90", "p50"),
    [
        ("abcde", "bcdae", 0.828, 1 / 3),  # 0.828 is the published example of an independent implementation
        ("abc", "acb", 0.1 / 0.9 * (0.9 + 0.405 + 0.729) + 0.729, 0.875),
        ("b", "ab", 0.45, 0.25),
        ("ab", "ba", 0.9, 0.5),
        ("a", "b", 0, 0),
    ],
)
def test_rbo_of_small_rankings_is_what_one_computes_by_hand(a: str, b: str, p90: float, p50: float) -> None:
    assert rbo_90.build().compute(a, b) == pytest.approx(p90)
    assert rbo_50.build().compute(a, b) == pytest.approx(p50)


def test_a_change_at_the_top_costs_more_than_one_at_the_end() -> None:
    top, end = rbo_90.build().compute("abcdef", "bacdef"), rbo_90.build().compute("abcdef", "abcdfe")
    assert top is not None
    assert end is not None
    assert top < end < 1


def test_a_ranking_that_only_continues_the_other_agrees_wholly() -> None:
    """What extrapolation means: Jaccard beside it shows that something was added."""
    assert rbo_90.build().compute("abc", "abcdef") == 1
    assert jaccard.build().compute("abc", "abcdef") == 0.5


@pytest.mark.parametrize(("a", "b", "value"), [("abc", "bcd", 0.5), ("ab", "cd", 0), ("a", "a", 1), ("ab", "ba", 1)])
def test_jaccard_is_the_common_part_of_all(a: str, b: str, value: float) -> None:
    assert jaccard.build().compute(a, b) == value


def test_two_empty_rankings_have_no_overlap_at_all() -> None:
    assert [m.build().compute([], []) for m in (jaccard, rbo_50, rbo_90)] == [None, None, None]
