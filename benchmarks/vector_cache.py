"""A ranking of quantized candidates by the server, and by a process that holds the codes: CPU of both sides, in turns.

    python -m benchmarks.vector_cache [TEXTS] [--steps 10000,100000,1000000] [--rounds 12] [--database-url URL] --yes

The workspaces are those of ``benchmarks.growth`` (``--keep`` there leaves them; what is missing is made). Every
question is asked four times: of the server, and of the process when it knows none of its words, when it knows who holds
them, and when it knows where they stand. First 20 documents; the answers are held against each other. Before that the
codes are read: by the clock, CPU of both sides, memory. Run it on an idle machine.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil

from benchmarks import growth
from benchmarks.clocks import Cost, ServerClock, measured
from benchmarks.commands import SAMPLE
from benchmarks.servers import WORKSPACE, measured_on, vacuum
from benchmarks.tables import table
from docgraph import plugins
from docgraph.domain.request import SeedSignal
from docgraph.plugins.stores.postgres import PostgresDatabase
from docgraph.ports import Embedder, Probe, Store

SIGNALS: tuple[SeedSignal, ...] = ("chunk", "mean", "hybrid")
FORMS = ("by the server", "held, new words", "held, words known", "held, places known")
WARM = 2
"""Questions in front, which are not counted: connections, prepared statements, pages in memory."""
LIMIT = 20


def main() -> None:
    """Read codes, ask, print the tables."""
    options = _parser().parse_args()
    if not options.yes:
        raise SystemExit("it takes what benchmarks.growth takes where workspaces are missing; go on with --yes")
    steps = [int(step) for step in options.steps.split(",")]
    sentences = growth.sentences_of(options.texts)
    embedder: Embedder = plugins.build("embedders", "wordllama")
    with measured_on(options.database_url) as (url, database):
        clock = ServerClock.of(url)
        reads, asked = [], {}
        for step in steps:
            store, _ = growth.filled(database, url, step, sentences=sentences, embedder=embedder, keep=True)
            store.set_vector_search("quantized")
            vacuum(url, f"{WORKSPACE}-{step}")
            holding = plugins.build(
                "stores", "postgres", database_url=url, statement_timeout=3_600, resident_mb=options.mb
            )
            questions = growth.questions(options.texts, options.rounds + WARM)
            probes = [Probe(growth.vector_of(embedder, query), query) for query in questions]
            reads.append([step, *_read(holding, step, probes[0], clock)])
            asked[step] = {signal: _costs(store, holding, step, probes, signal, clock) for signal in SIGNALS}
            reads[-1].append(holding.health()["codes_in_memory"]["word_megabytes"])
            holding.close()
    head = ["codes are read", "seconds", "client CPU, s", "server CPU, s", "codes, MB", "process grew, MB", "words, MB"]
    print(table(head, reads))
    print()
    print(table(["signal", "form", *(f"{step:,} chunks" for step in steps), "server ÷", "both ÷"], _rows(asked)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path, nargs="?", default=SAMPLE, help="a folder of texts")
    parser.add_argument("--steps", default="10000,100000,1000000", help="chunks, separated by commas")
    parser.add_argument("--rounds", type=int, default=12, help="questions at each step, by each signal")
    parser.add_argument("--mb", type=int, default=256, help="DOCGRAPH_RESIDENT_MB of the process that holds codes")
    parser.add_argument("--database-url", help="a server to measure on; default: an embedded one in a new folder")
    parser.add_argument("--yes", action="store_true", help="go on, whatever it takes")
    return parser


def _read(holding: PostgresDatabase, step: int, probe: Probe, clock: ServerClock) -> list[Any]:
    """What it takes to read the codes, in the thread that does it: nothing else goes on meanwhile."""
    store, cache, process = holding.open_workspace(f"{WORKSPACE}-{step}"), holding.vector_cache, psutil.Process()
    assert cache is not None
    _ranked(store, probe, "chunk")
    before = process.memory_info().rss

    def read() -> None:
        _ranked(store, probe, "chunk")
        cache.wait()

    cost, _ = measured(read, clock)
    held = holding.health()["codes_in_memory"]["held"]
    grown = (process.memory_info().rss - before) / 1e6
    return [
        round(cost.wall, 1),
        round(cost.client, 2),
        None if cost.server is None else round(cost.server, 2),
        held[0]["megabytes"] if held else None,
        round(grown),
    ]


def _costs(
    store: Store, holding: PostgresDatabase, step: int, probes: Sequence[Probe], signal: SeedSignal, clock: ServerClock
) -> list[list[Cost]]:
    """Of every form, question by question; raises where answers differ."""
    held = holding.open_workspace(f"{WORKSPACE}-{step}")
    found: list[list[Cost]] = [[] for _ in FORMS]
    for i, probe in enumerate(probes):
        first = None
        for form, asked in zip(found, (store, held, held, held), strict=True):
            cost, answer = measured(lambda asked=asked, probe=probe: _ranked(asked, probe, signal), clock)
            if first is not None and answer != first:
                raise SystemExit(f"other documents by {signal} for {probe.text!r} at {step:,} chunks")
            first = answer
            if i >= WARM:
                form.append(cost)
    return found


def _ranked(store: Store, probe: Probe, signal: SeedSignal) -> Any:
    with store.reading() as snapshot:
        return snapshot.rank_documents(probe, signal, limit=LIMIT)


def _rows(asked: dict[int, dict[SeedSignal, list[list[Cost]]]]) -> list[list[Any]]:
    """Server CPU + client CPU, medians in milliseconds; the last step ÷ the first."""
    rows = []
    for signal in SIGNALS:
        for form, name in enumerate(FORMS):
            if name != FORMS[0] and signal != "hybrid" and name != FORMS[2]:
                continue  # words are asked about by hybrid alone
            each = [
                (
                    1_000 * statistics.median(cost.server or 0.0 for cost in costs[signal][form]),
                    1_000 * statistics.median(cost.client for cost in costs[signal][form]),
                )
                for costs in asked.values()
            ]
            (server, client), (last_server, last_client) = each[0], each[-1]
            cells = [f"{on_server:.1f} + {here:.1f}" for on_server, here in each]
            both = (last_server + last_client) / (server + client)
            rows.append([f"`{signal}`", name, *cells, f"{last_server / max(server, 1e-9):.2f}", f"{both:.2f}"])
    return rows


if __name__ == "__main__":
    main()
