"""D9: a pooler with two sessions for everybody is killed, paused, cut off, while people ask, import, edit and copy."""

from __future__ import annotations

import io
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

import docgraph
from docgraph.domain.edit import Edit
from docgraph.errors import DocgraphError
from docgraph.orchestration.docgraph import Docgraph
from tests.conftest import database_beside
from tests.servers import machines
from tests.servers.walk import N_DOCUMENTS, QUESTIONS, Answer, answer, answers, fill
from tests.survive.tally import Row, Tally

ROW = Row(
    row="D9",
    what="a pooler with two sessions for all: killed, told to end or hold them, its sessions ended by the server",
    rule="each answer is of one state, an error is one line and asked again it answers; what was written is there once",
    n=60,
    short=6,
    case="questions of three threads beside an import, an edit or a copy, with one fault at a round trip of theirs",
)
FAULTS = ("none", "killed", "cut off", "sessions ended", "reconnected", "held")
WRITES = ("copy", "import", "edit")
PATIENCE = 60.0
"""Seconds in which a question has to be answered, or a write has to be done, after a fault."""
N_ASKED = 36
TRIPS = 150
"""About as many round trips as the questions of a case make."""
HELD_SECONDS = 0.2
KEY = ("d0", "explains", "d3")
EDITED = "edited"
SETTINGS = ("random_page_cost", "work_mem", "statement_timeout", "lock_timeout", "search_path", "plan_cache_mode")
_LOCKS = """
SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
WHERE l.locktype = 'advisory' AND d.datname = current_database()"""
_OPEN = "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in%' AND datname = current_database()"


