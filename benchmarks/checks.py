"""All checks over a large generated corpus: seconds and peak memory of each.

    python -m benchmarks.checks [--relationships 100000] [--documents 50000] [--only CHECK] [--json FILE]

The corpus is seeded: typed relationships and mentions, inverses that are mostly kept up, and one fault in a hundred of
every kind. Memory is what the check adds to the graph at its peak, measured in a second run: measuring slows it.
``report`` is a whole report, in which every finding knows how many of the saved questions depend on it and one in a
hundred is ignored, beside the checks alone: in turns, the median ratio. ``progress`` is a report that tells how far it
is and asks whether to go on, beside one that does not; ``stop`` = how long it is from a stop to the report of what is
finished, for stops spread evenly over the run.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from docgraph import plugins
from docgraph.curation.checking import check_graph
from docgraph.domain.curation import Dismissal
from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.workspace import EmbedderInfo, Workspace
from docgraph.ports import Check, Reach, RelationshipGraph

WORDS = (
    "queue",
    "hold",
    "retry",
    "sailing",
    "route",
    "budget",
    "alarm",
    "payment",
    "slot",
    "gateway",
    "lease",
    "webhook",
)
KINDS = ("decision", "design", "runbook", "guide", "service")
TYPES = ("explains", "implements", "depends_on", "references", "derived_from", "requires")
FAULTS = ("dangling", "self", "twin", "back", "spelling")
QUESTIONS = 100
MEGABYTE = 1_000_000
HERE = Workspace(name="bench", embedder=EmbedderInfo(name="none", dimension=64), revision="r")


def main() -> None:
    """Run, print a table, and write JSON when asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--relationships", type=int, default=100_000)
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--only", action="append", choices=plugins.available("checks"))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    graph = make_graph(options.documents, options.relationships)
    print(f"{len(graph.documents):,} documents, {len(graph.relationships):,} relationships, {len(graph.types)} types")
    print(f"{'check':24}{'seconds':>9}{'peak MB':>9}{'findings':>10}{'of':>10}")
    results = []
    for name in options.only or plugins.available("checks"):
        result = measure(plugins.build("checks", name), graph)
        results.append(result)
        figures = f"{result['seconds']:>9.2f}{result['peak_mb']:>9.1f}{result['findings']:>10,}{result['checked']:>10,}"
        print(f"{name:24}{figures}", flush=True)
    print(f"{'all':24}{sum(r['seconds'] for r in results):>9.2f}{max(r['peak_mb'] for r in results):>9.1f}")
    if not options.only:
        ratio = report_ratio(graph)
        results.append({"check": "report", "ratio": ratio})
        print(f"{'report':24}{ratio:>9.2f} times all checks")
        progress, stops = progress_ratio(graph), stop_seconds(graph)
        results.append({"check": "progress", "ratio": progress, "stop_seconds": stops})
        print(f"{'progress':24}{progress:>9.3f} times a report without")
        print(f"{'stop':24}{statistics.median(stops):>9.2f} s to the end, {max(stops):.2f} s at worst of {len(stops)}")
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")


def measure(check: Check, graph: RelationshipGraph) -> dict[str, Any]:
    """Seconds of one run, and the peak of another; the graph's own indexes are made before."""
    _ = graph.typed, graph.types, graph.outgoing, graph.incoming
    parameters = dict(check.parameters)
    if "vocabulary" in parameters:
        parameters["vocabulary"] = (*TYPES, "supersedes", "superseded_by")

    started = time.perf_counter()
    outcome = check.find(graph, parameters)
    seconds = time.perf_counter() - started
    n_findings = len(outcome.findings)
    del outcome
    tracemalloc.start()
    check.find(graph, parameters)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return {
        "check": check.check_id,
        "seconds": round(seconds, 3),
        "peak_mb": round(peak / MEGABYTE, 1),
        "findings": n_findings,
        "checked": check.find(graph, parameters).n_checked,
    }


def report_ratio(graph: RelationshipGraph, rounds: int = 3) -> float:
    """Seconds of a report over those of its checks alone, the median of the rounds."""
    checks = _checks()
    ignored = [
        Dismissal(subject_id=finding.finding_id, kind="finding", by="bench", at="2026-01-01T00:00:00Z")
        for finding in check_graph(graph, checks, {}, workspace=HERE).findings[::100]
    ]
    ratios = []
    for _ in range(rounds):
        started = time.perf_counter()
        outcomes = [check.find(graph, check.parameters) for check in checks]
        between = time.perf_counter()
        check_graph(graph, checks, {}, workspace=HERE, dismissals=ignored)
        ratios.append((time.perf_counter() - between) / (between - started))
        del outcomes
    return round(statistics.median(ratios), 2)


class Stopwatch:
    """A progress that says stop after so many questions whether to (None: never).

    ``asked`` = how many there were; ``last`` = when the last one before the stop was: no stop that it missed is older.
    """

    def __init__(self, stop_after: int | None = None) -> None:
        self.asked, self.last, self._stop_after = 0, 0.0, stop_after

    def update(self, done: int, total: int, message: str) -> None: ...

    def cancelled(self) -> bool:
        self.asked += 1
        if self._stop_after is not None and self.asked > self._stop_after:
            return True
        self.last = time.perf_counter()
        return False


