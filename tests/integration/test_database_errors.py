"""Trouble with the database: one clear line, what to do next, nothing half-written, and never the password."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from docgraph import plugins
from docgraph.errors import DocgraphError, SettingsError, StoreError
from docgraph.plugins.stores.postgres.connections import conninfo as _connecting
from docgraph.plugins.stores.postgres.connections.failures import store_error, without_secrets
from docgraph.ports import Database
from tests.contract.stores.examples import EMBEDDER, example_document
from tests.integration.server_programs import SECRET, servers_of, signal_servers


def build(url: str, **options: object) -> Database:
    database: Database = plugins.build("stores", "postgres", database_url=url, **options)
    return database


def everything_said(error: BaseException) -> str:
    """The text of an error and of every error behind it."""
    said = []
    current: BaseException | None = error
    while current is not None:
        said.append(f"{current} {getattr(current, 'hint', '')}")
        current = current.__cause__ or current.__context__
    return "\n".join(said)


@pytest.mark.parametrize(
    ("url", "kind", "part"),
    [
        (f"postgresql://me:{SECRET}@127.0.0.1:1/db", StoreError, "refused"),
        (f"postgresql+psycopg://me:{SECRET}@127.0.0.1:1/db", StoreError, "me@127.0.0.1:1/db"),
        (f"host=127.0.0.1 port=1 password={SECRET}", StoreError, "refused"),
        (f"postgresql://me:{SECRET}@/db?host=/nowhere/at/all", StoreError, "No such file"),
        (f"postgresql://me:{SECRET}@127.0.0.1:port/db", SettingsError, "port"),
        (f"postgresql://me:{SECRET}@127.0.0.1:70000/db", SettingsError, "from 1 to 65535"),
        (f"postgresql://me:{SECRET}/x@127.0.0.1:1/db", SettingsError, "cannot be understood"),
        (f"postgresql://me:12/{SECRET}@127.0.0.1:1/db", SettingsError, "cannot be understood"),
        (f"postgresql://me:x@{SECRET}@127.0.0.1:1/db", SettingsError, "cannot be understood"),
        (f"postgresql://me:{SECRET}?x#y@127.0.0.1:1/db", StoreError, "refused"),
        (f"postgresql://me:{SECRET}@[::1/db", SettingsError, "cannot be understood"),
        (f"password={SECRET} nonsense", SettingsError, "cannot be understood"),
    ],
)
def test_a_server_that_is_not_there_is_said_in_one_line_without_the_password(
    url: str, kind: type[DocgraphError], part: str
) -> None:
    with pytest.raises(kind, match=part) as caught:
        build(url)
    assert "\n" not in str(caught.value)
    assert caught.value.hint
    assert SECRET not in everything_said(caught.value)


def test_a_missing_database_and_a_missing_role_are_told_apart(embedded_database_url: str) -> None:
    with pytest.raises(StoreError, match=r'database "nope" does not exist.*create the database'):
        build(embedded_database_url.replace("/docgraph?", "/nope?"))
    with pytest.raises(StoreError, match=r'role "nobody_here" does not exist.*user name and password'):
        build(embedded_database_url.replace("postgres@", f"nobody_here:{SECRET}@"))


def test_a_wrong_password_and_a_missing_extension_are_said_with_what_to_do(password_server: str) -> None:
    conninfo = password_server.replace("user=postgres", "user=asked")
    with pytest.raises(StoreError, match=r"password authentication failed.*check user name and password") as caught:
        build(f"{conninfo} password={SECRET}-wrong")
    assert SECRET not in everything_said(caught.value)
    with pytest.raises(StoreError, match=r"no pgvector.*superuser run CREATE EXTENSION") as caught:
        build(f"{conninfo} password={SECRET}")
    assert SECRET not in everything_said(caught.value)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('could not extend file "base/1": No space left on device', "disk is full"),
        ("FATAL:  sorry, too many clients already", "no connection left"),
        ("FATAL:  the database system is starting up", "try again"),
    ],
)
def test_states_that_cannot_be_staged_here_get_their_hint(text: str, hint: str) -> None:
    assert hint in store_error("do it", psycopg.OperationalError(text)).hint


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql://me:{SECRET}@host/db",
        f"host=x password={SECRET}",
        f"password = '{SECRET}' x",
        f"PASSWORD={SECRET}",
    ],
)
def test_secrets_are_taken_out_of_texts(text: str) -> None:
    assert SECRET not in without_secrets(text)
    assert "***" in without_secrets(text)


def test_a_reading_statement_is_stopped_after_its_time(new_database_url: str) -> None:
    database = build(new_database_url, statement_timeout=0.05)
    store = database.create_workspace("slow", EMBEDDER)
    with pytest.raises(StoreError, match=r"statement timeout.*DOCGRAPH_STATEMENT_TIMEOUT"), store.reading() as snapshot:
        snapshot._connection.execute("SELECT pg_sleep(5)")  # type: ignore[attr-defined]
    with store.reading() as snapshot:
        assert snapshot.workspace.n_documents == 0
    database.close()


def test_a_failed_write_leaves_nothing_and_the_next_one_works(
    postgres_database: Database, new_database_url: str
) -> None:
    database = build(new_database_url)
    store = database.create_workspace("w", EMBEDDER)
    with psycopg.connect(new_database_url, autocommit=True) as connection:
        connection.execute("ALTER TABLE ws_w.vector_chunks ADD CONSTRAINT no_x CHECK (chunk_text <> 'x')")
        with pytest.raises(StoreError, match=r"no_x"):
            store.write([example_document("a"), example_document("b", ("x",))])
        assert database.workspaces()[0].revision == "0" * 32
        assert store.content_hashes() == {}
        connection.execute("ALTER TABLE ws_w.vector_chunks DROP CONSTRAINT no_x")
    assert store.write([example_document("a"), example_document("b", ("x",))]).added == ("a", "b")
    database.close()


def test_connections_that_a_restart_cut_are_replaced(new_database_url: str) -> None:
    """What a restarted server does to pooled connections: the first query afterwards succeeds."""
    database = build(new_database_url)
    store = database.create_workspace("w", EMBEDDER)
    for _ in range(3):
        with psycopg.connect(new_database_url, autocommit=True) as connection:
            others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            connection.execute(f"SELECT pg_terminate_backend(pid) {others}")
        with store.reading() as snapshot:
            assert snapshot.workspace.name == "w"
    database.close()


def test_an_embedded_server_that_was_killed_is_back_for_the_next_question(made_folder: Path) -> None:
    os.symlink(made_folder, made_folder / "postgres")
    database: Database = plugins.build("stores", "postgres", data_dir=str(made_folder))
    store = database.create_workspace("w", EMBEDDER)
    store.write([example_document("a")])
    signal_servers(made_folder)
    with store.reading() as snapshot:
        assert snapshot.workspace.n_documents == 1
    health = database.health()
    assert (health["kind"], health["free_bytes"] > 0) == ("embedded", True)
    database.close()
    assert servers_of(made_folder) == []


def test_no_connection_is_lost_when_questions_fail(new_database_url: str) -> None:
    database = build(new_database_url, pool_size=1)
    store = database.create_workspace("w", EMBEDDER)

    def fail() -> None:
        with pytest.raises(StoreError), store.reading() as snapshot:
            snapshot._connection.execute("SELECT 1/0")  # type: ignore[attr-defined]

    threads = [threading.Thread(target=fail) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.reading() as one, store.reading() as two:
        assert one.workspace == two.workspace
    database.close()


def test_a_location_never_shows_the_password() -> None:
    conninfo = _connecting.checked_conninfo(f"postgresql://me:{quote(SECRET)}@host:5433/db")
    assert _connecting.location(conninfo) == "me@host:5433/db"
