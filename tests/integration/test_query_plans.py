"""What the database does for a statement: a hub is read through its key, as far as needed, and vectors exactly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from pgvector.psycopg import register_vector

from docgraph.domain.request import SeedSignal
from docgraph.plugins.stores.postgres.postings import SQL as POSTINGS
from docgraph.plugins.stores.postgres.queries import RANKING, SQL, ranking_with_hop
from docgraph.plugins.stores.postgres.reading import PostgresSnapshot
from docgraph.plugins.stores.postgres.statements import placed
from docgraph.ports import Database
from tests.contract.stores.examples import EMBEDDER, example_document, example_vector

N_EDGES = 100_000
VALUES = {
    "vector": example_vector("x"),
    "text": "zebra",
    "limit": 3,
    "ids": ["hub"],
    "first": ["hub"],
    "passed": [],
    "n_best": 0,
    "types": ["cites"],
    "n_edges": 200,
}


@pytest.fixture
def connection(postgres_database: Database, embedded_database_url: str) -> Iterator[psycopg.Connection]:
    store = postgres_database.create_workspace("w", EMBEDDER)
    store.write([example_document("hub", ("zebra",)), *(example_document(f"d{i}", ("lion",)) for i in range(99))])
    with psycopg.connect(embedded_database_url, autocommit=True) as connected:
        register_vector(connected)
        yield connected


def steps(connection: psycopg.Connection, statement: str, **values: Any) -> list[dict[str, Any]]:
    """Every step of what was done for a statement, flat."""
    told = connection.execute(b"EXPLAIN (ANALYZE, FORMAT JSON) " + placed(statement, "ws_w"), VALUES | values)
    (said,) = told.fetchone() or ("[]",)
    return list(_flat((json.loads(said) if isinstance(said, str) else said)[0]["Plan"]))


def _flat(step: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield step
    for below in step.get("Plans", ()):
        yield from _flat(below)


@pytest.mark.slow
def test_a_hub_of_100_000_edges_is_read_through_its_key_and_no_further_than_the_limit(
    connection: psycopg.Connection,
) -> None:
    """With and without types, for the plan's edges and for the neighbours that the ranking takes along."""
    edges = "SELECT 'hub', CASE n % 2 WHEN 0 THEN 'cites' ELSE 'links' END, 'd' || n, '{}', '' FROM generate_series"
    connection.execute(f"INSERT INTO ws_w.document_relationships {edges}(1, {N_EDGES}) AS n".encode())
    connection.execute("VACUUM ANALYZE ws_w.document_relationships")
    for name, kind in (("outgoing", "Index Scan"), ("outgoing_of_types", "Index Scan")):
        read = [
            s for s in steps(connection, SQL[name], limit=200) if s.get("Relation Name") == "document_relationships"
        ]
        assert [(s["Node Type"], s["Actual Rows"]) for s in read] == [(kind, 200)], name
    for of_types in (False, True):
        done = steps(connection, ranking_with_hop("hybrid", of_types=of_types))
        read = [s for s in done if s.get("Relation Name") == "document_relationships"]
        assert [(s["Node Type"], s["Actual Rows"]) for s in read] == [("Index Scan", 200)], of_types
    followed = steps(connection, SQL["followed_types"], workspace="w")
    assert [s["Actual Loops"] for s in followed if s.get("Relation Name") == "document_relationships"] == [0]
    linking = steps(connection, SQL["count_linking"], ids=["d7", "d8"])
    assert [s["Actual Rows"] for s in linking if "document_relationships" in s.get("Index Name", "")] == [2]


@pytest.mark.slow
def test_names_in_a_question_are_looked_up_by_the_index_however_many_there_are(connection: psycopg.Connection) -> None:
    """PostgreSQL would read every document where a list that it sees is long."""
    (columns,) = connection.execute(
        "SELECT string_agg(column_name, ', ') FROM information_schema.columns WHERE table_schema = 'ws_w' "
        "AND table_name = 'document_nodes' AND is_generated = 'NEVER' AND column_name NOT IN ('document_id', 'names')"
    ).fetchone() or ("",)
    connection.execute(
        f"INSERT INTO ws_w.document_nodes (document_id, names, {columns}) SELECT 'n' || n, ARRAY['name ' || n], "
        f"{columns} FROM ws_w.document_nodes, generate_series(1, 5000) AS n WHERE document_id = 'hub'".encode()
    )
    connection.execute("VACUUM ANALYZE ws_w.document_nodes")
    keys = [f"name {n}" for n in range(0, 14_000, 100)]
    found = [
        s for s in steps(connection, SQL["documents_named"], keys=keys) if s.get("Relation Name") == "document_nodes"
    ]
    assert [(s["Node Type"], s["Actual Rows"]) for s in found] == [("Bitmap Heap Scan", 50)]


