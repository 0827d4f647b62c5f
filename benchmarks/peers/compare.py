"""docgraph beside libraries that do like work, all in turns on one server (`make bench-peers`).

    python -m benchmarks.peers.compare [--documents 2000,20000] [--peers langchain,llamaindex] [--json FILE]

Equal work: the same documents, vectors, questions and numbers; start from the documents of the most similar chunks,
follow their links by one hop, take the best chunks of all of them. Whether everybody found the same is checked against
brute force. Each peer runs as a child process in an environment that is made for it (``--environments``).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import figures
from benchmarks.clocks import Cost, ServerClock, measured
from benchmarks.corpus import make_corpus, make_questions
from benchmarks.handwritten import Handwritten
from benchmarks.peers.child import WAYS, Given, Way, write
from benchmarks.peers.environments import PEERS, NotInstalledError, python_of
from benchmarks.peers.sides import Block, ByHand, Child, Ours, PeerError, Side, brute_force
from benchmarks.servers import BATCH, measured_on, new_workspace, vacuum
from benchmarks.servers import write as write_store
from benchmarks.spine import opened
from docgraph.domain.graph import PreparedDocument
from docgraph.ports import Database

TIMED = 200
"""Documents whose import is timed; the rest goes in the same way."""
BASE = "by hand"


def main() -> None:
    """Run, write JSON, print the tables."""
    from benchmarks.tables import tables_of

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", default="2000,20000", help="sizes, separated by commas")
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--ways", default="|".join(WAYS), help="separated by |")
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--questions", type=int, default=8, help="questions in a block")
    parser.add_argument("--patience", type=float, default=900, help="seconds that a peer has to load everything")
    parser.add_argument("--environments", type=Path, default=Path(".venv-peers"))
    parser.add_argument("--database-url", help="a server to measure on; default: an embedded one in a new folder")
    parser.add_argument("--json", type=Path, help="default: benchmarks/results/peers.json")
    options = parser.parse_args()
    load, started = figures.load_average(), time.perf_counter()
    pythons, failed = environments(options)
    with measured_on(options.database_url) as (url, database):
        sizes = [measure(database, url, int(n), options=options, pythons=pythons) for n in options.documents.split(",")]
        versions = figures.server_versions(url)
    seconds = round(time.perf_counter() - started)
    kept = {"documents": options.documents, "blocks": options.blocks, "questions": options.questions}
    found = {"sizes": sizes, "not_installed": failed, "versions": {name: pinned(name) for name in pythons}}
    report = figures.report("peers", {**kept, "seconds": seconds}, found, load=load)
    report["versions"] |= versions
    print(f"written to {figures.write(report, options.json)}\n")
    print(tables_of(report))


def environments(options: argparse.Namespace) -> tuple[dict[str, Path], dict[str, str]]:
    """(peer → its Python, peer → why there is none)."""
    pythons, failed = {}, {}
    for peer in filter(None, options.peers.split(",")):
        try:
            pythons[peer] = python_of(peer, options.environments.absolute())
        except NotInstalledError as error:
            failed[peer] = str(error)
    return pythons, failed


def pinned(peer: str) -> list[str]:
    """The packages that make a peer, with their versions."""
    from benchmarks.peers.environments import REQUIREMENTS

    lines = (REQUIREMENTS / f"{peer}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if any(part in line for part in ("lang", "graph-ret", "llama", "pgvector"))]


def measure(
    database: Database, url: str, size: int, *, options: argparse.Namespace, pythons: dict[str, Path]
) -> dict[str, Any]:
    """Everybody loaded with the same, then asked block by block in turns."""
    documents = make_corpus(size)
    given = as_given(documents, options.questions * (options.blocks + 1))
    clock, failed = ServerClock.of(url), dict[str, str]()
    hand = Handwritten(url)
    copied, _ = measured(lambda: hand.ingest(documents[:TIMED], BATCH), clock)
    hand.ingest(documents[TIMED:], BATCH)
    hand.vacuum()
    write_store(new_workspace(database), documents)
    vacuum(url)
    sides: dict[str, Side] = {BASE: ByHand(hand, given), "docgraph": Ours(opened(database), given)}
    imports: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="docgraph-peers-") as folder:
        write(given, Path(folder))
        for peer, python in pythons.items():
            child = Child(python, peer)
            try:
                took = child.load(Path(folder), url, timed=min(TIMED, size), patience=options.patience)
            except PeerError as error:
                failed[peer] = str(error)
                child.close()
                continue
            sides[peer] = child
            imports[peer] = {"documents_per_second": round(took["documents"] / took["wall"], 1)}
            imports[peer]["speed"] = figures.ratio(copied.wall, took["wall"], 3)
    try:
        found = {
            way: blocks(sides, given, way, options=options, clock=clock, failed=failed)
            for way in options.ways.split("|")
        }
    finally:
        for side in sides.values():
            side.close()
    chunks = sum(len(each.chunks) for each in documents)
    return {"documents": size, "chunks": chunks, "imports": imports, "failed": failed, "ways": found}


def blocks(
    sides: dict[str, Side],
    given: Given,
    way: str,
    *,
    options: argparse.Namespace,
    clock: ServerClock,
    failed: dict[str, str],
) -> dict[str, dict[str, Any]]:
    """Asked in one way, block by block, another side first each time; the first block warms up and is only checked.

    Who fails is left out from then on, with the reason in ``failed``.
    """
    names, costs = list(sides), {name: list[Cost]() for name in sides}
    answers: dict[str, list[tuple[int, list[str], list[str]]]] = {name: [] for name in sides}
    for block in range(options.blocks + 1):
        asked = range(block * options.questions, (block + 1) * options.questions)
        for name in names[block % len(names) :] + names[: block % len(names)]:
            if name in failed:
                continue
            before = clock.seconds()
            try:
                done = sides[name].ask(asked, way)
            except PeerError as error:
                failed[name] = str(error)
                continue
            after = clock.seconds()
            answers[name] += zip(asked, done.plans, done.chunks, strict=True)
            if block:
                server = None if before is None or after is None else (after - before) / len(asked)
                costs[name] += as_costs(done, server)
    return {
        name: {**figures.compared(costs[name], costs[BASE]), **checked(answers[name], given, WAYS[way])}
        for name in names
        if name not in failed
    }


def as_costs(block: Block, server: float | None) -> list[Cost]:
    """A cost for each question; the server's CPU is the mean of the block."""
    return [Cost(wall, cpu, server) for wall, cpu in zip(block.wall, block.cpu, strict=True)]


