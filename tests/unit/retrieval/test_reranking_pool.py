"""A reranker chooses from twice as many as are delivered: it may bring one in, never change what is known of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.domain.packet import MAX_TOP_K, PacketRequest, ProviderHit, RetrievalResponse
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ports.retrieval import Reranked
from docgraph.retrieval.reranking import pool_size
from tests.unit.retrieval.parties import FakeProvider, FakeReranker, asking, hit

CHANNEL = "decision"
FOUND = {"graph": ("a", "b", "c", "d"), "lexical": ("v", "w", "x", "y")}
"""Merged: a v b w c x d y."""


def two(reranker: FakeReranker | None, **fields: Mapping[str, Any]) -> Docgraph:
    """Two providers with four hits each; ``fields`` = name of a hit → what is special about it."""

    def hits(provider: str, top_k: int) -> list[ProviderHit]:
        return [hit(name, **{"score": 0.7, **fields.get(name, {})}) for name in FOUND[provider][:top_k]]

    def answering(provider: str, priority: int) -> FakeProvider:
        return FakeProvider(lambda asked: hits(provider, asked.top_k), name=provider, priority=priority)

    return asking(answering("graph", 1), answering("lexical", 2), reranker=reranker)


def preferring(*names: str) -> FakeReranker:
    """Scores these highest, in this order, and all others alike."""

    def answer(texts: Sequence[str]) -> list[Reranked]:
        place = {f"text of {name}": 1 - number / 20 for number, name in enumerate(names)}
        return [Reranked(index, place.get(text.strip(), 0.1)) for index, text in enumerate(texts)]

    return FakeReranker(answer)


def ids(response: RetrievalResponse) -> str:
    return "".join(candidate.id[0] for candidate in response.context_packet.candidates)


def test_a_reranker_brings_in_what_the_merged_order_would_have_left_out() -> None:
    request = PacketRequest(query="why?", top_k=3)
    assert ids(two(None).retrieve(request)) == "avb"
    response = two(preferring("x", "w")).retrieve(request)
    assert ids(response) == "xav"
    assert [candidate.metadata["rerank_score"] for candidate in response.context_packet.candidates] == [1.0, 0.1, 0.1]
    assert response.routing_metadata["rerank_why"] == "6 of 6 candidates were reranked; 3 are delivered"


def test_both_orders_decide_who_stays_and_the_reranker_alone_in_which_order() -> None:
    """The second place of the new order brings one in from the sixth of the merged one, the third not from the last."""
    request = PacketRequest(query="why?", top_k=4)
    assert ids(two(preferring("c", "x", "y")).retrieve(request)) == "cxav"
    assert ids(two(preferring("c", "b", "y")).retrieve(request)) == "cbav"


def test_the_first_choice_of_a_reranker_is_delivered_from_wherever_it_comes() -> None:
    assert ids(two(preferring("y")).retrieve(PacketRequest(query="why?", top_k=4))) == "yavb"


@pytest.mark.parametrize(("top_k", "n_read"), [(2, 4), (3, 6), (4, 8), (9, 8)])
def test_a_reranker_reads_twice_as_many_as_are_delivered_where_so_many_were_found(top_k: int, n_read: int) -> None:
    reranker = preferring()
    two(reranker).retrieve(PacketRequest(query="why?", top_k=top_k))
    [texts] = reranker.asked
    assert len(texts) == n_read


def test_a_reranker_never_reads_more_than_the_contract_can_deliver() -> None:
    assert [pool_size(top_k) for top_k in (1, 5, 50, 51, MAX_TOP_K)] == [2, 10, 100, 100, MAX_TOP_K]


def test_where_one_is_delivered_nothing_is_reranked() -> None:
    reranker = preferring("v")
    response = two(reranker).retrieve(PacketRequest(query="why?", top_k=1))
    assert (ids(response), reranker.asked) == ("a", [])
    assert response.routing_metadata["rerank_why"] == "a single candidate has no order"


def test_the_most_confident_one_is_delivered_wherever_it_is_ranked() -> None:
    """Were it left out, the best confidence would fall below the threshold: *proceed* would become *clarify*."""
    request, reranker = PacketRequest(query="why?", top_k=2, threshold=0.8), preferring("w", "b", "v")
    for name in "av":
        response = two(reranker, **{name: {"score": 0.9}}).retrieve(request)
        assert (ids(response), response.next_action.action) == (f"w{name}", "proceed")


def test_the_channel_that_was_asked_for_does_not_get_lost() -> None:
    """Were its only candidate left out, *proceed* would become *escalate*."""
    request = PacketRequest(query="why?", top_k=3, channel=CHANNEL)
    response = two(preferring("v", "w", "c", "x", "a"), b={"channels": (CHANNEL,)}).retrieve(request)
    assert (ids(response), response.next_action.action) == ("vab", "proceed")
    both = two(preferring("c"), v={"channels": (CHANNEL,)}).retrieve(request.model_copy(update={"top_k": 2}))
    assert (ids(both), both.next_action.action) == ("av", "proceed")


def test_one_that_is_brought_in_counts_for_what_comes_next() -> None:
    request = PacketRequest(query="why?", top_k=2, threshold=0.8, channel=CHANNEL)
    sure = {"score": 0.9, "channels": (CHANNEL,)}
    assert two(None, b=sure).retrieve(request).next_action.action == "clarify"
    response = two(preferring("b"), b=sure).retrieve(request)
    assert (ids(response), response.next_action.action) == ("ba", "proceed")
    assert response.context_packet.summary.top_confidence == 0.9


def keeping(reranker: FakeReranker | None, n_planned: int) -> Docgraph:
    """A plan with so many candidates, and four by words."""
    names = "abcd"[:n_planned]
    plan = FakeProvider(lambda asked: [hit(n, 0.7) for n in names[: asked.top_k]], name="graph", keeps_places=True)
    words = FakeProvider(lambda asked: [hit(name, 0.9) for name in "vwxy"[: asked.top_k]], name="lexical", priority=20)
    return asking(plan, words, reranker=reranker)


def test_a_reranker_orders_what_a_plan_found_and_chooses_for_the_places_that_it_left_free() -> None:
    """Chosen freely, it brought in texts that repeat the question's words for those that a relationship had found."""
    reranker, request = preferring("y", "x", "d", "c", "b", "a"), PacketRequest(query="why?", top_k=4)
    assert ids(keeping(None, 4).retrieve(request)) == "abcd"
    full = keeping(reranker, 4).retrieve(request)
    assert (ids(full), full.context_packet.rerank_applied) == ("dcba", True)
    assert [len(texts) for texts in reranker.asked] == [4], "nothing is sent that could not be delivered"
    assert ids(keeping(None, 2).retrieve(request)) == "abvw"
    assert ids(keeping(reranker, 2).retrieve(request)) == "ybav"


