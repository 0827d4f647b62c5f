"""The options of a question: one for every field of a request, shown as they are read."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.cli.request_options import OPTIONS, OVERRIDES, as_options, read_request
from docgraph.domain.overrides import Overrides
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import RequestError


def test_there_is_an_option_for_every_field_of_a_request() -> None:
    assert ["query", *OPTIONS, "overrides"] == list(RetrievalRequest.model_fields)
    assert list(OVERRIDES) == list(Overrides.model_fields)


def test_the_options_that_are_shown_are_the_options_that_are_read() -> None:
    remedy = {"max_documents": 8, "relation_types": ["a b", "c"], "seed_document_ids": ["x"], "use_relationships": True}
    shown = as_options(remedy)
    assert shown == "--max-documents 8 --types 'a b,c' --seed x --relationships"
    assert read_request({"query": "q", **remedy, "relation_types": ["a b,c"]}) == RetrievalRequest(query="q", **remedy)


def test_what_ifs_are_read_as_they_are_shown() -> None:
    overrides: dict[str, Any] = {
        "without_types": ["a b", "c"],
        "without_edges": [("x|1", "cites", "y")],
        "added_seed_ids": ["n"],
        "dropped_seed_ids": ["o"],
    }
    shown = as_options({"overrides": overrides})
    assert shown == "--without-type 'a b' --without-type c --without-edge 'x%7C1|cites|y' --add-seed n --drop-seed o"
    typed = {**overrides, "without_types": ["a b,c"], "without_edges": ["x%7C1|cites|y"]}
    assert read_request({"query": "q", **typed}) == RetrievalRequest(query="q", overrides=Overrides(**overrides))
    assert as_options({"overrides": {}}).startswith("no --without-type, ")


def test_a_request_that_is_not_valid_names_the_field() -> None:
    with pytest.raises(RequestError, match="max_chunks = '0'"):
        read_request({"query": "q", "max_chunks": 0})


def test_a_filter_is_read_as_it_is_shown() -> None:
    request = read_request({"query": "q", "where": ["status=accepted|draft", "date>=2024"], "where_for": "seeds"})
    assert request.where is not None
    assert (request.where.texts, request.where.applies_to) == (("date>=2024", "status=accepted|draft"), "seeds")
    shown = as_options({"where": request.where.model_dump(mode="json")})
    assert shown == "--where 'date>=2024' --where 'status=accepted|draft'"
    assert as_options({"where": None}) == "no --where"


def test_whom_a_filter_concerns_is_nothing_without_one() -> None:
    with pytest.raises(RequestError, match="--where-for needs --where"):
        read_request({"query": "q", "where_for": "seeds"})
