"""Words of relationships: provenance, review, what an entry did; rows of the table."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.domain.edit import Edit
from docgraph.domain.graph import Relationship
from docgraph.domain.history import HistoryEntry
from docgraph.views.relationships.edges.rows import ORDERS, EdgeFilter, EdgeRow, edge_rows, filtered, ordered, table
from docgraph.views.relationships.history.words import acts, change_text, edit_text, entry_text, matches
from docgraph.views.words.provenance import provenance_words, review_words, source_name

AT = "2026-11-22T02:04:00+00:00"
WHEN = "22 Nov 2026, 02:04 UTC"
REVIEW = {"reviewed_by": "Ann", "reviewed_at": AT, "content_hashes": ["", ""]}


def edge(start: str = "a", via: str = "explains", end: str = "b", **metadata: Any) -> Relationship:
    return Relationship(from_document_id=start, relation_type=via, to_document_id=end, relationship_metadata=metadata)


@pytest.mark.parametrize(
    ("metadata", "words"),
    [
        ({"extractor": "front_matter", "place": "front_matter"}, "stated in the document's front matter"),
        ({"extractor": "title_mentions", "place": "body"}, "names the other title in the document's text"),
        ({"extractor": "mine", "place": "footer"}, "found by mine in footer"),
        (
            {"extractor": "sphinx_references", "place": "body", "may_be_in": "python, \n diataxis"},
            "may be in python, diataxis: a reference in the document's text",
        ),
        ({"extractor": "manual"}, "added by hand"),
        ({}, "unknown source"),
        ({"extractor": "manual", "edited": {"action": "add", "by": "Ann", "at": AT}}, f"added by Ann, {WHEN}"),
        (
            {"extractor": "manual", "edited": {"action": "add", "by": "Ann", "at": AT, "suggested": "f00"}},
            f"suggested, accepted by Ann, {WHEN}",
        ),
        (
            {
                "extractor": "manual",
                "place": "header",
                "edited": {"action": "flip", "by": "Ann", "at": AT, "extractor": "header_fields"},
            },
            f"stated in a header field of the document, reversed by Ann, {WHEN}",
        ),
        ({"edited": "junk", "extractor": 3, "review": ["junk"]}, "found by 3"),
    ],
)
def test_provenance_says_what_stated_it_and_who_changed_it(metadata: dict[str, Any], words: str) -> None:
    assert provenance_words(edge(**metadata)) == words


def test_a_review_names_the_person_and_an_empty_name_is_somebody() -> None:
    assert review_words(edge(review=REVIEW)) == f"accepted by Ann, {WHEN}"
    assert review_words(edge(review={"reviewed_at": ""})) == "accepted by somebody, --"
    assert review_words(edge()) == "not reviewed"
    assert source_name(edge()) == "--"


def entry(edit: Edit, before: Relationship | None, after: Relationship | None, **more: Any) -> HistoryEntry:
    fields = {"entry_id": 7, "at": AT, "by": "Ann", "reason": ""} | more
    return HistoryEntry(edit=edit, before=before, after=after, **fields)


@pytest.mark.parametrize(
    ("edit", "after", "words"),
    [
        (
            Edit(action="retype", key=edge().key, relation_type="decides"),
            edge(via="decides"),
            "changed the type of {} to decides",
        ),
        (
            Edit(action="retarget", key=edge().key, to_document_id="c"),
            edge(end="c"),
            "changed the target of {} to Dee C",
        ),
        (Edit(action="flip", key=edge().key), edge("b", end="a"), "reversed {} to Dee B —explains→ Dee A"),
        (Edit(action="accept", key=edge().key), edge(), "accepted {}"),
        (Edit(action="restate", key=edge().key), edge(note=1), "restated {}"),
        (Edit(action="remove", key=edge().key), None, "removed {}"),
    ],
)
def test_an_entry_says_what_became_of_the_relationship_with_titles(
    edit: Edit, after: Relationship | None, words: str
) -> None:
    def named(document_id: str) -> str:
        return f"Dee {document_id.upper()}"

    said = words.format("Dee A —explains→ Dee B")
    assert change_text(entry(edit, edge(), after), named=named) == said
    verb, rest = said.split(" ", 1)
    assert edit_text(edit, named=named).split(" ", 1) == [{"accepted": "accept"}.get(verb, verb[:-1]), rest]
    undo = entry(edit, edge(), after, undoes=3)
    assert change_text(undo, named=named).startswith("undid 3: ")
    assert entry_text(entry(edit, edge(), after, reason="why"), named=named) == f"Ann {said}, {WHEN}: “why” (entry 7)"
    assert verb


def test_neighbouring_entries_of_one_call_are_one_act() -> None:
    accept = Edit(action="accept", key=edge().key)
    made = [
        entry(accept, edge(), edge(), entry_id=i, act=act, undone_by=u)
        for i, act, u in ((5, "4", None), (4, "4", 6), (3, "3", None), (2, "", None), (1, "", None))
    ]
    found = acts(made)
    assert [[each.entry_id for each in act.entries] for act in found] == [[5, 4], [3], [2], [1]]
    assert found[0].words == f"2 relationships, one change, by Ann, {WHEN}; 1 entry undone since"


def test_entries_are_found_by_person_title_id_type_and_reason() -> None:
    found = entry(Edit(action="remove", key=edge().key), edge(), None, reason="Not so")
    assert matches(found, person="ann", text="NOT queue explains", titles={"a": "The Queue"})
    assert not matches(found, person="ben", text="", titles={})
    assert not matches(found, person="", text="stall", titles={})


def rows() -> tuple[EdgeRow, ...]:
    edges = [
        edge("a", "x", "b", review=REVIEW, extractor="one"),
        edge("a", "y", "b"),
        edge("b", "x", "gone"),
        edge("c", "x", "a"),
    ]
    return edge_rows(edges, {"a": "Zebra", "b": "Bee", "c": "c"})


def test_a_filter_takes_all_its_conditions_together() -> None:
    everything = rows()
    assert filtered(everything, EdgeFilter()) == everything
    wanted = [
        (EdgeFilter(text="zebra BEE"), 2),
        (EdgeFilter(relation_type="x", document_id="a"), 2),
        (EdgeFilter(reviewed="no", source="--"), 3),
        (EdgeFilter(dangling=True), 1),
        (EdgeFilter(reviewed="yes", dangling=True), 0),
    ]
    for each, n in wanted:
        assert len(filtered(everything, each)) == n, each


def test_every_order_keeps_all_rows_and_does_not_depend_on_the_order_before() -> None:
    everything = rows()
    for order in ORDERS:
        found = ordered(everything, order)
        assert sorted(row.key for row in found) == sorted(row.key for row in everything)
        assert ordered(everything[::-1], order) == found
    assert ordered(everything, "reviewed")[0].reviewed_by == "Ann"


def test_unknown_numbers_stay_unknown_in_the_table() -> None:
    assert table(rows())["Questions"] == [None] * 4
    assert list(table(rows(), narrow=True)) == ["From", "Type", "To"]


def test_the_ids_of_both_ends_stand_beside_their_titles() -> None:
    columns = table(rows())
    assert list(columns)[:5] == ["From", "From id", "Type", "To", "To id"]
    assert list(zip(columns["From id"], columns["Type"], columns["To id"], strict=True)) == [row.key for row in rows()]
