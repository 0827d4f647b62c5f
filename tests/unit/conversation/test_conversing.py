"""``converse``: what it asks, what it survives, what it refuses, and that it is the same awaited."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from docgraph.aio import AsyncDocgraph
from docgraph.conversation.understanding import understand
from docgraph.domain.conversation import (
    MAX_STATE_BYTES,
    Choice,
    ConversationState,
    PastTurn,
    parse_state,
)
from docgraph.domain.graph import Document, Vectors
from docgraph.domain.packet import PacketRequest, RetrievalResponse
from docgraph.errors import RequestError, UserError
from docgraph.orchestration import conversations, packets
from docgraph.orchestration.session import HasSession
from docgraph.testing.builders import HashingEmbedder
from tests.conversations import nowhere, scripted, talk

A = ["adr-011", "ADR-011 Bounded booking queue", "decision", "Decision", 0.9]
P = ["policy", "Policy: Refunds", "policy", "", 0.4]


class BrokenEmbedder(HashingEmbedder):
    """Raises, at once or when it may."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error, self.n_calls, self.may = error, 0, threading.Event()
        self.may.set()

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.n_calls += 1
        self.may.wait()
        raise self.error


def test_a_turn_is_asked_with_the_rewritten_query_in_the_given_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[PacketRequest] = []

    def watched(self: HasSession, request: PacketRequest, **options: Any) -> RetrievalResponse:
        requests.append(request)
        return packets.retrieve(self, request, **options)

    monkeypatch.setattr(conversations, "retrieve", watched)
    talk(
        scripted({"graph": [[A]]}),
        "Why is the queue limited?",
        "and for ferries?",
        mode="fast",
        top_k=3,
        threshold=0.2,
        channel="decision",
    )
    assert [asked.query for asked in requests] == [
        "Why is the queue limited?",
        "Why is the queue limited? and for ferries?",
    ]
    assert {(a.mode, a.top_k, a.threshold, a.channel) for a in requests} == {("fast", 3, 0.2, "decision")}


def test_understanding_never_sees_what_is_found_for_the_text() -> None:
    """Whatever the providers answer to a text, it is understood in the same way."""
    state = talk(scripted({"graph": [[A]]}), "Why is the queue limited?")[-1].state
    for answer in ([A], [P], [], "raises", "nonsense"):
        [turn] = talk(scripted({"graph": [answer]}), "who decided that?", state=state)
        assert turn.understanding == talk(scripted({"graph": [[A]]}), "who decided that?", state=state)[0].understanding


@pytest.mark.parametrize("error", [RuntimeError("no"), MemoryError(), KeyboardInterrupt()])
def test_an_embedder_that_fails_costs_the_tie_breaks_and_nothing_else(error: BaseException) -> None:
    embedder = BrokenEmbedder(error)
    turns = talk(scripted({"graph": [[A]]}, embedder=embedder), "Why, and who?", "Are dogs allowed?", "why?")
    assert [turn.action for turn in turns] == ["proceed"] * 3
    assert [turn.understanding.link for turn in turns] == ["opening", "new_topic", "ellipsis"]
    assert embedder.n_calls == 2, "asked once a turn at most"


def test_an_embedder_that_hangs_is_waited_for_once_a_turn() -> None:
    embedder = BrokenEmbedder(RuntimeError())
    docgraph = scripted({"graph": [[A]]}, embedder=embedder)
    state = talk(docgraph, "Why is the queue limited?")[-1].state
    before = embedder.n_calls
    embedder.may.clear()
    try:
        [turn] = talk(docgraph, "Why and who: are dogs allowed?", state=state, timeout=0.1)
        assert embedder.n_calls == before + 1, "it hung, and was asked again"
    finally:
        embedder.may.set()
    assert turn.action == "proceed"


def test_a_channel_is_named_in_words_only_when_the_data_have_it() -> None:
    docgraph = scripted({"graph": [[A]]})
    docgraph.create_workspace("default")
    docgraph.ingest_records([Document(document_id="r", title="R", text="Storm.", doc_type="Runbook")])
    turns = talk(docgraph, "Why a storm, only in runbooks?", "Why a storm, only in rubbish?")
    assert [(turn.understanding.query, turn.understanding.channel) for turn in turns] == [
        ("Why a storm?", "Runbook"),
        ("Why a storm, only in rubbish?", "Runbook"),
    ]


