"""D6: the clock of the machine jumps back and far ahead between any two steps: orders, sign-ins and plans hold."""

from __future__ import annotations

import inspect
import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from docgraph import Document
from docgraph.boundary import logs
from docgraph.boundary.outbound.breaker import Breaker
from docgraph.domain.person import Person
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.sources import Sources
from docgraph.plugins.stores.memory.sign_ins import MemorySignIns
from docgraph.settings import read_settings
from docgraph.ui.frame import sign_ins, signing
from docgraph.ui.frame.sign_ins import SignIns, id_of
from docgraph.ui.shell.leaving import Sweeper
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import DECISION, EDGE, OTHER, REQUEST, fill, small

ROW = Row(
    row="D6",
    what="the clock jumps by -1 hour, -1 year, +10 years (and back) between any two steps: acts, imports, sign-ins",
    rule="the order is that of the acts, plans are those of a steady clock; nobody is let in for longer than allowed",
    n=85,
    short=85,
    case="a jump before a step, or at an age of a sign-in",
)
ANN = Person(name="ann", role="admin")
HOUR, MINUTE = 3_600.0, 60.0
YEAR = 365.25 * 24 * HOUR
JUMPS = {"-1 hour": -HOUR, "-1 year": -YEAR, "+10 years": 10 * YEAR}
BEGAN = datetime(2026, 11, 28, 9, tzinfo=UTC).timestamp()
HOURS = 12.0
LATE = 10 * MINUTE
"""For so long a sign-in may outlast its hours: so far apart the clocks of two machines may be, and it is seen."""
Step = Callable[[Docgraph], Any]
STEPS: Mapping[str, Step] = {
    "a relationship is added": lambda dg: dg.relationships.edit([{"action": "add", "key": OTHER.key}], by="me"),
    "it is accepted": lambda dg: dg.relationships.edit([{"action": "accept", "key": OTHER.key}], by="me"),
    "it is rejected": lambda dg: dg.relationships.edit([{"action": "reject", "key": OTHER.key}], by="me"),
    "the act is undone": lambda dg: dg.relationships.undo(_newest(dg), by="me"),
    "a type is decided": lambda dg: dg.relationships.set_type_role("explains", "reasons_only", by="me"),
    "a document is judged": lambda dg: dg.judgments.judge("queue a", "b", True, by="me"),
    "a judgment is changed": lambda dg: dg.judgments.judge("queue a", "b", False, by="you"),
    "documents are imported": lambda dg: dg.ingest_files(
        [("new.md", b"# New\n\nA queue.\n"), ("n.md", b"# N\n\nX.\n")]
    ),
    "they are imported anew": lambda dg: dg.ingest_files([("new.md", b"# New\n\nChanged.\n")]),
    "a document is deleted": lambda dg: dg.documents.delete(["d"]),
    "a run is saved": lambda dg: dg.runs.save(REQUEST.query, name="again"),
    "something is remembered": lambda dg: dg.memory.remember("It holds 7.", conversation_id="c"),
    "a decision is commented on": lambda dg: dg.triage.comment([DECISION], "Still so.", by="me"),
    "questions are evaluated": lambda dg: dg.query_sets.run("mine", workers=1).evaluation_id,
    "a document is replaced": lambda dg: dg.ingest_records([Document(document_id="c", text="No queue.")], [EDGE]),
}


@dataclass
class Wall:
    """A wall clock that jumps, and seconds that only grow."""

    jumped: float = 0.0
    passed: float = 0.0

    def time(self) -> float:
        """Seconds since 1970, as the machine says."""
        return BEGAN + self.passed + self.jumped

    def monotonic(self) -> float:
        """Seconds that only grow."""
        return self.passed

    def now(self, zone: Any = UTC) -> datetime:
        """As ``datetime.now``."""
        return datetime.fromtimestamp(self.time(), zone)

    fromtimestamp = staticmethod(datetime.fromtimestamp)
    fromisoformat = staticmethod(datetime.fromisoformat)

    def text(self) -> str:
        """As ``session.utc_now``; each look takes a second."""
        self.passed += 1
        return self.now().isoformat(timespec="seconds")


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Wall:
    made = Wall()
    monkeypatch.setattr(sign_ins, "datetime", made)
    monkeypatch.setattr(logs, "datetime", made)
    monkeypatch.setattr(signing, "time", made)
    return made


@pytest.fixture
def pair(new_database_url: str, wall: Wall, tmp_path: Path) -> Iterator[tuple[Docgraph, Docgraph]]:
    """A docgraph whose clock jumps, and one of the same contents whose clock is steady."""
    base, _, tail = new_database_url.partition("?")
    other = f"{base}_steady?{tail}"
    with small(new_database_url) as made:
        fill(made)
        heard = logs.appended(tmp_path / "audit.jsonl")
        jumping = Docgraph(replace(made.session.adapters, now=wall.text, audit=heard), "w", person=ANN)
        with psycopg.connect(new_database_url, autocommit=True) as connection:
            name = other.rsplit("/", 1)[1].partition("?")[0]
            connection.execute(f'CREATE DATABASE "{name}"'.encode())
            try:
                with small(other) as twin:
                    fill(twin)
                    steady = Wall()
                    yield jumping, Docgraph(replace(twin.session.adapters, now=steady.text), "w", person=ANN)
            finally:
                connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def _newest(dg: Docgraph) -> int:
    return dg.relationships.history()[0].entry_id