@pytest.mark.parametrize("top_k", [1, 2, 3, 4])
def test_a_plans_candidates_are_all_delivered_whatever_a_reranker_prefers(top_k: int) -> None:
    packet = keeping(preferring("y", "x", "w", "v"), 4).retrieve(PacketRequest(query="why?", top_k=top_k))
    assert set(ids(packet)) == set("abcd"[:top_k])


# ---------------------------------------------------------------- whose order it is


@pytest.mark.parametrize(
    ("memories", "found", "applied"),
    [("uv", "", True), ("uv", "ab", False), ("", "ab", False), ("u", "u", True), ("uv", "u", True), ("uv", "vu", True)],
)
def test_a_rerank_is_applied_where_the_order_that_is_delivered_is_the_rerankers(
    memories: str, found: str, applied: bool
) -> None:
    """A memory with its own rerank, merged with documents: that order is nobody's rerank."""
    memory = FakeProvider(lambda _: [hit(name) for name in memories], name="memory", priority=1, native_rerank=True)
    plan = FakeProvider(lambda _: [hit(name) for name in found], name="graph", keeps_places=True)
    response = asking(memory, plan).retrieve(PacketRequest(query="why?", mode="conversation"))
    assert response.context_packet.rerank_applied is applied


SCORES = st.lists(st.one_of(st.none(), st.floats(0, 1), st.just(float("nan"))), min_size=8, max_size=8)
HITS = st.fixed_dictionaries(
    {
        name: st.fixed_dictionaries(
            {"score": st.sampled_from([0.2, 0.5, 0.6, 0.9]), "channels": st.sampled_from([(), (CHANNEL,)])}
        )
        for names in FOUND.values()
        for name in names
    }
)
ASKED = st.builds(
    PacketRequest, query=st.just("why?"), top_k=st.integers(1, 9), channel=st.sampled_from([None, CHANNEL])
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(fields=HITS, scores=SCORES, request=ASKED)
def test_whatever_a_reranker_says_what_comes_next_gets_no_worse(
    fields: dict[str, dict[str, Any]], scores: list[float | None], request: PacketRequest
) -> None:
    """As many as without it, each with its confidence; the best confidence does not fall; *proceed* stays *proceed*."""
    answer: Any = [Reranked(index, score) for index, score in enumerate(scores)]  # type: ignore[arg-type]
    before = two(None, **fields).retrieve(request)
    after = two(FakeReranker(lambda texts: answer[: len(texts)]), **fields).retrieve(request)
    old, new = before.context_packet, after.context_packet
    assert len(new.candidates) == len(old.candidates) == min(request.top_k, 8)
    assert all(candidate.confidence == fields[candidate.id[0]]["score"] for candidate in new.candidates)
    assert new.summary.top_confidence >= old.summary.top_confidence
    if before.next_action.action == "proceed":
        assert after.next_action.action == "proceed"
    if not new.rerank_applied:
        assert (new.candidates, after.next_action) == (old.candidates, before.next_action)


@pytest.mark.parametrize("top_k", [2, 3, 9])
@pytest.mark.parametrize("answer", [lambda _: None, lambda texts: texts[99], lambda _: [Reranked(99, 1.0)]])
def test_a_reranker_that_fails_leaves_what_there_would_be_without_it(top_k: int, answer: Any) -> None:
    request = PacketRequest(query="why?", top_k=top_k)
    response = two(FakeReranker(answer)).retrieve(request)
    assert response.context_packet == two(None).retrieve(request).context_packet
