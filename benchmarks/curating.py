"""Save, and the next decision: how long a curator waits on the Findings page of a large workspace.

    python -m benchmarks.curating [--documents 5000] [--questions 100] [--rounds 15] [--no-browser] [--json FILE]

The corpus is seeded: documents with three relationships each, one in twenty of which leads nowhere, so that the queue
is long, and saved questions that the effect is counted over. ``parts`` = what a save and the next decision cost one
after the other, without a page: the edit, the decision's texts side by side, the effect of its three acts, and the
checks anew (the page draws the next decision before these end). ``page`` = from the click on *Save and next* until the
next decision is drawn with its acts enabled, in a headless Chromium; ``checked`` = until the checks have run again and
nothing moves any more. CPU of the dashboard's process and of the database is that of a whole round.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import docgraph
from benchmarks import browsing, figures
from benchmarks.checks import WORDS
from benchmarks.clocks import ServerClock, measured, postmaster_in
from benchmarks.corpus import TYPES
from benchmarks.dashboard import Served, dashboard_over
from docgraph import Docgraph, RetrievalRequest
from docgraph.domain.edit import Edit
from docgraph.domain.finding import CheckReport, Finding
from docgraph.domain.graph import Document, Relationship

if TYPE_CHECKING:
    from playwright.sync_api import Page

WORKSPACE = "curating"
LOST = 20
"""One relationship in so many leads to a document that is not there."""
GOAL_MS = 1_000
SAVE, REMOVE = ".st-key-docgraph-relationships-save button", ".st-key-docgraph-act-remove button"
NEXT = """() => {
  const title = document.querySelector('.rl-h2[data-decision]')
  return !!title && title.dataset.decision !== '%s' && !!document.querySelector('%s:not([disabled])') }"""


def main() -> None:
    """Run, print what was found, and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=5_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--no-browser", action="store_true", help="only what a page asks for, without the page")
    parser.add_argument("--json", type=Path, help="default: benchmarks/results/curating.json")
    options = parser.parse_args()
    load, started = figures.load_average(), time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="docgraph-bench-") as folder:
        Path(folder).chmod(0o755)  # as root, the embedded server runs as another user
        with docgraph.connect(data_dir=folder, workspace=WORKSPACE) as dg:
            fill(dg, options.documents, options.questions)
            clock = ServerClock(postmaster_in(Path(folder)))
            found: dict[str, Any] = {"parts": parts(dg, clock, rounds=options.rounds)}
        print(found["parts"], file=sys.stderr, flush=True)
        if not options.no_browser:
            with dashboard_over(Path(folder)) as served, browsing.browser() as browser:
                page = browsing.opened(browser, f"{served.url}/relationships?workspace={WORKSPACE}")
                found["page"] = saves(page, served, rounds=options.rounds)
            print(found["page"], file=sys.stderr, flush=True)
    kept = {name: getattr(options, name) for name in ("documents", "questions", "rounds")}
    kept["seconds"] = round(time.perf_counter() - started)
    print(f"written to {figures.write(figures.report('curating', kept, found, load=load), options.json)}")


def fill(dg: Docgraph, n_documents: int, n_questions: int) -> None:
    """Documents of a hundred words, three relationships each, and saved runs of questions about them."""
    rng = random.Random(7)
    ids = [f"doc-{n:05}" for n in range(n_documents)]
    documents = [
        Document(document_id=i, title=f"{rng.choice(WORDS).title()} {n}", text=" ".join(rng.choices(WORDS, k=100)))
        for n, i in enumerate(ids)
    ]
    keys = {
        (start, TYPES[k], f"lost-{start}-{k}" if rng.randrange(LOST) == 0 else rng.choice(ids))
        for start in ids
        for k in range(3)
    }
    edges = [Relationship(from_document_id=a, relation_type=via, to_document_id=b) for a, via, b in sorted(keys)]
    dg.create_workspace(WORKSPACE)
    dg.ingest_records(documents, edges)
    for n in range(n_questions):
        query = f"{' '.join(rng.choices(WORDS, k=5))} {n}?"
        dg.runs.save(dg.run(RetrievalRequest(query=query)), name=query, by="bench")


