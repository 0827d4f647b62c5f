"""The assembled context stays inside its budget and accounts for every token and every chunk."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.assembly.context import CONCEPTUAL_SHARE, assemble, fair_shares
from docgraph.domain.context import AssembledContext
from docgraph.domain.request import RetrievalRequest
from docgraph.testing.builders import WordTokenizer
from tests.corpora import Corpus, context_of, corpora, corpus, plan_of, requests

TOKENIZER = WordTokenizer()
WORLD = corpus(
    ("a", ["queue " * 30, "hold " * 30], [("explains", "b")]),
    ("b", ["slot " * 30], []),
)


def assembled(world: Corpus, budget: int, **fields: object) -> AssembledContext:
    request = RetrievalRequest.model_validate({"query": "queue", "max_documents": 2, **fields})
    with world.reading() as snapshot:
        return assemble(context_of(plan_of(request, snapshot), snapshot), TOKENIZER, token_budget=budget)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(corpora(), requests(), st.integers(50, 400))
def test_the_budget_is_never_exceeded_and_every_chunk_is_accounted_for(
    world: Corpus, request: RetrievalRequest, budget: int
) -> None:
    with world.reading() as snapshot:
        context = context_of(plan_of(request, snapshot), snapshot)
    result = assemble(context, TOKENIZER, token_budget=budget)
    assert result.total_tokens == TOKENIZER.count(result.text) <= budget
    assert result.conceptual_tokens <= CONCEPTUAL_SHARE * budget
    parts = result.conceptual_tokens + result.evidence_tokens + result.frame_tokens
    assert parts == result.total_tokens
    for document, evidence in zip(result.documents, context.documents, strict=True):
        chunk_ids = {c.chunk_id for c in evidence.chunks}
        assert set(document.chunk_ids) | set(document.left_out_chunk_ids) == chunk_ids
        assert not set(document.chunk_ids) & set(document.left_out_chunk_ids)


def test_with_room_for_everything_the_text_holds_all_summaries_and_all_chunks() -> None:
    result = assembled(WORLD, 1_000)
    assert result.n_left_out == 0
    assert result.text.startswith("# Documents\n1) A: ")
    assert "## A [a]" in result.text
    assert "## B [b]" in result.text
    assert result.text.index("## A [a]") < result.text.index("## B [b]")


def test_a_small_budget_keeps_the_best_chunk_of_every_document_first() -> None:
    result = assembled(WORLD, 100)
    assert [len(d.chunk_ids) for d in result.documents] == [1, 1]
    assert result.n_left_out == 1


def test_a_chunk_that_does_not_fit_whole_is_shortened_when_there_is_room_worth_it() -> None:
    long = corpus(("a", ["queue " * 200], []))
    result = assembled(long, 100)
    assert result.documents[0].chunk_ids == ("a#0",)
    assert result.text.endswith(" …")
    assert result.total_tokens <= 100


def test_the_same_context_gives_the_same_text() -> None:
    assert assembled(WORLD, 200) == assembled(WORLD, 200)


@given(st.lists(st.integers(0, 50), max_size=8), st.integers(0, 200))
def test_fair_shares_give_nobody_more_than_wanted_and_waste_nothing(wanted: list[int], available: int) -> None:
    shares = fair_shares(wanted, available)
    assert all(s <= w for s, w in zip(shares, wanted, strict=True))
    assert sum(shares) <= available
    if sum(shares) < min(sum(wanted), available):
        assert min(sum(wanted), available) - sum(shares) < len(wanted)
