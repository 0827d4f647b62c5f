"""A file that was renamed or moved is the same document to people: what they decided goes with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import docgraph
from docgraph.cli import edge as program
from docgraph.orchestration.docgraph import Docgraph

A = "# Queue\n\nThe booking queue is bounded. See [the hold](hold.md).\n"
HOLD = "# Hold\n\nA hold keeps a slot for ten minutes.\n"


@pytest.fixture(params=["memory", "postgres"])
def dg(request: pytest.FixtureRequest) -> Iterator[Docgraph]:
    if request.param == "memory":
        opened = docgraph.connect(store="memory", workspace="w")
    else:
        opened = docgraph.connect(request.getfixturevalue("new_database_url"), workspace="w")
    with opened:
        yield opened


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    root.mkdir()
    for name, text in {"queue.md": A, "hold.md": HOLD}.items():
        (root / name).write_text(text, encoding="utf-8")
    return root


def ids(dg: Docgraph) -> list[str]:
    return [document.document_id for document in dg.documents.list()]


def moved(root: Path, old: str, new: str) -> None:
    (root / new).parent.mkdir(parents=True, exist_ok=True)
    (root / old).rename(root / new)


def test_reviews_and_judgments_go_with_a_renamed_file(dg: Docgraph, notes: Path) -> None:
    dg.ingest(notes)
    before = ids(dg)
    (edge,) = dg.relationships.list()
    dg.relationships.edit([{"action": "accept", "key": edge.key}], by="Ann")
    dg.judgments.judge("Why is it bounded?", edge.from_document_id, True, by="Ann")
    moved(notes, "queue.md", "booking-queue.md")
    report = dg.ingest(notes)
    new = next(i for i in ids(dg) if i not in before)
    assert report.moved == {edge.from_document_id: new}
    assert (report.n_stored, report.n_skipped, report.pruned, len(ids(dg))) == (1, 1, (), 2)
    (there,) = dg.relationships.list()
    assert there.key == (new, *edge.key[1:])
    assert there.relationship_metadata["review"]["reviewed_by"] == "Ann"
    assert not [f for f in dg.check().findings if f.check_id == "suspect"]
    assert [each.document_id for each in dg.judgments.list()] == [new]
    entry = dg.relationships.history()[0]
    assert (entry.by, entry.reason) == ("import", f"moved: {edge.from_document_id} → {new}")
    assert dg.ingest(notes).n_skipped == 2


def test_a_dry_run_says_what_moved_and_writes_nothing(dg: Docgraph, notes: Path) -> None:
    dg.ingest(notes)
    before, revision = ids(dg), dg.workspace.revision
    moved(notes, "hold.md", "words/hold.md")
    assert len(dg.ingest(notes, dry_run=True).moved) == 1
    assert (ids(dg), dg.workspace.revision) == (before, revision)


def test_an_import_that_does_not_cover_the_old_place_moves_nothing(dg: Docgraph, notes: Path) -> None:
    dg.ingest(notes)
    before = ids(dg)
    moved(notes, "hold.md", "other.md")
    assert dg.ingest_files([("other.md", HOLD.encode())]).moved == {}
    assert set(before) < set(ids(dg))
    assert dg.ingest(notes / "other.md").moved == {}


@pytest.mark.parametrize("twin", ["new", "old"])
def test_a_text_that_stands_twice_says_nothing_about_which_file_moved(dg: Docgraph, notes: Path, twin: str) -> None:
    if twin == "old":
        (notes / "hold-2.md").write_text(HOLD, encoding="utf-8")
    dg.ingest(notes)
    n = len(ids(dg))
    moved(notes, "hold.md", "a.md")
    if twin == "old":
        (notes / "hold-2.md").unlink()
    else:
        (notes / "b.md").write_text(HOLD, encoding="utf-8")
    assert dg.ingest(notes).moved == {}
    assert len(ids(dg)) > n


def test_a_file_that_is_renamed_and_rewritten_is_another_document(dg: Docgraph, notes: Path) -> None:
    dg.ingest(notes)
    moved(notes, "hold.md", "a.md")
    (notes / "a.md").write_text(HOLD + "\nMore.\n", encoding="utf-8")
    assert dg.ingest(notes).moved == {}
    assert len(ids(dg)) == 3


def test_a_folder_of_which_every_file_moved_can_be_pruned(dg: Docgraph, notes: Path) -> None:
    dg.ingest(notes)
    for name in ("queue.md", "hold.md"):
        moved(notes, name, f"deep/{name}")
    report = dg.ingest(notes, prune=True)
    assert (len(report.moved), report.pruned, len(ids(dg))) == (2, (), 2)


def test_the_command_says_what_moved(
    notes: Path, embedded_database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", embedded_database_url)
    monkeypatch.setenv("DOCGRAPH_WORKSPACE", "moved-files")
    with docgraph.connect() as opened:
        assert program.run(["ingest", str(notes)]) == 0
        moved(notes, "hold.md", "a.md")
        capsys.readouterr()
        assert program.run(["ingest", str(notes), "--dry-run", "--json"]) == 0
        ((old, new),) = json.loads(capsys.readouterr().out)["moved"].items()
        assert program.run(["ingest", str(notes)]) == 0
        assert f"moved: {old} → {new}" in capsys.readouterr().out
        opened.drop_workspace("moved-files")
