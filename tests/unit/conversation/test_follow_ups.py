"""How a text is read after the turns before it: what is replaced, what is added, and what stays as it was typed."""

from __future__ import annotations

import pytest

from docgraph.conversation.follow_up import read
from docgraph.conversation.references import named_channel, spellings, wants_everywhere
from docgraph.conversation.state import advanced
from docgraph.conversation.understanding import understand
from docgraph.domain.content_words import MAX_WORD, clipped, content_words, on_one_line, stem, stems
from docgraph.domain.conversation import ConversationState
from tests.conversations import after, nowhere

QUEUE = after(
    "Why is the booking queue limited?",
    ("adr-011", "ADR-011 Bounded booking queue", "decision"),
    ("design", "Design: Back-pressure", "design"),
    ("pm", "Post-mortem: Stuck sailings", "postmortem"),
)


BEHIND = "Why is the booking queue limited? "


@pytest.mark.parametrize(
    ("said", "query", "link"),
    [
        ("Why?", f"{BEHIND}Why?", "ellipsis"),
        ("and since when?", f"{BEHIND}and since when?", "ellipsis"),
        ("and for ferries?", f"{BEHIND}and for ferries?", "ellipsis"),
        ("on Fridays?", f"{BEHIND}on Fridays?", "ellipsis"),
        ("what about holds", f"{BEHIND}what about holds", "ellipsis"),
        ("And the notifier?", f"{BEHIND}And the notifier?", "ellipsis"),
        ("only on Fridays", f"{BEHIND}only on Fridays", "ellipsis"),
        ("Only lorries?", f"{BEHIND}Only lorries?", "ellipsis"),
        ("and if it rains?", f"{BEHIND}and if it rains?", "ellipsis"),
        ("and what happened that morning?", f"{BEHIND}and what happened that morning?", "ellipsis"),
        ("why not 500?", f"{BEHIND}why not 500?", "ellipsis"),
        ("And the hold queue?", "Why is the hold queue limited?", "ellipsis"),
        ("no, I meant the hold queue", "Why is the hold queue limited?", "ellipsis"),
        ("I meant the hold queue.", "Why is the hold queue limited?", "ellipsis"),
        ("no, the coast guard", f"{BEHIND}the coast guard", "ellipsis"),
        ("who decided that?", f"{BEHIND}who decided that?", "reference"),
        ("what happened after this?", f"{BEHIND}what happened after this?", "reference"),
        ("Does it work?", f"{BEHIND}Does it work?", "reference"),
        ("Is that so?", f"{BEHIND}Is that so?", "reference"),
        ("is this incident closed?", "is Post-mortem: Stuck sailings closed?", "reference"),
        ("who wrote the design?", "who wrote Design: Back-pressure?", "reference"),
        ("show me the design instead", "show me Design: Back-pressure instead", "reference"),
        ("the third one", "Post-mortem: Stuck sailings: Why is the booking queue limited?", "reference"),
        ("tell me more", "ADR-011 Bounded booking queue: Why is the booking queue limited?", "reference"),
    ],
)
def test_a_follow_up_is_asked_with_what_was_said_before_and_says_why(said: str, query: str, link: str) -> None:
    reading = read(said, QUEUE, nowhere)
    assert (reading.query, reading.link) == (query, link)
    assert reading.why
    assert reading.carried


@pytest.mark.parametrize(
    "said",
    [
        "Who limits the booking queue?",
        "The queue that is full rejects bookings",
        "Is it possible to book twice?",
        "A booking waits in the queue until it is served",
        "the fourth one",
        "and how does the booking queue shed load?",
        "booking queue",
    ],
)
def test_what_stands_by_itself_stays_exactly_as_it_was_typed(said: str) -> None:
    reading = read(said, QUEUE, nowhere)
    assert (reading.query, reading.why, reading.carried, reading.alone) == (said, (), (), None)