def test_no_statement_answers_from_an_approximate_index(connection: psycopg.Connection) -> None:
    """Not even where there is one, and where it is the only index that there is; the operator would."""
    for table, column in (("vector_chunks", "embedding"), ("document_nodes", "summary_embedding")):
        index = f"CREATE INDEX approximate_{table} ON ws_w.{table} USING hnsw ({column} vector_cosine_ops)"
        connection.execute(index.encode())
    connection.execute("SET enable_seqscan = off; SET enable_sort = off")

    def indexes(statement: str) -> set[str]:
        return {str(step.get("Index Name", "")) for step in steps(connection, statement)}

    tempting = 'SELECT 1 FROM :"schema".vector_chunks ORDER BY embedding <=> %(vector)s::vector LIMIT 3'
    assert "approximate_vector_chunks" in indexes(tempting)
    rankings = [ranking_with_hop(signal, of_types=False) for signal in ("chunk", "summary", "mean", "hybrid")]
    others = [SQL[name] for name in ("nearest_chunks_of", "nearest_chunks", "documents_of_nearest_chunks")]
    for statement in (*rankings, *others, RANKING["chunks_with_words"]):
        assert not [name for name in indexes(statement) if name.startswith("approximate")], statement


def test_words_are_looked_up_by_key(connection: psycopg.Connection) -> None:
    """The postings of other words are not read."""
    rows = "SELECT 'w' || n, 'd' || n % 99, '{0}', '{1}' FROM generate_series(1, 20000) AS n"
    connection.execute(f"INSERT INTO ws_w.vector_postings {rows}".encode())
    connection.execute("ANALYZE ws_w.vector_postings")
    for statement in (ranking_with_hop("hybrid", of_types=False), RANKING["chunks_with_words"]):
        read = [s for s in steps(connection, statement) if s.get("Relation Name") == "vector_postings"]
        assert read
        assert all("Seq Scan" not in s["Node Type"] and s["Actual Rows"] < 100 for s in read)


def test_postings_of_a_removed_document_are_found_without_its_words(connection: psycopg.Connection) -> None:
    """Nobody else's are read."""
    rows = "SELECT 'w' || n % 500, 'd' || n, '{0}', '{1}' FROM generate_series(1000, 20000) AS n"
    connection.execute(f"INSERT INTO ws_w.vector_postings {rows}".encode())
    connection.execute("ANALYZE ws_w.vector_postings")
    with connection.transaction(force_rollback=True):
        done = steps(connection, POSTINGS["remove"], ids=["hub", "d5"])
    read = [s for s in done if s.get("Index Name") == "vector_postings_document"]
    assert read
    assert not [s for s in done if "Seq Scan" in s["Node Type"] or s["Actual Rows"] > 20]


@pytest.mark.parametrize("signal", ["chunk", "mean", "hybrid"])
def test_a_ranking_that_processes_share_is_that_of_one(connection: psycopg.Connection, signal: SeedSignal) -> None:
    statement = ranking_with_hop(signal, of_types=False)
    alone = connection.execute(placed(statement, "ws_w"), VALUES | {"limit": 50}).fetchall()
    for name in ("parallel_setup_cost", "parallel_tuple_cost", "min_parallel_table_scan_size"):
        connection.execute(f"SET {name} = 0".encode())
    connection.execute("SET min_parallel_index_scan_size = 0; SET max_parallel_workers_per_gather = 2")
    connection.execute("ALTER TABLE ws_w.vector_chunks SET (parallel_workers = 2)")
    shared = [s for s in steps(connection, statement, limit=50) if s["Node Type"] in ("Gather", "Gather Merge")]
    assert shared
    assert connection.execute(placed(statement, "ws_w"), VALUES | {"limit": 50}).fetchall() == alone


def test_a_reading_weighs_its_work_as_that_of_the_processor(postgres_database: Database) -> None:
    """By PostgreSQL's own costs no ranking of many chunks would be shared."""
    store = postgres_database.create_workspace("w", EMBEDDER)
    asked = "SELECT current_setting('parallel_setup_cost'), current_setting('seq_page_cost')"
    with store.reading() as snapshot:
        assert isinstance(snapshot, PostgresSnapshot)
        assert snapshot.rows(asked) == [("100", "0.1")]
