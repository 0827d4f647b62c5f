"""A store that only reads is a whole one to its users: it says in words what it does not keep."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from docgraph import plugins
from docgraph.domain.workspace import Workspace
from docgraph.errors import NotFoundError, UserError
from docgraph.ports import Database, MinimalSnapshot, QuerySetArchive, Reader, ReadingOnly, RunArchive, Snapshot, Store
from tests.contract.stores.examples import EMBEDDER, example_document

ANSWERED = {
    "may_write": False,
    "history": (),
    "rules": {},
    "dismissals": (),
    "triage": (),
    "contested": (),
    "judgments": (),
    "passages": (),
    "said": ((), ()),
    "recall": (),
    "memories": (),
    "calibrations": (),
    "imports": (),
    "import_state": None,
    "trials": (),
    "type_history": (),
    "embedding": None,
}


class Shelf:
    """Documents of a store in memory, lent for reading."""

    def __init__(self) -> None:
        self._database: Database = plugins.build("stores", "memory")
        self._database.create_workspace("example", EMBEDDER).write([example_document("a")])
        self.closed = False

    def workspaces(self) -> tuple[Workspace, ...]:
        return self._database.workspaces()

    @contextmanager
    def reading(self, workspace: str) -> Iterator[Snapshot]:
        with self._database.open_workspace(workspace).reading() as snapshot:
            yield snapshot

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def database() -> ReadingOnly:
    return ReadingOnly(Shelf(), "shelf")


def members(protocol: type) -> set[str]:
    return {name for name in dir(protocol) if not name.startswith("_")}


def test_a_reader_answers_at_most_twelve_questions() -> None:
    assert len(members(Reader)) + len(MinimalSnapshot.__abstractmethods__) == 11
    assert MinimalSnapshot.__abstractmethods__ < members(Snapshot)


def test_a_snapshot_that_leaves_one_of_them_out_cannot_be_made() -> None:
    class Lazy(MinimalSnapshot):
        pass

    with pytest.raises(TypeError, match="nearest_chunks_of"):
        Lazy()  # type: ignore[abstract]


def test_it_is_a_whole_database_and_no_reader_any_more(database: ReadingOnly) -> None:
    assert isinstance(database, Database)
    assert isinstance(database.open_workspace("example"), Store)
    assert isinstance(Shelf(), Reader)
    assert not isinstance(database, Reader)
    assert not isinstance(plugins.build("stores", "memory"), Reader)


def test_what_is_read_is_what_lies_there(database: ReadingOnly) -> None:
    (workspace,) = database.workspaces()
    with database.open_workspace("example").reading() as snapshot:
        assert snapshot.workspace == workspace
        assert list(snapshot.documents_by_id(["a"])) == ["a"]
    assert database.health() == {"kind": "shelf", "only_reads": True, "n_workspaces": 1}


@pytest.mark.parametrize("name", sorted(members(Store) - {"reading"}))
def test_what_it_does_not_keep_is_empty_and_what_it_would_have_to_keep_is_refused(
    database: ReadingOnly, name: str
) -> None:
    method = getattr(database.open_workspace("example"), name)
    if name in ANSWERED:
        assert method() == ANSWERED[name]
        return
    with pytest.raises(UserError, match="the store 'shelf' only reads: ") as caught:
        method("anything", limit=1)
    assert "DOCGRAPH_STORE" in caught.value.hint


@pytest.mark.parametrize("name", sorted(members(RunArchive) - {"find", "state"}))
def test_no_saved_run_goes_in_or_comes_out(database: ReadingOnly, name: str) -> None:
    with pytest.raises(UserError, match="the store 'shelf' only reads: it keeps no saved runs"):
        getattr(database.runs, name)("abcd1234")
    assert database.runs.find(workspace="example") == ()
    assert database.runs.state("example", "0" * 32) is None


@pytest.mark.parametrize("name", sorted(members(QuerySetArchive) - {"query_sets", "evaluations"}))
def test_no_query_set_goes_in_or_comes_out(database: ReadingOnly, name: str) -> None:
    with pytest.raises(UserError, match="the store 'shelf' only reads: it keeps no query sets"):
        getattr(database.query_sets, name)("example", "mine")
    assert database.query_sets.query_sets("example") == database.query_sets.evaluations("example") == ()


def test_its_workspaces_are_somebody_elses(database: ReadingOnly) -> None:
    with pytest.raises(NotFoundError, match=r"'nope'.*example"):
        database.open_workspace("nope")
    with pytest.raises(UserError, match="made and removed where they are kept"):
        database.create_workspace("nope", EMBEDDER)
    with pytest.raises(UserError, match="made and removed where they are kept"):
        database.drop_workspace("example")


def test_closing_it_closes_the_reader() -> None:
    shelf = Shelf()
    ReadingOnly(shelf, "shelf").close()
    assert shelf.closed
