"""The approximate index on PostgreSQL: asked by rankings alone, complete each time, and said wherever it was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from pgvector.psycopg import register_vector

from docgraph.domain import ranking
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import EmbedderInfo, VectorSearch
from docgraph.errors import UserError
from docgraph.planning.planner import make_plan
from docgraph.plugins.stores.postgres import queries
from docgraph.plugins.stores.postgres.queries import Query
from docgraph.plugins.stores.postgres.statements import placed
from docgraph.plugins.stores.postgres.statements.values import Texts, TextsDumper
from docgraph.ports import Database, Hop, Store
from tests.contract.stores.examples import EMBEDDER, example_document, example_vector, example_vectors
from tests.contract.stores.searching import PROBE

INDEX = "vector_chunks_hnsw"
N_DOCUMENTS, N_CHUNKS = 120, 20
IDS = [f"d{i:03}" for i in range(N_DOCUMENTS)]
CHEAP = "SELECT set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)"
"""In so few chunks PostgreSQL would rather sort all of them."""
HOP = Hop(first=(), passed=(), n_best=3, relation_types=None, max_edges=9)


def filled(database: Database) -> Store:
    """A workspace of 2,400 chunks, searched by the approximate index."""
    store = database.create_workspace("w", EMBEDDER)
    store.write(
        [
            example_document(
                document_id,
                [f"text {i}" for i in range(N_CHUNKS)],
                vector=example_vector(document_id),
                chunk_vectors=example_vectors([f"{document_id} {i}" for i in range(N_CHUNKS)]),
            )
            for document_id in IDS
        ]
    )
    store.set_vector_search("hnsw")
    return store


@pytest.fixture
def connection(postgres_database: Database, embedded_database_url: str) -> Iterator[psycopg.Connection]:
    """One on which the index is as cheap as can be."""
    with psycopg.connect(embedded_database_url, autocommit=True) as connected:
        register_vector(connected)
        connected.adapters.register_dumper(Texts, TextsDumper)
        connected.execute("SET enable_seqscan = off")
        connected.execute("SET enable_sort = off")
        yield connected


def how(connection: psycopg.Connection, query: Query[Any], search: VectorSearch) -> str:
    """How PostgreSQL would answer it."""
    rows = connection.execute(b"EXPLAIN " + placed(query.sent(search), "ws_w"), query.values).fetchall()
    return "\n".join(row[0] for row in rows)


def test_only_rankings_and_plain_search_of_that_mode_ever_ask_the_index(
    postgres_database: Database, connection: psycopg.Connection
) -> None:
    """Not where the index would be cheapest: what execution reads of planned documents, and every exact statement."""
    store = filled(postgres_database)
    connection.execute("ANALYZE ws_w.vector_chunks")
    ranked: list[Query[Any]] = [
        queries.rank_documents(PROBE, "chunk", limit=5),
        queries.rank_documents(PROBE, "mean", limit=5),
        queries.rank_with_neighbours(PROBE, "hybrid", limit=5, document_ids=(), hop=HOP),
        queries.nearest_chunks(PROBE.vector, limit=10),
        queries.nearest_chunk_scores(PROBE.vector, limit=10),
    ]
    scoped: list[Query[Any]] = [
        queries.nearest_chunks_of(IDS[:5], PROBE.vector, per_document=3),
        queries.rank_documents(PROBE, "summary", limit=5),
        queries.rank_documents(PROBE, "chunk", limit=5, where={"doc_type": "note"}),
        queries.chunks_with_words(PROBE, limit=5),
    ]
    assert all(INDEX in how(connection, query, "hnsw") for query in ranked)
    assert not any(INDEX in how(connection, query, "hnsw") for query in scoped)
    assert not any(INDEX in how(connection, query, mode) for query in ranked for mode in ("exact", "quantized"))
    with store.reading() as snapshot:
        snapshot.nearest_chunks_of(IDS[:5], PROBE.vector, per_document=3)
        assert "<=>" not in " ".join(snapshot.statements())


def test_twenty_times_on_one_connection_the_search_is_complete(
    postgres_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A generic plan, or a scan that stops at what the index has in view, would find fewer without a word."""
    monkeypatch.setattr(ranking, "N_INDEXED", 900)
    store = filled(postgres_database)
    found = []
    for _ in range(20):
        with store.reading() as snapshot:
            snapshot.rows(CHEAP)  # type: ignore[attr-defined]
            found.append(snapshot.nearest_chunk_scores(PROBE.vector, limit=600))
            sent = " ".join(snapshot.statements())
        assert "<=>" in sent
        assert "force_custom_plan" in sent
    assert {len(each) for each in found} == {600}
    assert len(set(found)) == 1
    with store.reading(exact=True) as snapshot:
        exact = snapshot.nearest_chunk_scores(PROBE.vector, limit=600)
    assert len(set(exact) & set(found[0])) >= 570


def test_the_index_is_built_with_the_mode_and_dropped_when_it_is_left(
    postgres_database: Database, connection: psycopg.Connection
) -> None:
    store = filled(postgres_database)

    def there() -> int:
        rows = connection.execute("SELECT 1 FROM pg_indexes WHERE schemaname = 'ws_w' AND indexname = %s", (INDEX,))
        return len(rows.fetchall())

    counts = [there()]
    for mode in ("quantized", "hnsw", "exact"):
        store.set_vector_search(mode)
        counts.append(there())
    assert counts == [1, 0, 1, 0]


def test_a_plan_by_the_index_says_so_and_keeps_its_contract(postgres_database: Database) -> None:
    """The exact plan is what it was before and after."""
    store = filled(postgres_database)

    def plan(signal: str = "hybrid") -> Any:
        with store.reading() as snapshot:
            request = RetrievalRequest.model_validate({"query": PROBE.text, "seed_signal": signal})
            return make_plan(request, PROBE, snapshot)

    approximate, by_summary = plan(), plan("summary")
    store.set_vector_search("exact")
    assert approximate.constraints.vector_search == "hnsw"
    assert by_summary == plan("summary")
    assert plan().constraints.vector_search == "exact"
    assert plan().plan_id != approximate.plan_id


def test_vectors_that_the_index_cannot_hold_are_refused(postgres_database: Database) -> None:
    store = postgres_database.create_workspace("wide", EmbedderInfo(name="example", dimension=2_001))
    with pytest.raises(UserError, match="2,001") as caught:
        store.set_vector_search("hnsw")
    assert "quantized" in caught.value.hint
    with store.reading() as snapshot:
        assert snapshot.workspace.vector_search == "exact"
