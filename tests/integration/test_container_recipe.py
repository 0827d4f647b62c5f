"""The steps of the Dockerfile without an engine: its files copied, its commands run, the image's command started.

``make container`` (``DOCGRAPH_TEST_CONTAINER=1``): it installs every package anew. Needs Linux, ``unshare`` with mount
namespaces (root, or user namespaces), and a network.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import ROOT
from tests.architecture.recipe import given

pytestmark = [
    pytest.mark.slow,
    pytest.mark.heavy,
    pytest.mark.timeout(1_800),
    pytest.mark.skipif(not os.environ.get("DOCGRAPH_TEST_CONTAINER"), reason="installs everything: make container"),
]
PORT = "8501"


class ScratchRoot:
    """A folder that stands for the image's ``/src``, ``/opt`` and ``/home/docgraph`` while a command runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("src", "opt", "home", "bin"):
            (folder / name).mkdir()
        (folder / "bin" / "python").symlink_to(sys.executable)

    def copy(self, rest: str) -> None:
        """One COPY: files into a folder, or a folder's contents into a folder of that name."""
        *sources, target = rest.split()
        for source in sources:
            if (ROOT / source).is_dir():
                unwanted = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / source, self.folder / "src" / target, ignore=unwanted)
            else:
                (self.folder / "src" / target).mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / source, self.folder / "src" / target)

    def command(self, line: str, *, at: str) -> list[str]:
        """``line`` as a shell would run it in ``at``, with /opt being the scratch root's; nothing else is touched."""
        bound = f"mount --bind {self.folder / 'opt'} /opt && cd {self.folder / at} && exec sh -c {shlex.quote(line)}"
        as_root = () if os.geteuid() == 0 else ("--map-root-user",)
        return ["unshare", *as_root, "--mount", "sh", "-c", bound]

    @property
    def environment(self) -> dict[str, str]:
        """This process's without what is ours: no source tree, no settings."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("DOCGRAPH_", "PYTHONPATH", "VIRTUAL_ENV", "PIP_FIND_LINKS"))
        }
        return {**kept, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "HOME": str(self.folder / "home")}


@pytest.fixture(scope="module")
def root() -> Iterator[ScratchRoot]:
    folder = Path(tempfile.mkdtemp(prefix="docgraph-image-"))
    folder.chmod(0o755)
    yield ScratchRoot(folder)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def built(root: ScratchRoot) -> ScratchRoot:
    """The first stage, done step by step."""
    copies, runs = given(0, "COPY"), given(0, "RUN")
    assert (len(copies), len(runs)) == (7, 2)
    for rest in copies:
        root.copy(rest)
    for line in runs:
        done = subprocess.run(
            root.command(line, at="src"), env=root.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stdout[-2_000:]}\n{done.stderr[-2_000:]}"
    return root


def test_every_command_of_the_recipe_succeeds_and_nothing_was_compiled(built: ScratchRoot) -> None:
    packages = built.folder / "opt" / "docgraph" / "lib"
    assert list(packages.glob("python*/site-packages/docgraph/_dashboard/app.py")), "the dashboard's files are missing"
    assert list(packages.glob("python*/site-packages/wordllama/weights/*.safetensors"))


def test_the_image_starts_beside_a_database_and_its_health_check_says_so(
    built: ScratchRoot, new_database_url: str
) -> None:
    environment = {
        **built.environment,
        "PATH": f"/opt/docgraph/bin:{os.environ['PATH']}",
        "PYTHONUNBUFFERED": "1",
        "DOCGRAPH_PORT": PORT,
        "DOCGRAPH_DATA_DIR": str(built.folder / "data"),
        "DOCGRAPH_DATABASE_URL": new_database_url,
    }
    (started,), (check,) = given(1, "CMD"), given(1, "HEALTHCHECK")
    ask = shlex.join(json.loads(check.split("CMD ", 1)[1]))
    log = built.folder / "log.txt"
    with log.open("wb") as out:
        command = built.command(f"exec {shlex.join(json.loads(started))}", at="home")
        server = subprocess.Popen(command, env=environment, stdout=out, stderr=subprocess.STDOUT)
    try:
        _wait_for(server, log)
        healthy = subprocess.run(built.command(ask, at="home"), env=environment, check=False)
        assert healthy.returncode == 0
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)
    assert subprocess.run(built.command(ask, at="home"), env=environment, capture_output=True, check=False).returncode


def _wait_for(server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 300
    while time.monotonic() < end and server.poll() is None:
        if f"docgraph is on http://127.0.0.1:{PORT}" in log.read_text(encoding="utf-8", errors="replace"):
            return
        time.sleep(0.2)
    pytest.fail(f"the image's command did not start: {log.read_text(encoding='utf-8', errors='replace')[-2_000:]}")
