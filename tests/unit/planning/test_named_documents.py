"""Documents that the question names stand first among the seeds, with relationships and without."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from tests.builders import prepared
from tests.corpora import EMBEDDER, Corpus, corpora, plan_of, requests

WORLD = Corpus(
    tuple(
        prepared(i, [text], title=title, edges=edges, embedder=EMBEDDER)
        for i, title, text, edges in [
            ("eips/eip-3074.md", "EIP-3074: Delegated calls", "payment", [("superseded_by", "eips/eip-7702.md")]),
            ("eips/eip-7702.md", "EIP-7702: Set code", "slot", []),
            ("queue", "Bounded queue", "queue withdrawn", [("explains", "alarm")]),
            ("retry", "Retries", "queue retry withdrawn", []),
            ("hold", "Holds", "queue hold", []),
            ("alarm", "Alarm", "alarm", []),
        ]
    )
)
QUESTION = "queue: why was eip3074 withdrawn?"


def plan(query: str = QUESTION, **fields: Any) -> RetrievalPlan:
    given_ = {"query": query, "seed_signal": "chunk", "max_documents": 4, "max_expanding_seeds": 1, **fields}
    with WORLD.reading() as snapshot:
        return plan_of(RetrievalRequest.model_validate(given_), snapshot)


def test_a_named_document_is_the_first_seed_with_the_words_that_name_it_and_its_own_rank() -> None:
    first, second = plan().seed_documents[:2]
    assert (first.document_id, first.place, first.named) == ("eips/eip-3074.md", 1, "eip3074")
    assert first.rank is not None
    assert first.rank > 3
    assert (second.document_id, second.rank, second.named) == ("queue", 1, "")


def test_a_named_document_expands_before_the_best_ranked_ones() -> None:
    assert plan().expanded_document_ids == ("eips/eip-7702.md",)
    assert [ref.document_id for ref in plan().consulted] == ["eips/eip-3074.md"]


def test_without_relationships_the_same_documents_are_named() -> None:
    """So what relationships change is never owed to a name."""
    off = plan(use_relationships=False)
    assert off.expanded_documents == ()
    assert off.seed_documents[0] == plan().seed_documents[0].model_copy(update={"expands": False})


@pytest.mark.parametrize("fields", [{"find_names": False}, {"preset": "literal", "max_documents": None}])
def test_names_are_not_looked_for_where_that_is_switched_off(fields: dict[str, Any]) -> None:
    if "preset" in fields:
        fields = {**fields, "max_expanding_seeds": None, "max_chunks": 3}
    found = plan(**fields)
    assert found.seed_document_ids[0] == "queue"
    assert [seed.named for seed in found.seed_documents if seed.named] == []


def test_named_documents_stand_in_the_order_of_the_question() -> None:
    both = plan("is EIP-7702 better than EIP-3074?")
    assert both.seed_document_ids[:2] == ("eips/eip-7702.md", "eips/eip-3074.md")


def test_seeds_of_the_request_leave_no_place_to_names() -> None:
    found = plan(seed_document_ids=("hold",))
    assert found.seed_document_ids == ("hold",)
    assert found.seed_documents[0].named == ""


def test_an_added_seed_comes_before_named_ones_and_a_dropped_one_never() -> None:
    added = plan(overrides={"added_seed_ids": ["hold"]})
    assert added.seed_document_ids[:2] == ("hold", "eips/eip-3074.md")
    assert [seed.named for seed in added.seed_documents[:2]] == ["", "eip3074"]
    dropped = plan(overrides={"dropped_seed_ids": ["eips/eip-3074.md"]})
    assert "eips/eip-3074.md" not in dropped.document_ids


def test_more_names_than_seeds_are_cut_by_the_number_of_seeds() -> None:
    found = plan("EIP-7702, EIP-3074 or the Bounded queue?", max_documents=2, max_expanded=0)
    assert found.seed_document_ids == ("eips/eip-7702.md", "eips/eip-3074.md")
    assert ("queue", "max_seeds") in [(cut.document_id, cut.limit) for cut in found.cut]


@settings(max_examples=40, deadline=None)
@given(corpora(), requests(use_relationships=True))
def test_a_question_that_names_nothing_plans_as_if_names_were_not_looked_for(
    corpus: Corpus, request: RetrievalRequest
) -> None:
    """The words of these questions are no titles there."""
    with corpus.reading() as snapshot:
        found = plan_of(request, snapshot)
        without = plan_of(request.model_copy(update={"find_names": False}), snapshot)
    assert found == without
