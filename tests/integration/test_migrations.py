"""Migrations: an older database is upgraded when it is opened, and the schema is what the tables say."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text

from docgraph import plugins
from docgraph.domain.where import facets_of
from docgraph.errors import StoreError
from docgraph.plugins.stores.postgres import migrating
from docgraph.plugins.stores.postgres.migrating import Kind, current_version, newest, upgrade
from docgraph.plugins.stores.postgres.workspaces import VERSION_TABLE
from docgraph.ports import Database, Probe
from tests.contract.stores.examples import EMBEDDER, example_document, example_vector
from tests.database_tables import workbench_tables, workspace_tables


def build(url: str) -> Database:
    database: Database = plugins.build("stores", "postgres", database_url=url)
    return database


@pytest.mark.parametrize("kind", ["workbench", "workspace"])
def test_the_newest_migration_is_the_one_that_alembic_would_go_to(kind: Kind) -> None:
    """It is read from the files' names, so that a database that is up to date needs no Alembic."""
    config, folder = Config(), Path(migrating.__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder))
    config.set_main_option("version_locations", str(folder / kind / "versions"))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_current_head() == newest(kind)


def test_a_database_of_an_older_version_is_upgraded_at_opening_with_its_documents(new_database_url: str) -> None:
    """More documents than are read at once; their facets, hostile ones too, answer questions afterwards."""
    vector = "[" + ",".join(map(str, example_vector("x").tolist())) + "]"
    hostile = {"owner": "O'Brien {a,b} \\ NULL"}
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(new_database_url))
    with engine.begin() as old:
        for statement in ("CREATE EXTENSION vector", "CREATE SCHEMA docgraph", "CREATE SCHEMA ws_old"):
            old.execute(text(statement))
        upgrade(old, "workbench", "docgraph", dimension=0, revision="0015")
        upgrade(old, "workspace", "ws_old", dimension=8, revision="0012")
        old.execute(text("INSERT INTO docgraph.workspaces VALUES ('old', '', 'example', 'sha256', 8)"))
        rows = [
            {"id": f"d{i:04}", "vector": vector, "metadata": json.dumps(hostile if i else {})} for i in range(1_001)
        ]
        values = "(:id, 'The zebra', '', :vector, '', '', 'note', '{}', :metadata, 'h', 0, 0, '', '{}')"
        columns = (
            "document_id, title, summary, summary_embedding, source, ingestion_id, doc_type, headings, metadata, "
            "content_hash, n_chunks, n_tokens, fingerprint, names"
        )
        old.execute(text(f"INSERT INTO ws_old.document_nodes ({columns}) VALUES {values}"), rows)
        assert (current_version(old, "docgraph"), current_version(old, "ws_old")) == ("0015", "0012")
    database = build(new_database_url)
    with database.open_workspace("old").reading() as snapshot:
        ranked = snapshot.rank_documents(Probe(example_vector("x"), "zebras"), "hybrid", limit=2)
    assert [document.document_id for document in ranked] == ["d0000", "d0001"]
    assert database.sign_ins.open_sign_ins("2026-01-01T00:00:00+00:00") == ()
    with psycopg.connect(new_database_url) as connection:
        found = connection.execute("SELECT facets, count(*)::int FROM ws_old.document_nodes GROUP BY 1 ORDER BY 2")
        facets = [list(facets_of("note", "", metadata)) for metadata in ({}, hostile)]
        assert found.fetchall() == list(zip(facets, (1, 1_000), strict=True))
    with engine.begin() as now:
        for kind, schema in (("workbench", "docgraph"), ("workspace", "ws_old")):
            assert current_version(now, schema) == newest(kind)
    engine.dispose()
    database.close()


