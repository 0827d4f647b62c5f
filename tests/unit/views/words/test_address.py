"""A request as an address: what a live link carries comes back whole, and nonsense in it never surprises."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.domain.request import RetrievalRequest
from docgraph.errors import RequestError
from docgraph.views.words.address import inputs_of, request_at, request_of, text_of
from tests.corpora import TYPES, requests

laws = settings(max_examples=40, deadline=None)
ids = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=8)


@st.composite
def any_request(draw: st.DrawFn) -> RetrievalRequest:
    """Requests over every field, with ids that need escaping."""
    documents = draw(st.none() | st.integers(1, 100))
    size = documents or 5
    added = draw(st.lists(ids, max_size=2, unique=True))
    return draw(
        requests(
            max_documents=documents,
            max_expanded=draw(st.none() | st.integers(0, size - 1)),
            max_expanding_seeds=draw(st.none() | st.integers(0, 9)),
            use_relationships=draw(st.booleans()),
            token_budget=draw(st.integers(50, 5_000)),
            seed_document_ids=tuple(draw(st.lists(ids, max_size=2))),
            scope_field=draw(st.sampled_from((None, "doc_type", "cluster"))),
            overrides={
                "without_types": draw(st.lists(st.sampled_from(TYPES), max_size=2)),
                "without_edges": draw(st.lists(st.tuples(ids, st.sampled_from(TYPES), ids), max_size=2)),
                "added_seed_ids": added,
                "dropped_seed_ids": [i for i in draw(st.lists(ids, max_size=2)) if i not in added],
            },
        )
    )


@laws
@given(any_request())
def test_a_request_survives_the_trip_through_an_address(request: RetrievalRequest) -> None:
    address = urlencode(inputs_of(request, "team"), doseq=True)
    assert request_of(parse_qs(address, keep_blank_values=True)) == request


@laws
@given(any_request())
def test_a_request_survives_as_the_name_of_a_baseline_for_its_question(request: RetrievalRequest) -> None:
    assert request_at(text_of(request), request.query) == request


def test_an_address_carries_only_what_differs_from_the_defaults() -> None:
    assert inputs_of(RetrievalRequest(query="Why?")) == {"query": ["Why?"]}
    assert text_of(RetrievalRequest(query="Why?")) == "?"
    assert inputs_of(RetrievalRequest(query="Why?", max_chunks=12, relation_types=()), "team") == {
        "query": ["Why?"],
        "workspace": ["team"],
        "chunks": ["12"],
        "types": [""],
    }


@pytest.mark.parametrize("inputs", [{}, {"query": []}, {"query": [""]}, {"query": [" \x00 "]}, {"docs": ["5"]}])
def test_without_a_question_there_is_no_request(inputs: dict[str, list[str]]) -> None:
    assert request_of(inputs) is None


@pytest.mark.parametrize("value", ["", "many", "-3", "3.5", "1e9", "٣x"])
def test_a_number_that_is_none_is_read_as_if_it_were_not_there(value: str) -> None:
    assert request_of({"query": ["q"], "docs": [value], "seeds": [value]}) == RetrievalRequest(query="q")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("docs", "0"),
        ("docs", "1000"),
        ("docs", "9" * 5_000),
        ("mode", "thorough"),
        ("signal", "x"),
        ("no_edge", "a|b"),
        ("named", ""),
        ("add_seed", "a" * 5_000),
        ("no_type", ""),
    ],
)
def test_an_impossible_value_is_refused_in_one_line(name: str, value: str) -> None:
    with pytest.raises(RequestError) as caught:
        request_of({"query": ["q"], name: [value]})
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_more_seeds_than_documents_are_refused_with_both_numbers() -> None:
    with pytest.raises(RequestError, match="max_seeds = 9 is more than max_documents = 4"):
        request_of({"query": ["q"], "docs": ["4"], "seeds": ["9"]})


def test_seeds_in_an_address_are_exactly_so_many() -> None:
    found = request_of({"query": ["q"], "seeds": ["2"], "related": ["3"]})
    assert found is not None
    assert (found.max_seeds, found.max_expanded) == (2, 3)


def test_a_literal_request_is_a_short_address() -> None:
    request = RetrievalRequest(query="q", preset="literal")
    assert inputs_of(request) == {"query": ["q"], "preset": ["literal"]}
    assert request_of(inputs_of(request)) == request


def test_the_last_of_two_values_counts_and_unknown_names_are_left_alone() -> None:
    inputs: dict[str, Any] = {"query": ["old", "new"], "present": ["1"], "utm": ["x"]}
    assert request_of(inputs) == RetrievalRequest(query="new")
