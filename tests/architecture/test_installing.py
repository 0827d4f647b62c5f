"""``tools/install`` says what it does, installs what the lock names, and ends at the first thing that fails."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests import ROOT

PYTHON = """#!/bin/sh
echo "$*" >>"$(dirname "$0")/calls"
case "$*" in
    tools/locked_requirements.py*) echo "numpy==2.4.0 --hash=sha256:00" ;;
    *"FAILS"*) echo "SAYS" >&2; exit 1 ;;
esac
"""


def installed(venv: Path, failing: str, says: str = "ERROR: no") -> tuple[int, str, list[str]]:
    """(exit code, output, what Python was called with) over an environment whose Python only notes its calls."""
    (venv / "bin").mkdir(parents=True)
    python = venv / "bin" / "python"
    python.write_text(PYTHON.replace("FAILS", failing).replace("SAYS", says), encoding="utf-8")
    python.chmod(0o755)
    done = subprocess.run(
        ["sh", "tools/install", str(venv), "pylock.toml"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    calls = (venv / "bin" / "calls").read_text(encoding="utf-8").splitlines()
    return done.returncode, done.stdout, [call.split("--no-input ")[-1] for call in calls]


@pytest.mark.parametrize("failing", ["nothing", "--upgrade"])
def test_the_packages_of_the_lock_are_installed_by_hash_and_pip_is_heard(tmp_path: Path, failing: str) -> None:
    """Also where a newer pip cannot be had: it only shows more."""
    venv = tmp_path / "a folder" / "venv"
    code, out, calls = installed(venv, failing)
    assert code == 0
    assert f"Installing what pylock.toml names into {venv}; pip says below what it is at." in out
    assert calls[-2:] == [
        f"install --require-hashes -r {venv}/requirements.txt",
        "install --quiet --no-deps -e .",
    ]
    assert (venv / "requirements.txt").read_text(encoding="utf-8") == "numpy==2.4.0 --hash=sha256:00\n"


@pytest.mark.parametrize("says", ["ERROR: the disk is full", "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM …"])
def test_what_fails_ends_it_with_an_error(tmp_path: Path, says: str) -> None:
    code, out, calls = installed(tmp_path / "venv", "--require-hashes", says)
    assert code == 1
    assert "Installing docgraph itself" not in out
    assert calls[-1].startswith("install --require-hashes")


def test_an_index_that_lacks_a_version_still_installs_what_the_bounds_allow(tmp_path: Path) -> None:
    """A company's own index, for instance; a file with another hash is never installed."""
    code, _, calls = installed(tmp_path / "venv", "--require-hashes", "ERROR: No matching distribution found for x==1")
    assert code == 0
    assert calls[-1] == "install -e .[dashboard,mcp]"