@pytest.mark.parametrize(("version", "hint"), [("0001", "before the first release"), ("9999", "a newer docgraph")])
def test_a_schema_of_no_known_version_is_left_alone_and_says_what_to_do(
    new_database_url: str, version: str, hint: str
) -> None:
    build(new_database_url).close()
    with psycopg.connect(new_database_url) as connection:
        connection.execute("UPDATE docgraph.schema_version SET version_num = %s", [version])
    with pytest.raises(StoreError, match=f"at version '{version}', unknown to this docgraph") as caught:
        build(new_database_url)
    assert hint in str(caught.value.hint)


def test_the_migrated_schema_is_what_the_tables_describe(new_database_url: str) -> None:
    database = build(new_database_url)
    database.create_workspace("w", EMBEDDER)
    database.close()
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(new_database_url))
    for schema, tables in (("docgraph", workbench_tables()), ("ws_w", workspace_tables("ws_w", 8))):
        with engine.connect() as connection:
            context = MigrationContext.configure(
                connection,
                opts={
                    "include_schemas": True,
                    "include_name": lambda name, kind, parents, own=schema: (
                        name == own if kind == "schema" else name != VERSION_TABLE
                    ),
                    "version_table_schema": schema,
                    "version_table": VERSION_TABLE,
                },
            )
            assert compare_metadata(context, tables) == []
    engine.dispose()


def test_programs_that_open_a_new_database_at_once_do_not_collide(new_database_url: str) -> None:
    opened: list[Database] = []
    problems: list[BaseException] = []

    def open_it() -> None:
        try:
            opened.append(build(new_database_url))
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for database in opened:
        database.close()
    assert problems == []


@pytest.mark.parametrize(("dimension", "storage"), [(8, "p"), (1900, "p"), (1901, "e")])
def test_vectors_that_fit_into_a_page_are_stored_plain(new_database_url: str, dimension: int, storage: str) -> None:
    database = build(new_database_url)
    store = database.create_workspace("w", EMBEDDER.model_copy(update={"dimension": dimension}))
    row = example_vector("x", dimension)
    store.write(
        [example_document("é" * 512, ("t" * 5_000,), vector=row, chunk_vectors=row[None, :], title="t" * 5_000)]
    )
    database.close()
    with psycopg.connect(new_database_url) as connection:
        found = connection.execute(
            "SELECT attstorage FROM pg_attribute WHERE attname IN ('embedding', 'summary_embedding') "
            "AND attrelid IN ('ws_w.vector_chunks'::regclass, 'ws_w.document_nodes'::regclass)"
        ).fetchall()
    assert [row[0] for row in found] == [storage, storage]


def test_a_cluster_could_distribute_the_tables(new_database_url: str) -> None:
    """Each key holds the distribution column; no triggers of ours, no sequences, one collation."""
    database = build(new_database_url)
    database.create_workspace("w", EMBEDDER)
    database.close()
    with psycopg.connect(new_database_url) as connection:
        keys = connection.execute(
            "SELECT conrelid::regclass::text, ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = conrelid "
            "AND attnum = ANY(conkey)) FROM pg_constraint "
            "WHERE connamespace = 'ws_w'::regnamespace AND contype IN ('p', 'u', 'f')"
        ).fetchall()
        names = ("document_nodes", "vector_chunks", "vector_postings", "vector_bits")
        by = {f"ws_w.{name}": "document_id" for name in names}
        by |= {
            "ws_w.memories": "memory_id",
            "ws_w.document_relationships": "from_document_id",
            "ws_w.schema_version": "version_num",
        }
        assert all(by[table] in columns for table, columns in keys)
        assert {table for table, _ in keys} == by.keys()
        assert connection.execute("SELECT count(*) FROM pg_sequences").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal").fetchone() == (0,)
        ids = "attname IN ('document_id', 'from_document_id', 'to_document_id', 'relation_type')"
        tables = "(SELECT oid FROM pg_class WHERE relnamespace = 'ws_w'::regnamespace AND relkind = 'r')"
        collations = connection.execute(
            f"SELECT DISTINCT collname FROM pg_attribute JOIN pg_collation c ON c.oid = attcollation "
            f"WHERE {ids} AND attrelid IN {tables}"
        ).fetchall()
    assert collations == [("C",)]
