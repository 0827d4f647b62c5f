"""What counts as an answer to a clarifying question, and what does not."""

from __future__ import annotations

import pytest

from docgraph.conversation.intents import smalltalk
from docgraph.conversation.references import answered
from docgraph.domain.conversation import Choice

CHOICES = tuple(
    Choice(label=label, query=f"{label}: why?", doc_type=doc_type)
    for label, doc_type in (
        ("ADR-011 Bounded booking queue", "decision"),
        ("Design: Booking queue back-pressure", "design"),
        ("Policy: Refunds and goodwill", "policy"),
    )
)


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("1", 1),
        ("#2", 2),
        ("3.", 3),
        ("number two", 2),
        ("option c", 3),
        ("b", 2),
        ("B)", 2),
        ("the first", 1),
        ("the second one", 2),
        ("I mean the 3rd", 3),
        ("the last one, please", 3),
        ("ok, the first one", 1),
        ("policy: refunds and goodwill", 3),
        ("refunds", 3),
        ("the refund policy", 3),
        ("ADR-011", 1),
        ("bounded", 1),
        ("back-pressure", 2),
        ("the decision", 1),
        ("the ADR", 1),
        ("the one about goodwill", 3),
    ],
)
def test_a_choice_is_known_by_number_place_label_part_and_type(said: str, place: int) -> None:
    assert answered(said, CHOICES) == CHOICES[place - 1]


@pytest.mark.parametrize("said", ["neither", "none of these", "no", "None of them!", "something else", "not those"])
def test_all_choices_can_be_turned_down(said: str) -> None:
    assert answered(said, CHOICES) == "neither"


@pytest.mark.parametrize(
    "said",
    [
        "4",
        "0",
        "the fourth",
        "f",
        "booking queue",
        "the latter",
        "yes",
        "Why is the queue bounded?",
        "???",
        "",
        "queues",
        "and in policies?",
        "for refunds",
        "Is the refund policy older than the bounded queue?",
        "2 lorries",
        "first week",
    ],
)
def test_anything_else_is_no_answer(said: str) -> None:
    assert answered(said, CHOICES) is None


def test_the_latter_is_the_second_of_two() -> None:
    assert answered("the latter", CHOICES[:2]) == CHOICES[1]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Hi", "greeting"),
        ("Good morning, everyone!", "greeting"),
        ("thanks a lot", "thanks"),
        ("ok bye", None),
        ("bye!", "farewell"),
        ("What can you do?", "about"),
        ("…", "wordless"),
        ("ok", "acknowledgement"),
        ("hello, why is the queue bounded?", None),
        ("thanks for the queue", None),
        ("who are the owners?", None),
    ],
)
def test_smalltalk_is_the_whole_text_or_none_of_it(said: str, kind: str | None) -> None:
    assert smalltalk(said) == kind
