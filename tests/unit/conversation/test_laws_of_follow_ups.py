"""Laws of follow-ups: a restriction or a substitution never loses the earlier question."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.conversation.follow_up import in_place
from docgraph.conversation.understanding import checked_text, understand
from docgraph.domain.content_words import content_words
from docgraph.domain.conversation import ConversationState, Understanding
from tests.conversations import after, nowhere

NOUNS = ("queue", "booking service", "ferry", "harbour gate", "router", "ticket printer", "payment ledger")
NEW = ("notifier", "scheduler", "login page", "mail relay", "backup vault")
KINDS = ("spare", "western", "northern")
FRAMES = (
    "Who restarts the {} after a storm?",
    "Why is the {} limited to 400 entries?",
    "What does the {} do when the network is down?",
    "Why does the {} reject late payments?",
    "When was the limit of the {} raised by operations?",
    "Is the {} allowed to drop messages?",
    "Which team decides about the {}?",
    "How often do we restart the {} in winter?",
    "What should I do when the {} is offline?",
    "Explain the {} and its alarms",
)
TYPES = ("decision", "runbook", "policy", "design", "postmortem")
RESTRICTIONS = (
    "only in {} documents",
    "Only in the {} pages, please",
    "ok, just in {} documents",
    "in {} documents only",
    "restrict it to {} documents",
    "and only from {} documents?",
    "only {} documents",
)
SUBSTITUTIONS = ("And the {}?", "what about the {}?", "And how about the {}", "or the {}?", "Same for the {}?")
LAST = (
    "only on Sundays",
    "and for lorries?",
    "only if it rains",
    "and when it rains?",
    "only in summer",
    "just lorries",
)
WORDS = st.text(alphabet="abcdefghij kl-mnop'?ö", min_size=1, max_size=60)
LAWFUL = settings(max_examples=150, deadline=None)


def _heard(said: str, state: ConversationState, channel: str | None = None) -> Understanding:
    return understand(checked_text(said), state, nowhere, spoken_channel=channel)


def _asked(question: str) -> ConversationState:
    return after(question, ("adr-011", "ADR-011 Bounded booking queue", "decision"))


@LAWFUL
@given(st.sampled_from(FRAMES), st.sampled_from(NOUNS), st.sampled_from(RESTRICTIONS), st.sampled_from(TYPES))
def test_a_restriction_asks_the_earlier_question_again_in_one_channel(
    frame: str, noun: str, restriction: str, doc_type: str
) -> None:
    question = frame.format(noun)
    heard = _heard(restriction.format(doc_type), _asked(question), doc_type)
    assert (heard.query, heard.question, heard.channel, heard.link) == (question, question, doc_type, "repeat")
    assert heard.why
    assert heard.carried == (question,)


@LAWFUL
@given(st.sampled_from(FRAMES), st.sampled_from(NOUNS), st.sampled_from(RESTRICTIONS))
def test_a_restriction_to_a_type_that_nobody_has_keeps_the_question_and_the_channel(
    frame: str, noun: str, restriction: str
) -> None:
    question = frame.format(noun)
    state = _asked(question).model_copy(update={"channel": "policy"})
    heard = _heard(restriction.format("newsletter"), state)
    assert (heard.query, heard.channel, heard.link) == (question, "policy", "repeat")
    assert "no type of document" in heard.why[0]


@LAWFUL
@given(st.sampled_from(FRAMES), st.sampled_from(NOUNS), st.sampled_from(SUBSTITUTIONS), st.sampled_from(NEW))
def test_something_else_is_asked_behind_the_question_and_nothing_of_it_is_lost(
    frame: str, noun: str, said: str, new: str
) -> None:
    question = frame.format(noun)
    heard = _heard(said.format(new), _asked(question))
    assert heard.query == f"{question} {said.format(new)}"
    assert heard.question == question
    assert heard.by_itself is None


@LAWFUL
@given(st.sampled_from(FRAMES), st.sampled_from(NOUNS), st.sampled_from(SUBSTITUTIONS), st.sampled_from(KINDS))
def test_a_thing_of_the_same_kind_takes_the_place_of_what_is_asked_about_and_of_nothing_else(
    frame: str, noun: str, said: str, kind: str
) -> None:
    new = f"{kind} {noun.split()[-1]}"
    heard = _heard(said.format(new), _asked(frame.format(noun)))
    assert heard.query == heard.question == frame.format(new)
    assert "takes the place of" in heard.why[0]


@LAWFUL
@given(WORDS.filter(lambda text: bool(content_words(text))), st.sampled_from(NEW), st.sampled_from(SUBSTITUTIONS))
def test_of_any_question_at_all_a_follow_up_loses_at_most_what_its_words_take_the_place_of(
    question: str, new: str, said: str
) -> None:
    state = _asked(question.strip())
    heard = _heard(said.format(new), state)
    replaced = in_place(state.question, f"the {new}")
    gone = set(content_words(replaced.old)) if replaced else set()
    assert set(content_words(heard.query)) >= (set(content_words(state.question)) - gone) | set(new.split())
    assert heard.link == "ellipsis"
    assert state.question in heard.carried


@LAWFUL
@given(st.sampled_from(FRAMES), st.sampled_from(NOUNS), st.lists(st.sampled_from((*LAST, *RESTRICTIONS)), max_size=4))
def test_no_row_of_restrictions_loses_what_was_asked_about(frame: str, noun: str, follow_ups: list[str]) -> None:
    state = _asked(frame.format(noun))
    for said in follow_ups:
        heard = _heard(said.format("design"), state, "design" if "{}" in said else None)
        state = _asked(heard.question)
        assert not heard.new_topic
        if " when " not in frame:  # “and when it rains?” takes the place of “when the … is offline”
            assert set(content_words(noun)) <= set(content_words(heard.query))


@pytest.mark.parametrize(
    ("question", "new", "asked"),
    [
        ("Who pays the hotel in Corrin?", "Dunmore", "Who pays the hotel in Dunmore?"),
        ("Why was ADR-009 superseded?", "ADR-013", "Why was ADR-013 superseded?"),
        (
            "Where is the hotel rule for stranded people?",
            "the taxi rule",
            "Where is the taxi rule for stranded people?",
        ),
        ("Which rules apply to late bookings?", "group bookings", "Which rules apply to group bookings?"),
        ("What do people get for a delay?", "for a cancelled sailing", "What do people get for a cancelled sailing?"),
        ("What do I do when the queue is full?", "when the alarm rings", "What do I do when the alarm rings?"),
        ("Is the queue full in winter at noon?", "in summer", "Is the queue full in summer at noon?"),
    ],
)
def test_what_is_of_the_same_kind_gives_way(question: str, new: str, asked: str) -> None:
    replaced = in_place(question, new)
    assert replaced is not None
    assert replaced.text == asked


@pytest.mark.parametrize(
    ("question", "new"),
    [
        ("How do we cancel sailings in a storm?", "ferries"),
        ("Why is the queue limited?", "what happened that morning"),
        ("What does a customer get back?", "the hotel"),
        ("What is a hold?", "leases"),
        ("Why is the queue limited?", "in winter"),
        ("Who restarts the queue?", "ADR-011"),
        ("Who wrote ADR-011?", "Corrin"),
        ("", "the hold queue"),
    ],
)
def test_where_nothing_is_of_the_same_kind_nothing_gives_way(question: str, new: str) -> None:
    assert in_place(question, new) is None
