"""D4: migrations are killed at any statement, made by several at once, and folders started by several at once."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from docgraph.plugins.stores.postgres.migrating import newest
from tests import ROOT
from tests.integration.server_programs import mains_of, servers_of
from tests.survive.killing import AT_A_STATEMENT
from tests.survive.rows.test_x1_migrations import _check, as_of, revisions
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import opened

ROW = Row(
    row="D4",
    what="migrations killed at any statement, made by three processes at once; a folder started by three at once",
    rule="each schema at its old revision or the newest, its rows whole; the next opening ends it; one server",
    n=90,
    short=4,
    case="a statement at which an opening is killed, or three processes that start at once",
)
STATEMENTS = 20
"""About as many round trips as an opening makes that brings both schemas to the newest revision."""
_OPENING = (
    AT_A_STATEMENT
    + """
import sys
sys.path.insert(0, {root!r})
from docgraph import Document, plugins
from tests.survive.workspaces import opened
revisions, execute = {revision}, psycopg.Cursor.execute
def noted(cursor, query, *arguments, **options):
    global revisions
    revisions -= str(query).startswith("UPDATE") and "version_num" in str(query)
    if {revision} and not revisions:
        os.kill(os.getpid(), 9)
    return execute(cursor, query, *arguments, **options)
psycopg.Cursor.execute = noted
print("up", flush=True)
sys.stdin.readline()
psycopg.Connection.wait = watched
database = plugins.build("stores", "postgres", **{where!r})
{then}
database.close()
print("done", flush=True)
"""
)
_MIGRATES = 'database.open_workspace("old").reading().__enter__()'
_WRITES = """
with opened(database) as dg:
    name = "d%d" % os.getpid()
    assert dg.ingest_records([Document(document_id=name, title=name, text="The queue is bounded.")]).n_stored == 1
    print(name, flush=True)
    sys.stdin.readline()
"""


def _begun(
    where: dict[str, str], then: str, *, statement: int = 0, before: bool = False, revision: int = 0
) -> subprocess.Popen[str]:
    """A process that waits for one line, then opens the database; ``revision`` = killed where it notes that one."""
    code = _OPENING.format(
        root=str(ROOT), where=where, then=then, statement=statement, before=before, revision=revision
    )
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def _go(processes: list[subprocess.Popen[str]]) -> None:
    """All at once, as nearly as can be."""
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()


def _versions(url: str) -> tuple[str, str]:
    with psycopg.connect(url) as connection:
        statement = (
            "SELECT (SELECT version_num FROM docgraph.schema_version), (SELECT version_num FROM ws_old.schema_version)"
        )
        ((workbench, workspace),) = connection.execute(statement).fetchall()
    return workbench, workspace


@contextmanager
def _old(url: str, workbench: str, workspace: str) -> Iterator[tuple[str, str]]:
    """(URL of a database at these revisions, URL of one to copy it into)."""
    old = url.replace("/docgraph?", "/d4_old?")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE d4_old")
        try:
            as_of(old, workbench, workspace)
            yield old, url.replace("/docgraph?", "/d4?")
        finally:
            connection.execute("DROP DATABASE IF EXISTS d4 WITH (FORCE)")
            connection.execute("DROP DATABASE d4_old WITH (FORCE)")


@contextmanager
def _copied(url: str) -> Iterator[None]:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE d4 TEMPLATE d4_old")
        try:
            yield
        finally:
            connection.execute("DROP DATABASE d4 WITH (FORCE)")


def _killed(url: str, rng: random.Random, was: tuple[str, str], number: int) -> bool:
    """One opening that is killed; whether it was. Then each schema is at one of two revisions, with its rows."""
    by_statement = number % 2
    process = _begun(
        {"database_url": url},
        _MIGRATES,
        statement=rng.randrange(3, STATEMENTS) if by_statement else 0,
        before=rng.random() < 0.5,
        revision=0 if by_statement else rng.randrange(2, 5),
    )
    _go([process])
    _, errors = process.communicate("", timeout=120)
    assert process.returncode in (0, -9), errors[-1_000:]
    now = (newest("workbench"), newest("workspace"))
    for found, old, new in zip(_versions(url), was, now, strict=True):
        assert found in (old, new), f"at {found}: neither {old} nor {new}"
    _check(url)
    assert _versions(url) == now
    return process.returncode == -9


def _at_once(url: str) -> None:
    processes = [_begun({"database_url": url}, _MIGRATES) for _ in range(3)]
    _go(processes)
    for process in processes:
        said, errors = process.communicate("", timeout=120)
        assert (process.returncode, said) == (0, "done\n"), errors[-1_000:]
    _check(url)


def _started_at_once(folder: Path, rng: random.Random) -> None:
    """Three processes on one folder in which no server runs; one may be killed, the others write and end."""
    processes = [_begun({"data_dir": str(folder)}, _WRITES) for _ in range(3)]
    _go(processes)
    if rng.random() < 0.5:
        processes[0].kill()
        processes[0].communicate()
    told = set()
    for process in processes[1:]:
        assert process.stdout is not None
        told.add(process.stdout.readline().strip())
    assert len(mains_of(folder)) == 1, "one server for all of them"
    for process in processes[1:]:
        _, errors = process.communicate("\n", timeout=120)
        assert process.returncode == 0, errors[-1_000:]
    if processes[0].poll() is None:
        processes[0].communicate("\n", timeout=120)
    assert servers_of(folder) == []
    from docgraph import plugins

    with opened(plugins.build("stores", "postgres", data_dir=str(folder))) as dg:
        assert told <= {each.document_id for each in dg.documents.list()}
        assert all(each.ok for each in dg.backups.verify())
        dg.drop_workspace("w")


@pytest.mark.timeout(1_800)
def test_d4_a_killed_upgrade_is_ended_by_the_next_opening(
    tally: Tally, embedded_database_url: str, made_folder: Path
) -> None:
    (made_folder / "postgres").symlink_to(made_folder)
    ways = list(zip(revisions("workbench")[:-1], revisions("workspace")[:-1], strict=True)) if tally.whole else None
    n_killed = 0
    for was in ways or [(revisions("workbench")[0], revisions("workspace")[0])]:
        with _old(embedded_database_url, *was) as (_, url):
            for case in tally.cases((tally.n - 10) // len(ways) if ways else tally.n - 2):
                with tally.trying(case), _copied(embedded_database_url):
                    n_killed += _killed(url, case.rng, was, case.number)
            for number in range(2 if ways else 1):
                with tally.trying(f"three migrate {was} at once, {number}"), _copied(embedded_database_url):
                    _at_once(url)
    for number in range(4 if tally.whole else 1):
        with tally.trying(f"three start a folder at once, {number}"):
            _started_at_once(made_folder, random.Random(f"{tally.seed}:{number}"))
    tally.more["killed"] = n_killed
