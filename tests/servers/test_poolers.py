"""A pooler that gives each transaction another session: nothing is lost, doubled or taken for another's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

import docgraph
from docgraph.cli import edge
from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.stores.postgres import connections
from docgraph.plugins.stores.postgres.connections import Connector
from tests.conftest import database_beside
from tests.servers import machines
from tests.servers.walk import Answer, Asked, ask, fill, walk

READS = 60


@pytest.fixture
def url(pooled: machines.Place, new_database_url: str) -> str:
    """An empty database, through the pooler."""
    return pooled.url(database=conninfo_to_dict(new_database_url)["dbname"])


def noticed(dg: Docgraph) -> tuple[bool, str]:
    facts = dg.health()["database"]
    return facts["pooled"], facts["prepared_statements"]


def test_everything_is_done_right_through_a_pooler(url: str, expected: Sequence[Answer]) -> None:
    """``_pg3_0`` of one client was another client's there: questions failed, and some were answered by another one."""
    walk(url, expected)
    with docgraph.connect(url) as dg:
        assert noticed(dg) == (True, "off: a pooler hands out the server's sessions")


@pytest.fixture
def unnoticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pooler that tells its clients the number of a real session."""
    inspect = connections.inspect
    monkeypatch.setattr(connections, "inspect", lambda connection: replace(inspect(connection), is_pooled=False))


@pytest.mark.usefixtures("unnoticed")
def test_a_pooler_that_is_not_noticed_costs_no_answer(url: str, expected: Sequence[Answer]) -> None:
    """The first statement that is not there ends preparing, and the question is asked again."""
    with docgraph.connect(url, pool_size=6) as dg:
        fill(dg)
        assert ask(dg, expected, n=READS) == Asked(READS)
        assert noticed(dg) == (False, "off: the server answered by the statements of another session")
    with docgraph.connect(url, pool_size=6, prepared_statements="off") as dg:
        assert ask(dg, expected, n=READS) == Asked(READS)
        assert noticed(dg) == (False, "off: DOCGRAPH_PREPARED_STATEMENTS is off")


def test_a_statement_that_is_lost_amid_a_reading_is_asked_of_the_same_state(new_database_url: str) -> None:
    """A session may forget its statements between two trips of one question: the same data answer, or nobody does."""
    with docgraph.connect(new_database_url) as dg:
        fill(dg)
        with dg.session.reading() as snapshot:
            before = list(snapshot.documents())
            forget_statements(snapshot)
            assert list(snapshot.documents()) == before
        assert noticed(dg) == (False, "off: the server answered by the statements of another session")


def test_a_reading_that_would_go_on_in_another_state_is_refused(new_database_url: str) -> None:
    with docgraph.connect(new_database_url) as dg, docgraph.connect(new_database_url) as other:
        fill(dg)
        with dg.session.reading() as snapshot:
            assert list(snapshot.documents())
            fill(other, version=1)
            forget_statements(snapshot)
            with pytest.raises(StoreError, match=r"was changed while it was read.*ask again"):
                list(snapshot.documents())


def forget_statements(snapshot: object) -> None:
    """As a pooler that gives the transaction another session: the driver does not hear of it."""
    snapshot._connection.pgconn.exec_(b"DEALLOCATE ALL")  # type: ignore[attr-defined]


def test_prepared_statements_of_two_clients_never_have_one_name(new_database_url: str) -> None:
    """A name that both have would be one statement to a pooler: the answer to another question, in silence."""
    named: list[set[str]] = []
    for _ in range(2):
        connector = Connector(new_database_url, pool_size=1)
        with connector.connect() as first:
            connections.ensure_vector_extension(first)
        with connector.reading("look") as lease:
            lease.connection.execute("SELECT 1", prepare=True)
            rows = lease.connection.execute("SELECT name FROM pg_prepared_statements").fetchall()
        named.append({row[0] for row in rows})
        connector.close()
    assert all(named)
    assert not named[0] & named[1]


def test_what_may_not_be_done_twice_prepares_nothing(new_database_url: str) -> None:
    with docgraph.connect(new_database_url, pool_size=1) as dg:
        for version in range(7):
            fill(dg, version)
        database = dg.session.adapters.database
        with database._writer.connection("look") as connection:  # type: ignore[attr-defined]
            rows = connection.execute("SELECT statement FROM pg_prepared_statements").fetchall()
        assert not [row for row in rows if not row[0].lstrip().upper().startswith(("SELECT", "WITH"))]


def test_a_pooler_that_ends_the_session_with_every_statement_is_named(
    embedded_database_url: str, pgbouncer: Path
) -> None:
    before = machines.conninfo_of(embedded_database_url)
    with (
        machines.pooler(pgbouncer, before, mode="statement", roles=("postgres",)) as place,
        pytest.raises(StoreError, match=r"transaction blocks not allowed.*pool_mode = transaction"),
    ):
        docgraph.connect(place.url())


def test_options_that_a_pooler_does_not_take_are_named(pooled: machines.Place) -> None:
    with pytest.raises(StoreError, match=r"unsupported startup parameter.*ignore_startup_parameters"):
        docgraph.connect(pooled.url(options="-c work_mem=64MB"))


@pytest.fixture
def few(embedded_database_url: str, pgbouncer: Path) -> Iterator[machines.Place]:
    """A pooler that keeps a session for its client, and has two of them."""
    before = machines.conninfo_of(embedded_database_url)
    with machines.pooler(pgbouncer, before, mode="session", roles=("postgres",), default_pool_size=2) as made:
        yield made


@pytest.mark.slow
def test_sessions_that_a_pooler_has_no_more_of_are_waited_for(
    few: machines.Place, embedded_database_url: str, expected: Sequence[Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lets its clients wait for two minutes, and then throws them out: they waited for their own connections."""
    monkeypatch.setattr("docgraph.plugins.stores.postgres.connections.inspection.TIMEOUT", 0.5)
    with database_beside(embedded_database_url) as direct:
        name = conninfo_to_dict(direct)["dbname"]
        with docgraph.connect(few.url(database=name), pool_size=6) as dg:
            fill(dg)
            assert ask(dg, expected, n=24) == Asked(24)


def test_doctor_says_that_a_pooler_stands_between(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", url)
    assert edge.run(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "a pooler's, possibly another one per transaction; no prepared statements" in " ".join(out.split())
