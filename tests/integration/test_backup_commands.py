"""``docgraph backup``, ``restore``, ``doctor --verify`` and ``db stop`` say what they did, and what to do where not."""

from __future__ import annotations

import json
import os
from pathlib import Path

import psycopg
import pytest

from tests.integration.commands import Command


def test_a_backup_is_written_read_and_restored_under_another_name(command: Command, tmp_path: Path) -> None:
    file = str(tmp_path / "all.backup")
    code, said, _ = command("backup", file)
    assert code == 0
    assert f"Wrote {file} ({os.path.getsize(file):,} bytes)" in said
    code, said, _ = command("restore", file, "--dry-run", "--json")
    stated = json.loads(said)
    assert (code, stated["restored"], [w["name"] for w in stated["workspaces"]]) == (0, [], ["w"])
    code, said, errors = command("restore", file)
    assert (code, said) == (1, "")
    assert "error: workspace 'w' exists already; nothing was changed" in errors
    code, said, _ = command("restore", file, "--as", "w-2")
    assert code == 0
    assert "Restored w-2: 3 documents, 0 relationships, revision" in said
    code, said, _ = command("restore", file, "--as", "w-2", "--replace", "--json")
    assert (code, [w["name"] for w in json.loads(said)["restored"]]) == (0, ["w-2"])
    assert command("workspaces", "drop", "w-2", "--yes")[0] == 0


def test_a_file_that_is_no_backup_is_an_error_of_one_line(command: Command, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("no backup")
    code, said, errors = command("restore", str(tmp_path / "x"))
    assert (code, said) == (1, "")
    assert errors.splitlines()[0] == "error: this file is no backup of docgraph, or not a whole one"
    code, _, errors = command("restore", str(tmp_path / "missing"))
    assert code == 1
    assert "No such file" in errors
    code, _, errors = command("backup", str(tmp_path / "missing" / "x"))
    assert code == 1
    assert "name a file in a folder that exists" in errors
    assert sorted(each.name for each in tmp_path.iterdir()) == ["x"]


def test_as_names_one_workspace(command: Command, tmp_path: Path) -> None:
    file = str(tmp_path / "all.backup")
    command("workspaces", "create", "other")
    assert command("backup", file)[0] == 0
    code, _, errors = command("restore", file, "--as", "x")
    assert code == 1
    assert "--as needs a single workspace, the backup contains 2" in errors
    assert command("workspaces", "drop", "other", "--yes")[0] == 0


def test_doctor_verifies_when_it_is_asked_and_fails_with_the_way_out(command: Command, module_url: str) -> None:
    code, said, _ = command("doctor", "--json")
    assert not [check for check in json.loads(said)["checks"] if check["name"].startswith("verify")]
    code, said, _ = command("doctor", "--verify")
    assert code == 0
    assert "verify w" in said
    assert "3 documents, 0 relationships, 3 chunks; revision" in said
    with psycopg.connect(module_url) as connection:
        connection.execute("UPDATE docgraph.workspaces SET n_chunks = 9 WHERE name = 'w'")
    code, said, _ = command("doctor", "--verify")
    assert code == 3
    assert "chunks: 9 are recorded, 3 are there" in said
    assert "docgraph restore FILE --workspace w --replace" in said
    with psycopg.connect(module_url) as connection:
        connection.execute("UPDATE docgraph.workspaces SET n_chunks = 3 WHERE name = 'w'")


def test_a_served_database_has_no_embedded_server_to_stop_or_upgrade(command: Command) -> None:
    for arguments in (("db", "stop"), ("upgrade",)):
        code, said, errors = command(*arguments)
        assert (code, said) == (3, "")
        assert "error: there is no embedded server here: DOCGRAPH_DATABASE_URL names a server" in errors


def test_stop_says_when_no_server_runs(command: Command, monkeypatch: pytest.MonkeyPatch, server_folder: Path) -> None:
    monkeypatch.delenv("DOCGRAPH_DATABASE_URL")
    monkeypatch.setenv("DOCGRAPH_DATA_DIR", str(server_folder))
    assert command("db", "stop")[:2] == (0, "No embedded server is running.\n")
    assert json.loads(command("upgrade", "--json")[1]) == {"upgrade": None}
    assert list(server_folder.iterdir()) == []
