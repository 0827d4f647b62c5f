"""Own questions: made of texts alone, the same for the same seed, and summed up with each kind weighing the same."""

from __future__ import annotations

import pytest

from docgraph.domain.own_questions import OwnKind, OwnQuestion
from docgraph.domain.type_roles import TypeDecision
from docgraph.evaluation.own_questions import (
    MAX_SENTENCES,
    Asked,
    order,
    phrases,
    result_of,
    sentences_of,
    softened,
    words_of,
)

GOOD = "The retry queue holds every payment until the gateway answers again."
TEXTS = ["First part. " + GOOD.replace("retry", "early"), GOOD, "Last part. " + GOOD.replace("retry", "late")]


def asked(kind: OwnKind, *pairs: tuple[float, float]) -> list[Asked]:
    made = OwnQuestion(kind=kind, query="q", relevant=("a",))
    return [Asked(made, on=on, off=off) for on, off in pairs]


def outcome(document: list[tuple[float, float]], related: list[tuple[float, float]], **decided: str) -> tuple:
    decision = TypeDecision.model_validate({"relation_type": "t", **decided})
    found = result_of(
        decision,
        [*asked("document", *document), *asked("related", *related)],
        is_declared=True,
        from_types=("t",),
    )
    return found.proposal, found.why, found.figures


def test_sentences_come_from_the_middle_third_alone() -> None:
    assert sentences_of(TEXTS, seed=1, document_id="d") == (GOOD,)


def test_a_short_document_gives_its_sentences_too() -> None:
    assert sentences_of([GOOD], seed=1, document_id="d") == (GOOD,)


@pytest.mark.parametrize(
    "text",
    [
        "Too short to ask.",
        "| a | b | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | table row of numbers.",
        "A line without an end that goes on and on for many words",
        " ".join(["word"] * 41) + ".",
    ],
)
def test_what_is_no_whole_sentence_of_bounded_length_makes_no_question(text: str) -> None:
    assert sentences_of([text], seed=1, document_id="d") == ()


def test_at_most_five_sentences_are_tried_in_an_order_that_the_seed_decides() -> None:
    text = " ".join(GOOD.replace("retry", f"number {name}") for name in "abcdefghij")
    one, other = (sentences_of([text], seed=seed, document_id="d") for seed in (1, 2))
    assert len(one) == len(other) == MAX_SENTENCES
    assert one == sentences_of([text], seed=1, document_id="d") != other
    assert order(1, "a", "b") != order(1, "ab")


def test_words_of_the_title_and_words_that_few_documents_hold_are_left_out() -> None:
    holding = dict.fromkeys(words_of(GOOD), 50) | {"gateway": 1, "the": 0}
    assert softened([GOOD], "Retry queue", holding, 100) == "holds every payment until answers again"


def test_a_sentence_of_which_too_little_is_left_gives_way_to_the_next() -> None:
    holding = dict.fromkeys(words_of(GOOD), 50)
    assert softened(["Rare words stand here alone.", GOOD], "Other", holding, 100) == GOOD.removesuffix(".")
    assert softened(["Rare words stand here alone."], "Other", holding, 100) is None


def test_a_sentence_speaks_of_what_stands_behind_an_article_or_a_preposition() -> None:
    sentence = "It comes back slowly: the depth counter is read by the gateway of a harbour."
    said = [word for word in words_of(sentence) if word not in ("it", "the", "is", "by", "of", "a")]
    holding = dict.fromkeys(said, 50) | {"depth": 4, "counter": 9, "gateway": 3, "harbour": 1}
    assert phrases(sentence, "Retry queue", holding, 100) == ("depth counter", "gateway")
    assert phrases(sentence, "The gateway", holding, 100) == ("depth counter",)
    assert phrases("It comes back slowly again.", "Other", dict.fromkeys(["comes", "back"], 9), 100) == ()
    assert phrases("It comes back slowly.", "Other", dict.fromkeys(["comes", "back"], 9), 100, led=False) == (
        "comes back",
    )


def test_each_kind_weighs_the_same_whatever_its_number() -> None:
    _, _, figures = outcome([(0.0, 1.0)] * 30, [(1.0, 0.0)] * 10)
    assert (figures.points, figures.n, figures.better, figures.worse) == (0.0, 40, 10, 30)


def test_a_type_that_clearly_costs_gives_reasons_only() -> None:
    proposal, why, figures = outcome([(0.0, 1.0)] * 12 + [(1.0, 1.0)] * 28, [(1.0, 1.0)] * 20)
    assert (proposal, why) == ("reasons_only", "its documents cost more than they bring")
    assert figures.high < 0


def test_a_type_that_clearly_helps_adds_documents() -> None:
    proposal, why, _ = outcome([(1.0, 1.0)] * 40, [(1.0, 0.5)] * 12 + [(1.0, 1.0)] * 8, role="reasons_only")
    assert (proposal, why) == ("adds_documents", "its documents help")


def test_an_interval_that_holds_zero_proposes_nothing() -> None:
    pairs = [(1.0, 0.0), (0.0, 1.0)] * 10
    assert outcome(pairs, pairs)[:2] == (None, "no clear difference")


def test_too_few_questions_propose_nothing() -> None:
    assert outcome([(0.0, 1.0)] * 40, [(1.0, 1.0)] * 9)[:2] == (None, "too few questions to say")
    assert outcome([], [])[:2] == (None, "too few questions to say")


def test_what_a_person_decided_is_measured_and_stands() -> None:
    proposal, why, figures = outcome([(0.0, 1.0)] * 40, [(1.0, 1.0)] * 20, by="person", who="Ada")
    assert (proposal, why) == (None, "decided by Ada: that stands")
    assert figures.points == -50.0


def test_a_type_that_is_off_and_adds_nothing_stays_off() -> None:
    assert outcome([(0.0, 1.0)] * 40, [(1.0, 1.0)] * 20, role="off")[:2] == ("off", "adds nothing")
