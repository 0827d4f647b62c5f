"""What one process serves: step by step more people at the dashboard, or more assistants at ``docgraph mcp --http``.

    python -m benchmarks.load.steps [--environment .venv-load] [--users 10,25,50,100] [--seconds 60] [--json FILE]

Locust asks, from an environment of its own (`benchmarks/load/requirements.txt`), a server that is started for it on
this machine with the sample corpus. CPU is that of the server's process, of the database beside it, and of Locust.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks import figures
from benchmarks.clocks import postmaster_in

ROOT = Path(__file__).resolve().parent.parent.parent
REQUIREMENTS = Path(__file__).with_name("requirements.txt")
QUESTIONS = ROOT / "sample_data" / "queries.jsonl"
PROGRAM = (sys.executable, "-c", "from docgraph.cli import main; main()")
START_SECONDS = 240
HURRY = 2
"""How many arrive in a second: to open a page costs more than a question."""
PATIENCE = 900
"""Seconds beside its arrivals and its own after which a step is given up: somebody is waited for who never came."""


@dataclass(frozen=True)
class Served:
    """A running server: its address, its process, and the embedded database's (0 = another one)."""

    url: str
    pid: int
    postmaster: int


def main() -> None:
    """Run all steps, write JSON, print the tables."""
    from benchmarks.tables import tables_of

    options = _options()
    load, started = figures.load_average(), time.perf_counter()
    python = python_of(options.environment)
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="docgraph-bench-") as given:
        folder = Path(given)
        folder.chmod(0o755)  # as root, the embedded server runs as another user
        kept = options.data or folder
        asked = folder / "asked.txt"
        lines = (options.questions or QUESTIONS).read_text(encoding="utf-8").splitlines()
        asked.write_text("\n".join(json.loads(line)["query"] for line in lines), encoding="utf-8")
        with dashboard(kept, options.workspace) as people:
            found["people"] = [_step(python, "people", people, asked, n, options) for n in options.users]
            found["people_at_once"] = _step(python, "people", people, asked, options.at_once, options, volley=True)
        with assistants(kept, options.workspace) as server:
            found["assistants"] = [_step(python, "assistants", server, asked, n, options) for n in options.assistants]
            found["assistants_at_once"] = _step(
                python, "assistants", server, asked, options.at_once, options, volley=True
            )
    said = {name: getattr(options, name) for name in ("think", "assistants_think", "seconds")}
    report = figures.report("load", {**said, "took": round(time.perf_counter() - started)}, found, load=load)
    print(f"written to {figures.write(report, options.json)}\n")
    print(tables_of(report))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--environment", type=Path, default=ROOT / ".venv-load", help="where Locust is, or is put")
    parser.add_argument("--users", type=figures.numbers, default=[1, 10, 25, 50, 75, 100, 150, 200])
    parser.add_argument("--assistants", type=figures.numbers, default=[1, 5, 10, 25, 50, 100])
    parser.add_argument("--at-once", type=int, default=50, help="how many ask at the same moment")
    parser.add_argument("--think", type=float, default=10.0, help="seconds between a person's questions")
    parser.add_argument("--assistants-think", type=float, default=1.0, help="the same of an assistant")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long a step counts")
    parser.add_argument("--data", type=Path, help="a data folder with a workspace, in place of the sample corpus")
    parser.add_argument("--workspace", default="harbor", help="its name")
    parser.add_argument("--questions", type=Path, help="a file like sample_data/queries.jsonl")
    parser.add_argument("--json", type=Path, help="default: benchmarks/results/load.json")
    return parser.parse_args()


def python_of(home: Path) -> Path:
    """The Python of the environment that Locust is in, made by pip where it is missing or its list is another one."""
    wanted = f"{REQUIREMENTS.read_text(encoding='utf-8')}streamlit=={version('streamlit')}\n"
    python, done = home / "bin" / "python", home / "installed.txt"
    if done.is_file() and done.read_text(encoding="utf-8") == wanted:
        return python
    print(f"installing Locust into {home}", file=sys.stderr, flush=True)
    venv.create(home, clear=True, with_pip=True)
    listed = home / "wanted.txt"
    listed.write_text(wanted, encoding="utf-8")
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    subprocess.run([*pip, "-r", str(listed)], check=True)
    listed.replace(done)
    return python


