"""X2: two processes on one folder, begun, killed and ended in any order: one server, and nothing lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import docgraph
from tests import ROOT
from tests.integration.server_programs import mains_of, servers_of
from tests.survive.tally import Row, Tally

ROW = Row(
    row="X2",
    what="two processes on one data folder, importing and asking at once, one of them killed at a random time",
    rule="every acknowledged document there, each whole; the other process goes on; who leaves ends no server of "
    "others, and leaves none behind",
    n=20,
    short=2,
    case="how many documents (1 to 11) a process has stored when it is killed",
    situations=11,
)
_PROGRAM = """
import sys
sys.path.insert(0, {root!r})
from docgraph import Document, plugins
from tests.survive.workspaces import opened
with opened(plugins.build("stores", "postgres", data_dir={folder!r})) as dg:
    print("up", flush=True)
    for n in range({n}):
        name = "{who}-%d" % n
        dg.ingest_records([Document(document_id=name, title=name, text="The queue of " + name + ".")])
        assert dg.plan("queue " + name).seed_documents
        print(name, flush=True)
        if n == {n} // 2 and "{who}" == "other":
            print("half", flush=True)
            sys.stdin.readline()
    sys.stdin.read()  # whoever leaves while the other still lives stops nothing: the one that goes on outlives it
"""
ALL = 20


def _start(folder: Path, who: str) -> subprocess.Popen[str]:
    code = _PROGRAM.format(root=str(ROOT), folder=str(folder), who=who, n=ALL)
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def _until_half(process: subprocess.Popen[str]) -> list[str]:
    """What it stored until it waits."""
    assert process.stdout is not None
    lines: list[str] = []
    while lines[-1:] != ["half"]:
        line = process.stdout.readline()
        assert line, "it ended before its half"
        lines.append(line.strip())
    return [line for line in lines if line not in ("up", "half")]


def _joined_and_left(folder: Path) -> None:
    """A third one comes and goes: the server that another one uses stays the same."""
    before = mains_of(folder)
    with docgraph.connect(data_dir=folder, workspace="x") as dg:
        assert dg.workspaces()
    assert len(before) == 1
    assert mains_of(folder) == before, "who leaves ends the server of who stays"


@pytest.mark.timeout(900)
def test_x2_two_processes_on_one_folder_lose_nothing(tally: Tally, made_folder: Path) -> None:
    (made_folder / "postgres").symlink_to(made_folder)
    for case in tally.cases():
        with tally.trying(case):
            one, other = _start(made_folder, "one"), _start(made_folder, "other")
            assert one.stdout is not None
            for _ in range(case.rng.randrange(1, 12)):
                one.stdout.readline()  # any moment will do: this only makes them differ
            one.kill()
            told = [line for line in one.communicate()[0].split() if line.startswith("one-")]
            told += _until_half(other)
            _joined_and_left(made_folder)
            printed, errors = other.communicate("go on\n", timeout=300)
            assert other.returncode == 0, errors[-2_000:]
            told += [line for line in printed.split() if line != "up"]
            assert servers_of(made_folder) == []
            with docgraph.connect(data_dir=made_folder, workspace="x") as dg:
                there = {row["name"]: row for row in json.loads(json.dumps(dg.health()["workspaces"], default=str))}
                counted = there["w"]["n_documents"]
                assert counted == there["w"]["n_chunks"] >= len(set(told)) >= ALL
                dg.drop_workspace("w")
