"""What the benchmarks write down: arithmetic, the JSON of a run, tables made of it, and the clocks behind them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from benchmarks import figures, tables
from benchmarks.clocks import Cost, ServerClock, measured, program
from tests import ROOT

OURS = [Cost(0.002 * n, 0.001, 0.004) for n in range(1, 21)]
BASE = [Cost(0.001 * n, 0.0005, 0.001) for n in range(1, 21)]


@pytest.mark.parametrize(("share", "expected"), [(0.0, 1), (0.5, 3), (0.95, 4.8), (1.0, 5)])
def test_a_percentile_lies_between_two_values_in_proportion(share: float, expected: float) -> None:
    assert figures.percentile([5, 1, 4, 2, 3], share) == pytest.approx(expected)


def test_two_sides_are_compared_by_the_clock_and_by_cpu() -> None:
    found = figures.compared(OURS, BASE)
    assert (found["p50"], found["p95"], found["client_cpu"], found["server_cpu"]) == (2.0, 2.0, 2.0, 4.0)
    assert found["mine"]["p50_ms"] == pytest.approx(21.0)
    assert found["mine"]["p95_ms"] == pytest.approx(38.1)
    assert found["spread"] == [2.0, 2.0]
    assert found["rounds"] == 20


def test_what_is_not_seen_is_not_counted_as_nothing() -> None:
    found = figures.compared([Cost(0.2, 0.1)], [Cost(0.1, 0.1, 0.5)])
    assert found["mine"]["server_cpu_ms"] is None
    assert found["server_cpu"] is None
    assert Cost(0.2, 0.1).cpu is None
    assert figures.ratio(1.0, 0.0) is None


def test_recall_and_equality_are_shares() -> None:
    assert figures.recall(["a", "b", "x"], ["a", "b", "c", "d"]) == 0.5
    assert figures.recall([], []) == 1.0
    assert figures.equal_share([(("a", "b"), ("a", "b")), (("a", "b"), ("b", "a"))]) == 0.5


@pytest.mark.parametrize("path", sorted(figures.RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_a_stored_run_keeps_to_the_schema(path: Path) -> None:
    found = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.validate(found, figures.SCHEMA)
    assert found["kind"] == path.stem


def test_a_run_that_is_written_now_keeps_to_the_schema(tmp_path: Path) -> None:
    report = figures.report("own", {"documents": "10"}, {"trips": {}}, load=(0.5, 0.4, 0.3))
    path = figures.write(report, tmp_path / "own.json")
    jsonschema.validate(json.loads(path.read_text(encoding="utf-8")), figures.SCHEMA)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report | {"kind": "another"}, figures.SCHEMA)


def test_the_page_shows_the_stored_runs() -> None:
    """``make bench-tables`` after a run; otherwise figures on the page would be those of another one."""
    text = tables.PAGE.read_text(encoding="utf-8")
    assert tables.page(text, tables.results()) == text


def test_tables_stand_between_their_marks_and_nothing_else_changes() -> None:
    text = "# Page\n<!-- growth: begin -->\nold\n<!-- growth: end -->\nafter\n"
    made = tables.page(text, {"growth": _growth()})
    assert made.startswith("# Page\n<!-- growth: begin -->\n*")
    assert made.endswith("\n<!-- growth: end -->\nafter\n")
    assert "old" not in made
    assert "| hybrid, exact | 2.0 (4.0) | 20.0 (40.0) | 10.0 | 10k → 1M ≤ 1.5 |" in made
    with pytest.raises(SystemExit, match="no place for growth"):
        tables.page("# Page", {"growth": _growth()})


def _growth() -> dict[str, Any]:
    steps = [
        {"chunks": n, "ways": {"hybrid, exact": {"server_cpu_ms": n / 500, "p50_ms": n / 250}}} for n in (1_000, 10_000)
    ]
    return figures.report(
        "growth", {"seconds": 3}, {"steps": steps, "growth": {"hybrid, exact": [1.0, 10.0]}}, load=(0, 0, 0)
    )


def test_work_is_measured_with_its_result() -> None:
    cost, result = measured(lambda: sum(range(10_000)), ServerClock(None))
    assert result == 49_995_000
    assert cost.wall > 0
    assert cost.client > 0
    assert cost.server is None


def test_the_servers_clock_leaves_out_what_answers_no_question(tmp_path: Path) -> None:
    """A postmaster that has waited for 30 ticks, a backend with 0.5 s, and a checkpointer with 9 s."""
    _process(tmp_path, 1, "postgres -D data", ticks=(10, 20), children="2 3 4")
    _process(tmp_path, 2, "postgres: postgres docgraph [local] idle", nanoseconds=500_000_000)
    _process(tmp_path, 3, "postgres: checkpointer", nanoseconds=9_000_000_000)
    assert ServerClock(1, tmp_path).seconds() == pytest.approx(0.3 + 0.5)
    assert ServerClock(9, tmp_path).seconds() is None


def _process(
    proc: Path, pid: int, title: str, *, ticks: tuple[int, int] = (0, 0), nanoseconds: int = 0, children: str = ""
) -> None:
    folder = proc / str(pid)
    (folder / "task" / str(pid)).mkdir(parents=True)
    (folder / "task" / str(pid) / "children").write_text(children)
    (folder / "cmdline").write_text(title)
    before = " ".join("0" * 12)
    (folder / "stat").write_text(f"{pid} (post gres) S {before} {ticks[0]} {ticks[1]} 0\n")
    (folder / "schedstat").write_text(f"{nanoseconds} 0 1")


@pytest.mark.slow
def test_a_program_is_measured_by_itself_and_its_failure_is_told() -> None:
    small = program([sys.executable, "-S", "-c", "pass"])
    assert 0 < small.memory < 40 * 2**20  # not that of this process, which started it
    with pytest.raises(subprocess.CalledProcessError, match="status 3"):
        program([sys.executable, "-S", "-c", "raise SystemExit(3)"], cwd=ROOT)
