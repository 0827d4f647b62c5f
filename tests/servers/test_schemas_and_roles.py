"""pgvector in any schema, docgraph under any prefix, roles that may do little: it works, or says what to do."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from psycopg import sql

import docgraph
from docgraph.bootstrap import setup_sql
from docgraph.cli import edge
from docgraph.errors import SettingsError, StoreError
from docgraph.plugins.stores.postgres.migrating import newest, whole_script
from docgraph.settings import read_settings
from tests.servers.walk import Answer, Asked, answers, ask, fill, walk

ROLES = ("app", "viewer")


def as_role(url: str, role: str) -> str:
    return url.replace("postgres@", f"{role}@")


@pytest.fixture
def database(new_database_url: str) -> Iterator[psycopg.Connection]:
    """An empty database, as its superuser; two roles that may do nothing in it yet."""
    with psycopg.connect(new_database_url, autocommit=True) as connection:
        for role in ROLES:
            connection.execute(f"DROP ROLE IF EXISTS {role}")
            connection.execute(f"CREATE ROLE {role} LOGIN")
        yield connection
        for role in ROLES:
            connection.execute(f"DROP OWNED BY {role} CASCADE")
            connection.execute(f"DROP ROLE {role}")


def extension_in(database: psycopg.Connection, schema: str) -> None:
    name = sql.Identifier(schema)
    database.execute(sql.SQL("CREATE SCHEMA {}").format(name))
    database.execute(sql.SQL("CREATE EXTENSION vector SCHEMA {}").format(name))


def may_create(database: psycopg.Connection, role: str = "app") -> None:
    name = sql.Identifier(database.info.dbname)
    database.execute(sql.SQL("GRANT CREATE ON DATABASE {} TO {}").format(name, sql.Identifier(role)))


def test_pgvector_is_used_wherever_it_is(
    database: psycopg.Connection, new_database_url: str, expected: Sequence[Answer]
) -> None:
    """Supabase puts it into ``extensions``: "vector type not found in the database" was all that was said."""
    schema = 'Größe "x" %s'
    extension_in(database, schema)
    may_create(database)
    database.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO app").format(sql.Identifier(schema)))
    walk(as_role(new_database_url, "app"), expected)


@pytest.mark.parametrize("schema", ["extensions", "public"])
def test_a_role_that_may_not_use_the_extension_is_told_schema_and_grant(
    database: psycopg.Connection, new_database_url: str, schema: str
) -> None:
    if schema == "public":
        database.execute("CREATE EXTENSION vector")
        database.execute("REVOKE USAGE ON SCHEMA public FROM PUBLIC")
    else:
        extension_in(database, schema)
    may_create(database)
    told = rf'role app may not use the schema {schema}, where pgvector is .*GRANT USAGE ON SCHEMA "{schema}" TO "app"'
    with pytest.raises(StoreError, match=told):
        docgraph.connect(as_role(new_database_url, "app"))
    with pytest.raises(SettingsError, match=told):
        docgraph.connect(as_role(new_database_url, "app"), table="notes")


def test_a_search_path_without_anything_is_no_hindrance(
    database: psycopg.Connection, new_database_url: str, expected: Sequence[Answer]
) -> None:
    database.execute("CREATE EXTENSION vector")
    may_create(database)
    database.execute("ALTER ROLE app SET search_path = ''")
    with docgraph.connect(as_role(new_database_url, "app"), pool_size=3) as dg:
        fill(dg)
        assert ask(dg, expected, n=12) == Asked(12)


def test_a_role_that_may_create_nothing_is_told_what_an_administrator_runs(
    database: psycopg.Connection, new_database_url: str
) -> None:
    database.execute("CREATE EXTENSION vector")
    with pytest.raises(StoreError, match=r"permission denied for database .*docgraph db sql"):
        docgraph.connect(as_role(new_database_url, "app"))


@pytest.mark.parametrize(
    ("schema", "prefix", "with_tables"),
    [("", "", False), ("extensions", "team_", False), ("extensions", "team_", True)],
)
def test_what_an_administrator_runs_is_all_that_a_role_needs(
    database: psycopg.Connection,
    new_database_url: str,
    expected: Sequence[Answer],
    schema: str,
    prefix: str,
    with_tables: bool,
) -> None:
    if schema:
        extension_in(database, schema)
    url = as_role(new_database_url, "app")
    settings = read_settings(database_url=url, schema_prefix=prefix)
    database.execute(setup_sql(settings, readers=("viewer",), with_tables=with_tables).encode())
    if with_tables:
        walk(url, expected, may_make=False, may_own=False, schema_prefix=prefix)
    else:
        walk(url, expected, may_make=False, schema_prefix=prefix)
    with docgraph.connect(as_role(new_database_url, "viewer"), schema_prefix=prefix) as dg:
        assert answers(dg, 1)
        assert not dg.may_write()
        with pytest.raises(StoreError, match="permission denied"):
            fill(dg)


def test_what_an_administrator_runs_can_be_run_again_and_for_one_more_workspace(
    database: psycopg.Connection, new_database_url: str, expected: Sequence[Answer]
) -> None:
    """It failed at the first table: "relation \"workspaces\" already exists"."""
    url = as_role(new_database_url, "app")
    settings = read_settings(database_url=url)
    for each in (settings, settings, read_settings(database_url=url, workspace="second")):
        database.execute(setup_sql(each, with_tables=True).encode())
    walk(url, expected, may_make=False, may_own=False)
    with docgraph.connect(url, workspace="second") as dg:
        fill(dg)
        assert {each.name for each in dg.workspaces()} == {"default", "second"}
    database.execute("UPDATE docgraph.schema_version SET version_num = '0001'")
    with pytest.raises(psycopg.errors.RaiseException, match="tables of docgraph are at migration 0001"):
        database.execute(setup_sql(settings, with_tables=True).encode())
    database.execute("ROLLBACK")


def test_a_workspace_that_is_dropped_can_be_made_again_in_the_schema_that_was_given(
    database: psycopg.Connection, new_database_url: str
) -> None:
    """The role may not make the schema again: it stays, and is empty."""
    url = as_role(new_database_url, "app")
    database.execute(setup_sql(read_settings(database_url=url)).encode())
    with docgraph.connect(url) as dg:
        fill(dg)
        dg.drop_workspace("default")
        fill(dg)
        assert dg.workspace.n_documents
        with pytest.raises(StoreError, match=r"permission denied for database .*docgraph db sql"):
            dg.create_workspace("other")


def test_a_schema_of_somebody_else_is_no_workspace(database: psycopg.Connection, new_database_url: str) -> None:
    with docgraph.connect(new_database_url) as dg:
        database.execute("CREATE SCHEMA ws_taken CREATE TABLE theirs (id int)")
        with pytest.raises(docgraph.errors.ConflictError, match=r"schema 'ws_taken' is there already.*'theirs'"):
            dg.create_workspace("taken")
        assert database.execute("SELECT to_regclass('ws_taken.theirs')").fetchone() != (None,)


def test_two_prefixes_are_two_docgraphs_in_one_database(
    database: psycopg.Connection, new_database_url: str, expected: Sequence[Answer]
) -> None:
    with (
        docgraph.connect(new_database_url, schema_prefix="a_") as one,
        docgraph.connect(new_database_url, schema_prefix="b_") as two,
        docgraph.connect(new_database_url) as plain,
    ):
        fill(one)
        assert [len(dg.workspaces()) for dg in (one, two, plain)] == [1, 0, 0]
        fill(two, version=1)
        assert ask(one, expected, n=6).n_right == 6
        assert one.workspace.revision != two.workspace.revision
    schemas = database.execute("SELECT nspname FROM pg_namespace WHERE nspname ~ 'docgraph|ws_' ORDER BY 1").fetchall()
    assert [row[0] for row in schemas] == ["a_docgraph", "a_ws_default", "b_docgraph", "b_ws_default", "docgraph"]


@pytest.mark.parametrize("prefix", ["1a", "A_", 'x"', "pg_x", "a" * 21, "a-b"])
def test_a_prefix_that_is_no_beginning_of_a_name_is_refused(prefix: str) -> None:
    with pytest.raises(SettingsError, match=r"schema_prefix = .* is not possible: write a letter"):
        read_settings(schema_prefix=prefix)


def test_the_command_prints_it_for_the_role_of_the_url(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", "postgresql://my%22app:hunter2@db/x")
    assert edge.run(["db", "sql", "--schema-prefix", "x_", "--reader", "viewer", "--workspace", "w-1"]) == 0
    out = capsys.readouterr().out
    assert 'CREATE SCHEMA IF NOT EXISTS "x_ws_w$1" AUTHORIZATION "my""app";' in out
    assert 'TO "viewer"' in out
    assert "hunter2" not in out


@pytest.mark.parametrize("kind", ["workbench", "workspace"])
def test_the_tables_of_the_newest_migration_are_made_in_one_step(kind: str) -> None:
    """``docgraph db sql --tables`` prints them: who adds a migration writes …_whole.sql anew."""
    assert newest(kind) in whole_script(kind, "s", dimension=8)  # type: ignore[arg-type]


def test_few_connections_are_waited_for(
    database: psycopg.Connection, new_database_url: str, expected: Sequence[Answer]
) -> None:
    """A role with two of them failed where eight asked: "too many connections for role"."""
    database.execute("CREATE EXTENSION vector")
    may_create(database)
    database.execute("ALTER ROLE app CONNECTION LIMIT 2")
    with docgraph.connect(as_role(new_database_url, "app"), pool_size=8) as dg:
        fill(dg)
        assert ask(dg, expected, n=8, threads=8) == Asked(8)
        assert ask(dg, expected, n=32, threads=16) == Asked(32)
        with ThreadPoolExecutor(8) as pool:
            assert len(list(pool.map(lambda each: dg.compare(each.query), [dg.plan("queue")] * 8))) == 8


def test_connections_that_somebody_else_holds_are_waited_for(
    database: psycopg.Connection, new_database_url: str
) -> None:
    database.execute("CREATE EXTENSION vector")
    may_create(database)
    database.execute("ALTER ROLE app CONNECTION LIMIT 1")
    url = as_role(new_database_url, "app")
    held = psycopg.connect(url)
    timer = threading.Timer(0.7, held.close)
    timer.start()
    with docgraph.connect(url, pool_size=1) as dg:
        fill(dg)
        assert answers(dg, 1)
    timer.join()


def test_a_server_that_stays_full_is_named_in_the_end(
    database: psycopg.Connection, new_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.execute("CREATE EXTENSION vector")
    database.execute("ALTER ROLE app CONNECTION LIMIT 0")
    monkeypatch.setattr("docgraph.plugins.stores.postgres.connections.retries.TIMEOUT", 0.1)
    with pytest.raises(StoreError, match=r"too many connections for role.*has no connection left"):
        docgraph.connect(as_role(new_database_url, "app"))
