"""``make audit``: the lock against a copy of the advisories, as OSV says that they are read; without a network."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests import ROOT

LOCK = 'lock-version = "1.0"\n[[packages]]\nname = "jinja2"\nversion = "3.1.2"\n'


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docgraph_audit", ROOT / "tools" / "audit.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look there
    spec.loader.exec_module(module)
    return module


AUDIT = _tool()


def advisory(*, package: str = "jinja2", ecosystem: str = "PyPI", **said: Any) -> dict[str, Any]:
    affected = {name: said.pop(name) for name in ("ranges", "versions") if name in said}
    found = {"id": "PYSEC-1", "modified": "2026-11-20T01:02:03Z", "summary": "Escapes too little.", **said}
    return {**found, "affected": [{"package": {"name": package, "ecosystem": ecosystem}, **affected}]}


def between(*events: tuple[str, str], kind: str = "ECOSYSTEM") -> list[dict[str, Any]]:
    return [{"type": kind, "events": [{name: at} for name, at in events]}]


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "pylock.toml"
    path.write_text(LOCK, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("found", "affected"),
    [
        ({"versions": ["3.1.1", "3.1.2"]}, True),
        ({"versions": ["3.1.1"]}, False),
        ({"ranges": between(("introduced", "0"), ("fixed", "3.1.3"))}, True),
        ({"ranges": between(("introduced", "0"), ("fixed", "3.1.2"))}, False),
        ({"ranges": between(("fixed", "3.1.10"), ("introduced", "3.1.2"))}, True),
        ({"ranges": between(("introduced", "3.1.10"))}, False),
        ({"ranges": between(("introduced", "0"), ("last_affected", "3.1.2"))}, True),
        ({"ranges": between(("introduced", "0"), ("last_affected", "3.1.1"))}, False),
        ({"ranges": between(("introduced", "0"), ("fixed", "2"), ("introduced", "3"), ("fixed", "4"))}, True),
        ({"ranges": between(("introduced", "0"), ("fixed", "2"), ("introduced", "4"))}, False),
        ({"ranges": between(("introduced", "0"), ("fixed", "3.1.3rc1"))}, True),
        ({"ranges": between(("introduced", "0"), ("fixed", "no version"))}, True),
        ({"ranges": between(("introduced", "a1b2c3"), kind="GIT")}, False),
    ],
)
def test_a_version_is_affected_where_it_is_listed_or_lies_in_a_range(found: dict[str, Any], affected: bool) -> None:
    assert bool(AUDIT.hits([("Jinja2", "3.1.2")], [advisory(**found)])) is affected


def test_advisories_of_other_packages_and_ecosystems_do_not_count() -> None:
    others = [advisory(package="jinja3", versions=["3.1.2"]), advisory(ecosystem="npm", versions=["3.1.2"])]
    assert AUDIT.hits([("jinja2", "3.1.2")], others) == []
    assert AUDIT.hits([("zope-event", "1")], [advisory(package="Zope.Event", versions=["1"])])


def test_a_clone_of_the_database_and_an_export_say_the_same(
    lock: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ranges = between(("introduced", "0"), ("fixed", "3.1.6"))
    listed = advisory(aliases=["CVE-2026-1"], ranges=ranges)
    withdrawn = advisory(id="PYSEC-2", withdrawn="2026-11-21T00:00:00Z", versions=["3.1.2"])
    clone = tmp_path / "clone" / "vulns" / "jinja2"
    clone.mkdir(parents=True)
    (clone / "PYSEC-1.yaml").write_text(json.dumps(listed), encoding="utf-8")  # JSON is YAML too
    (clone / "PYSEC-2.yaml").write_text(json.dumps(withdrawn), encoding="utf-8")
    (tmp_path / "clone" / "README.yaml").write_text("- no advisory", encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as export:
        export.writestr("PYSEC-1.json", json.dumps(listed))
        export.writestr("PYSEC-2.json", json.dumps(withdrawn))
    said = []
    for place in (tmp_path / "clone", tmp_path / "all.zip"):
        assert AUDIT.main([str(lock), str(place)]) == AUDIT.FOUND
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert said[0].splitlines() == [
        "jinja2 3.1.2: PYSEC-1 (CVE-2026-1): Escapes too little.; mended in 3.1.6",
        f"{lock}: 1 packages against 1 advisories, the newest of 2026-11-20: 1 affected",
    ]


def test_what_was_accepted_is_told_with_its_reason_and_does_not_fail(
    lock: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.json").write_text(json.dumps(advisory(aliases=["CVE-2026-1"], versions=["3.1.2"])))
    accepted = tmp_path / "accepted.toml"
    accepted.write_text('"CVE-2026-1" = "only templates of our own"\n', encoding="utf-8")
    assert AUDIT.main([str(lock), str(tmp_path), "--accepted", str(accepted)]) == 0
    out = capsys.readouterr().out
    assert "accepted: jinja2 3.1.2: PYSEC-1: only templates of our own" in out
    assert "none affected, 1 accepted" in out


@pytest.mark.parametrize("given", [[], ["nowhere"], ["empty"], ["broken.zip"], ["broken"]])
def test_where_there_is_no_copy_nothing_was_checked_and_that_is_said(
    given: list[str], lock: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.zip").write_bytes(b"PK no zip")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "one.json").write_text("{", encoding="utf-8")
    assert AUDIT.main([str(lock), *(str(tmp_path / name) for name in given)]) == AUDIT.NOTHING_CHECKED
    said = capsys.readouterr()
    assert f"{lock} was not checked: " in said.out + said.err


def test_the_own_lock_is_read(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps(advisory(package="no-such-package", versions=["1"])))
    command = [sys.executable, "tools/audit.py", "pylock.toml", str(tmp_path)]
    command += ["--accepted", "tools/audit-accepted.toml"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "none affected" in done.stdout
