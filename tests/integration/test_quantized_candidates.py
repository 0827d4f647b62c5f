"""Quantized candidates on PostgreSQL: bits as true as the vectors, plans that say so, exact ones that stay."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

import docgraph
from docgraph import Docgraph, plugins
from docgraph.boundary.installed import sample_folder
from docgraph.domain import ranking
from docgraph.domain.request import RetrievalRequest, SeedSignal
from docgraph.errors import UserError
from docgraph.planning.planner import make_plan
from docgraph.plugins.stores.postgres.statements import placed
from docgraph.ports import Database, Hop
from tests.contract.stores.examples import EMBEDDER, example_document
from tests.contract.stores.searching import IDS, PROBE, many

WRONG = """
SELECT count(*) FROM (
  SELECT document_id, chunk_index, embedding FROM :"schema".vector_chunks
  UNION ALL SELECT document_id, -1, summary_embedding FROM :"schema".document_nodes) c
FULL JOIN :"schema".vector_bits b USING (document_id, chunk_index)
CROSS JOIN LATERAL (
  SELECT array_fill((0.8 / sqrt(8))::real, ARRAY[8])::vector AS edge, l2_normalize(c.embedding) AS unit) made
WHERE binary_quantize(unit - edge) || binary_quantize(unit) || binary_quantize(unit + edge) IS DISTINCT FROM b.bits
"""
REQUEST = RetrievalRequest(query=PROBE.text, max_documents=4)


@pytest.fixture
def connection(postgres_database: Database, embedded_database_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(embedded_database_url, autocommit=True) as connected:
        yield connected


def number(connection: psycopg.Connection, statement: str) -> int:
    """The one number that a statement finds."""
    row = connection.execute(placed(statement, "ws_w")).fetchone()
    assert row is not None
    return int(row[0])


def test_bits_are_those_of_the_vectors_after_every_write_and_gone_with_the_search(
    postgres_database: Database, connection: psycopg.Connection
) -> None:
    """Added, replaced, restated, deleted; written before and after the search was switched on."""
    store = postgres_database.create_workspace("w", EMBEDDER)
    store.write(many()[:20])
    assert number(connection, 'SELECT count(*) FROM :"schema".vector_bits') == 0
    store.set_vector_search("quantized")
    assert number(connection, WRONG) == 0
    store.write(many()[20:])
    store.write([example_document("d00", ("other", "texts"))])
    store.delete_documents(["d01", "d30"])
    assert number(connection, WRONG) == 0
    assert number(connection, 'SELECT count(*) FROM :"schema".vector_bits') == 37 * 3 + 2 + 39  # summaries too
    store.set_vector_search("exact")
    assert number(connection, 'SELECT count(*) FROM :"schema".vector_bits') == 0


@pytest.mark.parametrize("signal", ["chunk", "mean"])
@pytest.mark.parametrize("where", [None, {"doc_type": "note"}])
def test_postgres_and_the_reference_choose_the_same_candidates(
    postgres_database: Database, monkeypatch: pytest.MonkeyPatch, signal: SeedSignal, where: dict[str, str] | None
) -> None:
    """Of so few that most documents are none; with a filter and without, and with the neighbours of a hop."""
    monkeypatch.setattr(ranking, "N_NEAR", 4)
    monkeypatch.setattr(ranking, "N_POOL", 9)
    monkeypatch.setattr(ranking, "N_LIKELY", 3)
    documents = [
        p
        if i % 2
        else example_document(
            p.document.document_id,
            [c.text for c in p.chunks],
            vector=p.vector,
            chunk_vectors=p.chunk_vectors,
            doc_type="note",
            edges=[("cites", "d31"), ("cites", "d07")] if p.chunks else (),
        )
        for i, p in enumerate(many())
    ]
    found = []
    for database in (postgres_database, plugins.build("stores", "memory")):
        store = database.create_workspace("w", EMBEDDER)
        store.write(documents)
        store.set_vector_search("quantized")
        with store.reading() as snapshot:
            alone = snapshot.rank_documents(PROBE, signal, limit=1, document_ids=IDS, where=where)
            hop = Hop(first=(), passed=(), n_best=1, relation_types=None, max_edges=9)
            reached = snapshot.rank_with_neighbours(PROBE, signal, limit=1, document_ids=(), hop=hop).documents
        found.append([[(d.rank, d.document_id) for d in each] for each in (alone, reached)])
    assert found[0] == found[1]


def test_a_plan_says_that_candidates_were_quantized_and_an_exact_one_says_nothing(postgres_database: Database) -> None:
    """So the id of an exact plan is what it always was, and the way back leads to the same plan."""
    store = postgres_database.create_workspace("w", EMBEDDER)
    store.write(many())

    def plan(request: RetrievalRequest = REQUEST) -> tuple[str, object]:
        with store.reading() as snapshot:
            made = make_plan(request, PROBE, snapshot)
        return made.plan_id, made.model_dump(mode="json")["constraints"].get("vector_search")

    exact = plan()
    by_summary = REQUEST.model_copy(update={"seed_signal": "summary"})
    exact_by_summary = plan(by_summary)
    store.set_vector_search("quantized")
    assert exact[1] is None
    assert plan()[1] == "quantized"
    assert plan()[0] != exact[0]
    assert plan(by_summary) == exact_by_summary  # no vector of a chunk decides there
    store.set_vector_search("exact")
    assert plan() == exact


@pytest.fixture
def own_docgraph(new_database_url: str) -> Iterator[Docgraph]:
    with docgraph.connect(database_url=new_database_url) as connected:
        connected.ingest(sample_folder())
        yield connected


def test_only_the_ranking_asks_the_bits_and_execution_never_does(own_docgraph: Docgraph) -> None:
    """The contract says how the index was used, and every promise is kept."""
    own_docgraph.documents.set_vector_search("quantized")
    run = own_docgraph.run("What is a hold?")
    assert [c.title for c in run.contract if c.name == "index"] == ["two-stage search, exact scores"]
    assert all(check.passed for check in run.contract)
    sent = {step.name: " ".join(step.statements) for step in run.trace}
    assert any("vector_bits" in text for text in sent.values())
    with own_docgraph.session.reading() as snapshot:
        snapshot.nearest_chunks_of(run.plan.document_ids, own_docgraph.session.vector("x"), per_document=3)
        assert "vector_bits" not in " ".join(snapshot.statements())


def test_another_mode_is_refused_with_those_there_are(own_docgraph: Docgraph) -> None:
    with pytest.raises(UserError, match="annoy"):
        own_docgraph.documents.set_vector_search("annoy")  # type: ignore[arg-type]
