"""The table of docs/scaling.md is what the cost model says of the measured constants."""

from __future__ import annotations

import json

from benchmarks.sizing import CONSTANTS, SIZES, sized, table
from tests import ROOT

MEASURED = json.loads(CONSTANTS.read_text(encoding="utf-8"))


def test_the_page_shows_the_table_of_the_model() -> None:
    assert table(MEASURED) in (ROOT / "docs" / "scaling.md").read_text(encoding="utf-8")


def test_more_chunks_never_need_fewer_servers_and_the_goal_is_met() -> None:
    found = [sized(chunks, MEASURED) for chunks in SIZES]
    assert [each.servers for each in found] == sorted(each.servers for each in found)
    assert all(each.cluster_ms <= MEASURED["goal_ms"] for each in found)


def test_data_that_do_not_fit_into_half_the_memory_need_another_server() -> None:
    constants = MEASURED | {"plan_ms_per_1000_chunks": {"mean": 0.0, "hybrid": 0.0}, "bytes_per_chunk": 33}
    assert sized(10**9, constants | {"server": {"cores": 1, "memory_gb": 66}}).servers == 1
    assert sized(10**9, constants | {"server": {"cores": 1, "memory_gb": 65}}).servers == 2
