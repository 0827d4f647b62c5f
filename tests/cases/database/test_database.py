"""A pooler hands out sessions, and pgvector lies off the search path: both are found without a setting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

import docgraph
from docgraph.cli import edge
from tests.conftest import database_beside
from tests.servers import machines
from tests.servers.walk import QUESTIONS, Answer, answer, answers, fill

HERE = Path(__file__).parent
N = 120


@pytest.fixture(scope="module")
def direct(embedded_database_url: str) -> Iterator[str]:
    """A database with the corpus, past every pooler."""
    with database_beside(embedded_database_url) as url:
        with docgraph.connect(url) as dg:
            fill(dg)
        yield url


@pytest.fixture(scope="module")
def expected(direct: str) -> Sequence[Answer]:
    with docgraph.connect(direct) as dg:
        return answers(dg)


@pytest.fixture
def pooled(direct: str) -> Iterator[str]:
    """Through a PgBouncer with the settings of the case."""
    there = machines.poolers()
    if not there:
        pytest.skip("no pgbouncer here: apt-get install pgbouncer")
    version, program = next(iter(there.items()))
    said = dict(
        line.split("=", 1)
        for line in (HERE / "pooler" / "input" / "pgbouncer.ini").read_text().splitlines()
        if "=" in line and not line.startswith(("*", "listen"))
    )
    if machines.numbers(version) < [1, 21]:  # which knows no other way
        del said["max_prepared_statements"]
    before = f"{machines.conninfo_of(direct)} user=postgres"
    with machines.pooler(
        program, before, mode=said.pop("pool_mode"), roles=("postgres",), default_pool_size=2, **said
    ) as place:
        yield place.url(database=conninfo_to_dict(direct)["dbname"])


def test_two_commands_after_each_other_and_then_four_threads_are_all_right(
    pooled: str, expected: Sequence[Answer], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one failed for good ("_pg3_0" already exists), 23 of 120 runs failed, and some were another's."""
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", pooled)
    assert [edge.run(["plan", "Why does the queue wait?"]) for _ in range(2)] == [0, 0]
    with docgraph.connect(pooled, pool_size=4) as dg, ThreadPoolExecutor(4) as threads:
        runs = list(threads.map(lambda n: answer(dg.run(QUESTIONS[n % len(expected)])), range(N)))
    assert [n for n, run in enumerate(runs) if run != expected[n % len(expected)]] == []
    capsys.readouterr()
    assert edge.run(["doctor"]) == 0
    assert "a pooler's" in capsys.readouterr().out


def test_pgvector_is_found_in_the_schema_where_it_is(new_database_url: str, expected: Sequence[Answer]) -> None:
    """ "vector type not found in the database" was all that was said, with a question after host and port."""
    script = (HERE / "extension-schema" / "input" / "setup.sql").read_text()
    name = conninfo_to_dict(new_database_url)["dbname"]
    with psycopg.connect(new_database_url, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS app")
        connection.execute(script.replace("DATABASE d ", f"DATABASE {name} ").encode())
        with docgraph.connect(new_database_url.replace("postgres@", "app@")) as dg:
            fill(dg)
            assert answers(dg) == expected
        connection.execute("DROP OWNED BY app CASCADE")
        connection.execute("DROP ROLE app")