class Beside:
    """One workspace through the pooler by two docgraphs, as two programs have it, and the server itself beside."""

    def __init__(self, pooler: machines.Pooler, url: str, direct: str, expected: Sequence[Sequence[Answer]]) -> None:
        self._pooler, self._url, self._direct, self._expected = pooler, url, direct, expected
        self.version, self.n_edits, self.told = 0, 0, 0
        with docgraph.connect(direct, workspace=EDITED) as dg:
            fill(dg)
        with psycopg.connect(direct) as connection:
            self._settings = {name: _setting(connection, name) for name in SETTINGS}

    def fault(self, kind: str) -> None:
        """Do it; the pooler answers again afterwards."""
        if kind == "killed":
            self._pooler.kill()
            self._pooler.start()
        elif kind == "cut off":
            self._pooler.tell("KILL " + self._database)
            self._pooler.tell("RESUME " + self._database)
        elif kind == "sessions ended":
            with psycopg.connect(self._direct, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
        elif kind == "reconnected":
            self._pooler.tell("RECONNECT " + self._database)
        elif kind == "held":
            self._pooler.tell("PAUSE " + self._database)
            time.sleep(HELD_SECONDS)
            self._pooler.tell("RESUME " + self._database)

    @property
    def _database(self) -> str:
        return str(conninfo_to_dict(self._direct)["dbname"])

    def work(self, write: str, fault: str, trip: int, rng: random.Random) -> None:
        """Questions by three threads of two programs beside one write, a fault at the trip; then what is there."""
        with (
            docgraph.connect(self._url, pool_size=2) as one,
            docgraph.connect(self._url, pool_size=2) as two,
            at_trip(trip, lambda: self.fault(fault)),
            ThreadPoolExecutor(4) as pool,
        ):
            wrote = pool.submit(self._write, write, two)
            asked = [pool.submit(self._ask, (one, two)[n % 2], rng.randrange(12)) for n in range(N_ASKED)]
            told = sum(each.result() for each in asked) + wrote.result()
            assert fault != "none" or not told, "an error although nothing happened"
            self.told += told
            assert all(self._ask(one, n) == 0 for n in range(3)), "an error after all was over"
        self._look_at_all()

    def _ask(self, dg: Docgraph, n: int) -> int:
        """How many errors were told before the answer, which is one of a state that there was."""
        run, told = until(lambda: dg.run(QUESTIONS[n]))
        assert answer(run) in [version[n] for version in self._expected]
        return told

    def _write(self, kind: str, dg: Docgraph) -> int:
        """How many errors were told before it was done."""
        if kind == "import":
            self.version = 1 - self.version
            return until(lambda: fill(dg, self.version))[1]
        if kind == "edit":
            return self._edit()
        file = io.BytesIO()
        told = until(lambda: (file.seek(0), file.truncate(), dg.backups.write(file)))[1]
        told += until(lambda: dg.backups.restore(file, names={dg.workspace_name: "copy"}, replace=True))[1]
        copy = until(lambda: docgraph.connect(self._url, workspace="copy"))[0]
        with copy:
            plan, due = until(lambda: copy.plan(QUESTIONS[0]))[0], self._expected[self.version][0][0]
            assert (plan.corpus_revision, plan.document_ids) == (due.corpus_revision, due.document_ids)
        return told + until(lambda: dg.drop_workspace("copy"))[1]

    def _edit(self) -> int:
        """An edit of another workspace: one that was not acknowledged is there once or not at all, else once."""
        opened, told = until(lambda: docgraph.connect(self._url, workspace=EDITED, pool_size=2))
        with opened as dg:
            n = self.n_edits
            edit = Edit(action="add" if n % 2 else "remove", key=KEY)
            try:
                dg.relationships.edit([edit], by="Ann")
                least = 1
            except DocgraphError as error:
                assert_one_line(error)
                told, least = told + 1, 0
            self.n_edits = len(until(lambda: dg.relationships.history())[0])
            assert least <= self.n_edits - n <= 1, "an edit is lost, or was made twice"
            there = until(lambda: KEY in {each.key for each in dg.relationships.list(document_id=KEY[0])})[0]
            assert there == (self.n_edits % 2 == 0), "the edit is in the history and not in the data"
        return told

    def _look_at_all(self) -> None:
        """By the server itself: all of the newest import, no lock or transaction left, no setting for the next one."""
        with docgraph.connect(self._direct) as dg:
            assert dg.workspace.n_documents == N_DOCUMENTS
            assert answers(dg, 3) == list(self._expected[self.version][:3])
            assert sorted(each.name for each in dg.workspaces()) == sorted([dg.workspace_name, EDITED])
        with psycopg.connect(self._direct, autocommit=True) as connection:
            assert _soon_none(connection, _LOCKS), "a session keeps a lock"
            assert _soon_none(connection, _OPEN), "a session is left in a transaction"
        for _ in range(2):  # whichever of the two sessions comes
            with psycopg.connect(self._url, prepare_threshold=None) as connection:
                assert {name: _setting(connection, name) for name in SETTINGS} == self._settings


def until(act: Callable[[], Any]) -> tuple[Any, int]:
    """What it came to, and how many errors were told before; each is one line."""
    began, told = time.monotonic(), 0
    while True:
        try:
            return act(), told
        except DocgraphError as error:
            assert_one_line(error)
            assert time.monotonic() - began < PATIENCE, f"no end of errors: {error}"
            told += 1


def assert_one_line(error: DocgraphError) -> None:
    """A message for people, not the driver's lines."""
    assert error.message.strip()
    assert "\n" not in error.message, error.message


@contextmanager
def at_trip(trip: int, act: Callable[[], None]) -> Iterator[None]:
    """Beside the round trip ``trip`` (from 1) of this process ``act`` begins; at the end it has been done."""
    lock, left, wait = threading.Lock(), [trip], psycopg.Connection.wait
    acting = threading.Thread(target=act, name="fault")

    def watched(connection: Any, *arguments: Any, **options: Any) -> Any:
        with lock:
            left[0] -= 1
            begins = not left[0] and threading.current_thread() is not acting
        if begins:
            acting.start()
        return wait(connection, *arguments, **options)

    psycopg.Connection.wait = watched  # type: ignore[method-assign]
    try:
        yield
    finally:
        psycopg.Connection.wait = wait  # type: ignore[method-assign]
        if left[0] > 0:
            acting.start()
        acting.join()


def _setting(connection: psycopg.Connection[Any], name: str) -> str:
    row = connection.execute("SELECT current_setting(%s)", (name,)).fetchone()
    return str(row[0]) if row else ""


def _soon_none(connection: psycopg.Connection[Any], statement: str) -> bool:
    """Sessions of clients that have just left end within moments."""
    began = time.monotonic()
    while (row := connection.execute(statement.encode()).fetchone()) and row[0]:
        if time.monotonic() - began > PATIENCE / 4:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.timeout(1_800)
def test_d9_a_pooler_that_fails_costs_a_question_at_most(tally: Tally, embedded_database_url: str) -> None:
    if not (there := list(machines.poolers().values())):
        tally.skip(f"no pgbouncer here: apt-get install pgbouncer, or {machines.POOLERS}=/path/to/one")
    before = machines.conninfo_of(embedded_database_url)
    few = {"default_pool_size": 2, "admin_users": "postgres"}
    with (
        machines.pooler(there[0], before, mode="transaction", roles=("postgres",), **few) as pooler,
        database_beside(embedded_database_url) as direct,
    ):
        expected = []
        for version in (1, 0):
            with docgraph.connect(direct) as dg:
                fill(dg, version)
                expected.insert(0, answers(dg))
        url = pooler.url(database=conninfo_to_dict(direct)["dbname"])
        there_ = Beside(pooler, url, direct, expected)
        for case in tally.cases():
            fault = FAULTS[case.number % len(FAULTS)]
            write = WRITES[(case.number + case.number // len(FAULTS)) % len(WRITES)]
            with tally.trying(case):
                there_.work(write, fault, 1 + case.rng.randrange(TRIPS), case.rng)
    tally.more["told"] = there_.told
