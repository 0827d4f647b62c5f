"""A moved file: no document mentions itself by its old id, and links are pointed at where it is now."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from docgraph.domain.edit import Edit
from tests.cases.importing import PROFILES, Case, Profile, imported

FOLDER = Path(__file__).parent / "folder" / "input"


def moved(folder: Path, old: str, new: str) -> None:
    """Move a file of a folder."""
    (folder / new).parent.mkdir(parents=True, exist_ok=True)
    (folder / old).rename(folder / new)


def offered(case: Case) -> dict[tuple[str, str, str], tuple[Edit, ...]]:
    """The fix of each finding about a document that is not stored, by the relationship."""
    found = case.dg.check().findings
    return {each.relationships[0]: each.fix for each in found if each.check_id == "missing_endpoint"}


@pytest.mark.parametrize("profile", PROFILES)
def test_a_moved_file_is_pointed_at_where_it_is_now(tmp_path: Path, profile: Profile) -> None:
    """The document mentioned itself under its old id, and the link to it was to be removed."""
    folder = tmp_path / "notes"
    shutil.copytree(FOLDER, folder)
    with imported(folder, profile=profile) as case:
        moved(folder, "notes/a.md", "archive/a.md")
        report = case.dg.ingest(folder, profile=profile)
        assert dict(report.moved) == {"notes/a": "archive/a"}
        assert "mentions" not in {kind for _, kind, _ in case.edges}
        assert ("top", "links_to", "notes/a") in case.edges
        fix = offered(case)["top", "links_to", "notes/a"]
        assert fix[0].action == "retarget"
        assert fix[0].to_document_id == "archive/a"


@pytest.mark.parametrize("profile", PROFILES)
def test_a_file_that_moves_twice_is_pointed_at_its_last_place(tmp_path: Path, profile: Profile) -> None:
    folder = tmp_path / "notes"
    shutil.copytree(FOLDER, folder)
    with imported(folder, profile=profile) as case:
        moved(folder, "notes/a.md", "archive/a.md")
        case.dg.ingest(folder, profile=profile)
        moved(folder, "archive/a.md", "old/first.md")
        case.dg.ingest(folder, profile=profile)
        case.dg.ingest(folder, profile=profile)
        assert offered(case)["top", "links_to", "notes/a"][0].to_document_id == "old/first"


def test_an_old_id_that_is_in_use_again_is_no_moved_file(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    shutil.copytree(FOLDER, folder)
    with imported(folder) as case:
        moved(folder, "notes/a.md", "archive/a.md")
        case.dg.ingest(folder)
        (folder / "notes" / "a.md").write_text("# Another\n\nA new note in the old place.\n")
        case.dg.ingest(folder)
        assert not case.findings("missing_endpoint") - {
            each for each in case.findings("missing_endpoint") if "archive" in each[1]
        }
        (folder / "notes" / "a.md").unlink()
        case.dg.ingest(folder, prune=True)
        assert offered(case)["top", "links_to", "notes/a"][0].action == "remove"
