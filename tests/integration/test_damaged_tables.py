"""A table file that lost its rows is noticed: at the next start of the embedded server, and by ``doctor --verify``."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from docgraph import plugins
from docgraph.domain.graph import Document, Relationship
from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.stores.postgres.backup import recomputing
from docgraph.plugins.stores.postgres.connections.naming import Connection, NamingServerCursor
from docgraph.plugins.stores.postgres.server.embedded import embedded_server
from docgraph.ports import Database
from tests.conftest import reachable_folder
from tests.integration.server_programs import servers_of, signal_servers
from tests.integration.test_backups import over

PAGE = 8_192


def opened(folder: Path) -> Database:
    database: Database = plugins.build("stores", "postgres", data_dir=str(folder.parent))
    return database


@pytest.fixture(scope="module")
def filled(made_cluster: Path) -> Iterator[Path]:
    """The folder ``postgres`` of a data folder, with a stopped server that holds the workspaces ``w`` and ``v``."""
    home = reachable_folder()
    folder = home / "postgres"
    folder.mkdir()
    subprocess.run(["cp", "-a", str(made_cluster / "pgdata"), str(folder)], check=True)
    server = embedded_server(folder)
    with over(server.conninfo) as dg:
        for name in ("w", "v"):
            here = dg.use_workspace(name)
            texts = [Document(document_id=f"d{n}", title=f"d{n}", text=f"The queue {n} is bounded.") for n in range(40)]
            edges = [
                Relationship(from_document_id=f"d{n}", relation_type=f"t{k}", to_document_id="d0")
                for n in range(40)
                for k in range(8)
            ]
            here.ingest_records(texts, edges)
        dg.runs.save(dg.run("Why is the queue bounded?"), name="a run")
    server.release()
    yield folder
    shutil.rmtree(home)


@pytest.fixture
def root(filled: Path, server_folder: Path) -> Path:
    """A copy of it for this test alone."""
    subprocess.run(["cp", "-a", str(filled), str(server_folder)], check=True)
    return server_folder / filled.name


def file_of(folder: Path, table: str) -> Path:
    """The file of a table."""
    server = embedded_server(folder)
    with psycopg.connect(server.conninfo, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        row = connection.execute("SELECT pg_relation_filepath(%s)", (table,)).fetchone()
    server.release()
    assert row is not None
    return folder / "pgdata" / str(row[0])


def kill(folder: Path) -> None:
    """End every process of the server at once, as a power cut does."""
    signal_servers(folder)


@pytest.mark.parametrize("table", ["document_relationships", "vector_chunks", "document_nodes", "vector_postings"])
def test_a_workspace_whose_table_file_was_emptied_gives_no_answers_and_the_others_go_on(root: Path, table: str) -> None:
    """Found: without its relationships a plan was made, and nobody was told."""
    file_of(root, f"ws_w.{table}").write_bytes(b"")
    database = opened(root)
    with pytest.raises(StoreError) as refused:
        database.open_workspace("w")
    assert re.search(rf"workspace 'w' is damaged and gives no answers: .*{table}", refused.value.message)
    assert re.search(r"docgraph restore FILE --replace .* docgraph workspaces drop w", refused.value.hint)
    with database.open_workspace("v").reading() as snapshot:
        assert snapshot.workspace.n_documents == 40
    database.close()
    again = opened(root)  # nobody has put it right, so it stays refused
    with pytest.raises(StoreError, match="is damaged"):
        again.open_workspace("w")
    again.close()


def test_a_file_that_lost_its_end_is_noticed_after_an_unclean_stop(root: Path) -> None:
    file = file_of(root, "ws_w.document_relationships")
    server = embedded_server(root)
    kill(root)
    assert file.stat().st_size > PAGE
    os.truncate(file, file.stat().st_size - PAGE)
    database = opened(root)
    with pytest.raises(StoreError, match=r"relationships: 320 are recorded, \d+ are there"):
        database.open_workspace("w")
    database.close()
    server.release()


def test_a_backup_puts_a_damaged_workspace_right(root: Path) -> None:
    database = opened(root)
    file = io.BytesIO()
    database.back_up(file)  # type: ignore[attr-defined]
    before = database.workspaces()
    database.close()
    file_of(root, "ws_w.document_relationships").write_bytes(b"")
    database = opened(root)
    with pytest.raises(StoreError, match="is damaged"):
        database.open_workspace("w")
    database.restore_backup(file, names={"w": "w"}, replace=True)  # type: ignore[attr-defined]
    assert database.workspaces() == before
    database.open_workspace("w")
    database.close()
    assert not (root / "started").exists()
    opened(root).close()


def test_a_damaged_workspace_can_be_dropped(root: Path) -> None:
    file_of(root, "ws_w.document_relationships").write_bytes(b"")
    database = opened(root)
    database.drop_workspace("w")
    database.close()
    database = opened(root)
    assert [each.name for each in database.workspaces()] == ["v"]
    assert not (root / "started").exists()
    database.close()


def test_lost_saved_runs_stop_everything_with_the_way_out(root: Path) -> None:
    file_of(root, "docgraph.saved_runs").write_bytes(b"")
    with pytest.raises(StoreError, match=r"saved_runs .*DOCGRAPH_DATA_DIR to a new folder and docgraph restore FILE"):
        opened(root)
    assert servers_of(root) == []


def test_an_unclean_stop_with_whole_data_is_looked_at_once_and_forgotten(root: Path) -> None:
    server = embedded_server(root)
    kill(root)
    database = opened(root)
    assert not (root / "started").exists()
    database.open_workspace("w")
    database.close()
    server.release()


def test_tables_that_were_emptied_properly_are_no_damage(root: Path) -> None:
    """A vacuum gives the pages of a table without rows back, and keeps those of its indexes."""
    database = opened(root)
    store = database.open_workspace("w")
    store.delete_documents([f"d{n}" for n in range(40)])
    with psycopg.connect(database.conninfo, autocommit=True) as connection:  # type: ignore[attr-defined]
        connection.execute("VACUUM ws_w.document_nodes, ws_w.document_relationships, ws_w.vector_chunks")
        size = connection.execute("SELECT pg_relation_size('ws_w.document_relationships')").fetchone()
        assert size == (0,)
    database.close()
    database = opened(root)
    database.open_workspace("w")
    assert all(each.ok for each in database.examine())  # type: ignore[attr-defined]
    database.close()


@pytest.fixture
def dg(new_database_url: str) -> Iterator[Docgraph]:
    with over(new_database_url) as made:
        said = {"n": 1, "large": 1e22, "many": [10**20, -0.0, 1e-7, "é\u2028"], "none": None}
        texts = [
            Document(document_id=i, title=i, text=f"The queue of {i} is bounded.", metadata=said, source=f"{i}.md")
            for i in "abc"
        ]
        made.ingest_records(texts, [Relationship(from_document_id="a", relation_type="cites", to_document_id="b")])
        yield made


FORGED = """
UPDATE {ws}.document_nodes SET title = 'Forged' WHERE document_id = 'a';
UPDATE {ws}.vector_chunks SET chunk_text = 'Forged.' WHERE document_id = 'b';
UPDATE {ws}.vector_chunks SET embedding = embedding + embedding WHERE document_id = 'c';
UPDATE {ws}.document_relationships SET relationship_metadata = '{"by": "x"}'
"""
"""No count and no sum of fingerprints moves: only what they stand for is another one."""
HARM = {
    "DELETE FROM {ws}.document_relationships": r"relationships: 1 are recorded, 0 are there; revision: ",
    "DELETE FROM {ws}.vector_chunks WHERE document_id = 'b'": r"chunks: 3 .* 2 are there; .*'b' has not all",
    "UPDATE {ws}.document_nodes SET fingerprint = '\\x01' WHERE document_id = 'a'": r"revision: \w+ is recorded, the",
    "DELETE FROM {ws}.vector_postings WHERE document_id = 'c'": r"document 'c' has no postings",
    FORGED: (
        r"^documents with a title, text or metadata that is not what was stored: 'a', 'b'; "
        r"documents with vectors that are not what was stored: 'c'; "
        r"relationships with metadata that is not what was stored: 'a → cites → b'$"
    ),
    "UPDATE docgraph.workspaces SET n_documents = 7": r"documents: 7 are recorded, 3 are there",
}


@pytest.mark.parametrize("harm", HARM)
def test_verify_tells_what_differs_from_what_is_recorded(dg: Docgraph, harm: str) -> None:
    assert all(each.ok for each in dg.backups.verify())
    conninfo = dg.session.adapters.database.conninfo  # type: ignore[attr-defined]
    with psycopg.connect(conninfo) as connection:
        connection.execute(sql.SQL(harm.replace("{ws}", "ws_w")))
    found = {each.workspace: "; ".join(each.faults) for each in dg.backups.verify()}
    assert re.search(HARM[harm], found["w"]), found
    assert found[""] == ""


@pytest.mark.parametrize("fails", ["_differences", "_like"])
def test_a_verification_that_breaks_off_leaves_no_cursor_behind(
    dg: Docgraph, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    """The garbage collector would close it in the middle of another statement, which then waits for itself."""

    def out_of_memory(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(recomputing, fails, out_of_memory)
    with Connection.connect(dg.session.adapters.database.conninfo) as connection:  # type: ignore[attr-defined]
        with pytest.raises(MemoryError) as broken:
            list(recomputing.changed_contents(connection, "ws_w"))
        left = connection.execute("SELECT statement FROM pg_cursors").fetchall()
    assert left == [], broken


def test_a_verification_whose_server_cannot_be_told_leaves_no_open_cursor(
    dg: Docgraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An open one would be warned of by the collector, at any later time."""
    made: list[NamingServerCursor] = []

    class Noted(NamingServerCursor):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            made.append(self)

    def cancelled(*_: object, **__: object) -> None:
        raise psycopg.errors.QueryCanceled

    monkeypatch.setattr(recomputing, "NamingServerCursor", Noted)
    with Connection.connect(dg.session.adapters.database.conninfo) as connection:  # type: ignore[attr-defined]
        table = sql.Identifier("ws_w", "document_nodes")
        rows = recomputing._rows(connection, "SELECT generate_series(1, 9999) FROM {}", table)
        next(rows)
        with monkeypatch.context() as broken:
            broken.setattr(psycopg.Connection, "wait", cancelled)
            with pytest.raises(psycopg.errors.QueryCanceled):
                rows.close()
    assert [cursor.closed for cursor in made] == [True]