def test_a_conversation_stays_in_its_workspace() -> None:
    elsewhere = ConversationState(workspace="elsewhere")
    with pytest.raises(UserError, match="over the workspace 'elsewhere'"):
        scripted({"graph": [[A]]}).converse(elsewhere, "Why?")


@pytest.mark.parametrize(
    "options", [{"top_k": 0}, {"threshold": 1.5}, {"channel": ""}, {"mode": "slow"}, {"top_k": "many"}], ids=str
)
def test_values_out_of_range_are_refused_with_one_line(options: dict[str, Any]) -> None:
    [(field, value)] = options.items()
    with pytest.raises(RequestError, match=rf"^{field}: .* \(it was '{value}'\)"):
        scripted({"graph": [[A]]}).converse(None, "Why?", **options)


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        (b"", "EOF"),
        (b"[]", "Input should be an object"),
        (b'{"n_turns": 1}', "n_turns is 1, but 0 turns are kept"),
        (b'{"pending": 3}', "turn 3 waits for an answer"),
        (b'{"more": 1}', "more"),
        (b'{"question": 1}', "question"),
        (b'{"question": "\\ud800"}', "surrogate|hex"),
        (b"\xff\xfe", "."),
        (b" " * (MAX_STATE_BYTES + 1), "bytes"),
        (b'{"topic": ["' + b"x" * 61 + b'"]}', "topic.0"),
        (b"[" * 100_000, "recursion"),
    ],
    ids=range(11),
)
def test_a_state_from_outside_is_refused_with_one_line(written: bytes, complaint: str) -> None:
    with pytest.raises(UserError, match=complaint) as refused:
        parse_state(written)
    assert "\n" not in str(refused.value)


def test_turns_are_numbered_without_gaps() -> None:
    turn = PastTurn(number=2, text="a", query="a", intent="lookup", action="proceed")
    with pytest.raises(ValueError, match="not numbered 1 to 1"):
        ConversationState(n_turns=1, turns=(turn,))


def test_a_choice_may_carry_a_channel() -> None:
    choices = tuple(Choice(label=name, query=f"{name}?", channel=name) for name in ("runbook", "policy"))
    past = PastTurn(number=1, text="a", query="a", intent="lookup", action="clarify", choices=choices)
    state = ConversationState(n_turns=1, turns=(past,), pending=1, question="a", channel="guide")
    understood = understand("the second", state, nowhere)
    assert (understood.query, understood.channel, understood.answers_turn) == ("policy?", "policy", 1)


def test_a_chosen_document_that_is_found_again_is_answered_from_and_stands_first() -> None:
    low = [["policy", "Policy: Refunds", "policy", "", 0.4], ["adr-011", "ADR-011 Queue", "decision", "", 0.3]]
    asked, chosen = talk(scripted({"graph": [low]}), "What is the limit?", "the decision")
    assert asked.choices[1].document_id == chosen.understanding.chosen == "adr-011"
    assert (chosen.action, chosen.steps[-1].kind) == ("proceed", "answer")
    assert chosen.response is not None
    assert chosen.response.next_action.action == "clarify"
    assert chosen.reply.splitlines()[1].startswith("1. ADR-011 Queue")
    assert chosen.reply.endswith("The confidence is low; the document is the one that you chose.")


def test_awaited_conversations_are_the_same() -> None:
    docgraph = scripted({"graph": [[A], []], "semantic": [[P]]})

    async def held() -> list[Any]:
        awaited, state, turns = AsyncDocgraph(docgraph), None, []
        for text in ("Why is the queue limited?", "and for ferries?"):
            turn = await awaited.converse(state, text)
            state = turn.state
            turns.append(turn)
        return turns

    again = talk(scripted({"graph": [[A], []], "semantic": [[P]]}), "Why is the queue limited?", "and for ferries?")
    assert asyncio.run(held()) == again
    assert [turn.action for turn in again] == ["proceed", "clarify"]
