"""The matrix of all relationships: a view of the list, its filters from the address, its holes, its bounds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.edit import Edit
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.relationships.edges import matrix
from docgraph.ui.relationships.edges.matrix import opened_by
from tests.ui.conftest import Open, page_text


def opened(open_page: Open, **query: str) -> AppTest:
    at = open_page("relationships", tab="edges", view="Matrix", **query)
    assert not at.exception, at.exception
    return at


def grid(at: AppTest) -> dict[str, Any]:
    """What is sent to the browser."""
    found = [json.loads(each.proto.json) for each in at.get("bidi_component")]
    (sent,) = [each for each in found if isinstance(each, dict) and "rows" in each]
    return sent


def rows(at: AppTest) -> list[list[str]]:
    return [[row["id"], row["title"], *row["cells"]] for row in grid(at)["rows"]]


def columns(at: AppTest) -> list[str]:
    return [column["name"] for column in grid(at)["columns"]]


def test_every_document_is_a_row_and_every_end_stands_in_its_cell(harbor: Docgraph, open_page: Open) -> None:
    at = opened(open_page)
    assert columns(at) == ["explains →", "← explains", "references →"]
    assert [row["holes"] for row in grid(at)["rows"]] == [[1, 2], [0, 1, 2], [0, 2]]
    assert rows(at) == [
        ["adr-1", "Bounded queue", "queue", "", "gone (not stored)"],
        ["glossary", "Glossary", "", "", ""],
        ["queue", "Booking queue", "", "adr-1", ""],
    ]
    assert "3 documents</b>, 3 with a gap" in page_text(at)
    assert "<b>explains →</b> 1 of 3 have one, 2 gaps" in page_text(at)
    assert "<b>references →</b> 0 of 3 have one, 3 gaps" in page_text(at)


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ({"documents": "decision"}, ["adr-1"]),
        ({"part": "BOOKING"}, ["queue"]),
        ({"part": "adr"}, ["adr-1", "queue"]),
        ({"type": "explains", "documents": "service", "holes": "true"}, ["queue"]),
        ({"type": "explains"}, ["adr-1", "glossary", "queue"]),
        ({"documents": "junk", "type": "junk"}, ["adr-1", "glossary", "queue"]),
    ],
)
def test_filters_of_the_address_narrow_the_rows(
    harbor: Docgraph, open_page: Open, query: dict[str, str], ids: list[str]
) -> None:
    assert [row[0] for row in rows(opened(open_page, **query))] == ids


def test_the_switch_leads_from_the_list_to_the_matrix_and_keeps_the_search(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("relationships", tab="edges", part="bounded")
    assert "Provenance" in at.dataframe[0].value.columns
    at.segmented_control(key="view").set_value("Matrix").run()
    assert not at.exception
    assert [row[0] for row in rows(at)] == ["adr-1"]
    at.segmented_control(key="view").set_value("List").run()
    assert "Provenance" in at.dataframe[0].value.columns


def test_what_is_not_drawn_is_counted(harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "MAX_ROWS", 2)
    monkeypatch.setattr(matrix, "MAX_COLUMNS", 1)
    at = opened(open_page)
    assert len(rows(at)) == 2
    assert columns(at) == ["explains →"]
    assert [row["holes"] for row in grid(at)["rows"]] == [[], [0]]
    assert "1 more document and 2 more columns not shown" in page_text(at)


def test_an_edit_and_a_type_that_is_put_off_are_seen(harbor: Docgraph, open_page: Open) -> None:
    """The matrix is kept for a state of the workspace: an old one would show holes that were closed."""
    assert rows(opened(open_page))[1][3] == ""
    harbor.relationships.edit([Edit(action="add", key=("adr-1", "explains", "glossary"))], by="Ann")
    assert rows(opened(open_page))[1][3] == "adr-1"
    harbor.relationships.set_off_types(["explains"])
    assert columns(opened(open_page)) == ["references →"]


def test_what_matches_nothing_says_what_to_do(harbor: Docgraph, open_page: Open) -> None:
    assert "No document matches" in page_text(opened(open_page, part="nothing like it"))
    assert "No relationships here" not in page_text(opened(open_page))


@pytest.mark.parametrize(
    ("direction", "shown"),
    [
        ("outgoing", ["Bounded queue → explains → Booking queue"]),
        ("incoming", []),
        ("", ["Bounded queue → explains → Booking queue"]),
        ("junk", ["Bounded queue → explains → Booking queue"]),
    ],
)
def test_the_list_is_that_of_a_cell_by_its_address(
    harbor: Docgraph, open_page: Open, direction: str, shown: list[str]
) -> None:
    at = open_page("relationships", tab="edges", at="adr-1", type="explains", direction=direction)
    assert not at.exception, at.exception
    table = [frame.value for frame in at.dataframe if "Provenance" in frame.value.columns]
    said = [f"{row.From} → {row.Type} → {row.To}" for frame in table for row in frame.itertuples()]
    assert said == shown


def test_a_direction_without_a_document_leaves_nothing_out(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("relationships", tab="edges", type="explains", direction="incoming")
    assert len(at.dataframe[0].value) == 1


def test_a_hole_is_told_in_words_and_may_be_filled_by_who_may_write(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("relationships", tab="edges", at="glossary", type="explains", direction="incoming")
    assert "Nothing leads to Glossary as explains" in page_text(at)
    assert "Switch editing on to add a relationship" in page_text(at)
    at = open_page("relationships", tab="edges", at="glossary", type="explains", direction="outgoing")
    assert "Glossary leads to nothing as explains" in page_text(at)
    at = open_page("relationships", tab="edges", at="glossary", type="explains", direction="outgoing", dangling="true")
    assert "No relationship matches" in page_text(at), "another filter may be why nothing is shown"


@pytest.mark.parametrize(
    ("told", "opened"),
    [
        ({"document": "a", "type": "explains", "direction": "incoming"}, ("a", "explains", "incoming")),
        ({"document": "a", "type": "", "direction": ""}, ("a", "", None)),
        ({"document": "a", "type": "explains", "direction": "sideways"}, ("a", "", None)),
        ({"document": "a", "type": ["explains"], "direction": {}}, ("a", "", None)),
        ({"document": "", "type": "explains", "direction": "incoming"}, None),
        ({"document": 7}, None),
        (None, None),
        ("a", None),
    ],
)
def test_what_the_browser_says_was_opened_is_read_without_trust(told: object, opened: object) -> None:
    assert opened_by(told) == opened
