"""Roles of relation types: what is declared, what follows by default, and what a decision changes."""

from __future__ import annotations

import pytest

from docgraph.domain.type_roles import (
    LINKS_BESIDE_DECLARED,
    Decided,
    Origin,
    OwnFigures,
    TypeDecision,
    declared_types,
    default_decisions,
    only_mentioned,
    switching_off,
)

HEADER = Origin("requires", "header_fields", "header", 3)
LINKS = Origin("links_to", "markdown_links", "body", 50)
NOBODY = Decided()


def roles(*origins: Origin, decided: Decided = NOBODY) -> dict[str, str]:
    """Type → role once the defaults are in force."""
    after = decided.after(default_decisions(origins, decided))
    return {name: after.of(name).role for name in sorted({origin.relation_type for origin in origins})}


@pytest.mark.parametrize(
    ("extractor", "place", "declared"),
    [
        ("header_fields", "header", True),
        ("front_matter", "front_matter", True),
        ("status_lines", "status", True),
        ("note_fields", "body", True),
        ("jsonl", "header", True),
        ("jsonl", "record", True),
        ("records", "", True),
        ("graphml", "record", True),
        ("jsonl", "link", False),
        ("jsonl", "body", False),
        ("markdown_links", "body", False),
        ("wiki_links", "body", False),
        ("body_references", "body", False),
        ("title_mentions", "body", False),
    ],
)
def test_a_type_is_declared_where_it_is_stated_as_data(extractor: str, place: str, declared: bool) -> None:
    assert declared_types([Origin("t", extractor, place, 1)]) == {"t": declared}


def test_links_give_reasons_only_where_declared_relationships_add_documents() -> None:
    assert roles(HEADER, LINKS) == {"requires": "adds_documents", "links_to": "reasons_only"}
    [made] = default_decisions([HEADER, LINKS], NOBODY)
    assert (made.by, made.reason) == ("default", LINKS_BESIDE_DECLARED)


def test_links_add_documents_where_they_are_all_there_is() -> None:
    assert roles(LINKS) == {"links_to": "adds_documents"}
    assert default_decisions([LINKS], NOBODY) == ()


def test_a_type_of_both_kinds_is_what_most_of_its_relationships_are() -> None:
    few, many = Origin("refs", "front_matter", "front_matter", 2), Origin("refs", "body_references", "body", 9)
    assert declared_types([few, many]) == {"refs": False}
    assert declared_types([few, many._replace(n=2)]) == {"refs": True}


def test_what_people_state_by_hand_turns_no_corpus_round() -> None:
    assert roles(LINKS, Origin("approves", "manual", "", 900)) == {
        "links_to": "adds_documents",
        "approves": "adds_documents",
    }


def test_a_decision_of_a_person_or_of_own_questions_stands() -> None:
    for by in ("person", "own_questions"):
        stands = TypeDecision.model_validate({"relation_type": "links_to", "by": by})
        assert roles(HEADER, LINKS, decided=NOBODY.after([stands]))["links_to"] == "adds_documents"


def test_where_declared_types_are_off_links_add_documents_again() -> None:
    before = NOBODY.after(default_decisions([HEADER, LINKS], NOBODY))
    off = before.after(switching_off(before, ["requires"]))
    assert roles(HEADER, LINKS, decided=off) == {"requires": "off", "links_to": "adds_documents"}


def test_a_default_goes_with_its_type() -> None:
    before = NOBODY.after(default_decisions([HEADER, LINKS], NOBODY))
    assert before.after(default_decisions([HEADER], before)) == NOBODY


def test_what_is_off_stays_off_by_default() -> None:
    off = Decided(off=("mentions",))
    assert roles(HEADER, Origin("mentions", "title_mentions", "body", 4), decided=off)["mentions"] == "off"


def test_deciding_the_same_again_changes_nothing() -> None:
    made = [TypeDecision(relation_type="links_to", role="reasons_only", by="person", who="Ada")]
    assert NOBODY.after(made).changes(made) == []


def test_exactly_the_named_types_are_off_and_the_roles_of_others_stay() -> None:
    quiet = TypeDecision(relation_type="links_to", role="reasons_only")
    before = NOBODY.after([quiet, TypeDecision(relation_type="cites", role="off", by="person")])
    after = before.after(switching_off(before, ["mentions"]))
    assert (after.off, after.of("links_to"), after.of("cites").role) == (("mentions",), quiet, "adds_documents")


def test_mere_mentions_are_told_as_an_import_tells_them() -> None:
    known = {"markdown_links": True, "title_mentions": False}
    mentions, given = Origin("mentions", "title_mentions", "body", 2), Origin("refs", "jsonl", "body", 2)
    assert only_mentioned([mentions, given, LINKS, HEADER], known) == {"mentions", "refs"}
    assert only_mentioned([mentions, mentions._replace(extractor="front_matter", place="front_matter")], known) == set()


def test_figures_are_written_with_their_signs() -> None:
    figures = OwnFigures(n=240, better=12, worse=7, points=2.14, low=-0.04, high=4.0)
    assert figures.words == "+2.1 [0.0, +4.0]"
