"""Sign-ins are closed to a role that may only read, whatever was granted, when, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest

import docgraph
from docgraph import plugins
from docgraph.bootstrap import setup_sql
from docgraph.cli import edge
from docgraph.domain.graph import Document
from docgraph.domain.person import SignIn
from docgraph.errors import StoreError
from docgraph.ports import Database
from docgraph.settings import read_settings

pytestmark = pytest.mark.integration
OWNER, READER = "keeps_sign_ins", "only_reads_here"
ANN = SignIn(
    sign_in_id="a" * 64,
    name="ann@docs.example",
    subject="ann",
    claims="c" * 64,
    created="2026-01-01T00:00:00+00:00",
    last_seen="2026-01-01T00:00:00+00:00",
    expires="9999",
)
AT = "2026-01-01T01:00:00+00:00"


def as_role(url: str, role: str) -> str:
    return url.replace("postgres@", f"{role}@")


@pytest.fixture
def administrator(new_database_url: str) -> Iterator[psycopg.Connection]:
    """A superuser of an empty database with two roles that may do nothing yet."""
    with psycopg.connect(new_database_url, autocommit=True) as connection:
        for role in (OWNER, READER):
            connection.execute(f"CREATE ROLE {role} LOGIN")
        yield connection
        for role in (OWNER, READER):
            connection.execute(f"DROP OWNED BY {role} CASCADE")
            connection.execute(f"DROP ROLE {role}")


def walk(url: str, *, prefix: str = "") -> tuple[SignIn, ...]:
    """What the role of the dashboard does with sign-ins, from the first to an end."""
    database: Database = plugins.build("stores", "postgres", database_url=url, schema_prefix=prefix)
    with closing(database):  # type: ignore[type-var]
        log = database.sign_ins
        log.forget_sign_ins("99999")
        log.begin_sign_in(ANN)
        assert log.saw_sign_in(ANN.sign_in_id, at=AT, role="admin")
        assert [each.role for each in log.sign_ins([ANN.sign_in_id])] == ["admin"]
        bens = ANN.model_copy(update={"sign_in_id": "b" * 64, "name": "ben@docs.example", "subject": "ben"})
        log.begin_sign_in(bens)
        assert len(log.end_sign_ins([bens], at=AT, by="ann")) == 1
        return log.open_sign_ins(AT)


@pytest.mark.parametrize("prefix", ["", "team_"])
@pytest.mark.parametrize("with_tables", [False, True])
def test_a_reader_of_the_set_up_reads_documents_and_no_sign_in(
    administrator: psycopg.Connection, new_database_url: str, with_tables: bool, prefix: str
) -> None:
    """Names and hashes of tokens of everybody lay open to it: it may read whatever table there will be."""
    url = as_role(new_database_url, OWNER)
    settings = read_settings(database_url=url, schema_prefix=prefix)
    administrator.execute(setup_sql(settings, readers=(READER,), with_tables=with_tables).encode())
    with docgraph.connect(url, schema_prefix=prefix) as dg:
        dg.ingest_records([Document(document_id="one", title="One", text="What the queue holds.")])
    assert [each.name for each in walk(url, prefix=prefix)] == ["ann@docs.example"]
    table = f"{prefix}docgraph.sign_ins"
    for again in (False, True):
        if again:  # the rights that an upgrade asks for
            administrator.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {prefix}docgraph TO {READER}")
        with psycopg.connect(as_role(new_database_url, READER)) as reader:
            assert reader.execute(f"SELECT count(*) FROM {prefix}docgraph.workspaces").fetchone() == (1,)
            assert reader.execute(f"SELECT * FROM {table}").fetchall() == []
            assert reader.execute(f"SELECT count(*) FROM {table} WHERE name LIKE 'ann%'").fetchone() == (0,)
    assert administrator.execute(f"SELECT count(*) FROM {table}").fetchone() == (2,)


def test_a_list_that_is_not_shown_is_no_empty_list(
    administrator: psycopg.Connection,
    new_database_url: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = as_role(new_database_url, OWNER)
    administrator.execute(setup_sql(read_settings(database_url=url), readers=(READER,)).encode())
    walk(url)
    database: Database = plugins.build("stores", "postgres", database_url=as_role(new_database_url, READER))
    with closing(database), pytest.raises(StoreError, match="may not see sign-ins"):  # type: ignore[type-var]
        database.sign_ins.open_sign_ins(AT)
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", as_role(new_database_url, READER))
    assert edge.run(["people"]) != 0
    assert "may not see sign-ins" in capsys.readouterr().err
