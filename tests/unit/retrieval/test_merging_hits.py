"""Hits of several providers become one list: by fused ranks, with the highest of the calibrated confidences."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.domain.packet import Calibration, ProviderHit
from docgraph.retrieval.confidence import confidence
from docgraph.retrieval.merging import Found, merge
from tests.unit.retrieval.parties import hit

PLATT = Calibration(calibration_id="c1", embedder_id="e", slope=8.0, intercept=-3.0)


def merged(found: Found, **options: Any) -> list[tuple[str, float]]:
    """(id, confidence) in order."""
    return [
        (m.candidate.id, m.candidate.confidence) for m in merge(found, {"cosine": PLATT}, **{"limit": 10} | options)
    ]


def test_two_providers_with_one_chunk_make_one_candidate() -> None:
    """It stands before what one of them alone put first, and has the better confidence."""
    found = [("graph", [hit("a", 0.8), hit("b", 0.7)]), ("lexical", [hit("c", 0.9), hit("b", 0.75)])]
    assert merged(found) == [("b/0", 0.75), ("c/0", 0.9), ("a/0", 0.8)]
    (first, *_) = merge(found, {}, limit=1)
    assert first.candidate.metadata["providers"] == {"graph": 2, "lexical": 2}


def test_equal_texts_under_other_keys_are_one_candidate_too() -> None:
    found = [("graph", [hit("a", 0.8, text="same")]), ("memory", [hit("b", 0.9, text="same", channels=("x",))])]
    (only,) = merge(found, {}, limit=10)
    assert (only.candidate.id, only.candidate.confidence, only.channels) == ("a/0", 0.9, {"x"})


def test_equal_fusion_goes_by_confidence_and_then_by_who_was_found_first() -> None:
    found = [("one", [hit("a", 0.2)]), ("two", [hit("b", 0.3)]), ("three", [hit("c", 0.2)])]
    assert merged(found) == [("b/0", 0.3), ("a/0", 0.2), ("c/0", 0.2)]


def test_a_provider_that_names_a_chunk_twice_counts_once_with_its_better_rank() -> None:
    found = [("one", [hit("a", 0.5), hit("a", 0.5)]), ("two", [hit("b", 0.6)])]
    assert merged(found) == [("b/0", 0.6), ("a/0", 0.5)]


def test_ids_cannot_be_forged_by_slashes() -> None:
    found = [("one", [ProviderHit(key=("a/b", "c"), content="1"), ProviderHit(key=("a", "b/c"), content="2")])]
    assert {name for name, _ in merged(found)} == {"a%2Fb/c", "a/b%2Fc"}


def test_the_way_from_score_to_confidence_stands_in_the_metadata() -> None:
    hits = [hit("a", 0.5, score_kind="cosine"), hit("b", 0.5), hit("c", 0.5, score_kind="votes")]
    said = [m.candidate for m in merge([("one", hits)], {"cosine": PLATT}, limit=10)]
    assert [c.metadata["calibration_id"] for c in said] == ["c1", "probability", "uncalibrated"]
    assert [c.confidence for c in said] == [round(1 / (1 + math.exp(-1.0)), 6), 0.5, 0.5]
    assert [c.metadata["raw_score"] for c in said] == [0.5, 0.5, 0.5]


SCORES = st.one_of(st.none(), st.floats(), st.floats(-1, 1))


@given(st.lists(SCORES, max_size=20), st.floats(0.01, 50), st.floats(-50, 50))
def test_calibration_is_monotone_and_stays_between_0_and_1(
    scores: list[float | None], slope: float, intercept: float
) -> None:
    """So the order by confidence never contradicts the order by score."""
    calibration = Calibration(calibration_id="x", embedder_id="e", slope=slope, intercept=intercept)
    finite = sorted(s for s in scores if s is not None and math.isfinite(s))
    values = [confidence(s, calibration) for s in finite]
    assert values == sorted(values)
    assert all(0.0 <= confidence(s, c) <= 1.0 for s in scores for c in (None, calibration))


@pytest.mark.parametrize("score", [None, float("nan"), float("inf"), float("-inf")])
def test_what_is_no_score_has_no_confidence(score: float | None) -> None:
    assert confidence(score, PLATT) == confidence(score, None) == 0.0
