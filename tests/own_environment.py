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


def site_packages(packages: tuple[str, ...] = PACKAGES) -> Path:
    """The folder that holds the packages. Skips the test, with the reason, where they are not and cannot be there."""
    said = f"{sys.version_info[:2]} {packages}"
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "docgraph-tests"
    folder = cache / f"clients-{hashlib.sha256(said.encode()).hexdigest()[:12]}"
    ready = folder / "ready"
    if not ready.exists():
        if not os.environ.get(MAKE):
            pytest.skip(f"{', '.join(packages)} are not in {folder}: make clients")
        _install(folder, packages)
        ready.write_text(said, encoding="utf-8")
    return next((folder / "lib").glob("python*/site-packages"))


def _install(folder: Path, packages: tuple[str, ...]) -> None:
    venv.create(folder, with_pip=True, clear=True)
    command = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([*command, *packages], capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode:
        pytest.skip(f"pip cannot install {', '.join(packages)}: {done.stderr.strip().splitlines()[-1:]}")


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


CONFORMANCE = """
import sys
sys.path.append(sys.argv[1])
import pytest
raise SystemExit(pytest.main(sys.argv[2:]))
"""


def conformance(file: Path, packages: tuple[str, ...], *, plugins: tuple[str, ...] = (), **variables: str) -> set[str]:
    """The names of the tests of ``file`` that passed, with ``packages`` behind everything of the project.

    Fails where one of them fails or is skipped. ``plugins`` = those of pytest that are loaded beside; ``variables`` are
    set in the environment.
    """
    behind = str(site_packages(packages))
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("DOCGRAPH_", "PYTEST_"))}
    options = ["-q", "-rA", "-c", os.devnull, f"--rootdir={file.parent}", "-p", "no:cacheprovider", "--color=no"]
    options += ["-o", "asyncio_mode=auto"] if "pytest_asyncio.plugin" in plugins else []
    done = subprocess.run(
        [sys.executable, "-c", CONFORMANCE, behind, str(file), *options, *(f"-p{each}" for each in plugins)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={
            **environment,
            **variables,
            "PYTHONPATH": str(Path(__file__).parent.parent),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "NO_PROXY": "127.0.0.1",
        },
    )
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-2_000:]
    print(done.stdout.splitlines()[-1])
    lines = [line.split(" ", 1) for line in done.stdout.splitlines() if line.startswith(("PASSED ", "SKIPPED "))]
    assert not [rest for said, rest in lines if said != "PASSED"], done.stdout[-3_000:]
    return {rest.rpartition("::")[2] for _, rest in lines}
