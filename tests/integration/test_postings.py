"""Postings of words: ranking by them is ranking by ts_rank, and they are as true as the texts that they come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.bulk import load
from docgraph.plugins.stores.postgres.postings import SQL
from docgraph.plugins.stores.postgres.statements import placed
from docgraph.ports import Database, Probe
from tests.contract.stores.examples import EMBEDDER, example_document, example_vector
from tests.integration.rankings_before import CHUNKS_WITH_WORDS, HYBRID

Rows = list[tuple[Any, ...]]
WORDS = ("python", "pythons", "back-pressure", "O'Hare", "a\\b", "http://x.org/y", "queue", "queues", "the", "né")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
DOCUMENTS = st.lists(st.tuples(TEXTS, st.lists(TEXTS, max_size=4)), min_size=1, max_size=8)


@pytest.fixture
def connection(postgres_database: Database, embedded_database_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(embedded_database_url, autocommit=True) as connected:
        yield connected


def rows(connection: psycopg.Connection, statement: str, **values: Any) -> Rows:
    return connection.execute(placed(statement, "ws_w"), values).fetchall()


def postings(connection: psycopg.Connection) -> Rows:
    return rows(connection, 'SELECT * FROM :"schema".vector_postings ORDER BY lexeme, document_id')


def filled_anew(connection: psycopg.Connection) -> Rows:
    """What the migration would write down of the texts that are stored."""
    with connection.transaction(force_rollback=True):
        connection.execute(placed('TRUNCATE :"schema".vector_postings', "ws_w"))
        connection.execute(placed(SQL["fill"], "ws_w"))
        return postings(connection)


def test_what_a_benchmark_loads_is_what_a_write_leaves(
    postgres_database: Database, connection: psycopg.Connection, embedded_database_url: str
) -> None:
    """Else growth would measure another workspace than the one that an import makes."""
    documents = [example_document(i, ("zebra lion", f"river {i}"), edges=[("cites", "a")]) for i in "abc"]

    def left() -> tuple[str, Rows, Rows]:
        with postgres_database.open_workspace("w").reading() as snapshot:
            revision = snapshot.workspace.revision
        indexes = "SELECT indexname FROM pg_indexes WHERE schemaname = 'ws_w' ORDER BY 1"
        return revision, postings(connection), rows(connection, indexes)

    postgres_database.create_workspace("w", EMBEDDER).write(documents)
    written = left()
    postgres_database.drop_workspace("w")
    postgres_database.create_workspace("w", EMBEDDER)
    load(embedded_database_url, "w", EMBEDDER, documents=iter(documents), n_documents=3)
    assert left() == written


def test_what_a_posting_says_is_what_ts_rank_says_of_that_word(
    postgres_database: Database, connection: psycopg.Connection
) -> None:
    """To the last bit, for every number of occurrences that a text can have; 255 of them are kept."""
    store = postgres_database.create_workspace("w", EMBEDDER)
    store.write([example_document("a", [" ".join(["zebra"] * n) for n in range(1, 300)], title="t")])
    found = rows(
        connection,
        """SELECT chunk_index, ts_rank('{1,1,1,1}', words, 'zebra') = frequency
        FROM :"schema".vector_chunks JOIN (
          SELECT unnest(places) AS chunk_index, unnest(frequencies) AS frequency
          FROM :"schema".vector_postings WHERE lexeme = 'zebra') p USING (chunk_index)""",
    )
    assert sorted(found) == [(n, True) for n in range(299)]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(DOCUMENTS, st.lists(st.sampled_from((*WORDS, "quokka")), max_size=6).map(" ".join))
@pytest.mark.slow
def test_a_ranking_by_postings_is_the_ranking_by_ts_rank(
    postgres_database: Database, connection: psycopg.Connection, documents: Sequence[Any], question: str
) -> None:
    """To the last bit and place, with ties, over random texts: of documents, and of chunks by words."""
    if postgres_database.workspaces():
        postgres_database.drop_workspace("w")
    store = postgres_database.create_workspace("w", EMBEDDER)
    store.write([example_document(f"d{i}", texts, summary=s) for i, (s, texts) in enumerate(documents)])
    probe = Probe(example_vector("x"), question)
    vector = str(probe.vector.tolist())
    with store.reading() as snapshot:
        ranked = snapshot.rank_documents(probe, "hybrid", limit=99)
        hits = snapshot.chunks_with_words(probe, limit=2)
    before = rows(connection, HYBRID, vector=vector, text=question, limit=99, ids=[])
    assert [(r.document_id, r.rank, r.score) for r in ranked] == [(i, n, round(s, 6)) for i, _, n, s, _, _ in before]
    words = rows(connection, CHUNKS_WITH_WORDS, vector=vector, text=question, limit=2)
    assert [(h.chunk.document_id, h.chunk.chunk_index, h.words) for h in hits] == [
        (row[0], row[2], round(row[7], 6)) for row in words
    ]


def test_postings_follow_every_change_of_the_texts(postgres_database: Database, connection: psycopg.Connection) -> None:
    """Written, replaced and deleted, they are what the stored texts hold, and nothing of a text that is gone."""
    store = postgres_database.create_workspace("w", EMBEDDER)
    store.write([example_document(i, ("zebra lion", f"river {i}"), summary="zebras") for i in "abc"])
    first = postings(connection)
    assert first == filled_anew(connection) != []
    assert ("zebra", "a", [-1, 0]) in [row[:3] for row in first]
    store.write([example_document("a", ("quokka",), title="Other"), example_document("d", ())])
    assert postings(connection) == filled_anew(connection) != first
    store.delete_documents(["a", "b", "unknown"])
    assert {row[1] for row in postings(connection)} == {"c", "d"}
    store.delete_documents(["c", "d"])
    assert postings(connection) == []


def test_a_word_too_long_for_a_key_is_found_in_a_document_whose_id_is_as_long(postgres_database: Database) -> None:
    """Such a word is no fault of the text: it is stored, counted and ranked like any other."""
    store, long = postgres_database.create_workspace("w", EMBEDDER), "x" * 1_990
    store.write([example_document("𝄞" * 512, (long,)), example_document("b", ("y" * 1_990,))])
    with store.reading() as snapshot:
        assert snapshot.count_holding([long, "z" * 1_990]) == {long: 1, "z" * 1_990: 0}
        [hit] = snapshot.chunks_with_words(Probe(example_vector("x"), long), limit=9)
    assert hit.chunk.document_id == "𝄞" * 512
