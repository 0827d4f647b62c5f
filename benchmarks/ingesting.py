"""Import of records with given vectors beside binary COPY into equal tables, import of files, and memory by size.

    python -m benchmarks.ingesting [--documents 2000] [--rounds 3] [--files FOLDER] [--memory 50000 200000]
                                   [--database-url URL] [--json FILE]

``records`` compares ``Docgraph.ingest_records`` with COPY of ready rows into the tables of another, equal workspace, in
turns. ``--files`` imports a folder into a new workspace. ``--memory`` streams so many chunks out of a generator and
tells what the process held at most while it did.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from pgvector.psycopg import register_vector
from psycopg.types.json import Jsonb

from benchmarks.clocks import postmaster_in
from benchmarks.corpus import DIMENSION, make_corpus, unit
from benchmarks.servers import BATCH, server_url
from docgraph import plugins
from docgraph.domain.graph import Chunk, Document, PreparedDocument, Relationship, Vectors
from docgraph.domain.workspace import EmbedderInfo
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores.postgres.writing import CHUNK_TYPES, EDGE_TYPES, NODE_TYPES

CHUNKS_PER_DOCUMENT = 8
HASH = "0" * 64
NODES = (
    "document_id, title, summary, summary_embedding, source, ingestion_id, doc_type, headings, metadata, content_hash,"
    " n_chunks, n_tokens, fingerprint, names, text_hash, embedded_hash, stated_hash"
)
CHUNKS = "document_id, chunk_index, chunk_id, chunk_text, embedding, heading_path, token_count"
EDGES = "from_document_id, relation_type, to_document_id, relationship_metadata, fingerprint"


class NeverEmbeds:
    """An embedder of the corpus' width that breaks the run when it is asked for anything."""

    info = EmbedderInfo(name="bench", model="random", dimension=DIMENSION)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Nothing may be embedded: every vector is given."""
        raise AssertionError(f"{len(texts)} texts were embedded although their vectors were given")


class Clocks:
    """Wall and CPU seconds (this process, and the server where it can be seen) since it was made."""

    def __init__(self, server: int | None) -> None:
        self._server = server
        self._started = (time.perf_counter(), time.process_time(), _server_cpu(server))

    def seconds(self) -> dict[str, float]:
        """``wall``, ``client`` and ``server``."""
        wall, client, server = self._started
        return {
            "wall": time.perf_counter() - wall,
            "client": time.process_time() - client,
            "server": _server_cpu(self._server) - server,
        }


def main() -> None:
    """Run, print, and write JSON when asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--files", type=Path, help="a folder to import")
    parser.add_argument("--memory", type=int, nargs="*", default=[], help="numbers of chunks to stream")
    parser.add_argument("--database-url", help="a server to measure on; default: an embedded one in a new folder")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="docgraph-bench-") as folder:
        Path(folder).chmod(0o755)  # as root, the embedded server runs as another user
        with server_url(options.database_url, Path(folder)) as url:
            results = measure(url, Path(folder) / "postgres", options)
    print(json.dumps(results, indent=2))
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")


