"""An import that fails leaves no workspace behind that it made itself, and never takes one that is somebody's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docgraph.domain.graph import Document
from docgraph.domain.person import Person
from docgraph.errors import EmbedderError, ForbiddenError, IngestionError, StoreError, UserError
from docgraph.ingestion import importing
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Session
from docgraph.plugins.stores.memory import MemoryDatabase, build
from docgraph.plugins.stores.memory.store import MemoryStore
from docgraph.testing.builders import HashingEmbedder
from tests.unit.ingestion.importer import Words
from tests.unit.orchestration.test_docgraph import DOCUMENTS, adapters

NOTES = [("a.md", b"# A\n\nalpha mentions:b"), ("b.md", b"# B\n\nbeta")]


@pytest.fixture
def database() -> MemoryDatabase:
    return build()


def opened(database: MemoryDatabase, **changes: Any) -> Docgraph:
    given = adapters(database)
    for name, value in changes.items():
        object.__setattr__(given, name, value)
    return Docgraph(given, "new")


def names(database: MemoryDatabase) -> list[str]:
    return [workspace.name for workspace in database.workspaces()]


class NoEmbedder(HashingEmbedder):
    def embed(self, texts: Any) -> Any:
        raise EmbedderError("the server does not answer")


def refuse_to_write(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(MemoryStore, "write", fail)


def test_a_path_that_cannot_be_read_makes_no_workspace(database: MemoryDatabase, tmp_path: Path) -> None:
    with pytest.raises(IngestionError, match="cannot be read"):
        opened(database).ingest(tmp_path / "gone")
    assert names(database) == []


@pytest.mark.parametrize("files", [(), (".hidden.md", "node_modules/a.md"), ("queries.jsonl", "relations.jsonl")])
def test_a_folder_without_anything_to_read_is_an_error_that_says_what_to_name(
    database: MemoryDatabase, tmp_path: Path, files: tuple[str, ...]
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in files:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"")
    with pytest.raises(IngestionError, match="there is nothing to import in 'notes'") as problem:
        opened(database).ingest(folder)
    assert "name a folder or a file with documents" in (problem.value.hint or "")
    with pytest.raises(IngestionError, match="there is nothing to import"):
        opened(database).ingest_files([])
    assert names(database) == []


def test_files_that_are_all_refused_are_reported_and_make_no_workspace(database: MemoryDatabase) -> None:
    report = opened(database).ingest_files([("photo.png", b"\x89PNG"), ("empty.md", b"")])
    assert (report.n_in, report.n_rejected, report.revision) == (2, 2, "")
    assert names(database) == []


def test_an_embedder_that_fails_at_the_first_batch_leaves_no_workspace(database: MemoryDatabase) -> None:
    dg = opened(database, embedder=NoEmbedder(64), extractors=(Words("talk", "mentions", default_on=False),))
    with pytest.raises(EmbedderError):
        dg.ingest_files(NOTES)
    assert names(database) == []


def test_a_first_write_that_fails_takes_the_workspace_back(
    database: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    dg = opened(database)
    with monkeypatch.context() as context:
        refuse_to_write(context)
        with pytest.raises(StoreError, match="disk is full"):
            dg.ingest_files(NOTES)
    assert names(database) == []
    assert dg.ingest_files(NOTES).n_stored == 2


def test_a_later_write_that_fails_keeps_what_is_written(
    database: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "BATCH_DOCUMENTS", 1)
    write, calls = MemoryStore.write, []

    def fails_later(*given: Any, **options: Any) -> Any:
        calls.append(given)
        if len(calls) > 1:
            raise StoreError("the disk is full")
        return write(*given, **options)

    monkeypatch.setattr(MemoryStore, "write", fails_later)
    dg = opened(database)
    with pytest.raises(StoreError):
        dg.ingest_files(NOTES)
    assert dg.workspace.n_documents == 1


def test_a_workspace_that_was_there_stays_when_an_import_fails(
    database: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    dg = opened(database)
    dg.create_workspace("new")
    refuse_to_write(monkeypatch)
    with pytest.raises(StoreError):
        dg.ingest_files(NOTES)
    assert names(database) == ["new"]


def test_a_workspace_that_somebody_else_makes_meanwhile_takes_the_documents_and_is_never_removed(
    database: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = Session.create

    def made_meanwhile(session: Session) -> Any:
        opened(database).create_workspace("new")
        return create(session)

    with monkeypatch.context() as context:
        context.setattr(Session, "create", made_meanwhile)
        refuse_to_write(context)
        with pytest.raises(StoreError):
            opened(database).ingest_files(NOTES)
    assert names(database) == ["new"]
    database.drop_workspace("new")
    monkeypatch.setattr(Session, "create", made_meanwhile)
    assert opened(database).ingest_files(NOTES).n_stored == 2


def test_documents_that_somebody_else_put_in_meanwhile_are_never_taken_back(database: MemoryDatabase) -> None:
    dg = opened(database)
    dg.session.create()
    opened(database).ingest_records(DOCUMENTS)
    dg.session.take_back()
    assert dg.workspace.n_documents == len(DOCUMENTS)


def test_a_new_workspace_has_the_types_switched_off_that_are_only_mentioned(database: MemoryDatabase) -> None:
    dg = opened(database, extractors=(Words("talk", "mentions", default_on=False),))
    assert dg.ingest_files(NOTES).n_stored == 2
    assert dg.workspace.off_relation_types == ("mentions",)


def test_no_workspace_is_made_under_a_name_that_none_can_have(database: MemoryDatabase) -> None:
    with pytest.raises(UserError, match="no workspace can be called 'Bad Name'"):
        Docgraph(adapters(database), "Bad Name").ingest_records([Document(document_id="a", title="A", text="alpha")])
    assert names(database) == []


def test_who_may_not_make_a_workspace_is_refused_before_anything_is_read(database: MemoryDatabase) -> None:
    viewer = opened(database).acting_as(Person(name="Vera", role="viewer"))
    read: list[Document] = []

    def records() -> Iterator[Document]:
        for each in DOCUMENTS:
            read.append(each)
            yield each

    with pytest.raises(ForbiddenError):
        viewer.ingest_records(records())
    assert (read, names(database)) == ([], [])
