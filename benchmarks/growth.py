"""How a question's cost grows with the corpus: server CPU of a plan at 10,000, 100,000 and 1,000,000 chunks of text.

    python -m benchmarks.growth [TEXTS] [--steps 10000,100000,1000000] [--yes] [--json FILE]     (`make bench-growth`)

Chunks are cut from the texts of a folder (Markdown, reStructuredText, text; default: the sample corpus); where they
end, they go on with sentences of theirs put together anew by chance, so that words keep their frequencies. Vectors are
the default embedder's. Each step is a workspace of its own, filled faster than an import does (``benchmarks.bulk``) and
left there with ``--keep``, so that it can be measured again. Ratios are to the smallest step. Beside a bounded mode
stands the share of exact search's documents that it finds. Last comes an import, with the memory that it holds.
First it says what disk and time it needs, and asks.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import psycopg

import docgraph
from benchmarks import figures, modes
from benchmarks.bulk import load
from benchmarks.clocks import Cost, ServerClock, measured
from benchmarks.commands import SAMPLE
from benchmarks.servers import WORKSPACE, measured_on, vacuum
from docgraph import plugins
from docgraph.domain.graph import Document, PreparedDocument, Relationship, StoredChunk, StoredDocument
from docgraph.domain.request import RetrievalRequest, SeedSignal
from docgraph.plugins.stores.postgres.connections.naming import Naming
from docgraph.ports import Database, Embedder, Probe, Store

PER_DOCUMENT, SENTENCES = 8, 6
"""Chunks of a document, sentences of a chunk."""
SIGNALS: tuple[SeedSignal, ...] = ("hybrid", "mean", "chunk", "summary")
BYTES_A_CHUNK, SECONDS_A_CHUNK = 13_000, 0.003
"""What a chunk takes with its indexes and the server's log, and seconds to write it on two busy cores: rounded up."""
BATCH, FIRST = 100, 20
IMPORT = f"{WORKSPACE}-import"
Documents = tuple[Sequence[str], Sequence[str]]
"""Those of a plan, and the first ``FIRST`` of its ranking."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


def main() -> None:
    """Ask, run, write JSON, print the tables."""
    from benchmarks.tables import tables_of

    options = _parser().parse_args()
    steps = sorted(int(step) for step in options.steps.split(","))
    if not (options.yes or _agreed(steps[-1])):
        raise SystemExit("nothing was done")
    load_before, started = figures.load_average(), time.perf_counter()
    sentences = sentences_of(options.texts)
    kept = {"steps": options.steps, "rounds": options.rounds, "real_sentences": len(sentences)}
    with measured_on(options.database_url) as (url, database):
        embedder: Embedder = plugins.build("embedders", "wordllama")
        clock, versions = ServerClock.of(url), figures.server_versions(url)
        found: list[dict[str, Any]] = []

        def write(memory: dict[str, Any]) -> dict[str, Any]:
            with_ratios = {"steps": found, "growth": growth(found), "import": memory}
            seconds = round(time.perf_counter() - started)
            report = figures.report("growth", {**kept, "seconds": seconds}, with_ratios, load=load_before)
            report["versions"] |= versions
            print(f"{found[-1]['chunks']:,} chunks after {seconds} s", file=sys.stderr, flush=True)
            figures.write(report, options.json)
            return report

        for step in steps:
            store, made = filled(database, url, step, sentences=sentences, embedder=embedder, keep=options.keep)
            asked = at_step(store, url, step, options=options, embedder=embedder, clock=clock)
            found.append({"chunks": step, **made, **asked})
            write({})
        memory = imported(url, database, sentences, n_chunks=options.imported) if options.imported else {}
        print(tables_of(write(memory)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path, nargs="?", default=SAMPLE, help="a folder of texts")
    parser.add_argument("--steps", default="10000,100000,1000000", help="chunks, separated by commas")
    parser.add_argument("--rounds", type=int, default=7, help="questions at each step, by each signal")
    parser.add_argument(
        "--hnsw-up-to", type=int, default=10_000, help="chunks up to which the index is built and asked"
    )
    parser.add_argument(
        "--imported", type=int, default=20_000, help="chunks of the import whose memory is told; 0 = none"
    )
    parser.add_argument(
        "--keep", action="store_true", help="measure on what an earlier run left on the server, and leave it"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask before it takes disk and time")
    parser.add_argument("--database-url", help="a server to measure on; default: an embedded one in a new folder")
    parser.add_argument("--json", type=Path, help="default: benchmarks/results/growth.json")
    return parser


def _agreed(n_chunks: int) -> bool:
    """Whether the user wants to spend what it takes."""
    disk, minutes = n_chunks * BYTES_A_CHUNK / 1e9, n_chunks * SECONDS_A_CHUNK / 60
    free = shutil.disk_usage(tempfile.gettempdir()).free / 1e9
    print(f"{n_chunks:,} chunks take about {disk:.1f} GB (free: {free:.1f} GB) and {minutes:.0f} minutes or more.")
    return sys.stdin.isatty() and input("Go on? [y/N] ").strip().lower() in ("y", "yes")


def sentences_of(folder: Path) -> list[str]:
    """Sentences of the texts in a folder, in order of their paths, without those that are no sentences."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".md", ".rst", ".txt"))
    found: list[str] = []
    for path in paths:
        text = path.read_text(encoding="utf-8", errors="replace").replace("\x00", " ")
        parts = (" ".join(part.split()) for part in _SENTENCE.split(text))
        found += [part for part in parts if 20 <= len(part) <= 600]
    if len(found) < 100:
        raise SystemExit(f"{folder} holds {len(found)} sentences in .md, .rst and .txt: at least 100 are needed")
    return found


