"""A request's own description says the numbers that plans are made with; a preset fills in what it fixes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from pydantic import ValidationError

from docgraph.domain.request import LITERAL, MODES, RetrievalRequest, parse_request
from tests.corpora import literal_requests


def test_the_description_of_a_request_says_what_the_modes_decide() -> None:
    said = " ".join((RetrievalRequest.__doc__ or "").split())
    for name, mode in MODES.items():
        numbers = re.search(rf"\*{name}\* = (\d+) documents, (\d+) %[^,]*, (\d+) expanding", said)
        assert numbers is not None, name
        documents, share, expanding = map(int, numbers.groups())
        assert (documents, share / 100, expanding) == (
            mode.max_documents,
            mode.related_share,
            mode.max_expanding_seeds,
        )


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"top_k": 5}, "top_k"),
        ({"threshold": 0.6}, "threshold"),
        ({"provider_override": None}, "provider_override"),
        ({"channel": "adr"}, "channel"),
        ({"mode": "conversation"}, "mode 'conversation'"),
    ],
)
def test_a_field_of_the_contracts_request_says_where_it_belongs(fields: dict[str, Any], named: str) -> None:
    """Seeds in hand, one types ``RetrievalRequest(query=…, top_k=5)``: there the contract's request has that name."""
    with pytest.raises(ValidationError, match=f"{named} belongs to docgraph.PacketRequest, the request of"):
        RetrievalRequest.model_validate({"query": "why?", **fields})


def test_the_preset_literal_fills_in_what_it_fixes() -> None:
    request = RetrievalRequest(query="q", preset="literal")
    assert {name: getattr(request, name) for name in LITERAL} == dict(LITERAL)
    assert parse_request({"query": "q", "preset": "literal", **LITERAL}) == request
    assert RetrievalRequest(query="q") != request


@given(literal_requests())
def test_a_literal_request_comes_back_from_its_json(request: RetrievalRequest) -> None:
    assert RetrievalRequest.model_validate_json(request.model_dump_json()) == request
    assert RetrievalRequest.model_validate(request.model_dump()) == request


def test_an_evidence_rule_that_is_left_open_is_the_presets() -> None:
    """Requests that were written when the planner decided it have ``null`` there."""
    assert parse_request({"query": "q", "evidence_rule": None}) == RetrievalRequest(query="q")
    assert parse_request({"query": "q", "preset": "literal", "evidence_rule": None}).evidence_rule == "similarity"