def _told(dg: Docgraph) -> dict[str, Any]:
    """All that may not depend on a clock."""
    plan = dg.plan(REQUEST)
    history = [(each.entry_id, each.edit.action, each.undoes, sorted(each.keys)) for each in dg.relationships.history()]
    types = [(each.entry_id, each.after.relation_type, each.after.role) for each in dg.relationships.type_history()]
    imports = [(each.import_id, each.n_stored, each.n_updated) for each in dg.imports.list()]
    assert [each[0] for each in history] == sorted((each[0] for each in history), reverse=True)
    assert [each[0] for each in imports] == sorted((each[0] for each in imports), reverse=True)
    assert all(each.seconds >= 0 for each in dg.imports.list())
    return {
        "plan": plan.model_dump(exclude={"plan_id", "corpus_revision", "content_revision"}),
        "history": history,
        "types": types,
        "imports": imports,
        "newest": [(len(each.documents), len(each.questions)) for each in dg.imports.newest_diffs()],
        "judged": sorted((j.query, j.document_id, j.relevant, j.by) for j in dg.judgments.list()),
        "remembered": sorted(each.text for each in dg.memory.list(conversation_id="c")),
        "documents": [each.document_id for each in dg.documents.list()],
    }


@pytest.mark.timeout(300)
def test_d6_acts_keep_their_order_and_plans_are_those_of_a_steady_clock(
    tally: Tally, pair: tuple[Docgraph, Docgraph], wall: Wall, tmp_path: Path
) -> None:
    jumping, steady = pair
    n_lines = 0
    for jump, seconds in JUMPS.items():
        for name, step in STEPS.items():
            with tally.trying(f"{jump} before {name}"):
                wall.jumped += seconds if wall.now().year < 2100 else -BEGAN / 2
                made = [_outcome(step, dg) for dg in (jumping, steady)]
                assert made[0] == made[1]
                assert _told(jumping) == _told(steady)
                lines = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
                assert len(lines) >= n_lines
                assert all(datetime.fromisoformat(each["at"]).tzinfo for each in lines[n_lines:])
                n_lines = len(lines)
        with tally.trying(f"a backup after {jump}"):
            held = io.BytesIO()
            jumping.backups.write(held)
            held.seek(0)
            assert jumping.backups.read(held)
    assert n_lines > len(STEPS)
    _sign_ins(tally, wall)
    _clocks(tally)


def _outcome(step: Step, dg: Docgraph) -> str:
    try:
        step(dg)
    except Exception as error:
        return f"{type(error).__name__}"
    return "done"


@dataclass
class House:
    """A process with sign-ins, and what its audit heard."""

    wall: Wall
    log: MemorySignIns = field(default_factory=MemorySignIns)
    lines: list[Mapping[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        url = "https://id.example/.well-known/openid-configuration"
        settings = read_settings(oidc_metadata_url=url, sign_in_hours=HOURS)
        self.sign_ins = SignIns(self.log, self.lines.append, settings, clock=self.wall.monotonic)

    def claims(self) -> dict[str, Any]:
        """Of a token that is issued now."""
        return {"is_logged_in": True, "sub": "ann", "iat": int(self.wall.time()), "nonce": "n"}


def _sign_ins(tally: Tally, wall: Wall) -> None:
    for jump, seconds in JUMPS.items():
        for age in (0.0, MINUTE, HOUR, 6 * HOUR, 11.9 * HOUR):
            for back in (None, 5 * MINUTE):
                with tally.trying(f"{jump} at {age / HOUR:.2f} hours of a sign-in{' and back' if back else ''}"):
                    _used(wall, seconds, age, back)
        with tally.trying(f"a token that was issued before {jump}"):
            house = _anew(wall)
            said = house.claims()
            wall.jumped = seconds
            token = house.sign_ins.begin(said, agent="")
            assert token is None, "a token of the future, and one whose hours are over, begin no sign-in"
            assert house.lines[-1]["outcome"] == "refused"


def _anew(wall: Wall) -> House:
    wall.jumped = wall.passed = 0.0
    return House(wall)


def _used(wall: Wall, jump: float, age: float, back: float | None) -> None:
    """Somebody who uses docgraph every minute: for how long they are let in, and that it is over for good then."""
    house = _anew(wall)
    said = house.claims()
    token = house.sign_ins.begin(said, agent="")
    assert token is not None
    jumped, let_in = False, []
    while wall.passed < 2 * HOURS * HOUR:
        if wall.passed >= age and not jumped:
            wall.jumped, jumped = jump, True
        if back is not None and wall.passed >= age + back:
            wall.jumped = 0.0
        if house.sign_ins.person(id_of(token), said) is not None:
            let_in.append(wall.passed)
        wall.passed += MINUTE
    until = let_in[-1] if let_in else 0.0
    assert until <= HOURS * HOUR + LATE, f"let in for {until / HOUR:.1f} hours"
    assert not age or let_in[0] == 0.0
    assert jump < 0 or back is None or until > HOURS * HOUR - 2 * MINUTE, "a clock that went right again ended it"
    (kept,) = house.log.sign_ins([id_of(token)])
    assert kept.created <= kept.last_seen <= kept.expires
    assert not kept.ended_at or kept.ended_at >= kept.created


def _clocks(tally: Tally) -> None:
    """What waits, rests and sweeps does so by seconds that nobody sets."""
    for of in (Sources, Sweeper, SignIns):
        with tally.trying(f"the clock of {of.__name__}"):
            assert inspect.signature(of).parameters["clock"].default.__name__ == "monotonic"
    with tally.trying("a party that rests"):
        seconds = Wall()
        breaker = Breaker(seconds.monotonic)
        while (ticket := breaker.admit(1.0)) is not None:
            breaker.failed(ticket, "Timeout")
            seconds.jumped -= YEAR
        assert min(breaker.rest) >= 0
        seconds.passed += 600
        assert breaker.state == "half-open"
