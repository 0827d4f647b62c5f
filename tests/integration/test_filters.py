"""Filters in PostgreSQL: the index answers them, what was stored before has facets too, restated documents new ones."""

from __future__ import annotations

import psycopg
import pytest

from docgraph.domain.where import facets_of, parse_condition
from docgraph.plugins.stores.postgres.statements.rankings import predicates
from docgraph.ports import Database, Store
from tests.contract.stores.examples import EMBEDDER, example_document


@pytest.fixture
def filled(postgres_database: Database) -> Store:
    store = postgres_database.create_workspace("w", EMBEDDER)
    documents = [
        example_document(
            f"d{n:04}", ("one",), metadata={"status": "rare" if n == 7 else "common", "date": f"20{n % 90 + 10}-01-01"}
        )
        for n in range(2_000)
    ]
    store.write(documents)
    return store


@pytest.mark.parametrize("condition", ["status=rare", "status=rare|none", "owner=*", "owner>=3"])
def test_a_selective_condition_is_answered_by_the_index(
    filled: Store, embedded_database_url: str, condition: str
) -> None:
    (test,), values = predicates([parse_condition(condition)])
    with psycopg.connect(embedded_database_url) as connection:
        connection.execute("ANALYZE ws_w.document_nodes")
        said = f"EXPLAIN SELECT document_id FROM ws_w.document_nodes WHERE {test}"
        rows = connection.execute(said.encode(), values).fetchall()
    assert any("document_nodes_facets" in row[0] for row in rows), rows


def test_ranges_and_their_opposites_are_counted_exactly(filled: Store) -> None:
    with filled.reading() as snapshot:
        for condition, n in (("date>=2050", 1), ("status!=common", 1), ("date<2011", 1)):
            expected = sum(
                parse_condition(condition).meets(facets_of(d.doc_type, d.ingestion_id, d.metadata))
                for d in snapshot.documents()
            )
            assert snapshot.count_matching((parse_condition(condition),)) == expected
            assert expected >= n
