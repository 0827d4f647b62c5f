"""``docgraph uninstall-data`` removes what docgraph made, says so before, and touches nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import docgraph
from docgraph.cli import edge
from docgraph.plugins.stores.postgres.server.embedded import stop_server

NEEDED = ("PG_VERSION", "docgraph.conf")


@pytest.fixture
def folder(server_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("DOCGRAPH_DATABASE_URL", raising=False)
    monkeypatch.setenv("DOCGRAPH_DATA_DIR", str(server_folder))
    return server_folder


@pytest.fixture
def made(folder: Path) -> Path:
    """A data folder as it looks; no server runs in it."""
    data = folder / "postgres" / "pgdata"
    data.mkdir(parents=True)
    for name in NEEDED:
        (data / name).write_text("18\n", encoding="utf-8")
    for name in ("server.log", "start.lock", "lease.lock"):
        (data.parent / name).touch()
    (folder / "sample-0123456789ab.loading").touch()
    return folder


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = edge.run(["uninstall-data", *arguments])
    written = capsys.readouterr()
    return code, written.out, written.err


@pytest.mark.integration
@pytest.mark.slow
def test_a_running_database_is_stopped_and_gone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with docgraph.connect(workspace="gone") as dg:
        dg.create_workspace("gone")
        code, _, errors = said(capsys, "--yes")
        assert code == 1
        assert "a program uses the embedded server" in errors
        assert "hint:  end it first" in errors
        assert [each.name for each in dg.workspaces()] == ["gone"]
    code, out, _ = said(capsys, "--yes", "--json")
    assert (code, json.loads(out)["removed"]) == (0, [str(folder / "postgres")])
    assert not folder.exists()
    assert said(capsys)[:2] == (0, "Nothing to remove: there are no data of docgraph here.\n")


@pytest.mark.integration
@pytest.mark.slow
def test_data_are_recognised_as_the_server_makes_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with docgraph.connect():
        pass
    stop_server(folder / "postgres", force=True)
    code, out, _ = said(capsys, "--dry-run")
    assert (code, out.splitlines()[0]) == (0, f"Would remove {folder / 'postgres'}.")
    assert all((folder / "postgres" / "pgdata" / name).is_file() for name in NEEDED)


def test_it_asks_and_a_no_keeps_everything(
    made: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("typer.confirm", lambda text, **_: asked.append(text))
    code, _, errors = said(capsys)
    assert code == 1
    assert "error: nothing was removed" in errors
    assert str(made / "postgres") in asked[0]
    assert (made / "postgres" / "pgdata" / "PG_VERSION").exists()


def test_what_somebody_else_put_beside_stays(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (made / "letters.txt").write_text("mine", encoding="utf-8")
    code, out, _ = said(capsys, "--yes")
    assert code == 0
    assert out.count("Removed ") == 2
    assert [each.name for each in made.iterdir()] == ["letters.txt"]


def _foreign_file(root: Path) -> None:
    (root / "thesis.doc").touch()


def _another_database(root: Path) -> None:
    (root / "pgdata" / "docgraph.conf").unlink()


def _link(root: Path) -> None:
    (root / "pgdata").rename(root.parent / "elsewhere")
    (root / "pgdata").symlink_to(root.parent / "elsewhere")


@pytest.fixture(params=[_foreign_file, _another_database, _link], ids=lambda change: change.__name__)
def foreign(made: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    request.param(made / "postgres")
    return made


@pytest.mark.parametrize("option", ["--yes", "--dry-run"])
def test_a_folder_that_is_not_docgraphs_is_refused(
    foreign: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(foreign.rglob("*"))
    code, _, errors = said(capsys, option)
    assert code == 1
    assert "is not a data folder of docgraph, and nothing was removed" in errors
    assert sorted(foreign.rglob("*")) == before


def test_a_database_given_by_url_is_never_touched(
    made: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    code, _, errors = said(capsys, "--yes")
    assert code == 3
    assert "DOCGRAPH_DATABASE_URL names a server" in errors
    assert (made / "postgres" / "pgdata" / "PG_VERSION").exists()