def documents(sentences: list[str], embedder: Embedder) -> Iterator[PreparedDocument]:
    """Without end: first the texts as they are, then sentences by chance; three links each to earlier documents."""
    rng = np.random.default_rng(7)
    number = 0
    texts_of_chunks = chunk_texts(sentences, rng)
    while group := tuple(islice(texts_of_chunks, PER_DOCUMENT * BATCH)):
        vectors = embedder.embed(list(group))
        for start in range(0, len(group), PER_DOCUMENT):
            texts = group[start : start + PER_DOCUMENT]
            targets = {int(rng.integers(0, number)) for _ in range(3)} if number else set()
            yield _document(number, texts, vectors[start : start + PER_DOCUMENT], targets=targets)
            number += 1


def chunk_texts(sentences: list[str], rng: np.random.Generator) -> Iterator[str]:
    """Texts of ``SENTENCES`` sentences."""
    for start in range(0, len(sentences) - SENTENCES + 1, SENTENCES):
        yield " ".join(sentences[start : start + SENTENCES])
    while True:
        for row in rng.integers(0, len(sentences), (1_000, SENTENCES)):
            yield " ".join(sentences[int(at)] for at in row)


def _document(number: int, texts: tuple[str, ...], vectors: np.ndarray, *, targets: set[int]) -> PreparedDocument:
    document_id = f"doc-{number:07}"
    mean = vectors.mean(axis=0)
    digest = hashlib.sha256("\n".join([document_id, *texts]).encode()).hexdigest()
    chunks = tuple(
        StoredChunk(document_id=document_id, chunk_id=f"{document_id}#{j}", chunk_index=j, text=text, token_count=150)
        for j, text in enumerate(texts)
    )
    return PreparedDocument(
        document=StoredDocument(
            document_id=document_id,
            title=texts[0][:60],
            summary=texts[0][:300],
            content_hash=digest,
            n_chunks=len(texts),
            n_tokens=150 * len(texts),
        ),
        vector=(mean / max(float(np.linalg.norm(mean)), 1e-9)).astype(np.float32),
        chunks=chunks,
        chunk_vectors=np.asarray(vectors, dtype=np.float32),
        relationships=tuple(
            Relationship(from_document_id=document_id, relation_type="references", to_document_id=f"doc-{t:07}")
            for t in sorted(targets)
        ),
    )


def filled(
    database: Database, url: str, n_chunks: int, *, sentences: list[str], embedder: Embedder, keep: bool
) -> tuple[Store, dict[str, Any]]:
    """A workspace of so many chunks, and what filling it took."""
    name, n_documents = f"{WORKSPACE}-{n_chunks}", n_chunks // PER_DOCUMENT
    there = {workspace.name: workspace.n_documents for workspace in database.workspaces()}
    seconds = None
    if not keep or there.get(name) != n_documents:
        if name in there:
            database.drop_workspace(name)
        database.create_workspace(name, embedder.info)
        started = time.perf_counter()
        load(url, name, embedder.info, documents=documents(sentences, embedder), n_documents=n_documents)
        seconds = round(time.perf_counter() - started, 1)
        vacuum(url, name)
    return database.open_workspace(name), {"write_seconds": seconds, "megabytes": megabytes(url, name)}


