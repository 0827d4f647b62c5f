"""``docgraph doctor --security``: every part is told from a set-up that keeps it and from one that does not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from docgraph.boundary.confined import walls
from docgraph.cli import exposure as examined
from docgraph.cli.exposure import exposure
from docgraph.settings import Settings
from tests.command_line import running

OIDC: dict[str, Any] = {
    "oidc_metadata_url": "https://id.example/.well-known/openid-configuration",
    "oidc_client_id": "docgraph",
    "oidc_client_secret": "k3-9dkw0-2kslq-wkd",
    "public_url": "https://docs.example",
    "admins": ("ann@docs.example",),
}
SAFE = {
    **OIDC,
    "cookie_secret": "b7f1c09d3e5a8264c0d9e1f2a3b4c5d6",
    "database_url": "postgresql://app:r4nd0m-Enough-9x@db.example/docs?sslmode=verify-full",
    "embedder_url": "https://embed.example",
    "trusted_proxies": ("10.0.0.7",),
}

HELD = walls.held
"""Before a test puts another one into its place."""
TOKEN: dict[str, Any] = {"metrics_token": "k3-9dkw0-2kslq-wkd"}


@pytest.fixture(autouse=True)
def _user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(examined, "memory_mb", lambda: 16_000)
    monkeypatch.setattr(walls, "held", lambda: ("limits", "files", "calls"))
    monkeypatch.delenv("PGSSLMODE", raising=False)
    monkeypatch.delenv("PGPASSWORD", raising=False)


def faults(folder: Path, **given: Any) -> set[str]:
    """The parts in which something is amiss."""
    audit = folder.parent / "audit.jsonl"
    return {each.name for each in exposure(Settings(data_dir=folder, **{"audit_file": audit, **given})) if not each.ok}


def test_a_private_set_up_and_a_whole_one_for_several_people_keep_every_promise(tmp_path: Path) -> None:
    assert faults(tmp_path / "data") == set()
    assert faults(tmp_path / "data", **SAFE) == set()


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (("limits", "files"), "can reach the network and start programs"),
        (("limits",), "can open other files and can reach the network"),
        ((), "has no limit of memory"),
    ],
)
def test_a_wall_that_the_system_does_not_have_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: tuple[str, ...], said: str
) -> None:
    monkeypatch.setattr(walls, "held", lambda: held)
    (found,) = [each for each in exposure(Settings(data_dir=tmp_path / "data")) if not each.ok]
    assert found.name == "hostile files"
    assert said in found.detail
    assert "Landlock" in found.hint


@pytest.mark.slow
def test_walls_are_tried_by_a_process_of_their_own() -> None:
    """What holds there is what the tests of ``confined`` find; this process is left as it was."""
    tried = subprocess.run([sys.executable, "-m", walls.__name__], capture_output=True, text=True, check=True)
    assert HELD() == tuple(tried.stdout.split())
    assert "limits" in HELD() or os.name != "posix"


@pytest.mark.parametrize(
    ("part", "given"),
    [
        ("sign-in", {"host": "0.0.0.0", **TOKEN}),
        ("sign-in", {"public_url": "https://docs.example", **TOKEN}),
        ("sign-in", {"allowed_hosts": ("docs.example",), **TOKEN}),
        ("sign-in hours", {**SAFE, "sign_in_hours": 168}),
        ("metrics", {"metrics_token": "metrics-" * 3}),
        ("quotas", {**SAFE, "uploads_mb_per_person": 1600}),
        ("quotas", {**SAFE, "uploads_per_person": 48}),
        ("quotas", {**SAFE, "sockets_per_person": 5000}),
        ("quotas", {**SAFE, "uploads_mb_in_all": 9000}),
        ("roles", {**SAFE, "default_role": "curator"}),
        ("roles", {**SAFE, "admins": ()}),
        ("cookie", {**SAFE, "cookie_secret": "ab" * 20}),
        ("cookie", {**SAFE, "cookie_secret": "docgraph-0123456789-abcdefghijkl"}),
        ("audit", {**SAFE, "audit_file": None}),
        ("database", {"database_url": "postgresql://app:r4nd0m-Enough-9x@db.example/docs"}),
        ("database", {"database_url": "postgresql://app:docgraph@127.0.0.1/docs"}),
        ("database", {"database_url": "postgresql://postgres:r4nd0m-Enough-9x@127.0.0.1/docs"}),
        ("database", {"read_database_url": "postgresql://app:app@127.0.0.1/docs"}),
        ("network", {**SAFE, "trusted_proxies": ("0.0.0.0/0",)}),
        ("path import", {**SAFE, "import_from_path": True}),
        ("other servers", {"embedder_url": "http://embed.example"}),
        ("other servers", {"retrievers": "ours=http://search.example/find"}),
        ("other servers", {"otlp_endpoint": "http://127.0.0.1:4318/v1/traces", "trace_content": True}),
    ],
)
def test_what_is_amiss_is_found_where_it_is_and_nowhere_else(tmp_path: Path, part: str, given: dict[str, Any]) -> None:
    assert faults(tmp_path / "data", **given) == {part}


def test_servers_on_this_machine_and_sockets_may_be_spoken_to_in_the_clear(tmp_path: Path) -> None:
    url = "postgresql:///docs?host=/run/postgresql"
    assert faults(tmp_path / "data", database_url=url, embedder_url="http://127.0.0.1:9000") == set()


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such rights")
def test_files_that_others_may_read_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    (folder / "closed").mkdir(parents=True)
    (folder / "closed").chmod(0o700)
    (folder / "closed" / "secret").write_text("x", encoding="utf-8")
    (folder / "empty.lock").touch()
    assert faults(folder) == set()
    (folder / "open").write_text("x", encoding="utf-8")
    (folder / "open").chmod(0o644)
    found = [each for each in exposure(Settings(data_dir=folder)) if not each.ok]
    assert [each.name for each in found] == ["files"]
    assert str(folder / "open") in found[0].detail
    (folder / "open").chmod(0o600)
    audit = tmp_path / "audit.jsonl"
    audit.write_text("{}\n", encoding="utf-8")
    audit.chmod(0o644)
    assert faults(folder, audit_file=audit) == {"files"}


def test_root_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "process" in faults(tmp_path)


def test_no_secret_stands_in_what_is_said(tmp_path: Path) -> None:
    given = {**SAFE, "database_url": "postgresql://postgres:docgraph-1234@db.example/docs", "cookie_secret": "ab" * 20}
    said = " ".join(f"{each.detail} {each.hint}" for each in exposure(Settings(data_dir=tmp_path, **given)))
    assert "docgraph-1234" not in said
    assert "abab" not in said


def test_every_part_says_what_holds(tmp_path: Path) -> None:
    names = [each.name for each in exposure(Settings(data_dir=tmp_path / "none", **SAFE))]
    assert names == [part.name for part in examined.PARTS]


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"allowed_hosts": ("docs.example",)}, "DOCGRAPH_ALLOWED_HOSTS=docs.example"),
        ({"host": "0.0.0.0", "allowed_hosts": ("docs.example",)}, "DOCGRAPH_HOST=0.0.0.0"),
        ({"public_url": "https://docs.example"}, "DOCGRAPH_PUBLIC_URL=https://docs.example"),
    ],
)
def test_the_setting_that_lets_others_in_is_the_one_that_is_named(
    tmp_path: Path, given: dict[str, Any], named: str
) -> None:
    """With names alone it blamed the address, which is this machine's own."""
    (told,) = [each for each in exposure(Settings(data_dir=tmp_path, **given)) if each.name == "sign-in"]
    assert f"({named})" in told.detail


def test_metrics_that_anybody_may_read_are_told(tmp_path: Path) -> None:
    assert faults(tmp_path / "data", host="0.0.0.0") == {"sign-in", "metrics"}
    assert faults(tmp_path / "data", **{**SAFE, **TOKEN}) == set()


def test_how_much_memory_there_is_is_asked_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    told = examined.memory_mb()
    assert told is None or told > 100


def test_the_command_says_it_and_ends_with_a_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DOCGRAPH_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("DOCGRAPH_HOST", "0.0.0.0")
    doctor = running("doctor", capsys)
    code, out, _ = doctor("--security", "--json")
    told = json.loads(out)
    assert (code, told["ok"]) == (3, False)
    assert {each["name"] for each in told["checks"] if not each["ok"]} == {"sign-in", "metrics"}
    assert not (tmp_path / "data").exists(), "nothing was opened"
    code, _, said = doctor("--security", "--verify")
    assert code == 1
    assert "cannot be combined" in said
