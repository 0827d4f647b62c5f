"""X1: a database of every schema that is known is opened with its data, and answers like a new one."""

from __future__ import annotations

import itertools

import psycopg
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from docgraph import plugins
from docgraph.domain.where import facets_of
from docgraph.plugins.stores.postgres.migrating import Kind, _known, current_version, upgrade
from docgraph.plugins.stores.postgres.statements import family, placed
from docgraph.ports import Probe
from tests.contract.stores.examples import EMBEDDER, example_vector
from tests.survive.tally import Row, Tally

ROW = Row(
    row="X1",
    what="migrations: a workspace with documents, chunks and relationships at every revision of both schemas",
    rule="opened, brought to the newest revision, nothing lost, and ranked as in a new one",
    n=9,
    short=4,
    case="a pair of revisions",
)


_WORKSPACE = (
    "INSERT INTO docgraph.workspaces (name, title, embedder_name, embedder_model, dimension, n_documents, n_chunks, "
    "n_relationships) VALUES ('old', '', 'example', 'sha256', 8, 2, 2, 1)"
)
_NODE = (
    "document_id, title, summary, summary_embedding, source, ingestion_id, doc_type, headings, metadata, "
    "content_hash, n_chunks, n_tokens, fingerprint, names"
)


def revisions(kind: Kind) -> list[str]:
    """Every revision, oldest first."""
    return sorted(_known(kind))


def as_of(url: str, workbench: str, workspace: str) -> None:
    """A database as it stood at these revisions, with two documents, a chunk of each and a relationship."""
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool)
    vector = "[" + ",".join(map(str, example_vector("x").tolist())) + "]"
    with engine.begin() as old:
        for statement in ("CREATE EXTENSION vector", "CREATE SCHEMA docgraph", "CREATE SCHEMA ws_old"):
            old.execute(text(statement))
        upgrade(old, "workbench", "docgraph", dimension=0, revision=workbench)
        old.execute(text(_WORKSPACE))
        upgrade(old, "workspace", "ws_old", dimension=8, revision=revisions("workspace")[0])
        for name in ("a", "b"):
            node = f"('{name}', 'The zebra {name}', '', :vector, '', '', 'note', '{{}}', '{{}}', 'h', 1, 3, '', '{{}}')"
            old.execute(text(f"INSERT INTO ws_old.document_nodes ({_NODE}) VALUES {node}"), {"vector": vector})
            chunk = f"('{name}', 0, '{name}#0', 'The zebra {name} eats.', :vector, '{{}}', 3)"
            old.execute(text(f"INSERT INTO ws_old.vector_chunks VALUES {chunk}"), {"vector": vector})
        old.execute(text("INSERT INTO ws_old.document_relationships VALUES ('a', 'cites', 'b', '{}', '')"))
        raw = old.connection.driver_connection
        assert raw is not None
        raw.execute(placed(family("postings")["fill"], "ws_old"))
        upgrade(old, "workspace", "ws_old", dimension=8, revision=workspace)
        assert current_version(old, "ws_old") == workspace
        assert current_version(old, "docgraph") == workbench
    engine.dispose()


def _check(url: str) -> None:
    database = plugins.build("stores", "postgres", database_url=url)
    try:
        with database.open_workspace("old").reading() as snapshot:
            ranked = snapshot.rank_documents(Probe(example_vector("x"), "zebra"), "hybrid", limit=5)
            assert [each.document_id for each in ranked] == ["a", "b"]
            words = snapshot.chunks_with_words(Probe(example_vector("x"), "zebra"), limit=5)
            assert [each.chunk.document_id for each in words] == ["a", "b"]
            assert [each.key for each in snapshot.relationships()] == [("a", "cites", "b")]
            assert snapshot.workspace.n_documents == 2
        store = database.create_workspace("new", EMBEDDER)
        assert store.history() == ()
        assert database.runs.find() == ()
    finally:
        database.close()
    with psycopg.connect(url) as connection:
        columns = (
            "SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns "
            "WHERE table_schema = %s ORDER BY 1, 2"
        )
        old, new = (connection.execute(columns, (name,)).fetchall() for name in ("ws_old", "ws_new"))
        assert [row[:4] for row in old] == [row[:4] for row in new]
        facets = connection.execute("SELECT facets FROM ws_old.document_nodes").fetchall()
        assert facets == [(list(facets_of("note", "", {})),)] * 2


@pytest.mark.timeout(900)
def test_x1_a_database_of_every_revision_is_opened_with_its_data(tally: Tally, embedded_database_url: str) -> None:
    ways = itertools.product(revisions("workbench"), revisions("workspace"))
    for workbench, workspace in tally.some(ways):
        name = f"x1_{workbench}_{workspace}"
        url = embedded_database_url.replace("/docgraph?", f"/{name}?")
        with psycopg.connect(embedded_database_url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
            with tally.trying(f"workbench {workbench}, workspace {workspace}"):
                as_of(url, workbench, workspace)
                _check(url)
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