def imported(url: str, database: Database, sentences: list[str], *, n_chunks: int) -> dict[str, Any]:
    """The memory that this process holds during an import, in tenths of it: megabytes; and how long it took."""
    if any(workspace.name == IMPORT for workspace in database.workspaces()):
        database.drop_workspace(IMPORT)
    n_documents, process, seen = n_chunks // PER_DOCUMENT, psutil.Process(), [0.0]
    rng = np.random.default_rng(7)
    texts = chunk_texts(sentences, rng)

    def records() -> Iterator[Document]:
        for i in range(n_documents):
            if i % max(1, n_documents // 10) == 0:
                seen.append(round(process.memory_info().rss / 1e6, 1))
            parts = list(islice(texts, PER_DOCUMENT))
            yield Document(document_id=f"doc-{i:07}", title=parts[0][:60], text="\n\n".join(parts))

    started = time.perf_counter()
    with docgraph.connect(workspace=IMPORT, database_url=url) as connected:
        report = connected.ingest_records(records())
    database.drop_workspace(IMPORT)
    return {
        "documents": report.n_stored,
        "seconds": round(time.perf_counter() - started, 1),
        "megabytes": [*seen[1:], round(process.memory_info().rss / 1e6, 1)],
    }


def at_step(
    store: Store, url: str, n_chunks: int, *, options: argparse.Namespace, embedder: Embedder, clock: ServerClock
) -> dict[str, Any]:
    """Ask so many chunks: every signal in every mode, with the share of exact search's documents."""
    asked = [(query, vector_of(embedder, query)) for query in questions(options.texts, options.rounds + 1)]
    ways: dict[str, Any] = {}
    exact: dict[SeedSignal, list[Documents]] = {}
    for mode in modes.each(store, left_aside=() if n_chunks <= options.hnsw_up_to else ("hnsw",)):
        vacuum(url, f"{WORKSPACE}-{n_chunks}")
        for signal, (costs, found) in _signals(store, asked, clock).items():
            base = exact.setdefault(signal, found)
            shares = [figures.recall(a[k], b[k]) for k in (0, 1) for a, b in zip(found, base, strict=True)]
            of_plan, of_first = shares[: len(found)], shares[len(found) :]
            overlap = [round(statistics.mean(each), 3) for each in (of_plan, of_first)]
            ways[f"{signal}, {mode}"] = {**figures.summary(costs), "overlap": overlap}
    return {"ways": ways}


def megabytes(url: str, name: str) -> float:
    """What the workspace takes on disk, with its indexes."""
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT sum(pg_total_relation_size(format('%%I.%%I', schemaname, tablename)::regclass)) / 1e6 "
            "FROM pg_tables WHERE schemaname = %s",
            (Naming().schema_of(name),),
        ).fetchone()
    assert row is not None
    return round(float(row[0]), 1)


def _signals(
    store: Store, asked: list[tuple[str, np.ndarray]], clock: ServerClock
) -> dict[SeedSignal, tuple[list[Cost], list[Documents]]]:
    """Every signal in turns; the first question warms up. Also the plan's documents, and the first of the ranking."""
    costs: dict[SeedSignal, tuple[list[Cost], list[Documents]]] = {signal: ([], []) for signal in SIGNALS}
    for i, (query, vector) in enumerate(asked):
        for signal in SIGNALS:
            request = RetrievalRequest(query=query, seed_signal=signal)
            cost, plan = measured(lambda request=request, vector=vector: modes.plan(store, request, vector), clock)
            if i:
                with store.reading() as snapshot:
                    first = snapshot.rank_documents(Probe(vector, query), signal, limit=FIRST)
                costs[signal][0].append(cost)
                costs[signal][1].append((plan.document_ids, tuple(each.document_id for each in first)))
    return costs


def vector_of(embedder: Embedder, query: str) -> np.ndarray:
    """Shape (dimension,), float32."""
    return np.asarray(embedder.embed([query])[0], dtype=np.float32)


def questions(folder: Path, n: int) -> list[str]:
    """Short sentences of the texts themselves, spread over all of them."""
    sentences = [each for each in sentences_of(folder) if 30 <= len(each) <= 120 and each[0].isalpha()]
    return [sentences[(i * 97) % len(sentences)] for i in range(n)]


def growth(steps: list[dict[str, Any]]) -> dict[str, list[float | None]]:
    """Way → server CPU (wall time where it is not seen) of each step ÷ the first step's; None: it was not asked."""
    found = {}
    for name, first in steps[0]["ways"].items():
        key = "p50_ms" if first["server_cpu_ms"] is None else "server_cpu_ms"
        found[name] = [figures.ratio(step["ways"].get(name, {}).get(key), first[key]) for step in steps]
    return found


if __name__ == "__main__":
    main()