@pytest.mark.parametrize(
    ("said", "link"),
    [("who can raise the queue?", "same_topic"), ("Are dogs allowed?", "new_topic"), ("refunds", "new_topic")],
)
def test_what_says_little_may_be_meant_by_itself_as_well(said: str, link: str) -> None:
    reading = read(said, QUEUE, nowhere)
    assert reading.query == f"{BEHIND}{said}"
    assert reading.alone is not None
    assert (reading.alone.query, reading.alone.link, reading.alone.question) == (said, link, said)


@pytest.mark.parametrize("said", ["who owns it?", "and the notifier?", "in winter", "why?", "no, the coast guard"])
def test_what_is_no_question_without_the_earlier_one_is_searched_with_it_alone(said: str) -> None:
    assert read(said, QUEUE, nowhere).alone is None


def test_the_last_follow_up_goes_with_the_question_and_another_of_its_kind_takes_its_place() -> None:
    def heard(*texts: str) -> str:
        state = QUEUE
        for text in texts:
            understood = understand(text, state, nowhere)
            state = advanced(state, understood, "proceed")
        return understood.query

    assert heard("who decided that?", "and why?") == f"{BEHIND}who decided that? and why?"
    assert heard("and for lorries?", "and the notifier?", "and the router?") == f"{BEHIND}and the router?"
    assert heard("and the notifier?", "in winter?") == f"{BEHIND}and the notifier? in winter?"
    assert heard("how many?", "who decided that?", "and why?") == f"{BEHIND}who decided that? and why?"


@pytest.mark.parametrize("said", ["why?", "and for ferries?", "who decided that?", "it", "the second one"])
def test_without_an_earlier_question_nothing_is_carried_over(said: str) -> None:
    reading = read(said, ConversationState(), nowhere)
    assert (reading.query, reading.link, reading.carried) == (said, "opening", ())


def test_a_pronoun_among_words_of_another_topic_carries_nothing_over() -> None:
    said = "Does that stop dogs biting ferrets overnight?"
    assert read(said, QUEUE, nowhere).link == "new_topic"
    assert read(said, QUEUE, nowhere).query == said


def test_what_is_found_does_not_matter_for_a_bare_question_word() -> None:
    with_documents, without = QUEUE, QUEUE.model_copy(update={"documents": ()})
    assert read("why?", with_documents, nowhere) == read("why?", without, nowhere)


@pytest.mark.parametrize(
    ("said", "name", "rest"),
    [
        ("only in the runbooks", "runbook", ""),
        ("What happens in a storm, only in policies?", "policy", "What happens in a storm?"),
        ("in post-mortems only: why twice?", "postmortem", "why twice?"),
        ("Just from our ADRs, who decided?", "decision", "who decided?"),
        ("only in decision documents", "decision", ""),
        ("ok, only the runbook pages please", "runbook", ""),
        ("in decision documents only", "decision", ""),
        ("restrict it to the policies", "policy", ""),
        ("only documents of type decision", "decision", ""),
        ("and in the post-mortems?", "postmortem", ""),
    ],
)
def test_the_place_where_to_look_is_told_from_the_question(said: str, name: str, rest: str) -> None:
    named = named_channel(said)
    assert named is not None
    assert name in named.spellings
    assert named.rest == rest


def test_a_type_of_document_is_spelled_in_several_ways() -> None:
    assert spellings("Policies") == ("Policies", "policies", "policy", "Policy", "POLICY")
    assert named_channel("What is in the runbooks?") is None
    assert wants_everywhere("Then look everywhere, please!")
    assert wants_everywhere("in all documents")
    assert not wants_everywhere("everywhere in the world it rains")


def test_words_are_compared_by_their_stems() -> None:
    assert stems("The bookings were cancelled") == stems("cancelling a booking")
    assert stem("policies") == stem("policy")
    assert content_words("What is the queue's limit, and the queue?") == ("queue's", "limit", "queue")
    assert content_words("a b c d", limit=1) == ("b",)
    assert len(content_words("x" * 500)[0]) == MAX_WORD


def test_texts_are_cut_with_notice_and_put_on_one_line() -> None:
    assert clipped("abcdef", 4) == "abc…"
    assert clipped("abcd", 4) == "abcd"
    assert on_one_line("a\n\x1b[31m\u202eb\t c", 20) == "a [31m b c"
