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
from docgraph.domain.edit import Edit
from docgraph.domain.finding import Rule
from docgraph.plugins.stores.postgres import migrating
from docgraph.plugins.stores.postgres.migrating import Kind, current_version, newest, upgrade
from docgraph.plugins.stores.postgres.workspaces import VERSION_TABLE
from docgraph.ports import Database, EdgeChange, Probe
from tests.contract.stores.example_runs import example_saved
from tests.contract.stores.examples import EMBEDDER, example_document, example_vector
from tests.contract.stores.judgments import judgment
from tests.contract.stores.memories import calibration, keep, recalled, said
from tests.database_tables import workbench_tables, workspace_tables

CURATION = ("check_rules", "dismissals", "contested_relationships")
LATER = ("calibrations", "judgments")


def build(url: str) -> Database:
    database: Database = plugins.build("stores", "postgres", database_url=url)
    return database


@pytest.mark.parametrize("kind", ["workbench", "workspace"])
def test_the_newest_migration_is_the_one_that_alembic_would_go_to(kind: Kind) -> None:
    """It is read from the files' names, so that a database that is up to date needs no Alembic."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrating.__file__).parent / "migrations" / kind))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_current_head() == newest(kind)


def test_a_workspace_of_an_older_version_is_upgraded_at_opening_with_its_documents(new_database_url: str) -> None:
    build(new_database_url).close()
    vector = "[" + ",".join(map(str, example_vector("x").tolist())) + "]"
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(new_database_url))
    with engine.begin() as old:
        old.execute(
            text("INSERT INTO docgraph.workspaces VALUES ('old', '', 'example', 'sha256', 8, 0, '{}', 1, 0, 0)")
        )
        old.execute(text("CREATE SCHEMA ws_old"))
        upgrade(old, "workspace", "ws_old", dimension=8, revision="0001")
        values = "('a', 'The zebra', '', :vector, '', '', '', '[]', '{}', 'h', 0, 0, '')"
        old.execute(text(f"INSERT INTO ws_old.document_nodes VALUES {values}"), {"vector": vector})
        assert current_version(old, "ws_old") == "0001"
    database = build(new_database_url)
    with database.open_workspace("old").reading() as snapshot:
        ranked = snapshot.rank_documents(Probe(example_vector("x"), "zebras"), "hybrid", limit=5)
    assert [(r.document_id, r.score) for r in ranked] == [("a", 1.0)]  # first by vectors and by words
    with engine.begin() as now:
        assert current_version(now, "ws_old") == newest("workspace")
    engine.dispose()
    database.close()


def test_a_workbench_of_an_older_version_gets_room_for_saved_runs(new_database_url: str) -> None:
    """The workspaces and their tables stay as they are."""
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(new_database_url))
    with engine.begin() as old:
        old.execute(text("CREATE EXTENSION vector"))
        old.execute(text("CREATE SCHEMA docgraph"))
        upgrade(old, "workbench", "docgraph", dimension=0, revision="0001")
        old.execute(text("INSERT INTO docgraph.workspaces VALUES ('old', '', 'example', 'sha256', 8)"))
    database = build(new_database_url)
    assert [workspace.name for workspace in database.workspaces()] == ["old"]
    saved = database.runs.save(example_saved())
    assert database.runs.load(saved.run_id) == saved
    with engine.begin() as now:
        assert current_version(now, "docgraph") == newest("workbench")
    engine.dispose()
    database.close()


def test_a_workbench_with_saved_runs_gets_room_for_a_history(new_database_url: str) -> None:
    """Of the workspaces that are there; documents and relationships stay."""
    database = build(new_database_url)
    database.create_workspace("old", EMBEDDER).write([example_document("a", edges=[("cites", "b")])])
    database.close()
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(new_database_url))
    with engine.begin() as old:
        for table in ("relationship_history", *CURATION, *LATER):
            old.execute(text(f"DROP TABLE docgraph.{table}"))
        old.execute(text(f"UPDATE docgraph.{VERSION_TABLE} SET version_num = '0002'"))
    engine.dispose()
    database = build(new_database_url)
    store = database.open_workspace("old")
    assert store.history() == ()
    with store.reading() as snapshot:
        (edge,) = snapshot.relationships()
    gone = EdgeChange(Edit(action="remove", key=edge.key), edge, None)
    assert store.change_relationships([gone], at="now", by="me", reason="") == store.history()
    database.close()


def test_a_workbench_with_a_history_gets_room_for_rules_and_dismissals(new_database_url: str) -> None:
    """What was decided before the upgrade stands against the imports after it."""
    database = build(new_database_url)
    store = database.create_workspace("old", EMBEDDER)
    store.write([example_document("a", edges=[("cites", "b"), ("cites", "c")])])
    with store.reading() as snapshot:
        (first, second) = snapshot.relationships()
    gone = EdgeChange(Edit(action="remove", key=first.key), first, None)
    history = store.change_relationships([gone], at="now", by="me", reason="")
    revision = database.workspaces()[0].revision
    database.close()
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(new_database_url))
    with engine.begin() as old:
        for table in (*CURATION, *LATER):
            old.execute(text(f"DROP TABLE docgraph.{table}"))
        old.execute(text(f"UPDATE docgraph.{VERSION_TABLE} SET version_num = '0003'"))
    engine.dispose()
    database = build(new_database_url)
    store = database.open_workspace("old")
    assert (store.history(), database.workspaces()[0].revision) == (history, revision)
    assert (store.rules(), store.dismissals(), store.contested()) == ({}, (), ())
    store.write([example_document("a", ("new",), edges=[("cites", "b"), ("cites", "c")])])
    with store.reading() as snapshot:
        assert tuple(snapshot.relationships()) == (second,)
    assert [each.relationship for each in store.contested()] == [first]
    database.close()


def test_a_database_with_documents_gets_room_for_memories_and_calibrations(new_database_url: str) -> None:
    """Documents, rules and the revision stay as they are; what is remembered then is found."""
    database = build(new_database_url)
    store = database.create_workspace("old", EMBEDDER)
    store.write([example_document("a", ("the zebra",))])
    store.set_rules({"hub": Rule(on=False)})
    before = database.workspaces()
    database.close()
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(new_database_url))
    with engine.begin() as old:
        for table in (*(f"docgraph.{name}" for name in LATER), "ws_old.memories"):
            old.execute(text(f"DROP TABLE {table}"))
        old.execute(text("ALTER TABLE ws_old.document_nodes DROP names"))
        old.execute(text(f"UPDATE docgraph.{VERSION_TABLE} SET version_num = '0004'"))
        old.execute(text(f"UPDATE ws_old.{VERSION_TABLE} SET version_num = '0002'"))
    engine.dispose()
    database = build(new_database_url)
    store = database.open_workspace("old")
    assert (store.memories(), store.calibrations()) == ((), ())
    keep(store, [said("zebras eat grass")])
    store.set_calibration(calibration("example"))
    assert [hit.words > 0 for hit in recalled(store, "zebra")] == [True]
    assert (database.workspaces(), store.rules()) == (before, {"hub": Rule(on=False)})
    database.close()


def test_documents_of_an_older_version_are_found_by_their_names(new_database_url: str) -> None:
    """More of them than are read at once; hostile titles and aliases come along as plain text."""
    build(new_database_url).close()
    rows = [{"id": f"d{i:04}", "title": f"Note {i}", "metadata": "{}"} for i in range(1_001)]
    rows += [
        {"id": "adr/adr-014-queue.md", "title": "Bounded queue", "metadata": '{"aliases": ["ring buffer", 7, null]}'},
        {"id": "é\"'; --", "title": "O'Brien {a,b} \\ NULL", "metadata": '{"alias": {"not": "text"}}'},
        {"id": "z", "title": "", "metadata": "{}"},
    ]
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(new_database_url))
    with engine.begin() as old:
        old.execute(
            text("INSERT INTO docgraph.workspaces VALUES ('old', '', 'example', 'sha256', 8, 0, '{}', 1, 0, 0)")
        )
        old.execute(text("CREATE SCHEMA ws_old"))
        upgrade(old, "workspace", "ws_old", dimension=8, revision="0003")
        values = "(:id, :title, '', :vector, '', '', '', '[]', :metadata, 'h', 0, 0, '')"
        vector = "[" + ",".join(map(str, example_vector("x").tolist())) + "]"
        old.execute(
            text(f"INSERT INTO ws_old.document_nodes VALUES {values}"), [row | {"vector": vector} for row in rows]
        )
    engine.dispose()
    database = build(new_database_url)
    wanted = ["note 0", "note 1000", "adr 14", "ring buffer", "o brien a b null", "d 7", "'z"]
    with database.open_workspace("old").reading() as snapshot:
        found = snapshot.documents_named(wanted)
    database.close()
    assert found == {
        "note 0": ("d0000",),
        "note 1000": ("d1000",),
        "adr 14": ("adr/adr-014-queue.md",),
        "ring buffer": ("adr/adr-014-queue.md",),
        "o brien a b null": ("é\"'; --",),
        "d 7": ("d0007",),
        "'z": ("z",),
    }


def test_headings_of_an_older_version_become_arrays_in_their_order(new_database_url: str) -> None:
    """Empty ones, and texts that mean something in JSON or in an array, are the same texts afterwards."""
    paths: tuple[tuple[str, ...], ...] = ((), ("b", "a", "b"), ('"x"', "{y,NULL}", "\\", "", "é\n"))
    build(new_database_url).close()
    vector = "[" + ",".join(map(str, example_vector("x").tolist())) + "]"
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(new_database_url))
    with engine.begin() as old:
        old.execute(
            text("INSERT INTO docgraph.workspaces VALUES ('old', '', 'example', 'sha256', 8, 0, '{}', 1, 0, 3)")
        )
        old.execute(text("CREATE SCHEMA ws_old"))
        upgrade(old, "workspace", "ws_old", dimension=8, revision="0003")
        node = "('d', 'D', '', :vector, '', '', '', :headings, '{}', 'h', 3, 3, '')"
        values = {"vector": vector, "headings": json.dumps(paths[2])}
        old.execute(text(f"INSERT INTO ws_old.document_nodes VALUES {node}"), values)
        chunk = "('d', :index, 'd#' || :index, 'the zebra', :vector, :path, 1)"
        rows = [{"index": i, "vector": vector, "path": json.dumps(path)} for i, path in enumerate(paths)]
        old.execute(text(f"INSERT INTO ws_old.vector_chunks VALUES {chunk}"), rows)
    engine.dispose()
    database = build(new_database_url)
    with database.open_workspace("old").reading() as snapshot:
        assert snapshot.documents_by_id(["d"])["d"].headings == paths[2]
        assert tuple(chunk.heading_path for chunk in snapshot.chunks("d")) == paths
        probe = Probe(example_vector("x"), "zebra")
        assert len(snapshot.chunks_with_words(probe, limit=9)) == 3
    database.close()


def test_a_database_with_calibrations_gets_room_for_judgments(new_database_url: str) -> None:
    """What was calibrated stays."""
    database = build(new_database_url)
    database.create_workspace("old", EMBEDDER).set_calibration(calibration("example"))
    database.close()
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(new_database_url))
    with engine.begin() as old:
        old.execute(text("DROP TABLE docgraph.judgments"))
        old.execute(text(f"UPDATE docgraph.{VERSION_TABLE} SET version_num = '0005'"))
    engine.dispose()
    database = build(new_database_url)
    store = database.open_workspace("old")
    assert store.judge([judgment("why?", "a")]) == 1
    assert (store.judgments(), store.calibrations()) == ((judgment("why?", "a"),), (calibration("example"),))
    database.close()


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
