"""R4: the disk gets full under an import; the error says so, and what was acknowledged is there once there is room."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from docgraph import Document, plugins
from docgraph.errors import EnvironmentProblem
from docgraph.orchestration.docgraph import Docgraph
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import opened

ROW = Row(
    row="R4",
    what="the disk full under an import (a small tmpfs of 5 sizes)",
    rule="a typed error; after freeing: acknowledged = present",
    n=5,
    short=1,
    case="a size of the disk",
)
MEGABYTE = 1 << 20
LARGE = 400
TEXT = "The queue is bounded. " * 2_000


@contextmanager
def small_disk(place: Path, megabytes: int) -> Iterator[None]:
    """A file system in memory; skips where none may be mounted."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no tmpfs may be mounted: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def _until_full(dg: Docgraph) -> list[str]:
    """The documents that were acknowledged before the disk was full; the error is typed and says what to do."""
    acknowledged = []
    for n in range(10_000):
        name = f"d{n}"
        try:
            report = dg.ingest_records([Document(document_id=name, title=name, text=f"{n} {TEXT}")])
        except EnvironmentProblem as error:
            assert error.hint
            assert "\n" not in str(error)
            return acknowledged
        assert report.n_stored == 1
        acknowledged.append(name)
    raise AssertionError("the disk was never full")


def _present(dg: Docgraph, patience: float = 30) -> set[str]:
    end = time.monotonic() + patience
    while True:
        try:
            return {document.document_id for document in dg.documents.list()}
        except EnvironmentProblem:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)  # the server recovers: that takes what it takes


@pytest.mark.timeout(1_200)
def test_r4_a_full_disk_loses_nothing_that_was_acknowledged(tally: Tally, made_folder: Path) -> None:
    used = sum(path.stat().st_size for path in (made_folder / "pgdata").rglob("*") if path.is_file()) // MEGABYTE
    for case in tally.cases():
        disk = made_folder / f"disk-{case.number}"
        disk.mkdir()
        with small_disk(disk, used + 18 + 3 * case.number), tally.trying(case):
            (disk / "postgres").mkdir()
            subprocess.run(["cp", "-a", str(made_folder / "pgdata"), str(disk / "postgres")], check=True)
            with opened(plugins.build("stores", "postgres", data_dir=str(disk))) as dg:
                acknowledged = _until_full(dg)
                subprocess.run(["mount", "-o", f"remount,size={LARGE}m", str(disk)], check=True)
                there = _present(dg)
                assert set(acknowledged) <= there, "what was acknowledged is gone"
                assert len(there) - len(acknowledged) <= 1
                assert dg.ingest_records([Document(document_id="z", title="z", text="Room again.")]).n_stored == 1
                assert dg.workspace.n_documents == len(there) + 1
