"""Ingest rate and plan + execute latency as ratios to hand-written psycopg, measured in turns in one run.

    python -m benchmarks.spine [--documents 2000] [--rounds 30] [--database-url URL] [--json FILE]

Absolute times depend on the machine and its neighbours; the ratio of medians, taken in turns within one run, is the
figure to quote.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

from benchmarks.corpus import EMBEDDER, make_corpus, make_questions
from benchmarks.handwritten import Handwritten
from docgraph import plugins
from docgraph.domain.graph import PreparedDocument
from docgraph.domain.request import RetrievalRequest, SeedSignal
from docgraph.execution.executor import execute_plan
from docgraph.planning.planner import make_plan
from docgraph.plugins.stores.postgres.server.embedded import embedded_server
from docgraph.ports import Database, Probe, Store

BATCH = 200
SIGNALS: tuple[SeedSignal, ...] = ("mean", "hybrid")


def main() -> None:
    """Run, print a table, and write JSON when asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--ingest-rounds", type=int, default=3)
    parser.add_argument("--database-url", help="a server to measure on; default: an embedded one in a new folder")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="docgraph-bench-") as folder:
        Path(folder).chmod(0o755)  # as root, the embedded server runs as another user
        with server_url(options.database_url, Path(folder)) as url:
            database = plugins.build("stores", "postgres", database_url=url)
            try:
                results = measure(database, url, options=options)
            finally:
                database.close()
    print_table(results)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")


@contextmanager
def server_url(given: str | None, folder: Path) -> Iterator[str]:
    """The URL of the given server, or of an embedded one that lives as long as the benchmark."""
    if given:
        yield given
        return
    server = embedded_server(folder / "postgres")
    try:
        with psycopg.connect(server.conninfo) as connection:
            row = connection.execute("SHOW unix_socket_directories").fetchone()
        assert row is not None
        yield f"postgresql://postgres@/docgraph?host={quote(row[0], safe='')}"
    finally:
        server.release()


def measure(database: Database, url: str, *, options: argparse.Namespace) -> dict[str, Any]:
    """Both sides in turns; medians, spreads and ratios."""
    documents = make_corpus(options.documents)
    n_chunks = sum(len(d.chunks) for d in documents)
    ours, theirs, store = _measure_ingest(database, url, documents, rounds=options.ingest_rounds)
    results = {
        "documents": len(documents),
        "chunks": n_chunks,
        "ingest": {**_compare(ours, theirs), "documents_per_second": round(len(documents) / statistics.median(ours))},
    }
    hand = Handwritten(url)
    hand.ingest(documents, BATCH)
    for schema in ("hand", "ws_bench"):
        for table in ("document_nodes", "vector_chunks", "document_relationships"):
            hand.connection.execute(f"VACUUM ANALYZE {schema}.{table}")
    for signal in SIGNALS:
        results[f"plan_execute_{signal}"] = _measure_questions(store, hand, rounds=options.rounds, signal=signal)
    hand.close()
    return results


def _measure_ingest(
    database: Database, url: str, documents: list[PreparedDocument], *, rounds: int
) -> tuple[list[float], list[float], Store]:
    ours, theirs = [], []
    for round_ in range(rounds + 1):
        if round_:
            database.drop_workspace("bench")
        store = database.create_workspace("bench", EMBEDDER)
        hand = Handwritten(url)
        mine = _seconds(lambda store=store: _write(store, documents))
        other = _seconds(lambda hand=hand: hand.ingest(documents, BATCH))
        hand.close()
        if round_:  # the first round warms caches and code up
            ours.append(mine)
            theirs.append(other)
    return ours, theirs, store


def _write(store: Store, documents: list[PreparedDocument]) -> None:
    for start in range(0, len(documents), BATCH):
        store.write(documents[start : start + BATCH])


def _measure_questions(store: Store, hand: Handwritten, *, rounds: int, signal: SeedSignal) -> dict[str, Any]:
    """plan + execute on one snapshot against rank, expand, rank, fetch on one transaction; equal documents checked."""
    ours, theirs = [], []
    for i, (text, vector) in enumerate(make_questions(rounds + 5)):
        request = RetrievalRequest(query=text, seed_signal=signal)

        def ask(request: RetrievalRequest = request, vector: Any = vector) -> None:
            with store.reading() as snapshot:
                plan = make_plan(request, Probe(vector, request.query), snapshot)
                execute_plan(plan, vector, snapshot)

        mine, other = (
            _seconds(ask),
            _seconds(lambda vector=vector, text=text: hand.ask(vector, text if signal == "hybrid" else "")),
        )
        if i >= 5:
            ours.append(mine)
            theirs.append(other)
    return _compare(ours, theirs)


def _seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _compare(ours: list[float], theirs: list[float]) -> dict[str, Any]:
    ratios = sorted(a / b for a, b in zip(ours, theirs, strict=True))
    return {
        "docgraph_ms": round(statistics.median(ours) * 1000, 2),
        "handwritten_ms": round(statistics.median(theirs) * 1000, 2),
        "ratio": round(statistics.median(ratios), 2),
        "ratio_min": round(ratios[0], 2),
        "ratio_max": round(ratios[-1], 2),
        "rounds": len(ours),
    }


def print_table(results: dict[str, Any]) -> None:
    """One line a measurement."""
    print(f"{results['documents']:,} documents, {results['chunks']:,} chunks of 256 dimensions")
    print(f"{'':22}{'docgraph':>12}{'by hand':>12}{'ratio':>8}{'min–max':>14}")
    for name in ("ingest", *(f"plan_execute_{signal}" for signal in SIGNALS)):
        r = results[name]
        spread = f"{r['ratio_min']}–{r['ratio_max']}"
        print(f"{name:22}{r['docgraph_ms']:>10} ms{r['handwritten_ms']:>10} ms{r['ratio']:>8}{spread:>14}")


if __name__ == "__main__":
    main()
