"""R3: each round trip of each public operation fails in four ways, whoever asks; nobody is told anything wrong."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import errors

from docgraph.domain.conversation import Turn
from docgraph.domain.packet import RetrievalResponse
from docgraph.domain.person import ROLES, Person, Role
from docgraph.domain.workspace import SearchChoice
from docgraph.errors import EnvironmentProblem, ForbiddenError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.searching import SearchRecall
from tests.integration.commands import connection_states
from tests.survive.operations import (
    ADMINISTERED,
    ASK_NO_DATABASE,
    FILES,
    KEEPS_NOTHING,
    OF_THEIR_OWN,
    READING,
    WRITING,
    members,
)
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import REQUEST, fill, small, stored

ROW = Row(
    row="R3",
    what="every database round trip of every public operation fails, in four ways; for viewers, curators, admins too",
    rule="a typed error, a packet that says so, or the right result; rolled back; the next call right; no leak; "
    "what a role is refused stays refused",
    n=0,
    short=0,
    case="a round trip of an operation, failed in one way, for one role",
)
FAULTS: tuple[Callable[[], psycopg.Error], ...] = (
    lambda: psycopg.OperationalError("server closed the connection unexpectedly"),
    lambda: errors.QueryCanceled("canceling statement due to user request"),
    lambda: errors.DiskFull('could not extend file "base/1": No space left on device'),
    lambda: errors.ConnectionTimeout("connection timeout expired"),
)
FIRST, STEP, FAR, FEW = 8, 5, 32, 60
"""The short form breaks the trips before ``FIRST`` one by one, then in steps, and from ``FAR`` on in long ones."""
BATCHES = {"ingest", "ingest_files", "ingest_records", "documents.set_vector_search", "query_sets.run"}
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
    assert {*READING, *WRITING, *ASK_NO_DATABASE, *OF_THEIR_OWN} == set(members())


def _content(result: Any) -> Any:
    """What is compared: retrieval says the time and an id of its own beside what it found, a measurement its time."""
    if isinstance(result, SearchChoice | SearchRecall):
        return result.model_dump(exclude={"exact_ms", "search_ms"})
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


KNOWN_BY_ROLE = {"may_write"}
"""What somebody's role may answer alone."""


def is_refused(name: str, role: Role | None) -> bool:
    """Whether somebody of this role may not do it; None = nobody is known, and everything may be done."""
    needed = ("admin",) if name in ADMINISTERED else ("curator", "admin") if name in WRITING else ROLES
    return role is not None and role not in needed and name not in KEEPS_NOTHING


class Broken:
    """One operation of somebody, broken again and again."""

    def __init__(
        self,
        dg: Docgraph,
        watching: psycopg.Connection[Any],
        folder: Path,
        name: str,
        role: Role | None = None,
        earlier: Broken | None = None,
    ) -> None:
        """``earlier`` is one that has left everything as new: the next one goes on with that."""
        self.dg, self.watching, self.name = dg, watching, name
        self._theirs = dg if role is None else dg.acting_as(Person(name="Ann", role=role))
        self.refused, self.is_read = is_refused(name, role), name in READING
        self._operation = {**READING, **WRITING}[name]
        self._folder = folder
        self.refill(earlier.kept if earlier else None)

    def refill(self, kept: dict[str, Any] | None = None) -> None:
        self.kept = kept or {**fill(self.dg), "folder": self._folder}
        self.before, self.plan = stored(self.watching), self.dg.plan(REQUEST)
        reads = self.is_read and not self.refused
        self.right = [_content(self.call()), _content(self.call())] if reads else None

    def call(self) -> Any:
        return self._operation(self._theirs, self.kept)

    def fails_at(self, number: int, error: Callable[[], psycopg.Error], fault: Fault) -> bool:
        """Whether there was such a round trip; raises where a rule is broken."""
        result, raised = None, None
        with fault.at(number, error):
            try:
                result = self.call()
            except Exception as failure:
                raised = failure
        if not fault.came:
            assert isinstance(raised, ForbiddenError) if self.refused else raised is None, raised
            if not self.is_read and not self.refused:
                self.refill()  # it was done
            return False
        self._check(result, raised)
        return True

    def _check(self, result: Any, raised: Exception | None) -> None:
        told, now = _is_told(raised, result), self.before if self.is_read else stored(self.watching)
        if self.refused:
            assert told or isinstance(raised, ForbiddenError), f"it was let through: {raised!r}"
            assert now == self.before, "it was let through"
        elif raised is not None:
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

    @property
    def changes_nothing(self) -> bool:
        return self.is_read or self.refused

    def check_tables(self) -> None:
        """Nothing in them has changed by all those failures."""
        assert not self.changes_nothing or stored(self.watching) == self.before


def _acts(tally: Tally, names: Sequence[str]) -> Iterator[tuple[str, Role | None, Sequence[int]]]:
    """(operation, whose, in which of the ways each trip fails); the short form takes those of one role for each."""
    ways = range(len(FAULTS))
    for place, name in enumerate(names):
        yield name, None, ways if tally.whole else [place % len(FAULTS)]
        of_roles: Sequence[Role] = ("viewer",) if name in READING else ROLES
        if not tally.whole:
            of_roles = [role for role in ROLES if is_refused(name, role)][-1:] if place % 4 == 0 else []
        yield from ((name, role, [(place + number) % len(FAULTS)]) for number, role in enumerate(of_roles))


def _some_trips(place: int) -> Iterator[int]:
    """Numbers of trips for the short form; each operation begins its steps elsewhere, so that together all are met."""
    return itertools.chain(range(1, FIRST), range(FIRST + place % STEP, FAR, STEP), itertools.count(FAR, FEW))


@pytest.mark.timeout(14_400)
def test_r3_any_round_trip_may_fail(
    tally: Tally, dg: Docgraph, new_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, data in FILES:
        (tmp_path / name).write_bytes(data)
    watching = psycopg.connect(new_database_url, autocommit=True)
    earlier: Broken | None = None
    fault, only = Fault(monkeypatch), os.environ.get("DOCGRAPH_TEST_SURVIVE_ONLY", "").split()
    for place, (name, role, ways) in enumerate(_acts(tally, only or (*READING, *WRITING))):
        broken = Broken(dg, watching, tmp_path, name, role, earlier)
        for number in itertools.count(1) if tally.whole else _some_trips(place):
            for kind in ((way + number) % len(FAULTS) for way in ways):
                came = True
                with tally.trying(f"{name} of {role or 'nobody known'}, trip {number}, {FAULTS[kind]()!r}"):
                    came = broken.fails_at(number, FAULTS[kind], fault)
                    tally.passed -= not came  # it broke nothing: the operation came to its end
                if not came:
                    break
            if not came:
                break
            assert number < 5_000
        is_known = role is not None and name in KNOWN_BY_ROLE
        assert number > 1 or broken.refused or is_known, f"{name} asked nothing of the database"
        broken.check_tables()
        earlier = broken  # what it did in the end was made anew
    watching.close()
    with tally.trying("no connection is lost"):
        assert set(connection_states(new_database_url)) <= {"idle"}
        assert len(connection_states(new_database_url)) <= 4
