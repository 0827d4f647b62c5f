"""Hits of several providers become one list: by fused ranks, with the highest of the calibrated confidences."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from docgraph.domain.packet import Calibration, ProviderHit
from docgraph.retrieval.confidence import Confidences, for_question
from docgraph.retrieval.merging import Found, merge
from tests.unit.retrieval.parties import hit

PLATT = Calibration(calibration_id="c1", embedder_id="e", slope=8.0, intercept=-3.0)


def sure(found: Found) -> Confidences:
    return for_question({"cosine": PLATT}, [hit for _, hits in found for hit in hits], {})


def merged(found: Found, **options: Any) -> list[tuple[str, float]]:
    """(id, confidence) in order."""
    return [(m.candidate.id, m.candidate.confidence) for m in merge(found, sure(found), **{"limit": 10} | options)]


def test_two_providers_with_one_chunk_make_one_candidate() -> None:
    """It stands before what one of them alone put first, and has the better confidence."""
    found = [("graph", [hit("a", 0.8), hit("b", 0.7)]), ("lexical", [hit("c", 0.9), hit("b", 0.75)])]
    assert merged(found) == [("b/0", 0.75), ("c/0", 0.9), ("a/0", 0.8)]
    (first, *_) = merge(found, sure(found), limit=1)
    assert first.candidate.metadata["providers"] == {"graph": 2, "lexical": 2}


def test_equal_texts_under_other_keys_are_one_candidate_too() -> None:
    found = [("graph", [hit("a", 0.8, text="same")]), ("memory", [hit("b", 0.9, text="same", channels=("x",))])]
    (only,) = merge(found, sure(found), limit=10)
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
    said = [m.candidate for m in merge([("one", hits)], sure([("one", hits)]), limit=10)]
    assert [c.metadata["calibration_id"] for c in said] == ["c1", "probability", "uncalibrated"]
    assert [c.confidence for c in said] == [round(1 / (1 + math.exp(-1.0)), 6), 0.5, 0.5]
    assert [c.metadata["raw_score"] for c in said] == [0.5, 0.5, 0.5]


# ---------------------------------------------------------------- whose places are kept


def ids(found: Found, **options: Any) -> str:
    return "".join(name[0] for name, _ in merged(found, **options))


def planned(*names: str, n_related: int = 0) -> list[ProviderHit]:
    """Hits of a plan, one a document; the last ``n_related`` came in over a relationship."""
    roles = ["seed"] * (len(names) - n_related) + ["expanded"] * n_related
    return [
        hit(name, 0.5, metadata={"document_id": name, "role": role}) for name, role in zip(names, roles, strict=True)
    ]


def test_a_plans_candidates_stand_in_its_order_and_nobody_displaces_them() -> None:
    """A list blind to relationships took the places of those that only a relationship had brought in."""
    found = [("graph", planned(*"abc")), ("lexical", [hit("x", 0.9), hit("c", 0.9), hit("y", 0.9)])]
    assert ids(found, limit=3, keeping={"graph"}) == "abc"
    assert ids(found, limit=5, keeping={"graph"}) == "abcxy"
    assert ids(found, limit=3) == "cxa"


def test_the_others_fill_what_a_plan_leaves_free_in_their_fused_order() -> None:
    found = [("graph", planned("a")), ("one", [hit("x"), hit("y")]), ("two", [hit("y"), hit("z")])]
    assert ids(found, limit=3, keeping={"graph"}) == "ayx"
    assert [m.keeps for m in merge(found, sure(found), limit=4, keeping={"graph"})] == [True, False, False, False]


def test_a_memory_goes_first_and_takes_two_of_five_places_at_most_where_a_plan_needs_them() -> None:
    """Of the plan stay seeds and related documents as a smaller plan would have them."""
    memory = [hit(name, 0.9) for name in "uvwxy"]
    plan = planned(*"abcde", n_related=2)
    found = [("memory", memory), ("graph", plan)]
    options: dict[str, Any] = {"keeping": {"graph"}, "first": {"memory"}}
    assert ids(found, limit=5, **options) == "uvabd"
    assert ids([("memory", memory), ("graph", plan[:1])], limit=5, **options) == "uvwxa"
    assert ids([("memory", memory[:1]), ("graph", plan)], limit=5, **options) == "uabde"
    assert ids(found, limit=1, **options) == "u"
    assert ids(found, limit=10, **options) == "uvwxyabcde"


def test_a_second_chunk_of_a_document_makes_room_before_a_document_does() -> None:
    plan = [*planned(*"abc", n_related=1), hit("again", 0.4, metadata={"document_id": "a", "role": "seed"})]
    plan[3] = plan[3].model_copy(update={"key": ("a", "1")})
    found = [("memory", [hit("u", 0.9)]), ("graph", plan)]
    assert ids(found, limit=4, keeping={"graph"}, first={"memory"}) == "uabc"


NAMES = st.lists(st.sampled_from([f"d{n}" for n in range(12)]), unique=True, max_size=10)


@given(NAMES, NAMES, NAMES, st.integers(1, 12))
def test_whatever_the_others_find_a_plan_loses_no_place(
    plan: list[str], words: list[str], more: list[str], limit: int
) -> None:
    found = [(name, [hit(one) for one in hits]) for name, hits in (("graph", plan), ("b", words), ("c", more))]
    order = [m.candidate.id.removesuffix("/0") for m in merge(found, sure(found), limit=limit, keeping={"graph"})]
    assert order[: len(plan)] == plan[:limit]
    assert len(order) == min(limit, len({*plan, *words, *more}))


SCORES = st.one_of(st.none(), st.floats(), st.floats(-1, 1))


@example([8.98846567431158e307], 2.0, 0.0)
@given(st.lists(SCORES, max_size=20), st.floats(0.01, 50), st.floats(-50, 50))
def test_calibration_is_monotone_and_stays_between_0_and_1(
    scores: list[float | None], slope: float, intercept: float
) -> None:
    """So the order by confidence never contradicts the order by score."""
    calibration = Calibration(calibration_id="x", embedder_id="e", slope=slope, intercept=intercept)
    for known in ({}, {"cosine": calibration}):
        hits = [hit(f"d{n}", score, score_kind="cosine") for n, score in enumerate(scores)]
        each = for_question(known, hits, {})
        finite = sorted(s for s in scores if s is not None and math.isfinite(s))
        values = [each.of(hit("x", s, score_kind="cosine")) for s in finite]
        assert values == sorted(values)
        assert all(0.0 <= each.of(one) <= 1.0 for one in hits)
