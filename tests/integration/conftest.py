"""Marks these tests, and starts the programs they need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

import docgraph
from docgraph.cli import edge
from docgraph.domain.graph import Document
from docgraph.plugins.stores.postgres.server.embedded import embedded_server
from tests.integration.commands import PREFIX, Command
from tests.integration.question_sets import Library
from tests.integration.server_programs import SECRET, Program


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.integration)


@pytest.fixture
def program() -> Iterator[Callable[..., Program]]:
    """Starts programs and ends what is left of them."""
    started: list[Program] = []

    def start(folder: Path, code: str = "", idle_minutes: float = 30.0) -> Program:
        started.append(Program(folder, code, idle_minutes))
        return started[-1]

    yield start
    for each in started:
        each.end()


@pytest.fixture
def password_server(made_folder: Path) -> Iterator[str]:
    """Conninfo (without user) of a server of this test's own that asks for passwords."""
    server = embedded_server(made_folder)
    with psycopg.connect(server.conninfo, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE asked LOGIN PASSWORD '{SECRET}'")
        rules = made_folder / "pgdata" / "pg_hba.conf"
        rules.write_text("local all asked scram-sha-256\n" + rules.read_text())
        connection.execute("SELECT pg_reload_conf()")
    yield server.conninfo
    server.release()


@pytest.fixture(scope="module")
def module_url(embedded_database_url: str) -> Iterator[str]:
    """A database of this module's own with a small workspace ``w``."""
    with psycopg.connect(embedded_database_url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE bad_input")
        url = embedded_database_url.replace("/docgraph?", "/bad_input?")
        with docgraph.connect(url, workspace="w") as dg:
            dg.ingest_records([Document(document_id=i, title=i, text=f"The queue of {i} is bounded.") for i in "abc"])
        yield url
        connection.execute("DROP DATABASE bad_input WITH (FORCE)")


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, module_url: str) -> Command:
    """Runs one command over the workspace ``w``: (exit code, standard output, standard error)."""
    monkeypatch.setenv(f"{PREFIX}DATABASE_URL", module_url)
    monkeypatch.setenv(f"{PREFIX}WORKSPACE", "w")

    def run(*arguments: str, **variables: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with monkeypatch.context() as context:
            for name, value in variables.items():
                context.setenv(f"{PREFIX}{name}", value)
            code = edge.run(arguments)
        written = capsys.readouterr()
        return code, written.out, written.err

    return run


@pytest.fixture(scope="session")
def library(embedded_database_url: str, request: pytest.FixtureRequest) -> Iterator[Library]:
    """Sets with questions, each imported once, when a test first asks for it."""
    made = Library(embedded_database_url, lambda: request.getfixturevalue("test_data"))
    yield made
    made.close()
