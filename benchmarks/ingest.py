"""Import beside raw COPY: the public way beside binary COPY into equal tables, the store's beside hand-written code.

``equal tables`` are made of the workspace's own (columns, generated columns, indexes, foreign keys), whatever they are,
and what is copied is what docgraph itself has stored; so the base is the least that storing the same costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg

from benchmarks import figures
from benchmarks.clocks import Cost, ServerClock, measured
from benchmarks.handwritten import Handwritten
from benchmarks.servers import BATCH, WORKSPACE, new_workspace, write
from docgraph.domain.graph import Chunk, Document, PreparedDocument, Relationship
from docgraph.orchestration.docgraph import Docgraph

OWN, EQUAL = f"ws_{WORKSPACE}", "equal"
FOREIGN_KEYS = """
SELECT conrelid::regclass::text, pg_get_constraintdef(c.oid) FROM pg_constraint c JOIN pg_namespace n
ON n.oid = connamespace WHERE contype = 'f' AND nspname = %s ORDER BY conname"""
COLUMNS = """
SELECT table_name, array_agg(column_name::text ORDER BY ordinal_position) FROM information_schema.columns
WHERE table_schema = %s AND is_generated = 'NEVER' GROUP BY table_name ORDER BY table_name"""


def measure(
    dg: Docgraph, url: str, documents: Sequence[PreparedDocument], *, rounds: int, clock: ServerClock
) -> dict[str, Any]:
    """Both, in turns; ratios are speeds, so that 1 is as fast as COPY."""
    database = dg.session.adapters.database
    records, edges = as_records(documents)
    took: dict[str, list[Cost]] = {"public": [], "equal": [], "store": [], "hand": []}
    for i in range(rounds + 1):
        new_workspace(database)
        public, report = measured(lambda: dg.ingest_records(records, edges), clock)
        if report.n_stored != len(documents):
            raise SystemExit(f"{report.n_stored} of {len(documents)} documents were stored: {report}")
        equal = equal_copy(url, clock)
        store = new_workspace(database)
        own, _ = measured(lambda store=store: write(store, documents), clock)
        hand = Handwritten(url)
        other, _ = measured(lambda hand=hand: hand.ingest(documents, BATCH), clock)
        hand.close()
        if i:  # the first round warms caches and code up
            for name, cost in zip(took, (public, equal, own, other), strict=True):
                took[name].append(cost)
    return {
        "documents": len(documents),
        "public": _speed(took["public"], took["equal"], len(documents)),
        "store": _speed(took["store"], took["hand"], len(documents)),
    }


def _speed(ours: list[Cost], base: list[Cost], n: int) -> dict[str, Any]:
    found = figures.compared(ours, base)
    mine, other = found["mine"], found["base"]
    return {
        "rounds": found["rounds"],
        "documents_per_second": round(1000 * n / mine["p50_ms"]),
        "base_documents_per_second": round(1000 * n / other["p50_ms"]),
        "speed": figures.ratio(other["p50_ms"], mine["p50_ms"]),
        "server_cpu": found["server_cpu"],
        "client_cpu_ms": mine["client_cpu_ms"],
        "server_cpu_ms": mine["server_cpu_ms"],
        "base_client_cpu_ms": other["client_cpu_ms"],
        "base_server_cpu_ms": other["server_cpu_ms"],
    }


def equal_copy(url: str, clock: ServerClock) -> Cost:
    """What binary COPY of the workspace's rows into equal, empty tables costs, in one transaction."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {EQUAL} CASCADE")
        connection.execute(f"CREATE SCHEMA {EQUAL}")
        columns: dict[str, list[str]] = dict(connection.execute(COLUMNS, (OWN,)).fetchall())
        for table in columns:
            connection.execute(f'CREATE TABLE {EQUAL}."{table}" (LIKE "{OWN}"."{table}" INCLUDING ALL)')
        for table, definition in connection.execute(FOREIGN_KEYS, (OWN,)).fetchall():
            there = table.replace(OWN, EQUAL)
            connection.execute(f"ALTER TABLE {there} ADD {definition.replace(OWN, EQUAL)}")
        order = sorted(columns, key=lambda table: table != "document_nodes")  # the others refer to it
        lists = {table: ", ".join(f'"{name}"' for name in columns[table]) for table in order}
        data = {table: _read(connection, f'"{OWN}"."{table}" ({lists[table]})') for table in order}

        def copy() -> None:
            with connection.transaction():
                for table in order:
                    target = f'{EQUAL}."{table}" ({lists[table]})'
                    with connection.cursor().copy(f"COPY {target} FROM STDIN WITH (FORMAT BINARY)") as sink:
                        for block in data[table]:
                            sink.write(block)

        cost, _ = measured(copy, clock)
        connection.execute(f"DROP SCHEMA {EQUAL} CASCADE")
        return cost


def _read(connection: psycopg.Connection[Any], source: str) -> list[bytes]:
    with connection.cursor().copy(f"COPY {source} TO STDOUT WITH (FORMAT BINARY)") as rows:
        return [bytes(block) for block in rows]


def as_records(documents: Sequence[PreparedDocument]) -> tuple[list[Document], list[Relationship]]:
    """The corpus as the public way takes it: chunks and vectors are given, so nothing has to be embedded."""
    records = [
        Document(
            document_id=each.document.document_id,
            title=each.document.title,
            summary=each.document.summary,
            chunks=tuple(
                Chunk(**chunk.model_dump(exclude={"document_id"}), vector=tuple(map(float, vector)))
                for chunk, vector in zip(each.chunks, each.chunk_vectors, strict=True)
            ),
            vector=tuple(map(float, each.vector)),
        )
        for each in documents
    ]
    return records, [edge for each in documents for edge in each.relationships]