@contextmanager
def dashboard(folder: Path, workspace: str) -> Iterator[Served]:
    """``docgraph dashboard`` over a data folder; the sample corpus is loaded into it."""
    sample = ["--load-sample"] if workspace == "harbor" else []
    arguments = ["dashboard", "--headless", "-w", workspace, *sample]
    with _serving(arguments, r"docgraph is on (http://\S+)", folder) as served:
        yield served


@contextmanager
def assistants(folder: Path, workspace: str) -> Iterator[Served]:
    """``docgraph mcp --http`` over a data folder that has the workspace."""
    arguments = ["mcp", "--http", "--port", "0", "-w", workspace]
    with _serving(arguments, r"docgraph mcp listens on (http://[^/\s]+)", folder) as served:
        yield served


@contextmanager
def _serving(arguments: Sequence[str], says: str, folder: Path) -> Iterator[Served]:
    environment = {**os.environ, "DOCGRAPH_DATA_DIR": str(folder), "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen([*PROGRAM, *arguments], cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            url = _address(server, log, says)
            yield Served(url, server.pid, postmaster_in(folder) or 0)
        finally:
            server.send_signal(signal.SIGINT)
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _address(server: subprocess.Popen[bytes], log: Any, says: str) -> str:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        log.seek(0)
        if found := re.search(says, log.read().decode("utf-8", "replace")):
            return found[1]
        time.sleep(0.1)
    log.seek(0)
    raise SystemExit("the server did not start:\n" + log.read().decode("utf-8", "replace"))


def _step(
    python: Path,
    who: str,
    served: Served,
    asked: Path,
    n: int,
    options: argparse.Namespace,
    *,
    volley: bool = False,
) -> dict[str, Any]:
    """So many of one kind; what they saw."""
    report = asked.with_name(f"{who}-{n}-{'at-once' if volley else 'step'}.json")
    think = options.think if who == "people" else options.assistants_think
    command = [python, "-m", "locust", "-f", Path(__file__).with_name(f"{who}.py"), "--headless", "--only-summary"]
    command += ["-u", n, "-r", HURRY, "--host", served.url, "--loglevel", "WARNING", "--stop-timeout", 1]
    command += ["--asked", asked, "--think", think, "--seconds", 0 if volley else options.seconds]
    command += ["--server", served.pid, "--postmaster", served.postmaster, "--report", report]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    seconds = n / HURRY + options.seconds + PATIENCE
    with asked.with_name("locust.log").open("wb") as log, suppress(subprocess.TimeoutExpired):
        subprocess.run(
            [str(each) for each in command], env=environment, stdout=log, stderr=log, check=False, timeout=seconds
        )
    if not report.is_file():
        raise SystemExit(f"locust ended without a report:\n{Path(log.name).read_text(errors='replace')[-4000:]}")
    found = summary(json.loads(report.read_text(encoding="utf-8")))
    print(f"{who}: {found}", file=sys.stderr, flush=True)
    return found


def summary(report: Mapping[str, Any]) -> dict[str, Any]:
    """A step as it is kept: questions a second, p50 and p95, CPU a question, memory and what went wrong."""
    before, after = report["before"], report["after"]
    took = after["at"] - before["at"]
    seconds, opened = report["seconds"].get("question", []), report["opened"].get("plan page", [])
    n = len(seconds)
    cpu = {name: after[name] - before[name] for name in ("server_cpu", "database_cpu", "load_cpu", "machine_cpu")}
    others = cpu.pop("machine_cpu") - sum(cpu.values())
    return {
        "users": report["users"],
        "questions": n,
        "per_second": round(n / took, 2),
        "p50_s": _at(seconds, 0.5),
        "p95_s": _at(seconds, 0.95),
        "max_s": _at(seconds, 1.0),
        "opened_p95_s": _at(opened, 0.95),
        "server_cpu_ms": round(1000 * cpu["server_cpu"] / n, 1) if n else None,
        "database_cpu_ms": round(1000 * cpu["database_cpu"] / n, 1) if n else None,
        "cores": {name.removesuffix("_cpu"): round(spent / took, 2) for name, spent in cpu.items()}
        | {"others": round(max(others, 0.0) / took, 2)},
        "memory_mb": round(after["memory_mb"]),
        "threads": after["threads"],
        "files": after["files"],
        "failures": dict(report["failures"]),
    }


def _at(seconds: Sequence[float], share: float) -> float | None:
    return round(figures.percentile(seconds, share), 3) if seconds else None


if __name__ == "__main__":
    main()
