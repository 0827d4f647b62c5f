"""Whatever a request's fields are: a request that says the same again, or one line that names the field."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.domain.request import MAX_QUERY_LENGTH, RetrievalRequest, parse_request
from docgraph.domain.workspace import checked_workspace_name
from docgraph.errors import RequestError, UserError

ANY_TEXT = st.text(st.characters(), max_size=30)  # lone surrogates and control characters too
ANY_VALUE = st.one_of(
    ANY_TEXT,
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.binary(max_size=5),
    st.lists(ANY_TEXT, max_size=3),
)


@pytest.mark.parametrize("query", ["", "   ", "\n\t\r", "\x00", " \x00 \x00", "\u2003\u00a0"])
def test_a_query_without_a_word_is_empty(query: str) -> None:
    with pytest.raises(RequestError, match=r"^the query is empty: type a question"):
        parse_request({"query": query})


@pytest.mark.parametrize("query", ["x" * (MAX_QUERY_LENGTH + 1), "ü " * 500_000])
def test_a_query_that_is_too_long_is_refused_by_its_limit_and_not_repeated(query: str) -> None:
    with pytest.raises(RequestError, match=r"^query: .*at most 20000 characters") as caught:
        parse_request({"query": query})
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("query", ["\ud800", "half \udfff", "a\ud83d b"])
def test_half_of_a_surrogate_pair_is_no_text(query: str) -> None:
    with pytest.raises(RequestError, match=r"^query: the query is not valid text"):
        parse_request({"query": query})


@pytest.mark.parametrize(
    "query", ["the of and", "?!… --", "🙂", "\u200b", "'; DROP TABLE x --", "%_\\", "\x1b[2J", "ﷺ" * 99]
)
def test_odd_text_is_a_question_like_any_other(query: str) -> None:
    assert parse_request({"query": query}).query == query.strip()


def test_nul_is_taken_out_of_a_query() -> None:
    assert parse_request({"query": "a\x00b"}).query == "ab"


def test_a_field_that_does_not_exist_is_named_in_one_line_whatever_its_name_holds() -> None:
    with pytest.raises(RequestError) as caught:
        parse_request({"query": "Why?", "a\nb": "c\nd"})
    assert caught.value.message == r"a b: Extra inputs are not permitted (it was 'c\nd')"


@settings(max_examples=300, deadline=None)
@given(fields=st.dictionaries(st.sampled_from([*RetrievalRequest.model_fields, "zzz"]), ANY_VALUE, max_size=6))
def test_any_fields_give_a_request_or_one_line(fields: dict[str, Any]) -> None:
    refusal: RequestError | None = None
    try:
        request = parse_request(fields)
    except RequestError as error:
        refusal = error
    if refusal is not None:
        assert refusal.hint
        assert "\n" not in refusal.message
        assert len(refusal.message) < 400
        return
    assert parse_request(request.model_dump(mode="json")) == request
    assert RetrievalRequest.model_validate_json(request.model_dump_json()) == request


@pytest.mark.parametrize(
    "name", ["", " ", "A", "1a", "a b", "../x", "a" * 41, "a\n", "a;drop", "é", "a\x00", "\ud800", "-a"]
)
def test_a_name_that_no_workspace_can_have_is_said_with_the_rule(name: str) -> None:
    with pytest.raises(UserError, match="no workspace can be called") as caught:
        checked_workspace_name(name)
    assert "lower-case" in caught.value.hint
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("name", ["a", "a1_-b", "a" * 40])
def test_a_name_of_the_rule_is_taken(name: str) -> None:
    assert checked_workspace_name(name) == name
