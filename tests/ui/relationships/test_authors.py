"""A patch for the authors on the page: where the files are, from whom it is kept, what it says of what is left."""

from __future__ import annotations

from html import escape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.edit import Edit
from docgraph.domain.graph import Relationship
from docgraph.domain.imports.patch import SourcePatch
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import visitor
from docgraph.ui.relationships.exchange.authors import FOLDER
from tests.ui.conftest import SECONDS, Open, page_text, press

MAKE = "docgraph.authors.make"
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def folder(docgraph: Docgraph, tmp_path: Path) -> Path:
    """Two files of two owners, imported; one type was changed, one mention in running text was removed."""
    here = tmp_path / "plans"
    here.mkdir()
    (here / "adr.md").write_text(f"---\nid: adr\ntitle: ADR {HOSTILE}\nowner: Ann\nexplains: [queue]\n---\nSee it.\n")
    (here / "queue.md").write_text("---\nid: queue\ntitle: Queue\nowner: Ben\nreferences: [adr]\n---\nBookings wait.\n")
    docgraph.ingest(here)
    edits = [
        Edit(action="retype", key=("adr", "explains", "queue"), relation_type="references"),
        Edit(action="remove", key=("queue", "references", "adr")),
    ]
    docgraph.relationships.edit(edits, by="Ann")
    docgraph.relationships.add(
        Relationship(from_document_id="queue", relation_type="no_field_has_it", to_document_id="adr")
    )
    return here


def _made(at: AppTest, folder: str) -> AppTest:
    at.text_input(key=FOLDER).set_value(folder)
    press(at, MAKE)
    for job in at.session_state["docgraph.state"].page["background.authors_patch"]._kept.values():
        assert job.wait(SECONDS)
    at.run()
    assert not at.exception
    return at


def test_the_patch_is_made_looked_at_and_downloaded_whole_and_by_owner(
    docgraph: Docgraph, folder: Path, open_page: Open
) -> None:
    at = _made(open_page("relationships", tab="exchange"), str(folder))
    text = page_text(at)
    made: SourcePatch = docgraph.relationships.patch(folder)
    assert made.n_patched == 2
    assert "2 of 3 decisions are in the patch of 2 files; 1 has no matching place in them" in text
    assert escape(made.left[0].reason) in text
    labels = [each.label for each in at.get("download_button")]
    assert "Patch" in labels
    assert "A patch for each of 2 owners" in labels
    shown = next(each.value for each in at.code if each.language == "diff")
    assert "-explains: [queue]" in shown
    assert "+references:" in shown
    assert HOSTILE not in text


@pytest.mark.parametrize(("named", "said"), [("", "No folder is named"), ("/no/such/folder", "/no/such/folder")])
def test_a_folder_that_is_none_is_said_and_another_can_be_asked(
    folder: Path, open_page: Open, named: str, said: str
) -> None:
    at = _made(open_page("relationships", tab="exchange"), named)
    assert said in page_text(at)
    at = _made(at, str(folder))
    assert "are in the patch" in page_text(at)


def test_a_visitor_from_elsewhere_names_no_path(
    docgraph: Docgraph, folder: Path, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert docgraph.workspace.n_documents == 2
    assert folder.is_dir()
    monkeypatch.setattr(visitor, "is_local", lambda: False)
    at = open_page("relationships", tab="exchange")
    assert not [each for each in at.text_input if each.key == FOLDER]
    assert "docgraph edits export FOLDER --patch" in page_text(at)
