"""P2: a process that plans and executes for long takes no more memory and no more connections than at its beginning."""

from __future__ import annotations

import gc
import os
import tracemalloc

import psutil
import pytest

from tests.integration.commands import connection_states
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import REQUEST, fill, small

ROW = Row(
    row="P2",
    what="10,000 plans and executions in one process",
    rule="memory does not grow (< 10 MB over the second half; at its end < 500 bytes a question), connections neither, "
    "every result the first one",
    n=10_000,
    short=200,
    case="one question again and again: results, memory and connections",
    situations=3,
)
GROWTH = 10_000_000
COUNTED, A_QUESTION = 500, 500
"""Questions at the end whose memory is counted to the byte, and how many bytes each may leave: caches fill slowly."""


@pytest.mark.timeout(3_600)
def test_p2_a_long_run_takes_no_more_than_a_short_one(tally: Tally, new_database_url: str) -> None:
    process, sizes = psutil.Process(os.getpid()), []
    with small(new_database_url) as dg:
        fill(dg)
        plan = dg.plan(REQUEST)
        context = dg.execute(plan)
        states = len(connection_states(new_database_url))
        for number in range(tally.n):
            with tally.trying(f"question {number}"):
                assert dg.execute(dg.plan(REQUEST)) == context
            if number == tally.n - min(COUNTED, tally.n // 2):
                gc.collect()
                tracemalloc.start()
            if number % max(tally.n // 20, 1) == 0:
                gc.collect()
                sizes.append(process.memory_info().rss)
        gc.collect()
        left = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        with tally.trying("memory of each question"):
            assert left < A_QUESTION * min(COUNTED, tally.n // 2), left
        tally.more["bytes_a_question"] = round(left / min(COUNTED, tally.n // 2), 1)
        growth = sizes[-1] - sizes[len(sizes) // 2]
        with tally.trying("memory"):
            assert growth < GROWTH, sizes
        with tally.trying("connections"):
            assert len(connection_states(new_database_url)) == states
        tally.more["growth_bytes"] = growth
