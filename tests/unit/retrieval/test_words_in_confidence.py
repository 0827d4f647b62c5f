"""What the question's words say about the confidence: the same for all candidates of a question, monotone, bounded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.domain.packet import Calibration, ProviderHit
from docgraph.retrieval.confidence import confidence, for_question, share_of_words

COSINE = Calibration(calibration_id="c", embedder_id="e", slope=10.0, intercept=-8.0, words=6.0)
QUERY = "Why is the booking queue limited?"


def hit(text: str, score: float = 0.4, source: str = "", kind: str = "cosine") -> ProviderHit:
    return ProviderHit(key=("d", text), content=text, source=source, score=score, score_kind=kind)


@pytest.mark.parametrize(
    ("hits", "share"),
    [
        ([], 0.0),
        ([hit("nothing of it")], 0.0),
        ([hit("bookings"), hit("a queue")], 1 / 3),
        ([hit("Limits of queues", source="Bookings › Limits")], 1.0),
        ([hit("The queue-limit"), hit("bookings")], 2 / 3),
    ],
)
def test_the_share_is_that_of_the_hit_which_holds_most_of_the_words(hits: list[ProviderHit], share: float) -> None:
    assert share_of_words(QUERY, hits) == pytest.approx(share)


def test_a_near_question_whose_words_are_missing_is_below_one_whose_words_are_found() -> None:
    found = for_question({"cosine": COSINE}, QUERY, [hit("limited booking queue")])
    missing = for_question({"cosine": COSINE}, QUERY, [hit("about something else")])
    assert confidence(0.45, found["cosine"]) > 0.9 > 0.1 > confidence(0.45, missing["cosine"])
    assert found["cosine"].calibration_id == COSINE.calibration_id


def test_without_a_weight_of_words_nothing_changes_and_probabilities_never_do() -> None:
    bare = COSINE.model_copy(update={"words": 0.0})
    assert for_question({"cosine": bare}, QUERY, [hit("limited booking queue")]) == {"cosine": bare}
    said = [hit("limited booking queue", kind="probability")]
    assert for_question({"cosine": COSINE}, QUERY, said)["cosine"].intercept == COSINE.intercept


@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=5), st.floats(-1, 1), st.floats(-1, 1))
def test_the_order_of_scores_stays_whatever_the_words_say(query: str, texts: list[str], a: float, b: float) -> None:
    hits = [hit(text or "x") for text in texts]
    assert 0.0 <= share_of_words(query, hits) <= 1.0
    known = for_question({"cosine": COSINE}, query, hits)["cosine"]
    assert (confidence(min(a, b), known)) <= (confidence(max(a, b), known))