# ------------------------------------------------------------ without a page


def parts(dg: Docgraph, clock: ServerClock, *, rounds: int) -> dict[str, Any]:
    """Milliseconds and CPU of each part, over so many decisions of the queue, one after the other."""
    report = dg.check()
    found: dict[str, list[Any]] = {name: [] for name in ("edit", "evidence", "effects", "check")}
    for _ in range(rounds + 1):
        now, later = _open(report)
        cost, _entries = measured(lambda now=now: dg.relationships.edit([_removal(now)], by="bench"), clock)
        found["edit"].append(cost)
        key = later.relationships[0]
        cost, _ends = measured(lambda key=key: dg.relationships.evidence(key[0], key[2]), clock)
        found["evidence"].append(cost)
        asked = [[_removal(later)], [Edit(action="retype", key=key, relation_type=TYPES[TYPES.index(key[1]) - 1])]]
        cost, _effects = measured(lambda asked=asked: dg.relationships.effects(asked), clock)
        found["effects"].append(cost)
        cost, report = measured(dg.check, clock)
        found["check"].append(cost)
    return {name: figures.summary(costs[1:]) for name, costs in found.items()} | {"decisions": len(report.decisions)}


def _open(report: CheckReport) -> tuple[Finding, Finding]:
    """The first two findings about a missing document, in the order of the queue."""
    first, second = (each for each, _ in zip(_lost(report), range(2), strict=False))
    return first, second


def _lost(report: CheckReport) -> Iterator[Finding]:
    return (each for each in report.queue if each.check_id == "missing_endpoint")


def _removal(finding: Finding) -> Edit:
    return Edit(action="remove", key=finding.relationships[0])


# ------------------------------------------------------------ on the page


def saves(page: Page, served: Served, *, rounds: int) -> dict[str, Any]:
    """Milliseconds from the click until the next decision, and CPU until the checks have run again."""
    page.goto(f"{page.url.split('?')[0]}?workspace={WORKSPACE}&check=missing_endpoint")
    page.locator(".rl-h2[data-decision]").first.wait_for()
    page.get_by_role("button", name="Editing off").click()
    page.get_by_label("Your name").fill("Bench")
    page.keyboard.press("Enter")
    took, checked, ours, database = [], [], [], []
    for n in range(rounds + 1):
        browsing.settle(page)
        page.locator(f"{REMOVE}:not([disabled])").first.click()
        page.locator(f"{SAVE}:not([disabled])").first.wait_for()
        browsing.settle(page)
        before = page.evaluate("() => document.querySelector('.rl-h2[data-decision]').dataset.decision")
        cpu, started = served.cpu(), time.perf_counter()
        ms = browsing.from_click(page, page.locator(SAVE).first, NEXT % (before, REMOVE))
        browsing.settle(page)
        if n:  # the first one loads code
            spent = served.cpu()
            took.append(ms)
            checked.append((time.perf_counter() - started) * 1_000)
            ours.append((spent[0] - cpu[0]) * 1_000)
            database.append((spent[1] - cpu[1]) * 1_000)
    return {
        "next_ms": _spread(took),
        "checked_ms": _spread(checked),
        "cpu_ms": {"dashboard": _spread(ours), "database": _spread(database)},
        "within_goal": sum(ms <= GOAL_MS for ms in took),
        "goal_ms": GOAL_MS,
        "saves": len(took),
    }


def _spread(values: list[float]) -> dict[str, float]:
    share: Callable[[float], float] = lambda at: round(figures.percentile(sorted(values), at))  # noqa: E731
    return {"median": share(0.5), "p95": share(0.95)}


if __name__ == "__main__":
    main()