def measure(url: str, data: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Everything that was asked for."""
    server = postmaster_in(data)
    database = plugins.build("stores", "postgres", database_url=url)
    results: dict[str, Any] = {}
    try:
        if options.documents:
            results["records"] = _records(database, url, server, options)
        if options.files:
            results["files"] = [_files(database, server, options.files) for _ in range(options.rounds)]
        if options.memory:
            results["memory"] = [_memory(database, server, n) for n in options.memory]
    finally:
        database.close()
    return results


def _opened(database: Any, workspace: str, **changes: Any) -> Docgraph:
    parts: dict[str, Any] = {
        "database": database,
        "embedder": NeverEmbeds(),
        "tokenizer": plugins.build("tokenizers", "wordllama"),
        "summarizer": plugins.build("summarizers", "extractive"),
        "loaders": (),
        "extractors": (),
        "checks": (),
        "clock": time.perf_counter,
    }
    return Docgraph(Adapters(**{**parts, **changes}), workspace, owns_database=False)


# ------------------------------------------------------------ records beside COPY


def _records(database: Any, url: str, server: int | None, options: argparse.Namespace) -> dict[str, Any]:
    corpus = make_corpus(options.documents, chunks_per_document=CHUNKS_PER_DOCUMENT)
    documents, edges = list(map(as_document, corpus)), [edge for each in corpus for edge in each.relationships]
    ours, theirs = [], []
    for number in range(options.rounds + 1):
        for name in {"bench", "copied"} & {each.name for each in database.workspaces()}:
            database.drop_workspace(name)
        database.create_workspace("copied", NeverEmbeds.info)
        clocks = Clocks(server)
        report = _opened(database, "bench").ingest_records(documents, edges)
        mine = clocks.seconds()
        assert report.n_stored == len(documents), report
        other = _copied(url, corpus, server)
        if number:  # the first round warms caches and code up
            ours.append(mine)
            theirs.append(other)
    ratios = sorted(b["wall"] / a["wall"] for a, b in zip(ours, theirs, strict=True))
    return {
        "documents": len(documents),
        "chunks": len(documents) * CHUNKS_PER_DOCUMENT,
        "ingest_records": _medians(ours),
        "copy": _medians(theirs),
        "ratio": round(statistics.median(ratios), 3),
        "ratio_min": round(ratios[0], 3),
        "ratio_max": round(ratios[-1], 3),
    }


def as_document(prepared: PreparedDocument) -> Document:
    """What a caller of ``ingest_records`` gives: chunks and all vectors."""
    stored = prepared.document
    return Document(
        document_id=stored.document_id,
        title=stored.title,
        summary=stored.summary,
        vector=prepared.vector.tolist(),
        chunks=tuple(
            Chunk(chunk_id=c.chunk_id, chunk_index=c.chunk_index, text=c.text, token_count=c.token_count, vector=vector)
            for c, vector in zip(prepared.chunks, prepared.chunk_vectors.tolist(), strict=True)
        ),
    )


def _copied(url: str, corpus: Sequence[PreparedDocument], server: int | None) -> dict[str, float]:
    """Ready rows by COPY into the tables of an empty workspace, one transaction for 200 documents."""
    with psycopg.connect(url, autocommit=True) as connection:
        register_vector(connection)
        clocks = Clocks(server)
        for start in range(0, len(corpus), BATCH):
            part = corpus[start : start + BATCH]
            with connection.transaction():
                _copy(connection, "document_nodes", NODES, NODE_TYPES, map(_node, part))
                _copy(connection, "vector_chunks", CHUNKS, CHUNK_TYPES, (row for each in part for row in _chunks(each)))
                _copy(
                    connection,
                    "document_relationships",
                    EDGES,
                    EDGE_TYPES,
                    (_edge(edge) for each in part for edge in each.relationships),
                )
        return clocks.seconds()


def _node(each: PreparedDocument) -> tuple[Any, ...]:
    d = each.document
    said = (d.document_id, d.title, d.summary, each.vector, "", "records", "", [], Jsonb({}), HASH)
    return (*said, d.n_chunks, d.n_tokens, b"0" * 32, [d.document_id.replace("-", " ")], HASH, HASH, HASH)


def _chunks(each: PreparedDocument) -> Iterator[tuple[Any, ...]]:
    for c, vector in zip(each.chunks, each.chunk_vectors, strict=True):
        yield (c.document_id, c.chunk_index, c.chunk_id, c.text, vector, [], c.token_count)


def _edge(edge: Relationship) -> tuple[Any, ...]:
    return (*edge.key, Jsonb({"extractor": "records"}), b"0" * 32)


def _copy(
    connection: psycopg.Connection[Any], table: str, columns: str, types: Sequence[str], rows: Iterator[Any]
) -> None:
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY ws_copied.{table} ({columns}) FROM STDIN WITH (FORMAT BINARY)") as copy,
    ):
        copy.set_types(types)
        for row in rows:
            copy.write_row(row)


# ------------------------------------------------------------ files, memory


def _files(database: Any, server: int | None, folder: Path) -> dict[str, Any]:
    """One import of a folder into a new workspace with the parts that are used by default."""
    if "files" in {each.name for each in database.workspaces()}:
        database.drop_workspace("files")
    dg = _opened(
        database,
        "files",
        embedder=plugins.build("embedders", "wordllama"),
        loaders=tuple(plugins.build("loaders", name) for name in plugins.available("loaders")),
        extractors=tuple(plugins.build("extractors", name) for name in plugins.available("extractors")),
    )
    clocks = Clocks(server)
    report = dg.ingest(folder)
    return {"stored": report.n_stored, "chunks": report.n_chunks, **_rounded(clocks.seconds())}


def _memory(database: Any, server: int | None, n_chunks: int) -> dict[str, Any]:
    """Streams documents that are made one by one; megabytes held before, and at most above that."""
    if "memory" in {each.name for each in database.workspaces()}:
        database.drop_workspace("memory")
    dg = _opened(database, "memory")
    before, clocks = _resident(), Clocks(server)
    with Peak() as peak:
        report = dg.ingest_records(_endless(n_chunks // CHUNKS_PER_DOCUMENT))
    database.drop_workspace("memory")
    return {
        "chunks": report.n_chunks,
        "before_mb": round(before),
        "peak_mb": round(peak.most),
        "grown_mb": round(peak.most - before),
        **_rounded(clocks.seconds()),
    }


def _endless(n_documents: int) -> Iterator[Document]:
    """Documents that share their words and differ in everything else."""
    rng = np.random.default_rng(3)
    words = [f"w{rank}x" for rank in range(5_000)]
    for i in range(n_documents):
        vectors = unit(rng.standard_normal((CHUNKS_PER_DOCUMENT + 1, DIMENSION))).tolist()
        picked = rng.integers(0, len(words), (CHUNKS_PER_DOCUMENT, 40))
        yield Document(
            document_id=f"doc-{i:07}",
            title=f"Document {i}",
            summary=f"What is said in document {i}.",
            vector=vectors[0],
            chunks=tuple(
                Chunk(
                    chunk_id=f"doc-{i:07}#{j}",
                    chunk_index=j,
                    text=" ".join(words[k] for k in row),
                    token_count=60,
                    vector=vectors[j + 1],
                )
                for j, row in enumerate(picked)
            ),
        )


class Peak:
    """The most megabytes that this process held while the block ran, looked at ten times a second."""

    def __init__(self) -> None:
        self.most = _resident()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Peak:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(0.1):
            self.most = max(self.most, _resident())


def _resident() -> float:
    """Megabytes of memory that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _server_cpu(postmaster: int | None) -> float:
    """CPU seconds of a server on this machine, its living and its ended processes; 0 for another one."""
    if postmaster is None:
        return 0.0
    total = 0.0
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        if int(entry.name) == postmaster:
            total += sum(map(int, fields[11:15]))
        elif int(fields[1]) == postmaster:
            total += sum(map(int, fields[11:13]))
    return total / os.sysconf("SC_CLK_TCK")


def _medians(rounds: Sequence[dict[str, float]]) -> dict[str, float]:
    return _rounded({name: statistics.median(each[name] for each in rounds) for name in rounds[0]})


def _rounded(seconds: dict[str, float]) -> dict[str, float]:
    return {f"{name}_s": round(value, 2) for name, value in seconds.items()}


if __name__ == "__main__":
    main()
