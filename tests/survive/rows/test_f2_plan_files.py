"""F2: plan files that were mutated are the same plan or one error, in little time and memory."""

from __future__ import annotations

import sys

import pytest

from tests.survive.bounded import bounded
from tests.survive.tally import Row, Tally

ROW = Row(
    row="F2",
    what="plan JSON mutated, truncated, nested, with keys twice, huge numbers, NaN, foreign ids, a second hop",
    rule="an equal plan or one validation error; < 1 s and < 200 MB each",
    n=5_000,
    short=400,
    case="a mutated plan file",
)


@pytest.mark.skipif(sys.platform != "linux", reason="address space is bounded on Linux only")
def test_f2_a_mutated_plan_is_the_same_plan_or_one_error(tally: Tally) -> None:
    cases = list(tally.cases())
    outcomes = bounded(
        "tests.survive.plan_files:read", [f"F2:{case.name}" for case in cases], memory=200_000_000, seconds=1
    )
    said = set()
    for case, outcome in zip(cases, outcomes, strict=True):
        with tally.trying(case):
            assert outcome.get("said") in ("equal", "refused"), outcome
            assert outcome["seconds"] < 1
            said.add(outcome["said"])
    assert said == {"equal", "refused"}
