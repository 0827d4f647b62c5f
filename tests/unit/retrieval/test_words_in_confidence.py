"""Confidence of what is found and of each passage of it: scores, the question's words, and how rare these are."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.domain.packet import Calibration, ProviderHit
from docgraph.retrieval.confidence import FALL, for_question, share_found, share_held, share_near, word_weights
from docgraph.retrieval.merging import merge

COSINE = Calibration(calibration_id="c", embedder_id="e", slope=10.0, intercept=-8.0, words=20.0)
QUERY = "Why is the booking queue limited?"
ALIKE = word_weights(QUERY, {}, n_documents=9)


def hit(text: str, score: float = 0.4, source: str = "", kind: str = "cosine") -> ProviderHit:
    return ProviderHit(key=("d", f"{text}{score}"), content=text, source=source, score=score, score_kind=kind)


def confidences(*hits: ProviderHit) -> list[float]:
    sure = for_question({"cosine": COSINE}, hits, ALIKE)
    return [sure.of(each) for each in hits]


@pytest.mark.parametrize(
    ("held", "share"),
    [
        (hit("nothing of it"), 0.0),
        (hit("Limits of queues", source="Bookings › Limits"), 3 / 7),
        (hit("The queue-limit"), 2 / 7),
    ],
)
def test_a_share_is_that_of_the_questions_words_in_text_or_source(held: ProviderHit, share: float) -> None:
    """As though four more words of weight 1 had been asked for that nobody holds."""
    assert share_held(held, ALIKE) == pytest.approx(share)


def test_half_of_a_short_question_says_less_than_half_of_a_long_one() -> None:
    """Of a question of two words a strange passage soon holds one: such questions were most of the wrong ones."""
    short, long = "limited queue", "limited queue carrier route harbour winter ticket price"
    held = [share_held(hit("limited queue carrier route"), word_weights(q, {}, n_documents=9)) for q in (short, long)]
    half = share_held(hit("queue"), word_weights(short, {}, n_documents=9))
    assert half < held[1]
    assert held[0] == pytest.approx(2 / 6)


def test_words_count_the_more_the_more_similar_the_passage_is() -> None:
    near, far, unlike = (share_near(hit("limited booking queue", score), ALIKE) for score in (0.6, 0.3, -0.5))
    assert near / far == pytest.approx(0.9 / 0.6)
    assert unlike == pytest.approx(0.3 * 3 / 7)


def test_three_hits_decide_how_many_of_the_words_are_found() -> None:
    """One alone may hold them by chance; with the largest share alone 22 % of the questions of a neighbouring field
    reached the threshold over the KEPs."""
    assert share_found([0.1, 0.9, 0.3, 0.6, 0.2]) == pytest.approx(0.6)
    assert (share_found([0.5]), share_found([])) == (0.5, 0.0)


def test_a_word_weighs_more_the_fewer_documents_hold_it_and_an_unknown_one_twice() -> None:
    weights = word_weights("booking queue carrier", {"booking": 100, "queue": 5, "carrier": 0}, n_documents=100)
    assert weights["carrier"] == 2.0
    assert 1.0 < weights["book"] < 1.01 < weights["queu"] < 2.0
    assert set(word_weights("booking queue", {}, n_documents=100).values()) == {1.0}, "nobody counted"
    assert word_weights("the of and", {}, n_documents=3) == {}


def test_a_near_question_whose_words_are_missing_is_below_one_whose_words_are_found() -> None:
    [found], [missing] = confidences(hit("limited booking queue", 0.45)), confidences(hit("something else", 0.45))
    assert found > 0.9 > 0.1 > missing


def test_passages_of_one_packet_are_told_apart() -> None:
    """Every candidate was as sure as the packet: five passages with cosines from 0.63 to 0.37 all read 1.00."""
    said = confidences(*(hit("limited booking queue", score) for score in (0.9, 0.8, 0.7, 0.6, 0.5)))
    assert said[0] > 0.99
    assert said == sorted(said, reverse=True)
    assert [round(b / a, 2) for a, b in pairwise(said)] == [round(math.exp(-(1 + 0.3 * 2) / FALL), 2)] * 4
    assert said[-1] < 0.35


def test_of_two_passages_with_one_score_the_one_with_more_of_the_words_is_the_surer() -> None:
    more, less = confidences(hit("limited booking queue"), hit("a queue"))
    assert more > less > 0


def test_the_best_candidate_that_is_shown_is_as_sure_as_what_is_found() -> None:
    """A plan's candidates keep their places: the best passage of all may have none, and the packet's confidence is
    that of its best candidate."""
    best, shown = hit("limited booking queue", 0.5), hit("a queue that is limited", 0.4)
    sure = for_question({"cosine": COSINE}, [best, shown], ALIKE)
    (only,) = merge([("graph", [shown]), ("lexical", [best])], sure, limit=1, keeping={"graph"})
    assert only.candidate.content == shown.content
    assert only.candidate.confidence == pytest.approx(sure.of(best), abs=2e-6)
    assert sure.of(best) > sure.of(shown)


def test_without_a_weight_of_words_scores_alone_count_and_probabilities_stay() -> None:
    bare = for_question(
        {"cosine": COSINE.model_copy(update={"words": 0.0})}, [hit("a", 0.8), hit("limited", 0.8)], ALIKE
    )
    assert bare.of(hit("a", 0.8)) == bare.of(hit("limited", 0.8)) == 0.5
    said = hit("limited booking queue", 0.37, kind="probability")
    assert for_question({"cosine": COSINE, "probability": COSINE}, [said], ALIKE).of(said) == 0.37


@pytest.mark.parametrize("score", [None, math.nan, math.inf])
def test_nothing_is_known_of_a_hit_without_a_score(score: float | None) -> None:
    strange = hit("limited booking queue").model_copy(update={"score": score})
    assert confidences(strange, hit("limited booking queue", 0.6)) == [
        0.0,
        *confidences(hit("limited booking queue", 0.6)),
    ]


@given(st.lists(st.tuples(st.text(max_size=40), st.floats(-1, 1)), min_size=1, max_size=6), st.floats(0, 1))
def test_confidence_rises_with_the_own_score_and_stays_between_0_and_1(
    found: list[tuple[str, float]], more: float
) -> None:
    hits = [hit(text, score) for text, score in found]
    before = confidences(*hits)
    assert all(0.0 <= each <= 1.0 for each in before)
    after = confidences(hit(found[0][0], min(1.0, found[0][1] + more)), *hits[1:])
    assert after[0] >= before[0]
