"""Servers and poolers for the tests of this folder, each started once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import docgraph
from tests.conftest import database_beside
from tests.servers import machines
from tests.servers.walk import Answer, answers, fill


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test here needs a server."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.integration)


@pytest.fixture(scope="session")
def expected(embedded_database_url: str) -> Sequence[Answer]:
    """What is right: what one thread is told by the embedded server, over connections of its own."""
    with database_beside(embedded_database_url) as url, docgraph.connect(url) as dg:
        fill(dg)
        return answers(dg)


@pytest.fixture(scope="session")
def pgbouncer() -> Path:
    """The first PgBouncer that this machine has."""
    found = list(machines.poolers().values())
    if not found:
        pytest.skip(f"no pgbouncer here: apt-get install pgbouncer, or {machines.POOLERS}=/path/to/one")
    return found[0]


@pytest.fixture
def pooled(embedded_database_url: str, pgbouncer: Path) -> Iterator[machines.Place]:
    """The session's server behind a pooler that gives each transaction another session, of two."""
    before = machines.conninfo_of(embedded_database_url)
    with machines.pooler(pgbouncer, before, mode="transaction", roles=("postgres", "app"), default_pool_size=2) as made:
        yield made
