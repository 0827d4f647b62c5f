"""The name of a workspace is made from any title, and is none that is taken."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.domain.workspace import WORKSPACE_PATTERN, workspace_name_of


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("My Bakery", "my-bakery"),
        ("  Größe & Maß (2026)  ", "grosse-mass-2026"),
        ("Œuvre Ångström", "uvre-angstrom"),
        ("2026 notes", "workspace-2026-notes"),
        ("ノート", "workspace"),
        ("", "workspace"),
        ("x" * 60, "x" * 40),
    ],
)
def test_a_title_gives_a_name(title: str, name: str) -> None:
    assert workspace_name_of(title) == name


def test_a_name_that_is_taken_gets_a_number_and_stays_short_enough() -> None:
    assert workspace_name_of("My Bakery", ["my-bakery"]) == "my-bakery-2"
    assert workspace_name_of("My Bakery", ["my-bakery", "my-bakery-2"]) == "my-bakery-3"
    assert workspace_name_of("x" * 60, ["x" * 40]) == "x" * 38 + "-2"


@given(st.text(), st.lists(st.text(max_size=3)))
def test_every_title_gives_a_name_that_a_workspace_can_have(title: str, more: list[str]) -> None:
    taken = [workspace_name_of(each) for each in more] + [workspace_name_of(title)]
    name = workspace_name_of(title, taken)
    assert re.fullmatch(WORKSPACE_PATTERN, name)
    assert name not in taken