def progress_ratio(graph: RelationshipGraph, rounds: int = 7) -> float:
    """Processor seconds of a report with progress over those of one without, in turns, the median of the rounds."""
    checks, ratios = _checks(), []
    for n in range(rounds + 1):
        seconds = {}
        for progress in (None, Stopwatch()) if n % 2 else (Stopwatch(), None):
            fresh = replace(graph)  # without the indexes that the last report made
            started = time.process_time()
            check_graph(fresh, checks, {}, workspace=HERE, progress=progress)
            seconds[progress is not None] = time.process_time() - started
        ratios.append(seconds[True] / seconds[False])
    return round(statistics.median(ratios[1:]), 3)  # the first round warms up


def stop_seconds(graph: RelationshipGraph, stops: int = 20) -> list[float]:
    """From a stop to the report of what is finished; each stop comes just after it was asked for, the worst moment."""
    checks, whole = _checks(), Stopwatch()
    check_graph(replace(graph), checks, {}, workspace=HERE, progress=whole)
    found = []
    for n in range(1, stops + 1):
        watch = Stopwatch(whole.asked * n // (stops + 1))
        check_graph(replace(graph), checks, {}, workspace=HERE, progress=watch)
        found.append(round(time.perf_counter() - watch.last, 3))
    return found


def _checks() -> list[Check]:
    return [plugins.build("checks", name) for name in plugins.available("checks")]


def make_graph(n_documents: int, n_relationships: int, *, seed: int = 7) -> RelationshipGraph:
    """The same graph for the same numbers."""
    chance = random.Random(seed)
    documents = [_document(i, chance) for i in range(n_documents)]
    ids = [document.document_id for document in documents]
    keys: set[tuple[str, str, str]] = set()
    while len(keys) < n_relationships:
        keys.update(_keys(ids, chance))
    kept = sorted(chance.sample(sorted(keys), n_relationships))
    edges = tuple(
        Relationship(
            from_document_id=start,
            relation_type=via,
            to_document_id=end,
            relationship_metadata={"extractor": "generated", "text": f"see {end}"},
        )
        for start, via, end in kept
    )
    hashes = {document.document_id: document.content_hash for document in documents}
    types = sorted({key[1] for key in kept})
    return RelationshipGraph(
        documents={document.document_id: document for document in documents},
        relationships=edges,
        mentions=frozenset((start, end) for start, via, end in kept if via == "mentions"),
        reviewed={
            key: (hashes[key[0]], hashes[key[2]] if chance.random() < 0.99 else "another")
            for key in kept[::10]
            if key[0] in hashes and key[2] in hashes
        },
        reach=_reach([key for key in kept if chance.random() < 0.5], chance),
        type_vectors=dict(zip(types, np.eye(len(types), 64, dtype=np.float32), strict=True)),
    )


def _reach(fired: list[EdgeKey], chance: random.Random) -> tuple[Reach, ...]:
    """Each of these relationships fires in one of the saved questions."""
    groups: list[list[EdgeKey]] = [[] for _ in range(QUESTIONS)]
    for key in fired:
        chance.choice(groups).append(key)
    ends = [tuple(frozenset(key[end] for key in group) for end in (0, 2)) for group in groups]
    return tuple(
        Reach(consulted=starts, planned=starts | targets, fired=frozenset(group))
        for group, (starts, targets) in zip(groups, ends, strict=True)
    )


def _document(i: int, chance: random.Random) -> StoredDocument:
    kind = KINDS[i % len(KINDS)]
    words = "-".join(chance.choices(WORDS, k=3))
    return StoredDocument(
        document_id=f"{kind}-{i:06}-{words}",
        title=f"{kind.title()} {i}: {words.replace('-', ' ')}",
        doc_type=kind,
        content_hash=f"{i:032x}",
        n_chunks=0 if chance.random() < 0.01 else 8,
        metadata={"status": "superseded" if chance.random() < 0.02 else "accepted"},
    )


def _keys(ids: list[str], chance: random.Random) -> list[tuple[str, str, str]]:
    """One statement, with what belongs to it: its mention, its inverse, or a fault in one of a hundred."""
    start, end = chance.choice(ids), chance.choice(ids[: len(ids) // 2])
    via = chance.choice(TYPES)
    if chance.random() < 0.1:
        newer, older = max(start, end), min(start, end)
        both = [(newer, "supersedes", older), (older, "superseded_by", newer)]
        return both if chance.random() < 0.95 else both[:1]
    match chance.choice(FAULTS) if chance.random() < 0.05 else "":
        case "dangling":
            cut = chance.randrange(3, len(end))
            return [(start, via, end[:cut] + end[cut + 1 :] if chance.random() < 0.5 else f"lost-{end[::-1]}")]
        case "self":
            return [(start, via, start)]
        case "twin":
            return [(start, via, end), (start, chance.choice(TYPES), end)]
        case "back":
            return [(start, via, end), (end, via, start)]
        case "spelling":
            return [(start, chance.choice(("explain", "dependson", "refrences")), end)]
    return [(start, via, end), (start, "mentions", end)] if chance.random() < 0.5 else [(start, via, end)]


if __name__ == "__main__":
    main()
