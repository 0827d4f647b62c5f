"""``remember``, ``recall``, ``memories`` and ``forget`` over the reference store, and the provider ``memory``."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.aio import AsyncDocgraph
from docgraph.domain.graph import Document
from docgraph.domain.memory import (
    MAX_ITEMS,
    MAX_TEXT,
    Memory,
    MemoryHit,
    MemoryItem,
    fused_order,
)
from docgraph.domain.packet import PacketRequest
from docgraph.errors import UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.providers import memory as memory_provider
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    """No workspace yet; days pass with every look at the calendar."""
    days = itertools.count(1)
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(64),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
        now=lambda: f"day {next(days)}",
        providers=(memory_provider.build(),),
    )
    with Docgraph(adapters, "test") as docgraph:
        yield docgraph


def test_texts_are_remembered_before_there_are_documents_and_found_again(dg: Docgraph) -> None:
    made = dg.memory.remember(
        ["The queue holds 400 bookings", MemoryItem(text="Noted.", role="assistant", metadata={"n": 1})]
    )
    assert [(m.turn, m.role, m.at, m.conversation_id) for m in made.memories] == [
        (1, "user", "day 1", "default"),
        (2, "assistant", "day 1", "default"),
    ]
    [hit, *_] = dg.memory.recall("how long is the queue")
    assert hit.memory == made.memories[0]
    assert dg.memory.list() == made.memories[::-1]
    assert dg.workspace.n_documents == 0


def test_the_same_said_again_is_one_memory_and_the_newest(dg: Docgraph) -> None:
    dg.memory.remember(["yes", "no"], conversation_id="a")
    dg.memory.remember(" yes\x00 ", conversation_id="a")
    dg.memory.remember("yes", conversation_id="b")
    dg.memory.remember(MemoryItem(text="maybe", memory_id="mine"), conversation_id="b")
    dg.memory.remember(MemoryItem(text="never", memory_id="mine"), conversation_id="b")
    assert [(m.text, m.conversation_id) for m in dg.memory.list()] == [
        ("never", "b"),
        ("yes", "b"),
        ("yes", "a"),
        ("no", "a"),
    ]


def test_recall_and_lists_can_be_narrowed_to_a_conversation_and_bounded(dg: Docgraph) -> None:
    dg.memory.remember([f"queue {n}" for n in range(9)], conversation_id="a")
    dg.memory.remember("queue b", conversation_id="b")
    assert len(dg.memory.recall("queue")) == 5
    assert [hit.memory.text for hit in dg.memory.recall("queue", 3, conversation_id="b")] == ["queue b"]
    page = dg.memory.list(conversation_id="a", limit=4)
    assert [m.text for m in dg.memory.list(conversation_id="a", before=page[-1].turn)] == [
        f"queue {n}" for n in (4, 3, 2, 1, 0)
    ]
    assert dg.memory.recall("  \x00 ") == ()


def test_a_conversation_keeps_its_newest_and_says_how_many_had_to_go(dg: Docgraph) -> None:
    for start in (0, 500):
        assert dg.memory.remember([f"text {n}" for n in range(start, start + MAX_ITEMS)]).n_dropped == 0
    assert dg.memory.remember(["one more", "and another"]).n_dropped == 2
    assert len(dg.memory.list(limit=1_000)) == 1_000
    assert dg.memory.list(limit=1_000)[-1].text == "text 2"


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ("", "text 1 .* text"),
        (["fine", " \x00 "], "text 2 .* text"),
        ("x" * (MAX_TEXT + 1), "8000 characters"),
        (["x"] * (MAX_ITEMS + 1), "501 texts"),
        (MemoryItem(text="x", metadata={"a": "y" * 10_001}), "metadata"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_nothing_is_kept(dg: Docgraph, items: Any, message: str) -> None:
    dg.memory.remember("there")
    with pytest.raises(UserError, match=message):
        dg.memory.remember(items)
    assert [m.text for m in dg.memory.list()] == ["there"]


def test_impossible_names_limits_and_questions_are_said(dg: Docgraph) -> None:
    assert dg.memory.remember([]).memories == ()
    with pytest.raises(UserError, match="name a conversation"):
        dg.memory.remember("x", conversation_id=" ")
    with pytest.raises(UserError, match="name a conversation"):
        dg.memory.recall("x", conversation_id="y" * 201)
    for limit in (0, 1_001):
        with pytest.raises(UserError, match="limit"):
            dg.memory.recall("x", limit)
    with pytest.raises(UserError, match="characters"):
        dg.memory.recall("x" * 100_000)
    with pytest.raises(UserError, match="nothing is named"):
        dg.memory.forget()


def test_what_is_forgotten_is_gone(dg: Docgraph) -> None:
    made = dg.memory.remember(["one", "two", "three"], conversation_id="a").memories
    assert dg.memory.forget(memory_ids=[made[0].memory_id, "unknown"]) == 1
    assert dg.memory.forget(conversation_id="a") == 2
    assert (dg.memory.forget(conversation_id="a"), dg.memory.list(), dg.memory.recall("one")) == (0, (), ())


def test_the_async_face_remembers_too(dg: Docgraph) -> None:
    async def trip() -> tuple[Any, ...]:
        async with AsyncDocgraph(dg) as adg:
            await adg.memory.remember(["the queue"], conversation_id="c")
            found = await adg.memory.recall("queue", 2, conversation_id="c")
            return found, await adg.memory.list(limit=1), await adg.memory.forget(conversation_id="c")

    found, listed, n = asyncio.run(trip())
    assert ([hit.memory for hit in found], n) == (list(listed), 1)


# ---------------------------------------------------------------- the provider


def test_a_conversation_hears_what_was_said_with_the_providers_own_order(dg: Docgraph) -> None:
    dg.ingest_records([Document(document_id="d", title="Queue", text="The queue.")])
    dg.memory.remember(["the queue holds 400 bookings", "zebras eat grass"], conversation_id="talk/1")
    response = dg.retrieve(PacketRequest(query="queue bookings", mode="conversation", threshold=0.0))
    packet, routing = response.context_packet, response.routing_metadata
    [candidate] = packet.candidates  # the other one shares no word, and points elsewhere
    assert (candidate.content, packet.rerank_applied) == ("the queue holds 400 bookings", True)
    assert (packet.summary.branch, routing["rerank_type"]) == ("RERANK_BYPASSED", "provider-native")
    said = candidate.metadata
    assert (said["conversation_id"], said["turn"], said["role"], said["at"]) == ("talk/1", 1, "user", "day 2")
    assert candidate.id == f"memory/{said['memory_id']}"
    assert said["words"] > 0 < said["fused"]


def test_memory_takes_no_part_in_other_modes(dg: Docgraph) -> None:
    dg.memory.remember("the queue")
    for mode in ("fast", "accurate"):
        response = dg.retrieve(PacketRequest(query="queue", mode=mode))
        assert response.routing_metadata["selected_providers"] == []


# ---------------------------------------------------------------- the order

SCORES = st.tuples(st.sampled_from([-0.5, 0.0, 0.25, 0.5, 1.0]), st.sampled_from([0.0, 0.1, 0.2]))


def hits_of(scores: list[tuple[float, float]]) -> list[MemoryHit]:
    """One hit for each (cosine, words), in turns."""
    return [
        MemoryHit(memory=Memory(memory_id=str(n), conversation_id="c", turn=n, role="user", text="x"), score=s, words=w)
        for n, (s, w) in enumerate(scores, start=1)
    ]


@settings(max_examples=60, deadline=None)
@given(st.lists(SCORES, max_size=12), st.randoms(use_true_random=False), st.integers(1, 12))
def test_the_order_follows_from_what_is_stored_alone(scores: list[Any], chance: Any, limit: int) -> None:
    hits = hits_of(scores)
    whole = fused_order(hits, limit=99)
    chance.shuffle(hits)
    assert fused_order(hits, limit=limit) == whole[:limit]
    assert {hit.memory.turn for hit in whole} == {n for n, (s, w) in enumerate(scores, 1) if s > 0 or w > 0}
    assert [hit.fused for hit in whole] == sorted((hit.fused for hit in whole), reverse=True)


@settings(max_examples=60, deadline=None)
@given(st.lists(SCORES, min_size=1, max_size=12), st.integers(0, 11))
def test_who_is_better_in_all_three_respects_stands_before(scores: list[Any], place: int) -> None:
    best = (1.1, 0.3)
    order = [hit.memory.turn for hit in fused_order(hits_of([*scores, best]), limit=99)]
    assert order[0] == len(scores) + 1
