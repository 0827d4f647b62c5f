"""A status gives its own relationship and no plain link beside it, in whatever form a tool or a team writes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from docgraph.domain.standing import standing_of
from tests.cases.importing import PROFILES, Profile, imported

HERE = Path(__file__).parent
OLD = "0001-old"
FORMS = {
    "0002-table": {("superseded_by", OLD)},
    "0003-columns": {("replaced_by", OLD)},
    "0004-phrase-row": {("supersedes", OLD), ("supersedes", "0002-table")},
    "0005-madr": {("superseded_by", OLD)},
    "0006-madr2": {("refined_by", OLD), ("supersedes", "0002-table"), ("links_to", "0003-columns")},
    "0007-bold": {("supersedes", "0003-columns")},
    "0008-bold-line": {("replaced_by", OLD), ("links_to", "0004-phrase-row"), ("links_to", "0002-table")},
    "0009-setext": {("superseded_by", OLD)},
    "0010-heading": {("obsoleted_by", OLD)},
    "0011-phrase-heading": {("superseded_by", OLD)},
    "0012-quote": {("superseded_by", OLD)},
    "0013-prose": set(),
    "0014-several": {("amends", OLD), ("amends", "0002-table"), ("superseded_by", "0003-columns")},
    "0015-wiki": {("replaced_by", OLD)},
    "0016-in-status-table": {("superseded_by", OLD)},
    "0017-brackets": {("superseded_by", OLD)},
    "0018-rst": {("superseded_by", OLD)},
    "0019-rst": {("replaced_by", OLD)},
    "README": {("links_to", OLD), ("links_to", "0002-table")},
    "one": {("links_to", OLD), ("links_to", "0002-table")},
    OLD: {("links_to", "0099-none")},
}


@pytest.mark.parametrize("profile", PROFILES)
def test_log4brains_lists_say_what_supersedes_what(profile: Profile) -> None:
    """The line of its own was a plain link, and *replaced by* was no phrase."""
    with imported(HERE / "log4brains" / "input", profile=profile) as case:
        assert case.edges == {
            ("20240210-use-nats", "supersedes", "20240105-use-kafka"),
            ("20240105-use-kafka", "superseded_by", "20240210-use-nats"),
            ("0008-s", "replaced_by", "20240210-use-nats"),
        }
        assert not case.findings("duplicate_pair")


@pytest.mark.parametrize("profile", PROFILES)
def test_every_form_is_read_and_lists_of_other_records_are_none(profile: Profile) -> None:
    """Lists, tables, headings, bold lines, fields; a table of other records says nothing of the page."""
    with imported(HERE / "forms" / "input", profile=profile) as case:
        found = {name: {(kind, end) for start, kind, end in case.edges if start == name} for name in case.titles}
        assert found == FORMS


@pytest.mark.parametrize("profile", PROFILES)
def test_a_bare_status_is_a_field_where_no_field_says_one(profile: Profile) -> None:
    """*Deprecated* in a section of its own was seen by no filter and by nothing that says what still holds."""
    with imported(HERE / "bare" / "input", profile=profile) as case:
        documents = {each.document_id: each for each in case.dg.documents.list()}
        assert {name: each.metadata["status"] for name, each in documents.items() if "status" in each.metadata} == {
            "0001-old": "Deprecated",
            "0002-date": "Accepted",
            "0003-two": "Superseded",
            "0004-own-word": "Under discussion",
            "0005-list": "rejected",
            "0006-field": "accepted",
            "0007-underlined": "Withdrawn",
        }
        standings = {name: found for name, each in documents.items() if (found := standing_of(each, ()))}
        assert {name: found.word for name, found in standings.items()} == {
            "0001-old": "deprecated",
            "0003-two": "superseded",
            "0005-list": "rejected",
            "0007-underlined": "withdrawn",
        }
        assert ("0003-two", "superseded_by", "0002-date") in case.edges
        assert not case.findings("fields_disagree"), "what the text says is not held against itself"


def test_an_import_again_changes_nothing() -> None:
    """The status that was read is part of what is compared with the files."""
    with imported(HERE / "bare" / "input") as case:
        again = case.dg.ingest(HERE / "bare" / "input")
        assert (again.n_stored, again.n_skipped) == (0, len(case.titles))
