"""Packages that docgraph does not need, in an environment of their own: made once, kept in a cache.

``make clients`` makes it (``DOCGRAPH_TEST_CLIENTS=1``). Tests that need it use it where it is there, and are skipped
with the reason where it is not.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest

PACKAGES = ("mem0ai>=2,<3", "voyageai>=0.4", "cohere>=5.20")
"""mem0 is the extra's; the two clients are only compared with."""
MAKE = "DOCGRAPH_TEST_CLIENTS"
SECONDS = 900


def site_packages() -> Path:
    """The folder that holds the packages. Skips the test, with the reason, where they are not and cannot be there."""
    said = f"{sys.version_info[:2]} {PACKAGES}"
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "docgraph-tests"
    folder = cache / f"clients-{hashlib.sha256(said.encode()).hexdigest()[:12]}"
    ready = folder / "ready"
    if not ready.exists():
        if not os.environ.get(MAKE):
            pytest.skip(f"{', '.join(PACKAGES)} are not in {folder}: make clients")
        _install(folder)
        ready.write_text(said, encoding="utf-8")
    return next((folder / "lib").glob("python*/site-packages"))


def _install(folder: Path) -> None:
    venv.create(folder, with_pip=True, clear=True)
    command = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([*command, *PACKAGES], capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode:
        pytest.skip(f"pip cannot install {', '.join(PACKAGES)}: {done.stderr.strip().splitlines()[-1:]}")


def run(program: Path, given: dict[str, Any]) -> dict[str, Any]:
    """What a program prints as JSON that may import docgraph and, behind everything of the project, those packages."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DOCGRAPH_")}
    done = subprocess.run(
        [sys.executable, str(program), str(site_packages())],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**environment, "PYTHONPATH": str(Path(__file__).parent.parent), "NO_PROXY": "127.0.0.1"},
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer
