"""The dashboard beside a trivial Streamlit app, in turns: reruns, a question until its graph, first load, many at once.

Besides, by itself: a folder of 949 files from its choice until it is imported.

    python -m benchmarks.dashboard [--rounds 7] [--sessions 50] [--json FILE]

Both are servers of their own on this machine; a headless Chromium drives both. CPU is that of the server's process,
and of the embedded database beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import psutil

from benchmarks import browsing, figures, folders, sockets
from benchmarks.clocks import ServerClock, postmaster_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = "from docgraph.cli import main; main()"
START_SECONDS = 240
TRIVIAL = """import streamlit as st
st.session_state.setdefault("n", 0)
if st.button("Go"):
    st.session_state.n += 1
st.write(f"painted {st.session_state.n}")
"""
GRAPH = """(() => {
  const inside = (root) => root.querySelector('.dg')
    ?? [...root.querySelectorAll('*')].map(each => each.shadowRoot && inside(each.shadowRoot)).find(Boolean)
  let last = inside(document)
  const graph = () => last = last?.isConnected ? last : inside(document)
  // The question stands in the picture: two plans may well be of the same documents.
  const shown = () => graph()?.docgraph?.data.query.text
  const before = shown(), laidOut = last?.docgraph?.question
  if (last) last.dataset.ready = ''
  return () => shown() !== undefined && shown() !== before && graph().docgraph.question !== laidOut
    && graph().dataset.ready === '1' })()"""
HOME = "() => !!document.querySelector('[aria-label=\"Question\"]')"
DECISION = ".rl-h2[data-decision]"
NEXT = """() => {
  const title = document.querySelector('.rl-h2[data-decision]')
  const drawn = document.querySelector('[class*=st-key-docgraph-act-] button')
  return !!drawn && !!title && title.dataset.decision !== BEFORE }"""
TEXT = "() => document.body?.innerText.includes('painted')"


def main() -> None:
    """Run, write JSON, print the tables."""
    from benchmarks.tables import tables_of

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--reruns", type=int, default=20)
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--json", type=Path, help="default: benchmarks/results/dashboard.json")
    options = parser.parse_args()
    load, started = figures.load_average(), time.perf_counter()
    found = {}
    with dashboard() as ours, trivial_app() as trivial:
        measures: dict[str, Callable[[Browser], dict[str, Any]]] = {
            "first_load": lambda browser: first_loads(browser, ours.url, trivial.url, rounds=options.rounds),
            "rerun": lambda browser: reruns(browser, ours, trivial, n=options.reruns),
            "submit": lambda browser: submits(browser, ours.url, trivial.url, rounds=options.rounds),
            "decision": lambda browser: decisions(browser, ours.url, trivial.url, rounds=options.rounds),
            "folder": lambda browser: folders.chosen_folder(browser, ours.url),
        }
        for name, measure in measures.items():
            with browsing.browser() as browser:
                found[name] = measure(browser)
            print(f"{name}: {found[name]}", file=sys.stderr, flush=True)
        found["sessions"] = sessions(ours, trivial, n=options.sessions)
    kept = {"rounds": options.rounds, "reruns": options.reruns, "sessions": options.sessions}
    report = figures.report("dashboard", {**kept, "seconds": round(time.perf_counter() - started)}, found, load=load)
    print(f"written to {figures.write(report, options.json)}\n")
    print(tables_of(report))


class Served:
    """A running server: its address, its CPU seconds so far, and those of its database."""

    def __init__(self, url: str, process: psutil.Process, database: ServerClock) -> None:
        self.url, self.process, self._database = url, process, database

    def cpu(self) -> tuple[float, float]:
        """(of the process with what it started, of the database)."""
        each = [self.process, *self.process.children(recursive=True)]
        seconds = sum(sum(one.cpu_times()[:2]) for one in each if "postgres" not in one.name())
        return seconds, self._database.seconds() or 0.0


@contextmanager
def dashboard() -> Iterator[Served]:
    """``docgraph dashboard --load-sample`` with a data folder of its own."""
    with tempfile.TemporaryDirectory(prefix="docgraph-bench-") as folder:
        Path(folder).chmod(0o755)  # as root, the embedded server runs as another user
        with dashboard_over(Path(folder), "--load-sample") as served:
            yield served


@contextmanager
def dashboard_over(folder: Path, *options: str) -> Iterator[Served]:
    """``docgraph dashboard`` over a folder of data, with these options beside."""
    environment = {**os.environ, "DOCGRAPH_DATA_DIR": str(folder), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PROGRAM, "dashboard", "--headless", *options]
    with _serving(command, r"docgraph is on (http://\S+)", folder, environment) as (url, process):
        yield Served(url, process, ServerClock(postmaster_in(folder)))


@contextmanager
def trivial_app() -> Iterator[Served]:
    """A button and a line of text."""
    with tempfile.TemporaryDirectory(prefix="docgraph-bench-") as folder:
        app = Path(folder) / "app.py"
        app.write_text(TRIVIAL, encoding="utf-8")
        flags = ["--server.headless=true", "--browser.gatherUsageStats=false", "--server.fileWatcherType=none"]
        address = ["--server.address=127.0.0.1", "--browser.serverAddress=127.0.0.1", f"--server.port={_free_port()}"]
        command = [sys.executable, "-m", "streamlit", "run", str(app), *flags, *address]
        with _serving(command, r"(http://127\.0\.0\.1:\d+)", Path(folder), dict(os.environ)) as (url, process):
            yield Served(url, process, ServerClock(None))


@contextmanager
def _serving(
    command: Sequence[str], says: str, folder: Path, environment: dict[str, str]
) -> Iterator[tuple[str, psutil.Process]]:
    log = folder / "server.log"
    with log.open("wb") as out:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=subprocess.STDOUT)
    try:
        yield _address(server, log, says), psutil.Process(server.pid)
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _address(server: subprocess.Popen[bytes], log: Path, says: str) -> str:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        found = re.search(says, log.read_text(encoding="utf-8", errors="replace"))
        if found and _answers(found[1]):
            return found[1]
        time.sleep(0.1)
    raise SystemExit("the server did not start:\n" + log.read_text(encoding="utf-8", errors="replace"))


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def first_loads(browser: Browser, ours: str, trivial: str, *, rounds: int) -> dict[str, Any]:
    """Home until its question box, the trivial app until its text; nothing in the browser's cache."""
    mine, base = [], []
    for i in range(rounds + 1):
        home = browsing.first_load(browser, ours, HOME)
        text = browsing.first_load(browser, trivial, TEXT)
        if i:
            mine.append(home)
            base.append(text)
    return beside(mine, base)


