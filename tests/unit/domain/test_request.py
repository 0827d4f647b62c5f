"""A request's own description says the numbers that plans are made with; a preset fills in what it fixes."""

from __future__ import annotations

import re

from hypothesis import given

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


def test_the_preset_literal_fills_in_what_it_fixes() -> None:
    request = RetrievalRequest(query="q", preset="literal")
    assert {name: getattr(request, name) for name in LITERAL} == dict(LITERAL)
    assert parse_request({"query": "q", "preset": "literal", **LITERAL}) == request
    assert RetrievalRequest(query="q") != request


@given(literal_requests())
def test_a_literal_request_comes_back_from_its_json(request: RetrievalRequest) -> None:
    assert RetrievalRequest.model_validate_json(request.model_dump_json()) == request
    assert RetrievalRequest.model_validate(request.model_dump()) == request
