"""Laws of follow-ups: a restriction or a substitution never loses the earlier question."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.conversation.slots import slot_for
from docgraph.conversation.understanding import checked_text, understand
from docgraph.domain.content_words import content_words
from docgraph.domain.conversation import ConversationState, Understanding
from tests.conversations import after, nowhere

NOUNS = ("queue", "booking service", "ferry", "harbour gate", "router", "ticket printer", "payment ledger")
NEW = ("notifier", "scheduler", "login page", "mail relay", "backup vault")
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
@given(
    st.sampled_from(FRAMES),
    st.sampled_from(NOUNS),
    st.lists(st.tuples(st.sampled_from(SUBSTITUTIONS), st.sampled_from(NEW)), min_size=1, max_size=3),
)
def test_a_substitution_changes_what_is_asked_about_and_nothing_else(
    frame: str, noun: str, follow_ups: list[tuple[str, str]]
) -> None:
    state = _asked(frame.format(noun))
    for said, new in follow_ups:
        heard = _heard(said.format(new), state)
        assert heard.query == frame.format(new)
        assert "takes the place of" in heard.why[0] or "asked again" in heard.why[0]
        state = _asked(heard.question)


@LAWFUL
@given(WORDS.filter(lambda text: bool(content_words(text))), st.sampled_from(NEW), st.sampled_from(SUBSTITUTIONS))
def test_of_any_question_at_all_a_substitution_loses_at_most_the_words_that_it_names(
    question: str, new: str, said: str
) -> None:
    state = _asked(question.strip())
    heard = _heard(said.format(new), state)
    slot = slot_for(state.question, f"the {new}")
    gone = set(content_words(state.question[slot.start : slot.end])) if slot else set()
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
        ("How long is a booking kept?", "freight", "How long is freight kept?"),
        ("Is the queue full?", "the notifier", "Is the notifier full?"),
        ("Who pays the hotel in Corrin?", "Dunmore", "Who pays the hotel in Dunmore?"),
        (
            "Where is the hotel rule for stranded people?",
            "the taxi rule",
            "Where is the taxi rule for stranded people?",
        ),
        ("What do stranded people get?", "dogs", "What do dogs get?"),
        ("Which rules apply to refunds?", "vouchers", "Which rules apply to vouchers?"),
        ("Who may release a hold in the queue?", "a slot", "Who may release a slot in the queue?"),
    ],
)
def test_what_a_question_asks_about_is_told_by_its_form(question: str, new: str, asked: str) -> None:
    slot = slot_for(question, new)
    assert slot is not None
    assert question[: slot.start] + new + question[slot.end :] == asked


@pytest.mark.parametrize(
    "question",
    [
        "the queue",
        "booking queue",
        "What is the difference between holds and slots?",
        "How do we cancel sailings in a storm?",
    ],
)
def test_where_it_cannot_be_told_nothing_gives_way(question: str) -> None:
    assert slot_for(question, "ferries") is None
