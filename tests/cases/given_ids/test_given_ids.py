"""Doorstop compares ids by prefix and number; what an item refers to beside other items are files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Profile, imported

FOLDER = Path(__file__).parent / "doorstop" / "input"


@pytest.mark.parametrize("profile", PROFILES)
def test_an_id_is_one_whatever_its_case_and_zeros_and_files_are_no_documents(profile: Profile) -> None:
    """``req1`` dangled beside REQ001, and so did a reference to a source file."""
    with imported(FOLDER, profile=profile) as case:
        assert case.edges == {("TST001", "traces_to", "REQ001"), ("TST002", "traces_to", "REQ001")}
        assert not case.findings("missing_endpoint")
        found = {document.document_id: document.metadata for document in case.dg.documents.list()}
        assert found["TST001"]["files"] == ["src/pump.py"]
        assert (found["TST002"]["active"], found["TST002"]["status"]) == (False, "inactive")


@pytest.mark.parametrize("profile", PROFILES)
def test_marks_between_prefix_and_number_do_not_count_and_other_numbers_do(tmp_path: Path, profile: Profile) -> None:
    folder = tmp_path / "tree"
    shutil.copytree(FOLDER, folder)
    item = "active: true\nlevel: 1.0\nlinks: [{names}]\ntext: Check.\nref: 'TST-check'\n"
    (folder / "tests" / "TST003.yml").write_text(item.replace("{names}", "Req-0001, {REQ_1: ab12}, REQ010"))
    (folder / "tests" / "TST004.yml").write_text(item.replace("{names}", "TST-3, REQX1"))
    with imported(folder, profile=profile) as case:
        mine = {edge for edge in case.edges if edge[0] in {"TST003", "TST004"}}
        assert ("TST003", "traces_to", "REQ001") in mine
        assert ("TST003", "traces_to", "REQ010") in mine
        assert ("TST004", "traces_to", "TST003") in mine
        assert ("TST004", "traces_to", "REQX1") in mine
