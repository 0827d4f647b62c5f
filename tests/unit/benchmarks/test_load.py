"""A step of the load tool: what is kept of what Locust saw, and the tables that are made of it."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from benchmarks import figures, tables
from benchmarks.load.steps import summary


def _costs(at: float, server: float, database: float, load: float, machine: float) -> dict[str, float]:
    cpu = {"server_cpu": server, "database_cpu": database, "load_cpu": load, "machine_cpu": machine}
    return {"at": at, **cpu, "memory_mb": 300 + at, "threads": 9, "files": 40}


REPORT: dict[str, Any] = {
    "users": 2,
    "opened": {"plan page": [0.4, 0.2]},
    "seconds": {"question": [0.1, 0.2, 0.3, 0.4, 0.5]},
    "failures": {"lost socket, rest: ConnectionResetError: ": 1},
    "before": _costs(100, 5, 1, 2, 50),
    "after": _costs(110, 6, 1.5, 2.5, 60),
}


def test_a_step_is_kept_as_questions_a_second_cpu_a_question_and_what_everything_else_on_the_machine_took() -> None:
    found = summary(REPORT)
    assert (found["questions"], found["per_second"], found["p50_s"], found["max_s"]) == (5, 0.5, 0.3, 0.5)
    assert found["p95_s"] == pytest.approx(0.48)
    assert (found["server_cpu_ms"], found["database_cpu_ms"]) == (200.0, 100.0)
    assert found["cores"] == {"server": 0.1, "database": 0.05, "load": 0.05, "others": 0.8}
    assert (found["memory_mb"], found["failures"]) == (410, REPORT["failures"])


def test_a_step_in_which_nothing_was_answered_has_no_times_and_no_cost_of_a_question() -> None:
    found = summary({**REPORT, "seconds": {}})
    assert (found["questions"], found["p50_s"], found["p95_s"], found["server_cpu_ms"]) == (0, None, None, None)


def test_its_tables_say_every_failure() -> None:
    step = summary(REPORT)
    kinds = {f"{who}{once}": step if once else [step] for who in ("people", "assistants") for once in ("", "_at_once")}
    report = figures.report("load", {"think": 10}, kinds, load=(0.5,))
    jsonschema.validate(report, figures.SCHEMA)
    text = tables.tables_of(report)
    assert "| 2 | 0.5 | 0.3 | 0.48 | 200.0 / 100.0 | 0.1 / 0.8 | 410 | 40 | 1 |" in text
    assert "2 asking at the same moment: 5 answered, 1 failed or lost" in text
