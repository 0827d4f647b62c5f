"""A workspace on a Citus cluster keeps every rule that it keeps on one server; skipped where there is no cluster.

``DOCGRAPH_TEST_CITUS_URL`` names a database on a coordinator with workers; its workspaces are dropped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest

import docgraph
from docgraph import plugins
from docgraph.boundary.installed import sample_folder
from docgraph.domain.workspace import EmbedderInfo
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.stores.postgres import PostgresDatabase
from docgraph.ports import Database, Store
from tests.contract.stores.suite import StoreSuite

URL = os.environ.get("DOCGRAPH_TEST_CITUS_URL", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not URL, reason="no cluster: set DOCGRAPH_TEST_CITUS_URL"),
]
EARLIER = (
    "ALTER TABLE ws_sample.document_nodes DROP COLUMN facets",
    "UPDATE ws_sample.schema_version SET version_num = '0013'",
)
"""What makes the workspace one of earlier versions: no facets."""
QUESTIONS = ("Why is the queue bounded?", "What replaced the old retry policy?", "How are deployments rolled back?")
SHARDS = 4


class Distributing:
    """A database whose workspaces are distributed as soon as they are made."""

    def __init__(self, below: PostgresDatabase) -> None:
        self._below = below

    def __getattr__(self, name: str) -> Any:
        return getattr(self._below, name)

    def create_workspace(self, name: str, embedder: EmbedderInfo, *, title: str = "") -> Store:
        """See ``ports.Database``."""
        store = self._below.create_workspace(name, embedder, title=title)
        self._below.distribute(name, n_shards=SHARDS)
        return store


@pytest.fixture(scope="module")
def cluster() -> Iterator[PostgresDatabase]:
    """The database on the coordinator."""
    database: PostgresDatabase = plugins.build("stores", "postgres", database_url=URL, pool_size=4)
    yield database
    database.close()


@pytest.fixture
def empty(cluster: PostgresDatabase) -> PostgresDatabase:
    """The same without workspaces and saved runs."""
    for workspace in cluster.workspaces():
        cluster.drop_workspace(workspace.name)
    for kept in (*cluster.runs.find(), *cluster.runs.find(deleted=True)):
        cluster.runs.delete(kept.run_id, at="", forever=True)
    return cluster


class TestDistributed(StoreSuite):
    @pytest.fixture
    def database(self, empty: PostgresDatabase) -> Database:
        made: Database = cast("Any", Distributing(empty))
        return made


@pytest.fixture
def sample(empty: PostgresDatabase) -> Iterator[Docgraph]:
    """The sample corpus in a workspace on one server (the coordinator)."""
    with docgraph.connect(URL, workspace="sample") as opened:
        opened.ingest(sample_folder())
        yield opened


def told(dg: Docgraph) -> list[str]:
    """Plans and contexts, as they are written down, over every question."""
    found = []
    for question in QUESTIONS:
        run = dg.run(question)
        found += [run.plan.model_dump_json(), run.context.model_dump_json()]
    return found


def laid_out(schema: str) -> dict[str, list[tuple[Any, ...]]]:
    """Columns, keys and indexes of a workspace, and how many rows its tables have."""
    asked = {
        "columns": "SELECT a.attrelid::regclass::text, attname, format_type(atttypid, atttypmod), attcollation, "
        "attstorage, attgenerated, attnotnull, attoptions FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid "
        "WHERE relnamespace = %s::regnamespace AND relkind = 'r' AND attnum > 0 ORDER BY 1, 2",
        "keys": "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
        "WHERE connamespace = %s::regnamespace AND contype <> 'n' ORDER BY 1, 2",
        "indexes": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = %s ORDER BY 1",
    }
    with psycopg.connect(URL) as connection:
        return {name: connection.execute(text.encode(), (schema,)).fetchall() for name, text in asked.items()}


def rows_of(schema: str) -> dict[str, Any]:
    """A hash of the rows of each table, in the order of their text."""
    tables = ("document_nodes", "vector_chunks", "document_relationships", "vector_postings", "vector_bits", "memories")
    with psycopg.connect(URL) as connection:
        return {
            table: connection.execute(
                f"WITH t AS MATERIALIZED (SELECT md5(x::text) AS h FROM {schema}.{table} x) "
                "SELECT count(*), md5(string_agg(h, '' ORDER BY h)) FROM t".encode()
            ).fetchone()
            for table in tables
        }


def test_plans_and_contexts_are_those_of_one_server_and_gathering_gives_back_what_was_spread(
    sample: Docgraph, cluster: PostgresDatabase
) -> None:
    sample.memory.remember("The queue holds 100.", conversation_id="c")
    before, answers, rows = laid_out("ws_sample"), told(sample), rows_of("ws_sample")
    moved: list[str] = []
    spread = cluster.distribute("sample", n_shards=SHARDS, told=moved.append)
    assert moved == [table.table for table in spread.tables]
    assert {t.n_shards for t in spread.tables} == {SHARDS}
    assert told(sample) == answers
    assert rows_of("ws_sample") == rows
    there = laid_out("ws_sample")
    assert (there["keys"], there["indexes"]) == (before["keys"], before["indexes"])
    gathered = cluster.undistribute("sample")
    assert {t.n_shards for t in gathered.tables} == {0}
    assert (laid_out("ws_sample"), told(sample), rows_of("ws_sample")) == (before, answers, rows)


def test_what_is_done_already_is_not_done_again(sample: Docgraph, cluster: PostgresDatabase) -> None:
    moved: list[str] = []
    cluster.undistribute("sample", told=moved.append)
    assert moved == []
    dry = cluster.distribute("sample", n_shards=SHARDS, dry_run=True, told=moved.append)
    assert moved == []
    assert not any(table.done for table in dry.tables)
    assert len(dry.nodes) > 1
    cluster.distribute("sample", n_shards=SHARDS)
    again = cluster.distribute("sample", n_shards=SHARDS, told=moved.append)
    assert moved == []
    assert all(table.done for table in again.tables)


def test_a_distributed_workspace_is_imported_edited_judged_and_pruned(empty: PostgresDatabase, tmp_path: Path) -> None:
    with docgraph.connect(URL, workspace="w") as dg:
        dg.create_workspace("w")
        empty.distribute("w", n_shards=SHARDS)
        for name in "abc":
            (tmp_path / f"{name}.md").write_text(f"# {name}\n\nThe queue of {name} is bounded.\n")
        assert dg.ingest(tmp_path).n_stored == 3
        (tmp_path / "a.md").write_text("# a\n\nThe queue of a is empty.\n")
        (tmp_path / "c.md").unlink()
        report = dg.ingest(tmp_path, prune=True)
        assert report.n_written == 1
        assert report.pruned == ("c",)
        assert dg.workspace.n_documents == 2
        dg.judgments.judge("Why?", "a", relevant=True, by="Ann")
        assert [each.document_id for each in dg.session.store().judgments()] == ["a"]
        edge = {"from_document_id": "a", "relation_type": "cites", "to_document_id": "b"}
        dg.relationships.add(edge, by="Ann", reason="read it")
        assert [entry.by for entry in dg.session.store().history()] == ["Ann"]
        assert dg.memory.remember("The queue holds 100.", conversation_id="c").n_dropped == 0
        assert [memory.text for memory in dg.session.store().memories()] == ["The queue holds 100."]
        assert dg.health()["database"]["n_distributed_workspaces"] == 1


def test_a_distributed_workspace_of_an_earlier_version_answers_as_before_when_it_is_opened(
    sample: Docgraph, cluster: PostgresDatabase
) -> None:
    """The migrations that came after distributing was possible are run on a cluster."""
    sample.documents.set_vector_search("quantized")
    cluster.distribute("sample", n_shards=SHARDS)
    answers, rows = told(sample), rows_of("ws_sample")
    with psycopg.connect(URL, autocommit=True) as connection:
        for statement in EARLIER:
            connection.execute(statement)
    assert rows_of("ws_sample")["document_nodes"] != rows["document_nodes"]
    with docgraph.connect(URL, workspace="sample") as opened:
        assert told(opened) == answers
        assert rows_of("ws_sample") == rows
        found = opened.health()["database"]
        assert found["n_distributed_workspaces"] == 1
        assert found["codes_in_memory"]["held"] == []


def test_shards_out_of_range_are_refused(sample: Docgraph, cluster: PostgresDatabase) -> None:
    with pytest.raises(docgraph.errors.UserError, match="0 shards are not possible"):
        cluster.distribute("sample", n_shards=0)


def test_a_workspace_that_is_not_there_is_named(empty: PostgresDatabase) -> None:
    ask: Callable[..., Any] = empty.distribute
    with pytest.raises(docgraph.errors.NotFoundError, match="no workspace 'nothing'"):
        ask("nothing", n_shards=SHARDS)
