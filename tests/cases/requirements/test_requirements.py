"""What a format of requirements states is a document or a relationship, by the ids that people use."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Profile, imported

HERE = Path(__file__).parent


@pytest.mark.parametrize("profile", PROFILES)
def test_reqif_gives_objects_relations_and_hierarchies(profile: Profile) -> None:
    """No loader read ReqIF. An id that two objects have, or that is only a number, is no name in a whole import."""
    with imported(HERE / "reqif" / "input", profile=profile) as case:
        documents = {each.document_id: each for each in case.dg.documents.list()}
        assert {name: (each.title, each.doc_type) for name, each in documents.items()} == {
            "boat": ("Boat requirements", "Module"),
            "_guid-head": ("Sails", "Heading"),
            "SYS-1": ("Sails & mast", "Requirement"),
            "SW-2": ("SW-2", "Requirement"),
            "HULL-7": ("HULL-7", "object"),
            "boat/12": ("The deck", "Requirement"),
            "_guid-5": ("Twin", "Requirement"),
            "_guid-6": ("Twin", "Requirement"),
        }
        assert {edge for edge in case.edges if edge[1] != "mentions"} == {
            ("SW-2", "derived_from", "SYS-1"),
            ("SW-2", "related_to", "HULL-7"),
            ("SW-2", "part_of", "SYS-1"),
            ("SYS-1", "part_of", "_guid-head"),
            ("_guid-head", "part_of", "boat"),
            ("HULL-7", "part_of", "boat"),
        }
        statuses = {name: documents[name].metadata["status"] for name in ("SYS-1", "SW-2")}
        assert statuses == {"SYS-1": "accepted", "SW-2": "rejected"}, "a default counts, and a choice without a name"
        assert documents["SYS-1"].metadata["owned_by"] == "Ada"
        assert case.report.n_rejected == 0
        for check in ("duplicate_pair", "edge_without_mention", "boilerplate_target", "hub"):
            assert not case.findings(check)


@pytest.mark.parametrize("profile", PROFILES)
def test_tables_of_requirements_give_rows_and_what_their_columns_name(profile: Profile) -> None:
    """A table with a plain header was refused: several ids in a cell, spaces in headers, titles, files, numbers."""
    with imported(HERE / "tables" / "input", profile=profile) as case:
        assert {edge for edge in case.edges if edge[1] != "mentions"} == {
            ("SYS-1", "links_to", "design/rig"),
            ("SYS-1", "mitigated_by", "RISK-1"),
            ("SYS-2", "part_of", "SYS-1"),
            ("SYS-2", "depends_on", "SYS-1"),
            ("SW-1", "part_of", "SYS-1"),
            ("SW-1", "derived_from", "SYS-1"),
            ("SW-1", "derived_from", "SYS-2"),
            ("SW-1", "depends_on", "SYS-2"),
            ("SW-1", "depends_on", "EXT-9"),
            ("SW-1", "mitigated_by", "RISK-1"),
            ("SW-2", "part_of", "SW-1"),
            ("SW-2", "derived_from", "SYS-1"),
            ("SW-2", "derived_from", "SYS-2"),
            ("SW-2", "depends_on", "SW-1"),
            ("T-1", "verifies", "SW-1"),
            ("T-1", "verifies", "SW-2"),
            ("T-2", "verifies", "SW-2"),
            ("T-2", "verifies", "SYS-1"),
            ("numbers/1", "traces_to", "SYS-1"),
            ("numbers/2", "part_of", "numbers/1"),
            ("numbers/2", "traces_to", "SYS-1"),
        }
        documents = {each.document_id: each for each in case.dg.documents.list()}
        assert (documents["SW-1"].title, documents["SW-1"].doc_type) == ("Winch", "Software")
        assert documents["SW-1"].metadata["links"] == "see chapter 3", "what names nothing is kept as it stands"
        assert documents["SYS-2"].metadata["status"] == "rejected"
        refused = {each.source: each.reason for each in case.report.outcomes if each.outcome == "rejected"}
        assert set(refused) == {"prices.csv", "system.csv, line 9"}
        assert "no id" in refused["system.csv, line 9"]
        assert not case.findings("duplicate_pair"), "a requirement may be derived from what it is a part of"


@pytest.mark.parametrize(("folder", "n_found"), [("reqs", 1), ("core/tests/files", 0)])
def test_a_requirement_that_traces_to_itself_is_an_error_but_in_data_of_tests(
    tmp_path: Path, folder: str, n_found: int
) -> None:
    place = tmp_path / folder
    place.mkdir(parents=True)
    (place / "r.csv").write_text("ID,Text,Links\nREQ-1,Sails hold.,REQ-1\nREQ-2,Masts hold.,REQ-1\n")
    with imported(tmp_path) as case:
        assert ("REQ-1", "links_to", "REQ-1") in case.edges
        assert len(case.findings("self_link")) == n_found
