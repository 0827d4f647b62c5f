"""What-if overrides as values: equal ones are equal, impossible ones are refused, edges survive a link."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.domain.overrides import MAX_OVERRIDES, NONE, Overrides, edge_text, parse_edge
from docgraph.domain.request import RetrievalRequest, parse_request
from docgraph.errors import RequestError

ids = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=20)


def test_equal_what_ifs_are_equal_values_in_whatever_order_they_were_given() -> None:
    one = Overrides(
        without_types=("b", "a", "b"), without_edges=(("x", "t", "y"), ("a", "t", "b")), dropped_seed_ids=("s2", "s1")
    )
    other = Overrides(
        without_types=("a", "b"), without_edges=(("a", "t", "b"), ("x", "t", "y")), dropped_seed_ids=("s1", "s2", "s1")
    )
    assert one == other
    assert hash(one) == hash(other)
    assert one.model_dump_json() == other.model_dump_json()


def test_added_seeds_keep_the_order_in_which_they_were_given() -> None:
    assert Overrides(added_seed_ids=("z", "a", "z")).added_seed_ids == ("z", "a")


def test_nothing_overridden_is_false() -> None:
    assert not NONE
    assert not Overrides()
    assert RetrievalRequest(query="q").overrides == NONE
    for field, value in (
        ("without_types", ("t",)),
        ("without_edges", (("a", "t", "b"),)),
        ("added_seed_ids", ("a",)),
        ("dropped_seed_ids", ("a",)),
    ):
        assert Overrides.model_validate({field: value}), field


@pytest.mark.parametrize(
    ("fields", "changes"),
    [
        ({}, False),
        ({"without_types": ("t",)}, False),
        ({"added_seed_ids": ("a",)}, True),
        ({"dropped_seed_ids": ("a",)}, True),
    ],
)
def test_only_added_and_dropped_seeds_change_the_seeds(fields: dict[str, object], changes: bool) -> None:
    assert Overrides.model_validate(fields).changes_seeds == changes


def test_an_edge_is_hidden_by_its_type_or_by_its_own_key_in_its_own_direction() -> None:
    hidden = Overrides(without_types=("off",), without_edges=(("a", "t", "b"),))
    assert hidden.hides(("x", "off", "y"))
    assert hidden.hides(("a", "t", "b"))
    assert not hidden.hides(("b", "t", "a"))
    assert not hidden.hides(("a", "u", "b"))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"added_seed_ids": ["a"], "dropped_seed_ids": ["a"]}, "'a' is both added and dropped as a seed"),
        ({"without_edges": [["a", "t"]]}, "without_edges"),
        ({"without_types": ["t"] * (MAX_OVERRIDES + 1)}, "without_types"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_an_impossible_what_if_is_refused_in_one_line(fields: dict[str, object], words: str) -> None:
    with pytest.raises(RequestError) as caught:
        parse_request({"query": "q", "overrides": fields})
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@given(ids, ids)
def test_an_edge_survives_the_trip_through_one_word(a: str, b: str) -> None:
    key = (a, "decision_for", b)
    assert parse_edge(edge_text(key)) == key


@pytest.mark.parametrize("key", [("a|b", "t", "c%7Cd"), ("%", "t", "%25"), ("a%7Cb", "t", "|"), ("ä ö", "t", "日本")])
def test_separators_and_percent_signs_inside_ids_survive_too(key: tuple[str, str, str]) -> None:
    word = edge_text(key)
    assert word.count("|") == 2
    assert parse_edge(word) == key


@pytest.mark.parametrize("text", ["", "a", "a|b", "a|t|b|c", "|t|b", "a||b", "a|t|", "x" * 5_000])
def test_what_names_no_relationship_is_refused_with_the_text_and_the_form(text: str) -> None:
    with pytest.raises(RequestError, match="does not name a relationship") as caught:
        parse_edge(text)
    assert len(str(caught.value)) < 300
    assert "FROM|TYPE|TO" in (caught.value.hint or "")
