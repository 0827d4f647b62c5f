"""What an address asks for that cannot be followed: every name and value on every page, and nothing that is right."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.domain.request import RetrievalRequest
from docgraph.views.parameters import KNOWN, MAX_NAMES, TABS, complaints, followed
from docgraph.views.words.address import CHOICES, NUMBERS, inputs_of

PAGES = ["home", "plan", "compare", "query_sets", "relationships", "conversation", "runs", "library"]
IMPOSSIBLE = ["abc", "1e999", "-1", "inf", "NaN", "4.5", "1" * 5_000, "٣x", "<b>1</b>", "'; --"]
pages = st.sampled_from(PAGES)


@given(pages, st.text(min_size=1).filter(lambda name: name not in KNOWN), st.text())
def test_an_unknown_name_is_told_on_every_page(page: str, name: str, value: str) -> None:
    [told] = complaints(page, {name: [value], "query": ["a question"]})
    assert "is ignored: no page reads that name" in told.said
    assert len(told.said) < 220
    assert told.said.isprintable() or not value.isprintable() or not name.isprintable()
    assert "\n" not in told.said


@given(pages, st.sampled_from(sorted(NUMBERS)), st.sampled_from(IMPOSSIBLE))
def test_an_impossible_number_is_told_on_every_page(page: str, name: str, value: str) -> None:
    [told] = complaints(page, {name: [value]})
    assert f"is not followed: {name} is a whole number from " in told.said
    assert len(told.said) < 220


@given(pages, st.sampled_from([*sorted(CHOICES), "stage"]), st.text(min_size=1, max_size=300))
def test_an_impossible_choice_is_told_with_what_there_is(page: str, name: str, value: str) -> None:
    [told] = complaints(page, {name: [f"{value}?"]})
    assert f"is not followed: {name} is " in told.said
    assert " or " in told.said


@given(pages, st.dictionaries(st.sampled_from([*sorted(KNOWN), "nosuch"]), st.lists(st.text(), max_size=2)))
def test_what_is_followed_is_complained_of_by_nobody(page: str, asked: dict[str, list[str]]) -> None:
    kept = followed(page, asked)
    assert complaints(page, kept) == ()
    assert set(asked) - set(kept) == {each.name for each in complaints(page, asked)}


@pytest.mark.parametrize("page", list(TABS))
def test_an_unknown_tab_is_told_and_another_pages_is_not(page: str) -> None:
    [told] = complaints(page, {"tab": ["nosuch"]})
    assert told.said.startswith("“tab=nosuch” is not followed: tab is ")
    for name in (name for names in TABS.values() for name in names):
        assert complaints(page, {"tab": [name]}) == ()


@given(
    pages,
    st.builds(
        RetrievalRequest,
        query=st.just("a question"),
        mode=st.sampled_from(["accurate", "fast"]),
        max_seeds=st.none() | st.integers(1, 100),
        token_budget=st.integers(50, 200_000),
        use_relationships=st.booleans(),
        seed_signal=st.sampled_from(["chunk", "summary", "mean", "hybrid"]),
        evidence_rule=st.sampled_from(["passages", "one_per_document", "similarity"]),
    ),
)
def test_the_address_of_a_request_is_never_complained_of(page: str, request: RetrievalRequest) -> None:
    assert complaints(page, inputs_of(request, "harbor")) == ()


@pytest.mark.parametrize(
    ("name", "meant"),
    [("q", "query"), ("qery", "query"), ("Query", "query"), ("seed", "seeds"), ("worksapce", "workspace")],
)
def test_the_nearest_name_is_proposed(name: str, meant: str) -> None:
    [told] = complaints("plan", {name: ["x"]})
    assert told.meant == meant
    assert told.said.endswith(f"did you mean {meant}?")


def test_nothing_is_proposed_where_nothing_is_near_and_many_names_cost_little() -> None:
    [told] = complaints("compare", {"zzzzzz": ["1"]})
    assert (told.said, told.meant) == ("“zzzzzz=1” is ignored: no page reads that name.", "")
    assert len(complaints("plan", {f"x{number}": ["1"] for number in range(5_000)})) == MAX_NAMES


def test_a_value_that_is_near_is_proposed() -> None:
    [told] = complaints("plan", {"mode": ["fats"]})
    assert told.said == "“mode=fats” is not followed: mode is accurate or fast; did you mean fast?"
