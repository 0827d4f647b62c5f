"""R3: every round trip of every public operation fails in four ways; nobody is told anything wrong, nothing is lost."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import errors

from docgraph.domain.conversation import Turn
from docgraph.domain.packet import RetrievalResponse
from docgraph.errors import EnvironmentProblem
from docgraph.orchestration.docgraph import Docgraph
from tests.integration.commands import connection_states
from tests.survive.operations import ASK_NO_DATABASE, FILES, READING, WRITING, members
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import REQUEST, fill, small, stored

ROW = Row(
    row="R3",
    what="every database round trip of every public operation fails, in four ways",
    rule="a typed error, a packet that says so, or the right result; rolled back; the next call right; no leak",
    n=0,
    short=0,
)
FAULTS: tuple[Callable[[], psycopg.Error], ...] = (
    lambda: psycopg.OperationalError("server closed the connection unexpectedly"),
    lambda: errors.QueryCanceled("canceling statement due to user request"),
    lambda: errors.DiskFull('could not extend file "base/1": No space left on device'),
    lambda: errors.ConnectionTimeout("connection timeout expired"),
)
FIRST, STEP, FAR, FEW = 8, 5, 32, 60
"""The short form breaks the trips before ``FIRST`` one by one, then in steps, and from ``FAR`` on in long ones."""
BATCHES = {"ingest", "ingest_files", "ingest_records", "documents.set_vector_search"}
"""What they have stored when a later question fails, such as that for their report, stays."""


class Fault:
    """Makes the n-th round trip from now fail before it is made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left, self.error = 0, FAULTS[0]
        trip = psycopg.Connection.wait
        connect = psycopg.connect

        def watched(connection: Any, *arguments: Any, **options: Any) -> Any:
            self._count()
            return trip(connection, *arguments, **options)

        def opening(*arguments: Any, **options: Any) -> Any:
            self._count()
            return connect(*arguments, **options)

        monkeypatch.setattr(psycopg.Connection, "wait", watched)
        monkeypatch.setattr(psycopg, "connect", opening)

    def _count(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise self.error()

    @contextmanager
    def at(self, number: int, error: Callable[[], psycopg.Error]) -> Iterator[None]:
        self.left, self.error = number, error
        try:
            yield
        finally:
            self.came, self.left = self.left <= 0, 0


@pytest.fixture
def dg(new_database_url: str) -> Iterator[Docgraph]:
    with small(new_database_url) as opened:
        yield opened


def test_r3_every_public_operation_is_in_the_table() -> None:
    assert {*READING, *WRITING, *ASK_NO_DATABASE} == set(members())


def _content(result: Any) -> Any:
    """What is compared: an answer of retrieval says the time and an id of its own beside what it found."""
    if isinstance(result, Turn):
        result = result.response
    if isinstance(result, RetrievalResponse):
        return result.context_packet.candidates, result.next_action
    return result


def _is_told(error: Exception | None, result: Any) -> bool:
    if isinstance(result, Turn):
        result = result.response
    if isinstance(result, RetrievalResponse):
        return bool(result.routing_metadata.get("failures") or result.routing_metadata.get("error_type"))
    return isinstance(error, EnvironmentProblem) and bool(error.hint) and "\n" not in str(error)


class Broken:
    """One operation, broken again and again."""

    def __init__(self, dg: Docgraph, watching: psycopg.Connection[Any], folder: Path, name: str) -> None:
        self.dg, self.watching, self.name = dg, watching, name
        self._operation = {**READING, **WRITING}[name]
        self._folder = folder
        self.refill()

    def refill(self) -> None:
        self.kept = {**fill(self.dg), "folder": self._folder}
        self.before, self.plan = stored(self.watching), self.dg.plan(REQUEST)
        self.right = [_content(self.call()), _content(self.call())] if self.name in READING else None

    def call(self) -> Any:
        return self._operation(self.dg, self.kept)

    def fails_at(self, number: int, error: Callable[[], psycopg.Error], fault: Fault) -> bool:
        """Whether there was such a round trip; raises where a rule is broken."""
        result, raised = None, None
        with fault.at(number, error):
            try:
                result = self.call()
            except Exception as failure:
                raised = failure
        if not fault.came:
            assert raised is None, raised
            return False
        self._check(result, raised)
        return True

    def _check(self, result: Any, raised: Exception | None) -> None:
        told, now = _is_told(raised, result), self.before if self.name in READING else stored(self.watching)
        if raised is not None:
            assert told, f"no typed error: {raised!r}"
        elif not told and self.right and self.right[0] == self.right[1]:
            assert _content(result) == self.right[0], "another result, and nobody was told"
        if now != self.before:
            assert raised is None or self.name in BATCHES, "something stayed of what was refused"
            self.refill()
        if not self.right:
            assert self.dg.plan(REQUEST) == self.plan
        elif self.right[0] == self.right[1]:
            assert _content(self.call()) == self.right[0]

    def check_tables(self) -> None:
        """Nothing in them has changed by all those failures."""
        assert self.name in WRITING or stored(self.watching) == self.before


def _some_trips(place: int) -> Iterator[int]:
    """Numbers of trips for the short form; each operation begins its steps elsewhere, so that together all are met."""
    return itertools.chain(range(1, FIRST), range(FIRST + place % STEP, FAR, STEP), itertools.count(FAR, FEW))


@pytest.mark.timeout(1_800)
def test_r3_any_round_trip_may_fail(
    tally: Tally, dg: Docgraph, new_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, data in FILES:
        (tmp_path / name).write_bytes(data)
    watching = psycopg.connect(new_database_url, autocommit=True)
    fault, only = Fault(monkeypatch), os.environ.get("DOCGRAPH_TEST_SURVIVE_ONLY", "").split()
    for place, name in enumerate(only or (*READING, *WRITING)):
        broken = Broken(dg, watching, tmp_path, name)
        for number in itertools.count(1) if tally.whole else _some_trips(place):
            came = False
            for kind in range(len(FAULTS)) if tally.whole else [(place + number) % len(FAULTS)]:
                with tally.trying(f"{name}, trip {number}, {FAULTS[kind]()!r}"):
                    came |= broken.fails_at(number, FAULTS[kind], fault)
            if not came:
                tally.passed -= len(FAULTS) if tally.whole else 1  # these broke nothing: the operation came to its end
                break
            assert number < 5_000
        assert number > 1, f"{name} asked nothing of the database"
        broken.check_tables()
    watching.close()
    with tally.trying("no connection is lost"):
        assert set(connection_states(new_database_url)) <= {"idle"}
        assert len(connection_states(new_database_url)) <= 4
