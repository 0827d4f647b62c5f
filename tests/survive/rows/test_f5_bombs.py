"""F5: a file that asks for much is read or refused within bounds, by every parser there is."""

from __future__ import annotations

import sys

import pytest

from tests.survive.bombs import NAMES
from tests.survive.bounded import bounded
from tests.survive.tally import Row, Tally

ROW = Row(
    row="F5",
    what="bombs for every parser: zip, gzip, PDF streams, XML, deep JSON, YAML aliases, nested Markdown; grown files",
    rule="read or refused by limits; no file of at most 20 MB takes over 5 s of processor time or 300 MB",
    n=301,
    short=14,
    case="a file",
)
MEMORY, SECONDS = 300_000_000, 5.0
STARTING = 2.0
"""Seconds that a process takes, which reads for the import, before the file is there."""


@pytest.mark.skipif(sys.platform != "linux", reason="address space is bounded on Linux only")
@pytest.mark.timeout(1_800)
def test_f5_a_bomb_is_refused_within_bounds(tally: Tally) -> None:
    seeds = [f"seed:{case.name}" for case in tally.cases(200)]
    items = [*tally.some(NAMES), *(seeds if tally.whole else [])]
    outcomes = bounded("tests.survive.bombs:read", items, memory=MEMORY, seconds=SECONDS)
    longest = 0.0
    for item, outcome in zip(items, outcomes, strict=True):
        with tally.trying(item):
            assert "died" not in outcome, outcome
            assert "MemoryError" not in outcome["said"], outcome
            assert outcome["seconds"] <= SECONDS, outcome
            assert outcome["seconds_there"] <= SECONDS + STARTING, outcome
            longest = max(longest, outcome["seconds"])
    tally.more["longest_seconds"] = round(longest, 2)