def checked(
    answers: list[tuple[int, list[str], list[str]]], given: Given, way: Way = WAYS["chunk"]
) -> dict[str, float]:
    """The share of plans with exactly the documents of brute force, and the mean recall of its chunks."""
    truth = {number: brute_force(given, number, way) for number, _, _ in answers}
    plans = [(set(plan), truth[number][0]) for number, plan, _ in answers]
    recalls = [figures.recall(chunks, sorted(truth[number][1])) for number, _, chunks in answers]
    return {"equal_plans": figures.equal_share(plans), "chunk_recall": round(float(np.mean(recalls)), 4)}


def as_given(documents: list[PreparedDocument], n_questions: int) -> Given:
    """The corpus as children read it."""
    rows = [
        {
            "id": each.document.document_id,
            "part": each.document.metadata["part"],
            "title": each.document.title,
            "summary": each.document.summary,
            "links": sorted({edge.to_document_id for edge in each.relationships} - {each.document.document_id}),
            "chunks": [{"id": chunk.chunk_id, "text": chunk.text} for chunk in each.chunks],
        }
        for each in documents
    ]
    vectors = np.stack([each.vector for each in documents])
    chunks = np.stack([each.chunk_vectors for each in documents])
    questions = np.stack([vector for _, vector in make_questions(n_questions)])
    return Given(rows, vectors, chunks, questions)


if __name__ == "__main__":
    main()
