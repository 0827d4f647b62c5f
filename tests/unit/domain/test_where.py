"""What a condition means: one pure function over facets, and one written form that is read again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from docgraph.domain.request import RetrievalRequest, parse_request
from docgraph.domain.where import (
    FORMS,
    MAX_FACETS,
    MAX_VALUE,
    Condition,
    Where,
    as_where,
    facets_of,
    field_values,
    meets,
    normal,
    parse_condition,
)
from docgraph.errors import RequestError

METADATA = {
    "status": "Accepted",
    "tags": ["Graph DB", "rag"],
    "date": "2024-05-17",
    "priority": 3,
    "version": "1.10",
    "owner": {"team": "A team", "people": ["Ada", "Bo"]},
    "nothing": None,
    "empty": "  ",
    "weight": -2.5,
    "draft": False,
    "abstract": "word " * 100,
}


@pytest.mark.parametrize(
    ("condition", "is_met"),
    [
        ("status=accepted", True),
        ("STATUS = ACCEPTED", True),
        ("status=draft|accepted", True),
        ("status=draft", False),
        ("status!=rejected", True),
        ("status!=accepted|rejected", False),
        ("nobody!=x", True),
        ("tags=rag", True),
        ("tags=graph  db", True),
        ("tags^=graph", True),
        ("tags^=db", False),
        ("status^=acc", True),
        ("date>=2024", True),
        ("date>=2024-05", True),
        ("date<=2024-05", True),
        ("date>2024-05", False),
        ("date<2024-05", False),
        ("date<2024-05-18", True),
        ("date>2023", True),
        ("priority>2", True),
        ("priority>=3", True),
        ("priority>10", False),
        ("priority<10", True),
        ("priority=3", True),
        ("priority>=2024", False),
        ("weight<-2", True),
        ("weight<-3", False),
        ("version=1.10", True),
        ("version=1.1", False),
        ("version>=1.1", True),
        ("owner.team=a team", True),
        ("owner.people=bo", True),
        ("draft=false", True),
        ("draft=*", True),
        ("nothing=*", False),
        ("empty!=*", True),
        ("abstract=*", True),
        ("abstract^=word", False),
        ("doc_type=adr", True),
        ("ingestion_id=repo", True),
    ],
)
def test_what_a_condition_means(condition: str, is_met: bool) -> None:
    assert parse_condition(condition).meets(facets_of("adr", "repo", METADATA)) is is_met


def test_all_conditions_have_to_be_met() -> None:
    facets = facets_of("adr", "", METADATA)
    met, unmet = parse_condition("status=accepted"), parse_condition("tags=none")
    assert meets([met, met], facets)
    assert not meets([met, unmet], facets)


@pytest.mark.parametrize("text", ["", "status", "=accepted", "status=", " ", "status~graph", "status>=", "status>1|2"])
def test_what_is_no_condition_is_refused_with_how_one_is_written(text: str) -> None:
    with pytest.raises(RequestError) as raised:
        parse_request({"query": "q", "where": [text or "?"]})
    assert "where" in str(raised.value)
    if text in ("status", "=accepted"):
        assert FORMS in str(raised.value)


def test_bounds_are_told_with_the_number() -> None:
    with pytest.raises(ValidationError, match=f"a value has {MAX_VALUE + 1} characters"):
        Condition(field="a", operator="=", values=("x" * (MAX_VALUE + 1),))
    with pytest.raises(RequestError, match="at most 20 items"):
        parse_request({"query": "q", "where": [f"a{n}=1" for n in range(21)]})


def test_a_request_takes_conditions_in_every_form_and_has_one_order() -> None:
    forms: list[Any] = [
        ["status=accepted", "date>=2024"],
        ("date>=2024", "Status = Accepted", "status=accepted"),
        {"conditions": ["date>=2024", "status=accepted"]},
        as_where(["status=accepted", "date>=2024"]),
        as_where(["status=accepted", "date>=2024"]).model_dump(mode="json"),
    ]
    requests = [RetrievalRequest(query="q", where=form) for form in forms]
    assert len({request.model_dump_json() for request in requests}) == 1
    assert requests[0].where is not None
    assert requests[0].where.words == "date>=2024, status=accepted"
    assert RetrievalRequest(query="q", where="a=1").where == as_where("a=1")
    assert "where" not in RetrievalRequest(query="q", where=[]).model_dump()


def test_literal_has_no_filter() -> None:
    with pytest.raises(RequestError, match="preset 'literal' has no filter but relation_types"):
        parse_request({"query": "q", "preset": "literal", "where": "status=accepted"})


def test_whom_it_concerns() -> None:
    conditions = (parse_condition("a=1"),)
    both, seeds, related = (Where(conditions=conditions, applies_to=each) for each in ("both", "seeds", "related"))
    assert (both.of_seeds, both.of_related) == (conditions, conditions)
    assert (seeds.of_seeds, seeds.of_related) == (conditions, ())
    assert (related.of_seeds, related.of_related) == ((), conditions)


VALUES = st.text(max_size=30) | st.integers(-(10**6), 10**6) | st.floats(allow_nan=False) | st.booleans() | st.none()


@given(
    st.text(min_size=1, max_size=20),
    st.text(min_size=1, max_size=40) | st.sampled_from(["=", "=2024", "\\=", "\\\\=x", "==", "|="]),
    st.sampled_from(["=", "!=", ">", "<", ">=", "<=", "^="]),
)
def test_what_is_written_is_read_again(field: str, value: str, operator: Any) -> None:
    if not normal(field) or not normal(value) or any(mark in normal(field) for mark in "=<>!^"):
        return
    condition = Condition(field=field, operator=operator, values=(value,))
    assert parse_condition(condition.text) == condition, "a value may begin as an operator goes on"


@given(st.dictionaries(st.text(min_size=1, max_size=8), VALUES | st.lists(VALUES, max_size=4), max_size=6))
def test_every_value_meets_what_is_said_of_it(metadata: dict[str, Any]) -> None:
    facets = facets_of("", "", metadata)
    assert list(facets) == sorted(facets)
    for field, value in field_values(facets):
        assert Condition(field=field, operator="=", values=("*",)).meets(facets)
        if value and value != "*":
            for operator in ("=", ">=", "<=", "^="):
                said: Any = operator
                assert Condition(field=field, operator=said, values=(value,)).meets(facets), (field, operator, value)
            assert not Condition(field=field, operator="!=", values=(value,)).meets(facets)


def test_metadata_of_any_size_and_depth_make_bounded_facets() -> None:
    deep: dict[str, Any] = {}
    inner = deep
    for n in range(50):
        inner["next"] = {"n": n}
        inner = inner["next"]
    assert len(facets_of("", "", {"many": list(range(10_000)), "deep": deep, "x" * 5_000: "y" * 5_000})) <= MAX_FACETS