def reruns(browser: Browser, ours: Served, trivial: Served, *, n: int) -> dict[str, Any]:
    """CPU of the server for a run of the script in which nothing has changed, on the Plan page and the trivial app."""
    page = browsing.opened(browser, f"{ours.url}/plan?query={quote(questions()[0])}")
    page.locator('.dg[data-ready="1"]').wait_for()
    other = browsing.opened(browser, trivial.url)
    costs = {}
    for name, each, server in (("warm", page, ours), ("docgraph", page, ours), ("trivial", other, trivial)):
        before = server.cpu()
        seen = browsing.reruns(each, n)
        costs[name] = [1000 * (b - a) / seen for a, b in zip(before, server.cpu(), strict=True)]
    page.context.close()
    other.context.close()
    (mine, database), (base, _) = costs["docgraph"], costs["trivial"]
    found = {
        "reruns": n,
        "cpu_ms": round(mine, 1),
        "database_cpu_ms": round(database, 1),
        "base_cpu_ms": round(base, 1),
    }
    return {**found, "ratio": figures.ratio(mine, base)}


def submits(browser: Browser, ours: str, trivial: str, *, rounds: int) -> dict[str, Any]:
    """From the click on *Build plan* until the new graph is painted; from a click until a text has changed."""
    asked = questions()
    page = browsing.opened(browser, f"{ours}/plan?query={quote(asked[0])}")
    page.locator('.dg[data-ready="1"]').wait_for()
    other = browsing.opened(browser, trivial)

    def submit(i: int) -> float:
        page.get_by_label("Question").fill(asked[i + 1])
        return browsing.from_click(page, page.get_by_role("button", name=re.compile("Build plan")), GRAPH)

    def go(ready: str) -> float:
        return browsing.from_click(other, other.get_by_role("button", name="Go"), ready)

    return in_turns(page, submit, other, go, rounds=rounds)


def decisions(browser: Browser, ours: str, trivial: str, *, rounds: int) -> dict[str, Any]:
    """From the key for the next decision (J) until it is drawn with its acts; from Enter until a text has changed."""
    page, other = browsing.opened(browser, f"{ours}/relationships"), browsing.opened(browser, trivial)
    page.locator(DECISION).first.wait_for()
    other.get_by_role("button", name="Go").focus()

    def following(_: int) -> float:
        before = page.locator(DECISION).first.get_attribute("data-decision")
        return browsing.from_key(page, "j", NEXT.replace("BEFORE", json.dumps(before)))

    def enter(ready: str) -> float:
        return browsing.from_key(other, "Enter", ready)

    return in_turns(page, following, other, enter, rounds=rounds)


def in_turns(
    page: Page, mine: Callable[[int], float], other: Page, base: Callable[[str], float], *, rounds: int
) -> dict[str, Any]:
    """An act on docgraph's page and one on the trivial app's, ``rounds`` times; the first of each loads code."""
    took, took_base = [], []
    for i in range(rounds + 1):
        browsing.settle(page)
        took.append(mine(i))
        browsing.settle(other)
        took_base.append(base(f"() => document.body.innerText.includes('painted {i + 1}')"))
    page.context.close()
    other.context.close()
    return beside(took[1:], took_base[1:])


def sessions(ours: Served, trivial: Served, *, n: int) -> dict[str, Any]:
    """So many sessions at once, each with a question of its own; how many got no answer."""
    asked = questions()
    queries = [f"query={quote(asked[i % len(asked)] + f' {i}')}" for i in range(n)]
    mine = sockets.ask_at_once(ours.url, queries, page="plan", patience=300)
    base = sockets.ask_at_once(trivial.url, [""] * n, page="", patience=300)
    p50 = [round(statistics.median(each.seconds), 2) if each.seconds else None for each in (mine, base)]
    return {"sessions": n, "lost": mine.n_lost, "base_lost": base.n_lost, "ends": dict(mine.ends), "p50_seconds": p50}


def beside(mine: Sequence[float], base: Sequence[float]) -> dict[str, Any]:
    """Medians in milliseconds and their ratio."""
    a, b = statistics.median(mine), statistics.median(base)
    return {"rounds": len(mine), "ms": round(a, 1), "base_ms": round(b, 1), "ratio": figures.ratio(a, b)}


def questions() -> list[str]:
    """The sample corpus's own."""
    lines = (ROOT / "sample_data" / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["query"] for line in lines]


if __name__ == "__main__":
    main()
