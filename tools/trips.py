"""Counts, while they happen, the modules that five trips through docgraph enter and the hops between them."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import groupby, pairwise
from pathlib import Path
from threading import Thread, current_thread
from types import FrameType

import docgraph

REPO = Path(docgraph.__file__).resolve().parent.parent
SAMPLE = REPO / "sample_data" / "harbor"
LEFT_OUT = ("domain", "ports")
"""Packages that the second half of the table looks through, as if their calls were those of their callers."""

WARM, MEASURED = 0, 1
QUESTIONS = ("Why is the queue limited to 400 bookings per route?", "Why did a Redis setting cost us 18,466 euros?")
EDGES = (
    ("adr-006", "decision_for", "service-booking-queue"),
    ("adr-011", "decision_for", "design-booking-queue-back-pressure"),
)
UPLOAD = """---
id: upload-{turn}
title: Upload {turn}
type: guide
references: [adr-006]
---

## Why

It follows *ADR-011 Bounded booking queue*, and [the guide](../guides/client-retries.md) says how.
"""

Go = Callable[[], object]
Route = tuple[str, ...]
"""The modules on a call stack, from the entry call to the newest one; neighbours differ."""
Moment = tuple[int, ...]
"""When a call was made; the calls of a thread count as made where it was started: (7,) < (7, 0) < (8,)."""


class Walk:
    """A profile function that keeps the routes of all calls into docgraph, those in new threads included.

    What lies between two frames of docgraph (pydantic, contextlib …) is looked through; a generator is called each time
    it goes on; the first frames of a thread are called by whoever started it.
    """

    def __init__(self) -> None:
        self.routes: set[Route] = set()
        self._first: dict[tuple[Thread, str], Moment] = {}
        self._next: dict[Thread, Moment] = {}
        self._below: dict[Thread, Route] = {}

    def __call__(self, frame: FrameType, event: str, *_: object) -> None:
        """Keep a call into docgraph; called by the interpreter."""
        if event != "call":
            return
        if frame.f_code is Thread.start.__code__:
            started: Thread = frame.f_locals["self"]
            self._below[started] = self._route(frame)
            self._next[started] = (*self._moment(), 0)
        elif module := _module(frame):
            self._first.setdefault((current_thread(), module), self._moment())
            self.routes.add(self._route(frame))

    def modules(self) -> list[str]:
        """Every module once, by its first entry."""
        return list(dict.fromkeys(module for _, module in sorted(self._first, key=self._first.__getitem__)))

    def _moment(self) -> Moment:
        now = self._next.get(current_thread(), (0,))
        self._next[current_thread()] = (*now[:-1], now[-1] + 1)
        return now

    def _route(self, frame: FrameType) -> Route:
        here: list[str] = []
        at: FrameType | None = frame
        while at:
            here.append(_module(at))
            at = at.f_back
        return _merged((*self._below.get(current_thread(), ()), *filter(None, reversed(here))))


@dataclass(frozen=True)
class Figures:
    """Distinct (caller, callee) pairs of modules, distinct modules, and changes of module on the deepest stack."""

    hops: int
    modules: int
    depth: int


def figures(routes: Iterable[Route], left_out: tuple[str, ...] = ()) -> Figures:
    """The figures of a walk, seen without some packages."""
    seen = {_merged(m for m in route if m.split(".")[1] not in left_out) for route in routes} - {()}
    return Figures(
        hops=len({hop for route in seen for hop in pairwise(route)}),
        modules=len({module for route in seen for module in route}),
        depth=max(map(len, seen)) - 1,
    )


def trips(dg: docgraph.Docgraph, turn: int) -> dict[str, Go]:
    """Name → trip, with inputs that no other turn has."""
    request = docgraph.RetrievalRequest(query=QUESTIONS[turn])
    upload = (f"upload-{turn}.md", UPLOAD.format(turn=turn).encode())
    edit = docgraph.Edit(action="flip", key=EDGES[turn])
    return {
        "question → plan": lambda: dg.plan(request).expanded_documents,
        "question → run": lambda: dg.run(request).context.documents,
        "packet": lambda: dg.retrieve(QUESTIONS[turn]).context_packet.candidates,
        "upload → rows": lambda: dg.ingest_files([upload]).n_stored,
        "edit → history": lambda: dg.relationships.edit([edit], by="trips") and dg.relationships.history(),
    }


def walk(name: str, go: Go) -> Walk:
    """Make a trip and watch it; a trip that comes to nothing measures nothing."""
    seen = Walk()
    threading.setprofile(seen)
    sys.setprofile(seen)
    try:
        result = go()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    if not result:
        raise SystemExit(f"error: the trip {name!r} came to nothing")
    return seen


@contextmanager
def sample(store: str) -> Iterator[docgraph.Docgraph]:
    """The sample corpus in a store of its own, under the default settings."""
    for name in [name for name in os.environ if name.startswith("DOCGRAPH_")]:
        del os.environ[name]
    with tempfile.TemporaryDirectory(prefix="docgraph-trips-") as folder:
        Path(folder).chmod(0o755)  # started by root, PostgreSQL runs as somebody else
        with docgraph.connect(store=store, data_dir=folder, workspace="trips") as dg:
            dg.ingest_files([(p.relative_to(SAMPLE).as_posix(), p.read_bytes()) for p in sorted(SAMPLE.rglob("*.md"))])
            yield dg


def table(walks: Mapping[str, Walk]) -> Iterator[str]:
    """One line a trip: all modules, then without those that are left out."""
    columns = f"{'hops':>6}{'modules':>10}{'depth':>8}"
    yield f"{'':18}{'all modules':>24}   {'without ' + ', '.join(LEFT_OUT):>24}"
    yield f"{'trip':18}{columns}   {columns}"
    for name, seen in walks.items():
        halves = (figures(seen.routes), figures(seen.routes, LEFT_OUT))
        yield f"{name:18}" + "   ".join(f"{half.hops:>6}{half.modules:>10}{half.depth:>8}" for half in halves)


def as_json(walks: Mapping[str, Walk]) -> str:
    """The same with every module's file, by its first entry."""
    rows = [
        {"trip": name, **asdict(figures(seen.routes)), "without": asdict(figures(seen.routes, LEFT_OUT))}
        | {"walk": [_file(module) for module in seen.modules()]}
        for name, seen in walks.items()
    ]
    return json.dumps(rows, indent=2, ensure_ascii=False)


def main() -> None:
    """Make every trip once to warm up and once to measure it; print the table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", choices=("memory", "postgres"), default="memory", help="postgres = an embedded one")
    parser.add_argument("--walk", action="store_true", help="list the modules of each trip by their first entry")
    parser.add_argument("--json", action="store_true", help="print JSON, with the walks")
    options = parser.parse_args()
    with sample(options.store) as dg:
        for go in trips(dg, WARM).values():
            go()
        walks = {name: walk(name, go) for name, go in trips(dg, MEASURED).items()}
    print(as_json(walks) if options.json else "\n".join(table(walks)))
    if options.walk and not options.json:
        for name, seen in walks.items():
            print("", name, *(f"{n:4} {_file(module)}" for n, module in enumerate(seen.modules(), 1)), sep="\n")


def _module(frame: FrameType) -> str:
    name = str(frame.f_globals.get("__name__", ""))
    return name if name.startswith("docgraph.") else ""


def _merged(modules: Iterable[str]) -> Route:
    return tuple(module for module, _ in groupby(modules))


def _file(module: str) -> str:
    return Path(sys.modules[module].__file__ or module).resolve().relative_to(REPO).as_posix()


if __name__ == "__main__":
    main()
