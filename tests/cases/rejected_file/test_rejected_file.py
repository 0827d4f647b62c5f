"""A link to a file that lies there and that an import rejected leads to no missing document."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Case, Profile, imported

NOTHING = "---\ntags: [old]\n---\n"


def _written(folder: Path) -> Path:
    (folder / "old").mkdir()
    (folder / "a.md").write_text("# A\nSee [old](old/index.md) and [gone](old/gone.md).\n", encoding="utf-8")
    (folder / "old" / "index.md").write_text(NOTHING, encoding="utf-8")
    (folder / "old" / "start.md").write_text("# Start\nText.\n", encoding="utf-8")
    return folder


def _found(case: Case) -> dict[str, str]:
    found = [each for each in case.dg.check().findings if each.check_id == "missing_endpoint"]
    return {f.relationships[0][2]: f"{f.severity}: {f.sentence.partition(': ')[2]}" for f in found}


@pytest.mark.parametrize("profile", PROFILES)
def test_a_page_without_text_is_told_with_its_reason(profile: Profile, tmp_path: Path) -> None:
    """300 errors over Spring Security's manual: the files lie there."""
    with imported(_written(tmp_path), profile=profile) as case:
        found = _found(case)
    assert found.get("old/index", "").startswith("info: its file was not imported") or "old/index" not in found
    assert found["old/gone"] == "error: there is no document old/gone"


def test_what_was_rejected_is_known_until_its_folder_is_imported_anew(tmp_path: Path) -> None:
    with imported(_written(tmp_path)) as case:
        other = tmp_path.parent / f"{tmp_path.name}-other"
        other.mkdir()
        (other / "b.md").write_text("# B\nText.\n", encoding="utf-8")
        case.dg.ingest(other)
        assert _found(case)["old/index"] == "info: its file was not imported: the file has no text"
        (tmp_path / "old" / "index.md").unlink()
        case.dg.ingest(tmp_path)
        assert _found(case)["old/index"] == "error: there is no document old/index"


def test_a_rejected_file_that_is_mended_is_a_document(tmp_path: Path) -> None:
    with imported(_written(tmp_path)) as case:
        (tmp_path / "old" / "index.md").write_text("# Old\nText.\n", encoding="utf-8")
        case.dg.ingest(tmp_path)
        assert set(_found(case)) == {"old/gone"}
