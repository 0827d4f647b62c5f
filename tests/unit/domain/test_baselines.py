"""The request of each baseline: what it keeps of the request that it is compared with, and what it is called."""

from __future__ import annotations

import pytest
from hypothesis import given

from docgraph.domain.baselines import BASELINES, LITERAL, MS3, PLAIN, SAVED_BASELINES, TODAY, baseline_request, label_of
from docgraph.domain.request import RetrievalRequest
from tests.corpora import literal_requests, requests


@given(requests() | literal_requests())
def test_ms3_is_the_same_request_with_relationships_off_and_nothing_else_changed(request: RetrievalRequest) -> None:
    off = baseline_request(request, MS3)
    assert off.model_copy(update={"use_relationships": request.use_relationships}) == request
    assert not off.use_relationships
    assert baseline_request(off, MS3) == off


@given(requests())
def test_every_baseline_is_a_valid_request_and_today_is_the_request_itself(request: RetrievalRequest) -> None:
    for name in BASELINES:
        asked = baseline_request(request, name)
        assert RetrievalRequest.model_validate(asked.model_dump()) == asked
        assert (asked.query, asked.max_chunks) == (request.query, request.max_chunks)
    assert baseline_request(request, TODAY) == request


def test_plain_vector_search_keeps_the_question_and_the_number_of_chunks_alone() -> None:
    """Seeds, types and what-ifs of the request belong to planning; ``literal`` plans, so it keeps them."""
    what_if = {"dropped_seed_ids": ["a"]}
    request = RetrievalRequest(
        query="q", max_chunks=7, max_seeds=2, seed_document_ids=("a",), relation_types=("explains",), overrides=what_if
    )
    assert baseline_request(request, PLAIN) == RetrievalRequest(
        query="q", preset="literal", max_chunks=7, use_relationships=False
    )
    literal = baseline_request(request, LITERAL)
    assert (literal.preset, literal.use_relationships, literal.max_seeds) == ("literal", True, None)
    assert (literal.seed_document_ids, literal.relation_types) == (("a",), ("explains",))
    assert literal.overrides == request.overrides


@pytest.mark.parametrize(
    ("fields", "label"),
    [
        ({}, "MS5"),
        ({"use_relationships": False}, "MS3"),
        ({"preset": "literal"}, "Literal"),
        ({"preset": "literal", "use_relationships": False}, "Plain vector search"),
    ],
)
def test_a_run_is_called_by_what_its_request_asks_for(fields: dict[str, object], label: str) -> None:
    assert label_of(RetrievalRequest.model_validate({"query": "q", **fields})) == label


def test_a_name_that_is_no_baseline_is_none() -> None:
    with pytest.raises(KeyError):
        baseline_request(RetrievalRequest(query="q"), "ms3_grouped")


def test_what_is_saved_beside_a_run_does_without_relationships() -> None:
    request = RetrievalRequest(query="q")
    assert [label_of(baseline_request(request, name)) for name in SAVED_BASELINES] == ["MS3", "Plain vector search"]
