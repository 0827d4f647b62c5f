"""Judged measures against published values, and against their definitions written down a second time."""

from __future__ import annotations

import math
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.plugins.measures import ndcg, recall, reciprocal_rank

IDS = "abcdef"
rankings = st.lists(st.sampled_from(IDS), unique=True, max_size=6)
judged = st.frozensets(st.sampled_from(IDS), min_size=1, max_size=5)
cuts = st.integers(1, 7)


def dcg(gains: list[int]) -> float:
    """Summed rank by rank, as trec_eval does."""
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def test_ndcg_is_what_trec_eval_computes_for_the_example_of_its_python_interface() -> None:
    """Qrels, runs and values of pytrec_eval's README (cvangysel/pytrec_eval)."""
    q1 = ndcg.build().compute(["d3", "d1", "d2"], {"d2"}, k=3)
    q2 = ndcg.build().compute(["d1", "d3", "d2"], {"d2", "d3"}, k=3)
    assert q1 == pytest.approx(0.5)
    assert q2 == pytest.approx(0.6934264036172708)


def test_the_reciprocal_rank_of_the_fourth_place_is_a_quarter() -> None:
    assert reciprocal_rank.build().compute(["a", "b", "c", "d"], {"d"}, k=4) == 0.25
    assert reciprocal_rank.build().compute(["a", "b", "c", "d"], {"d"}, k=3) == 0
    assert recall.build().compute(["a", "b"], {"a", "x", "y"}, k=2) == pytest.approx(1 / 3)


@settings(max_examples=60, deadline=None)
@given(rankings, judged, cuts)
def test_ndcg_is_the_share_of_the_best_order_that_there_could_be(
    ranking: list[str], relevant: set[str], k: int
) -> None:
    """The ideal is looked for among all orders of all documents, not computed."""
    best = max(dcg([item in relevant for item in order[:k]]) for order in permutations(IDS))
    value = ndcg.build().compute(ranking, relevant, k=k)
    assert value == pytest.approx(dcg([item in relevant for item in ranking[:k]]) / best, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(rankings, judged, cuts)
def test_recall_and_reciprocal_rank_are_counted_item_by_item(ranking: list[str], relevant: set[str], k: int) -> None:
    read = ranking[:k]
    assert recall.build().compute(ranking, relevant, k=k) == len({*read} & relevant) / len(relevant)
    first = next((place for place, item in enumerate(read, start=1) if item in relevant), math.inf)
    assert reciprocal_rank.build().compute(ranking, relevant, k=k) == 1 / first
