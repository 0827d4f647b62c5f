"""S1: no test of the suite reaches for another host."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT
from tests.e2e.conftest import WATCH
from tests.integration.test_no_outside_traffic import without_network
from tests.survive.tally import Row, Tally

ROW = Row(
    row="S1",
    what="the whole suite where no other host can be reached (the short form: a part of it)",
    rule="0 attempts",
    n=1,
    short=1,
)
PART = ("tests/unit/retrieval/test_routing.py", "tests/unit/orchestration/test_docgraph.py")


@pytest.mark.timeout(7_200)
def test_s1_the_suite_reaches_for_no_other_host(tally: Tally, tmp_path: Path) -> None:
    prefix = without_network()
    if not prefix:
        tally.skip("no place without a network can be made here (unshare --net)")
    outside = tmp_path / "outside.txt"
    where = ["tests", "--ignore", "tests/survive", "--ignore", "tests/integration/clients"] if tally.whole else PART
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-x"]
    environment = {
        **os.environ,
        "DOCGRAPH_TEST_OUTSIDE": str(outside),
        "PYTHONPATH": os.pathsep.join((str(WATCH), str(ROOT))),
    }
    loopback = ["sh", "-c", 'ip link set lo up 2>/dev/null; exec "$@"', "-"]
    command = [*prefix, *loopback, sys.executable, "-m", "pytest", *where, *options]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    with tally.trying("the suite"):
        assert not outside.exists(), outside.read_text(encoding="utf-8")
        assert ended.returncode == 0, ended.stdout[-3_000:]
