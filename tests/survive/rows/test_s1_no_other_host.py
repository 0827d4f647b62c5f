"""S1: no test of the suite reaches for another host."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests import ROOT
from tests.e2e.conftest import WATCH
from tests.integration.test_no_outside_traffic import without_network
from tests.survive.tally import Row, Tally

ROW = Row(
    row="S1",
    what="the whole suite where no other host can be reached (the short form: a part of it)",
    rule="0 attempts; no program is started but the tests' own tools",
    n=1,
    short=1,
    case="the suite",
)
PART = ("tests/unit/retrieval/test_routing.py", "tests/unit/orchestration/test_docgraph.py")
PROOF = ("socket.getaddrinfo 192.0.2.1", "socket.getaddrinfo example.org", "socket.sendto 192.0.2.1")
"""What one test tries on purpose, to prove that its own watch sees it."""
TOOLS = frozenset(("cp", "git", "node", "pandoc", "pandoc.exe", "psql", "sh", "uname", "unshare"))
"""Programs that tests start: copies of folders, interpreters, clients, converters. They can reach nobody either."""


def unexpected(lines: Iterable[str]) -> list[str]:
    """What was written down, less the tools and, once each, what was tried on purpose."""
    on_purpose, found = list(PROOF), []
    for line in lines:
        event, _, name = line.partition(" ")
        if line in on_purpose:
            on_purpose.remove(line)
        elif not (event == "subprocess.Popen" and name in TOOLS):
            found.append(line)
    return found


@pytest.mark.timeout(7_200)
def test_s1_the_suite_reaches_for_no_other_host(tally: Tally, tmp_path: Path) -> None:
    prefix = without_network()
    if not prefix:
        tally.skip("no place without a network can be made here (unshare --net)")
    outside = tmp_path / "outside.txt"
    where = ["tests", "--ignore", "tests/survive", "--ignore", "tests/integration/clients"] if tally.whole else PART
    several = ["-n", "2", "--dist", "loadfile"] if tally.whole else ["-p", "no:xdist"]
    options = ["-q", "-p", "no:cacheprovider", *several]
    environment = {
        **os.environ,
        "DOCGRAPH_TEST_OUTSIDE": str(outside),
        "PYTHONPATH": os.pathsep.join((str(WATCH), str(ROOT))),
    }
    loopback = ["sh", "-c", 'ip link set lo up 2>/dev/null; exec "$@"', "-"]
    command = [*prefix, *loopback, sys.executable, "-m", "pytest", *where, *options]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    with tally.trying("the suite"):
        assert ended.returncode == 0, ended.stdout[-3_000:]
        tried = outside.read_text(encoding="utf-8").splitlines() if outside.exists() else []
        assert not unexpected(tried)


def test_the_row_sees_what_is_tried_beside_tools_and_proof() -> None:
    known = [*PROOF, "subprocess.Popen psql", "subprocess.Popen cp"]
    assert unexpected(known) == []
    for line in ("socket.connect 192.0.2.1", PROOF[1], "subprocess.Popen curl", "os.system sh"):
        assert unexpected([*known, line]) == [line]
