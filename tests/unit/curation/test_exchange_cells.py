"""Cells of a spreadsheet: nothing is computed, nothing is converted, and every text comes back as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.curation.exchange.writing import MARK, defused, restored

FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =cmd|' /C calc'!A0", "＝1", "'=1", "'", "''x")
CONVERTED = (
    "007",
    "1/2",
    "2024-01-02",
    "1e5",
    "12:30",
    "12:30 pm",
    "TRUE",
    "false",
    "MARCH1",
    "1-May",
    "Sep 2",
    "3,14",
    "50 %",
    "€ 5",
    "12345678901234567890123456789012",
)
PLAIN = (
    "adr-003",
    "ADR 12",
    "a|explains|b",
    "3 · Relationship data",
    "MS5",
    "march",
    "e5",
    "",
    " ",
    "supersedes",
    "it's",
)


@pytest.mark.parametrize("text", [*FORMULAS, *CONVERTED])
def test_what_a_spreadsheet_would_not_keep_is_marked(text: str) -> None:
    assert defused(text) == MARK + text
    assert restored(defused(text)) == text


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert defused(text) == restored(text) == text


def test_a_text_that_a_person_typed_without_the_mark_is_taken_as_typed() -> None:
    assert restored("=x") == "=x"
    assert restored("'tis so") == "'tis so"


@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
    | st.text("'=+-@\t\r\n 019./:eEtruefalsmayＥ＝\"", max_size=12)
)
def test_every_text_comes_back_exactly(text: str) -> None:
    cell = defused(text)
    assert restored(cell) == text
    assert not cell.lstrip().startswith(("=", "+", "-", "@"))
