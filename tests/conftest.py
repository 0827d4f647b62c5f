"""What all tests share: a data folder of their own, and one embedded PostgreSQL for the whole session."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, settings

from tests import ROOT
from tests.survive.history import HISTORY, remember
from tests.survive.programme import programme
from tests.survive.tally import RESULTS, keep_lines

if TYPE_CHECKING:
    from docgraph.ports import Database

sys.path.insert(0, str(ROOT))
pytest.register_assert_rewrite("docgraph.testing.suites", "tests.contract.stores")
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")  # a busy machine draws slowly: that says nothing about the product
TEST_VARIABLES = ("DOCGRAPH_TEST_", "DOCGRAPH_CHROMIUM")
TOGETHER = (
    ("tests/e2e/",),  # one dashboard and one browser
    (
        "tests/integration/test_checks_on_corpora",
        "tests/integration/test_comparison_laws",
        "tests/integration/test_quality_of_",
    ),  # public sets that are imported once
)
"""Files that share what is slow to make: where tests run side by side, each group goes to one process."""


def pytest_configure(config: pytest.Config) -> None:
    """No test sees the user's settings or touches his data folder; processes that tests start inherit this.

    They keep the compiled modules, too: without, each of the many processes would compile hundreds of them anew.
    """
    for name in [name for name in os.environ if name.startswith("DOCGRAPH_") and not name.startswith(TEST_VARIABLES)]:
        del os.environ[name]
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    home = reachable_folder()
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    os.environ["DOCGRAPH_DATA_DIR"] = str(home / "data")
    os.environ["XDG_DATA_HOME"] = str(home / "share")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests and the modules that they import stay to the end: the garbage collector leaves them out."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where tests run side by side, what is long begins first: it must not be what is left at the end."""
    if hasattr(config, "workerinput"):
        long = ("tests/integration/", "tests/survive/")
        items.sort(key=lambda item: (_group(item.nodeid), not item.nodeid.startswith(long)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The lines of the programme of faults, one a row; kept in a file where one is named."""
    reports = [report for kind in ("passed", "failed", "skipped") for report in terminalreporter.stats.get(kind, ())]
    properties = [each for report in reports for each in getattr(report, "user_properties", ())]
    lines = [value for name, value in properties if name == "survive"]
    if not lines:
        return
    terminalreporter.section("programme of faults")
    for line in lines:
        terminalreporter.write_line(json.dumps(line, ensure_ascii=False))
    if kept := os.environ.get(RESULTS):
        keep_lines(Path(kept), lines, [row.row for row in programme()])
        failures = dict(value for name, value in properties if name == "survive failures")
        history, day = Path(kept).with_name(HISTORY.name), datetime.now(UTC).date().isoformat()
        remember(history, lines, day=day, failures=failures)


def _group(nodeid: str) -> int:
    """Place in ``TOGETHER``; behind it what belongs to no group."""
    return next((place for place, begins in enumerate(TOGETHER) if nodeid.startswith(begins)), len(TOGETHER))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """``--dist loadfile`` in the order of the collection, a group of files like one file."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Groups(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            place = _group(nodeid)
            return TOGETHER[place][0] if place < len(TOGETHER) else super()._split_scope(nodeid)

    config.option.loadscopereorder = False
    return Groups(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """A test that awaits something starts a loop of its own, also where a browser test ran before in this process.

    Playwright's synchronous interface leaves its own event loop marked as running in the thread until it is closed.
    """
    loop = None if item.get_closest_marker("e2e") else asyncio._get_running_loop()
    if loop is None:
        return (yield)
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(loop)


def reachable_folder() -> Path:
    """A new folder that other users may enter: as root, PostgreSQL runs as somebody else (pytest's own are private)."""
    folder = Path(tempfile.mkdtemp(prefix="docgraph-test-"))
    folder.chmod(0o755)
    return folder.resolve()


@pytest.fixture(scope="session", autouse=True)
def _made_once() -> Iterator[None]:
    """What keeps nothing of what it is asked is made once in a process, not once a connection or a command line.

    That is the bundled embedder, the bundled tokenizer, and the tree of commands that Typer makes for each call; what
    plug-ins stand in the folders, and the words of a text, which the store in memory reads anew for each question. And
    a new server's files are not waited for until they are on the disk: nobody needs them tomorrow. It has little memory
    of its own, because every table that is dropped is looked for in all of it.
    """
    import typer.main

    from docgraph import plugins
    from docgraph.domain import content_words, ranking
    from docgraph.plugins.embedders import wordllama as embedders
    from docgraph.plugins.stores.postgres.server import cluster
    from docgraph.plugins.tokenizers import wordllama as tokenizers

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster, "_INITDB", (*cluster._INITDB, "--no-sync"))
        patch.setattr(cluster, "_CONFIGURATION", cluster._CONFIGURATION.replace("{shared_buffers}", "128"))
        for module in (embedders, tokenizers):
            patch.setattr(module, "build", cache(module.build))
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        patch.setattr(content_words, "held_stems", lru_cache(maxsize=4096)(content_words.held_stems))
        patch.setattr(ranking, "_words", lru_cache(maxsize=4096)(ranking._words))
        patch.setattr(plugins, "_own", _own_plugins(plugins._own))
        yield


def _own_plugins(look: Callable[[str], dict[str, str]]) -> Callable[[str], dict[str, str]]:
    """``look`` once for each kind, as long as its package has the one folder that it came with."""
    known = cache(look)

    def own(kind: str) -> dict[str, str]:
        package = sys.modules.get(f"docgraph.plugins.{kind}")
        return (known if package is not None and len(package.__path__) == 1 else look)(kind)

    return own


@pytest.fixture
def server_folder() -> Iterator[Path]:
    """A folder in which an embedded server can live."""
    folder = reachable_folder()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def made_cluster() -> Iterator[Path]:
    """A stopped server's folder to be copied: making one takes seconds on a busy disk.

    ``fsync`` is off in it: that protects against a machine that loses power, which no test here can stage. It keeps no
    more of its log than it must: that would be copied each time.
    """
    import psycopg

    from docgraph.plugins.stores.postgres.server.embedded import embedded_server

    folder = reachable_folder()
    server = embedded_server(folder)
    with psycopg.connect(server.conninfo, autocommit=True) as connection:
        for setting, value in (("fsync", "off"), ("min_wal_size", "'32MB'"), ("wal_recycle", "off")):
            connection.execute(f"ALTER SYSTEM SET {setting} = {value}")
    server.release()
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def made_folder(server_folder: Path, made_cluster: Path) -> Path:
    """A folder with a stopped server of this test's own."""
    subprocess.run(["cp", "-a", str(made_cluster / "pgdata"), str(server_folder)], check=True)
    return server_folder


@pytest.fixture(scope="session")
def embedded_database_url() -> Iterator[str]:
    """URL of the database ``docgraph`` on the embedded server of this session, as its superuser."""
    import psycopg

    from docgraph.plugins.stores.postgres.server.embedded import embedded_server

    folder = reachable_folder()
    server = embedded_server(folder / "postgres")
    with psycopg.connect(server.conninfo, autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):  # nobody needs these data tomorrow
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")
        row = connection.execute("SHOW unix_socket_directories").fetchone()
    assert row is not None
    yield f"postgresql://postgres@/docgraph?host={quote(row[0], safe='')}"
    server.release()
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def database_beside(embedded_database_url: str, template: str = "template1") -> Iterator[str]:
    """URL of a new database on the session's server, a copy of ``template``; dropped at the end.

    Nobody may be connected to the template meanwhile.
    """
    import psycopg

    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(embedded_database_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield embedded_database_url.replace("/docgraph?", f"/{name}?")
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def new_database_url(embedded_database_url: str) -> Iterator[str]:
    """URL of an empty database of this test's own."""
    with database_beside(embedded_database_url) as url:
        yield url


@pytest.fixture(scope="module")
def module_database_url(embedded_database_url: str) -> Iterator[str]:
    """URL of an empty database that the tests of one module share."""
    with database_beside(embedded_database_url) as url:
        yield url


@pytest.fixture(scope="session")
def session_database(embedded_database_url: str) -> Iterator[Database]:
    """One PostgreSQL ``Database`` for the session; use ``postgres_database``, which empties it first."""
    from docgraph import plugins

    database = plugins.build("stores", "postgres", database_url=embedded_database_url, pool_size=4)
    yield database
    database.close()


@pytest.fixture
def postgres_database(session_database: Database) -> Database:
    """A PostgreSQL ``Database`` without workspaces, saved runs, query sets, sign-ins; not to be closed by the test."""
    for workspace in session_database.workspaces():
        for each in session_database.query_sets.query_sets(workspace.name):
            session_database.query_sets.remove_set(workspace.name, each.name)
        session_database.drop_workspace(workspace.name)
    for kept in (*session_database.runs.find(), *session_database.runs.find(deleted=True)):
        session_database.runs.delete(kept.run_id, at="", forever=True)
    session_database.sign_ins.forget_sign_ins("9999")
    return session_database


@pytest.fixture(scope="session")
def test_data() -> Path:
    """The folder of real corpora; tests that need it are skipped where it is missing."""
    folder = Path(os.environ.get("DOCGRAPH_TEST_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("no test data: set DOCGRAPH_TEST_DATA")
    return folder
