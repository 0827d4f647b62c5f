"""The view Changes: what imports changed since one of them, hostile titles as text, files to take along."""

from __future__ import annotations

from pathlib import Path

import pytest

from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.library.changes import SINCE
from tests.ui.conftest import Open, page_text

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def folder(docgraph: Docgraph, tmp_path: Path) -> Path:
    here = tmp_path / "plans"
    here.mkdir()
    (here / "a.md").write_text("---\nid: a\ntitle: Plan A\nrequires: [b]\n---\nText.\n")
    docgraph.ingest(here)
    return here


def test_before_the_second_import_there_is_nothing_to_compare(
    docgraph: Docgraph, folder: Path, open_page: Open
) -> None:
    text = page_text(open_page("library", show="Changes"))
    assert "Nothing to compare yet" in text
    assert folder.name in text
    assert len(docgraph.imports.list()) == 1


def test_the_page_says_what_is_different_since_the_import_that_is_chosen(
    docgraph: Docgraph, folder: Path, open_page: Open
) -> None:
    (folder / "b.md").write_text(f"---\nid: b\ntitle: {HOSTILE}\nstatus: Withdrawn\n---\nText.\n")
    docgraph.ingest(folder)
    (folder / "a.md").write_text("---\nid: a\ntitle: Plan A\nsee_also: [b]\n---\nText.\n")
    docgraph.ingest(folder)
    at = open_page("library", show="Changes")
    text = page_text(at)
    assert "1 relationship of another type" in text
    at.selectbox(key=SINCE).set_value(1).run()
    text = page_text(at)
    assert "1 document added, 1 relationship of another type, 1 target withdrawn" in text
    assert "Documents added" in text
    assert HOSTILE not in text
    assert not at.exception
    assert [each.label for each in at.get("download_button")] == ["JSON"]


def test_a_workspace_without_imports_says_which_are_kept(docgraph: Docgraph, open_page: Open) -> None:
    docgraph.ingest_records([{"document_id": "r", "title": "R", "text": "A record."}])
    assert "No imports yet" in page_text(open_page("library", show="Changes"))
