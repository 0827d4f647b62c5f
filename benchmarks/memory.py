"""Memory of the dashboard's process: at start, with so many sessions open, and after they have left.

    python -m benchmarks.memory [--environment .venv-load] [--sessions 50,100] [--left 150] [--json FILE]

The database's processes are not counted; what other processes share with this one (files of libraries) counts whole in
*resident* and is left out of *own*.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import figures
from benchmarks.dashboard import ROOT, Served, dashboard_over, questions
from benchmarks.load.steps import python_of

QUIET_SECONDS = 3.0
"""So long the process takes no processor time when its start is over."""


def main() -> None:
    """Measure, write JSON, print the table."""
    from benchmarks.tables import tables_of

    options = _options()
    load, started = figures.load_average(), time.perf_counter()
    python = python_of(options.environment)
    with tempfile.TemporaryDirectory(prefix="docgraph-bench-") as given:
        folder = Path(given)
        folder.chmod(0o755)  # as root, the embedded server runs as another user
        asked = folder / "asked.txt"
        asked.write_text("\n".join(questions()), encoding="utf-8")
        with dashboard_over(folder, "--load-sample") as served:
            imported = settled(served)
        with dashboard_over(folder) as served:
            steps = sessions(served, python, asked, options)
    found = {"with_import": imported, "steps": steps}
    asked_for = {"sessions": ",".join(map(str, options.sessions)), "left": options.left}
    took = round(time.perf_counter() - started)
    report = figures.report("memory", {**asked_for, "seconds": took}, found, load=load)
    print(f"written to {figures.write(report, options.json)}\n")
    print(tables_of(report))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--environment", type=Path, default=ROOT / ".venv-load", help="where Locust is, or is put")
    parser.add_argument(
        "--sessions", type=figures.numbers, default=[50, 100], help="how many are open when it is measured"
    )
    parser.add_argument("--left", type=float, default=150.0, help="seconds between their leaving and the last look")
    parser.add_argument("--json", type=Path, help="default: benchmarks/results/memory.json")
    return parser.parse_args()


def sessions(served: Served, python: Path, asked: Path, options: argparse.Namespace) -> list[dict[str, Any]]:
    """At start, with each number of sessions open, and after all have left."""
    steps = [{"sessions": 0, "when": "at start", **settled(served)}]
    _tell(steps[-1])
    with _visitors(python, served.url, asked) as visitors:
        there = 0
        for n in options.sessions:
            before = served.cpu()[0]
            visit_ms = _come(visitors, n - there)
            cost = {"visit_ms": visit_ms, "cpu_ms": round(1000 * (served.cpu()[0] - before) / (n - there))}
            there = n
            steps.append({"sessions": n, "when": f"{n} sessions open", **cost, **settled(served)})
            _tell(steps[-1])
    time.sleep(options.left)
    steps.append({"sessions": 0, "when": "all have left", **settled(served)})
    _tell(steps[-1])
    return steps


def settled(served: Served) -> dict[str, Any]:
    """Resident and own memory of the process, once it has come to rest (or has had a minute to)."""
    process, end = served.process, time.monotonic() + 60
    before = sum(process.cpu_times()[:2])
    while time.monotonic() < end:
        time.sleep(QUIET_SECONDS)
        now = sum(process.cpu_times()[:2])
        if now - before < 0.05 * QUIET_SECONDS:
            break
        before = now
    memory = process.memory_full_info()
    return {
        "resident_mb": round(memory.rss / 2**20),
        "own_mb": round(memory.uss / 2**20),
        "threads": process.num_threads(),
    }


@contextmanager
def _visitors(python: Path, url: str, asked: Path) -> Iterator[subprocess.Popen[str]]:
    command = [str(python), "-m", "benchmarks.load.visits", url, str(asked)]
    visitors = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield visitors
    finally:
        visitors.communicate()


def _come(visitors: subprocess.Popen[str], n: int) -> float:
    assert visitors.stdin is not None
    assert visitors.stdout is not None
    visitors.stdin.write(f"{n}\n")
    visitors.stdin.flush()
    if not (line := visitors.stdout.readline()):
        raise SystemExit("the visitors ended before they were there")
    return round(1000 * float(line))


def _tell(step: dict[str, Any]) -> None:
    print(json.dumps(step), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
