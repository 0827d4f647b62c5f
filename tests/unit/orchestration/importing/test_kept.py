"""Imports leave a record each; what is different since one of them; dry runs and records leave none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from docgraph.domain.edit import Edit
from docgraph.domain.graph import Document
from docgraph.domain.imports.profile import KEPT
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import NotFoundError, UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.extractors import front_matter
from docgraph.settings import Settings
from tests.unit.orchestration.test_docgraph import adapters


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    here = tmp_path / "plans"
    here.mkdir()
    _write(here, "a", "requires: [b, c]")
    _write(here, "b", "status: Final")
    _write(here, "c", "")
    return here


def _write(folder: Path, name: str, fields: str, text: str = "The queue is bounded.") -> None:
    (folder / f"{name}.md").write_text(f"---\nid: {name}\ntitle: Plan {name.upper()}\n{fields}\n---\n{text}\n")


@pytest.fixture
def opened() -> Docgraph:
    return Docgraph(replace(adapters(), extractors=(front_matter.build(),)), "test")


def test_what_is_different_since_an_import_is_told_whoever_changed_it(opened: Docgraph, folder: Path) -> None:
    opened.ingest(folder)
    opened.runs.save(RetrievalRequest(query="queue", max_documents=4, seed_document_ids=("a",)), name="q")
    opened.ingest(folder)  # the saved question is known from here on
    _write(folder, "b", "status: Withdrawn")
    _write(folder, "a", "requires: [b]", "It is longer now.")
    opened.ingest(folder)
    (folder / "c.md").unlink()
    opened.ingest(folder, prune=True)
    opened.relationships.edit(
        [Edit(action="retype", key=("a", "requires", "b"), relation_type="see_also")], by="Ann", new_types=True
    )
    opened.ingest(folder)
    imports = opened.imports.list()
    assert [each.import_id for each in imports] == [5, 4, 3, 2, 1]
    assert imports[1].n_pruned == 1
    assert imports[0].source == "plans"
    found = opened.imports.diff(2)
    assert {d.document_id: d.change for d in found.documents} == {"a": "changed", "c": "removed"}
    assert {e.key: e.change for e in found.relationships} == {("a", "requires", "c"): "removed"}
    assert [(e.before, e.after) for e in found.redirected] == [(("a", "requires", "b"), ("a", "see_also", "b"))]
    assert [(w.document_id, w.status, w.n_relationships) for w in found.withdrawn] == [("b", "withdrawn", 1)]
    (question,) = found.questions
    assert found.n_questions == 1
    assert set(question.before or ()) == {"a", "b", "c"}
    assert set(question.after or ()) == {"a", "b"}
    assert opened.imports.diff(4, 4).same
    assert [d.after.import_id for d in opened.imports.newest_diffs()] == [5, 4, 3, 2]


def test_a_dry_run_a_stream_of_records_and_a_folder_with_nothing_in_it_leave_no_record(
    opened: Docgraph, folder: Path, tmp_path: Path
) -> None:
    opened.ingest_records([Document(document_id="r", title="R", text="A record.")])
    opened.ingest(folder, dry_run=True)
    assert opened.imports.list() == ()
    opened.ingest_files([("x.md", b"# X\n\nText.\n")])
    assert [each.source for each in opened.imports.list()] == ["upload"]


def test_a_dry_run_before_there_is_a_workspace_leaves_none() -> None:
    with Docgraph(adapters(), "none-yet") as dg:
        dg.ingest_files([("x.md", b"# X\n\nText.\n")], dry_run=True)
        with pytest.raises(NotFoundError):
            dg.imports.list()


def test_a_setting_says_how_many_are_kept(folder: Path) -> None:
    assert Settings(kept_imports=3).kept_imports == 3
    with Docgraph(replace(adapters(), kept_imports=3), "few") as dg:
        dg.ingest_files([("x.md", b"# X\n\nText.\n")])
        for _ in range(4):
            dg.ingest(folder)
        assert [each.import_id for each in dg.imports.list()] == [5, 4, 3]


def test_old_imports_go_and_the_states_of_the_others_stay(opened: Docgraph, folder: Path) -> None:
    opened.ingest(folder)
    for n in range(KEPT + 2):
        if n % 10 == 0:
            _write(folder, "c", f"status: s{n}", f"Text {n}.")
        opened.ingest(folder)
    found = opened.imports.list()
    assert (len(found), found[0].import_id) == (KEPT, KEPT + 3)
    whole = opened.imports.diff(found[-1].import_id)
    assert [d.document_id for d in whole.documents] == ["c"]


@pytest.mark.parametrize("since", ["soon", "", "2026-13-01"])
def test_what_is_no_date_is_refused(opened: Docgraph, folder: Path, since: str) -> None:
    opened.ingest(folder)
    with pytest.raises(UserError, match="is not a date"):
        opened.imports.since(since)


def test_since_a_date_compares_with_the_import_before_it_or_the_oldest(opened: Docgraph, folder: Path) -> None:
    opened.ingest(folder)
    _write(folder, "c", "requires: [a]")
    opened.ingest(folder)
    assert opened.imports.since("1999-01-01").before.import_id == 1
    assert opened.imports.since("2999-01-01").before.import_id == 2
    assert opened.imports.since("2999-01-01T00:00:00+02:00").same


def test_unknown_and_misordered_imports_are_refused_by_number(opened: Docgraph, folder: Path) -> None:
    opened.ingest(folder)
    with pytest.raises(NotFoundError, match="no import 7 is kept"):
        opened.imports.diff(7)
    opened.ingest(folder)
    with pytest.raises(UserError, match="import 2 is not older than 1"):
        opened.imports.diff(2, 1)


def test_a_workspace_too_large_for_its_state_says_so(
    opened: Docgraph, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docgraph.orchestration.importing.kept.MAX_STATE_ENTRIES", 3)
    opened.ingest(folder)
    opened.ingest(folder)
    assert [each.comparable for each in opened.imports.list()] == [False, False]
    with pytest.raises(UserError, match="more than 3 documents and relationships"):
        opened.imports.diff(1)
    assert opened.imports.newest_diffs() == ()
