"""The data of another major version of PostgreSQL are moved by the programs that made them, or left as they are."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import psycopg
import pytest

from docgraph.errors import StoreError
from docgraph.plugins.stores.postgres import Server
from docgraph.plugins.stores.postgres.server.binaries import MAJOR_VERSION, other_binaries, run, server_user
from docgraph.plugins.stores.postgres.server.cluster import _INITDB, Cluster
from docgraph.plugins.stores.postgres.server.embedded import DATABASE, stop_server
from tests.integration.commands import PREFIX
from tests.integration.server_programs import servers_of
from tests.integration.test_backups import over, rows_of

OLD = "16"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no kernel file locks; see the docs")


def made_by_old_server(root: Path, programs: Path) -> Cluster:
    """An empty cluster of the other version, stopped."""
    user = server_user(root / "pgdata")
    data = root / "pgdata"
    data.mkdir(mode=0o700)
    if user is not None:
        os.chown(data, user.uid, user.gid)
    arguments = [each for each in _INITDB if "locale" not in each]
    run("initdb", "-D", "pgdata", "--locale=C", *arguments, folder=root, user=user, programs=programs)
    return Cluster(root, programs)


def with_old_server(server_folder: Path) -> tuple[Path, Cluster]:
    """(folder, running server) of a database that an older PostgreSQL made; skips where there is none of those."""
    programs = other_binaries(OLD)
    if programs is None:
        pytest.skip(f"no programs of PostgreSQL {OLD} with pgvector here")
    root = server_folder / "postgres"
    root.mkdir()
    old = made_by_old_server(root, programs)
    old.prepare()
    old.start(timeout=60)
    old.ensure_database(DATABASE)
    return root, old


@pytest.mark.slow
def test_everything_is_moved_and_the_old_data_stay(server_folder: Path) -> None:
    root, old = with_old_server(server_folder)
    with over(old.conninfo(DATABASE)) as dg:
        from docgraph.domain.graph import Document, Relationship

        texts = [Document(document_id=i, title=i, text=f"The queue of {i} is bounded.") for i in "abc"]
        dg.ingest_records(texts, [Relationship(from_document_id="a", relation_type="cites", to_document_id="b")])
        dg.runs.save(dg.run("Why is the queue bounded?"), name="a run")
        before, rows = dg.workspace, rows_of(dg)
    old.stop()
    with pytest.raises(StoreError, match=rf"PostgreSQL {OLD}, .* is {MAJOR_VERSION} \(docgraph upgrade moves the data"):
        Cluster(root).prepare()
    done = Server(str(server_folder)).upgrade()
    assert done is not None
    assert (done.before, done.after, done.workspaces) == (OLD, MAJOR_VERSION, (before,))
    assert (Path(done.old_data) / "PG_VERSION").read_text().strip() == OLD
    assert Path(done.backup).stat().st_mode & 0o077 == 0
    assert servers_of(root) == []
    assert not (root / "upgrade").exists()
    from docgraph.plugins.stores.postgres import build

    database = build(data_dir=str(server_folder))
    with over(database.conninfo) as dg:
        assert rows_of(dg) == rows
    database.close()
    assert Server(str(server_folder)).upgrade() is None


def test_without_the_old_programs_nothing_is_touched_and_the_way_out_is_told(
    made_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = made_folder / "postgres"
    root.mkdir()
    (made_folder / "pgdata").rename(root / "pgdata")
    (root / "pgdata" / "PG_VERSION").write_text("12\n")
    before = sorted(path.name for path in root.iterdir())
    with pytest.raises(StoreError, match=r"programs of PostgreSQL 12 \(give --old-programs FOLDER"):
        Server(str(made_folder)).upgrade()
    with pytest.raises(StoreError, match="no programs of PostgreSQL that run here, the data need 12"):
        Server(str(made_folder)).upgrade(old_programs=str(made_folder))
    assert {*before} >= {path.name for path in root.iterdir()} - {"start.lock", "lease.lock"}
    from docgraph.cli import edge

    monkeypatch.setenv(f"{PREFIX}DATA_DIR", str(made_folder))
    monkeypatch.delenv(f"{PREFIX}DATABASE_URL", raising=False)
    assert edge.run(["upgrade", "--json"]) == 3
    assert "--old-programs" in json.loads(capsys.readouterr().err.splitlines()[-1])["error"]["hint"]
    assert stop_server(root) is False


def test_a_restore_that_fails_leaves_the_old_data_in_their_place(
    server_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, old = with_old_server(server_folder)
    old.stop()

    def failing(**_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr("docgraph.plugins.stores.postgres.build", failing)
    with pytest.raises(StoreError, match="the disk is full"):
        Server(str(server_folder)).upgrade()
    assert (root / "pgdata" / "PG_VERSION").read_text().strip() == OLD
    assert not (root / "upgrade").exists()
    old.prepare()
    old.start(timeout=60)
    with psycopg.connect(old.conninfo(DATABASE)) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    old.stop()
