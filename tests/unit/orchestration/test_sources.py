"""One party that hangs or crashes is left alone and tried again; it takes nothing away from the others."""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from docgraph.boundary.outbound.breaker import (
    FAILURES_IN_A_ROW,
    LATELY,
    LONGEST_REST_SECONDS,
    REST_SECONDS,
    TIMEOUTS_IN_A_ROW,
    TIMEOUTS_OF_LATE,
    Breaker,
    Ticket,
)
from docgraph.domain.packet import PacketRequest
from docgraph.errors import NotFoundError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.sources import MAX_OUT, Ask, Sources
from tests.unit.retrieval.parties import FakeProvider, FakeReranker, asking, failing, hit

SHORT = 0.02
PATIENT = 60.0


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """What hangs, hangs until the test is over."""
    event = threading.Event()
    yield event
    event.set()


# ---------------------------------------------------------------- the breaker alone


def opened(clock: Clock) -> Breaker:
    breaker = Breaker(clock)
    for _ in range(TIMEOUTS_IN_A_ROW):
        breaker.failed(admitted(breaker), "Timeout")
    assert breaker.state == "open"
    return breaker


def admitted(breaker: Breaker) -> Ticket:
    ticket = breaker.admit(1.0)
    assert ticket is not None
    return ticket


@pytest.mark.parametrize(("kind", "n"), [("Timeout", TIMEOUTS_IN_A_ROW), ("ValueError", FAILURES_IN_A_ROW)])
def test_a_breaker_opens_after_failures_in_a_row_sooner_when_they_cost_time(clock: Clock, kind: str, n: int) -> None:
    breaker = Breaker(clock)
    for _ in range(n - 1):
        breaker.failed(admitted(breaker), kind)
    breaker.succeeded(admitted(breaker))
    for _ in range(n):
        assert (breaker.state, breaker.reason) == ("closed", "")
        breaker.failed(admitted(breaker), kind)
    assert breaker.state == "open"
    assert breaker.reason == f"left alone after {n} failures in a row, the last a {kind}"
    assert breaker.admit(1.0) is None


def test_a_breaker_opens_on_a_party_that_is_late_again_and_again(clock: Clock) -> None:
    """It answers every second time, so there are never three time-outs in a row, and every question waits for it."""
    breaker = Breaker(clock)
    for _ in range(TIMEOUTS_OF_LATE):
        assert breaker.state == "closed"
        breaker.succeeded(admitted(breaker))
        breaker.failed(admitted(breaker), "Timeout")
    assert (breaker.state, breaker.reason) == ("open", "left alone after 5 time-outs among its last 10 calls")
    clock.now += REST_SECONDS
    breaker.succeeded(admitted(breaker))
    breaker.failed(admitted(breaker), "Timeout")
    assert breaker.state == "closed", "what was before the rest is forgotten"


def test_a_time_out_now_and_then_opens_no_breaker(clock: Clock) -> None:
    breaker = Breaker(clock)
    for _ in range(5 * LATELY):
        breaker.failed(admitted(breaker), "Timeout")
        for _ in range(LATELY // TIMEOUTS_OF_LATE):
            breaker.succeeded(admitted(breaker))
    assert breaker.state == "closed"


def test_a_breaker_that_rested_lets_exactly_one_call_try(clock: Clock) -> None:
    breaker = opened(clock)
    clock.now += REST_SECONDS
    assert breaker.state == "half-open"
    trial = admitted(breaker)
    assert (breaker.state, breaker.admit(1.0)) == ("open", None)
    breaker.succeeded(trial)
    assert breaker.state == "closed"
    assert admitted(breaker).era == admitted(breaker).era


def test_every_trial_that_fails_doubles_the_rest_up_to_the_longest(clock: Clock) -> None:
    breaker = opened(clock)
    rest = REST_SECONDS
    for _ in range(8):
        clock.now += rest
        assert breaker.state == "half-open"
        breaker.failed(admitted(breaker), "OSError")
        rest = min(2 * rest, LONGEST_REST_SECONDS)
        clock.now += rest - 1
        assert breaker.state == "open"
        clock.now += 1 - rest
    assert rest == LONGEST_REST_SECONDS


def test_a_trial_that_does_not_come_back_has_failed_and_its_late_answer_counts_for_nothing(clock: Clock) -> None:
    breaker = opened(clock)
    clock.now += REST_SECONDS
    trial = admitted(breaker)
    clock.now += 1.5
    assert breaker.state == "open"
    breaker.succeeded(trial)
    assert breaker.state == "open"


def test_a_call_from_before_the_rest_changes_nothing_when_it_comes_back(clock: Clock) -> None:
    breaker = Breaker(clock)
    old = admitted(breaker)
    for _ in range(TIMEOUTS_IN_A_ROW):
        breaker.failed(admitted(breaker), "Timeout")
    breaker.succeeded(old)
    assert breaker.state == "open"


def test_calls_that_were_out_together_when_one_failed_count_once(clock: Clock) -> None:
    """Else one stall under many questions would take the best provider away from all of them."""
    breaker = Breaker(clock)
    for wave in range(TIMEOUTS_IN_A_ROW):
        assert breaker.state == "closed", f"after {wave} waves"
        for ticket in [admitted(breaker) for _ in range(20)]:
            breaker.failed(ticket, "Timeout")
    assert breaker.state == "open"


def test_a_trial_that_was_not_made_leaves_the_next_one_free(clock: Clock) -> None:
    breaker = opened(clock)
    clock.now += REST_SECONDS
    breaker.withdrawn(admitted(breaker))
    assert breaker.state == "half-open"


# ---------------------------------------------------------------- slots


def test_calls_that_never_come_back_fill_the_slots_of_their_own_party_alone(gate: threading.Event) -> None:
    """A process-wide count ended all retrieval once 64 calls hung, whoever's they were."""
    parties = Sources()
    hanging = Ask(gate.wait, always=True)
    for _ in range(MAX_OUT):
        assert (
            parties.ask_all({("provider", "stuck"): hanging}, timeout=0.0)["provider", "stuck"].error_type == "Timeout"
        )
    said = parties.ask_all(
        {("provider", "stuck"): hanging, ("health", "stuck"): Ask(lambda: 1), ("provider", "other"): Ask(lambda: 2)},
        timeout=PATIENT,
    )
    assert [answer.error_type or answer.value for answer in said.values()] == ["Overloaded", 1, 2]


def test_a_slot_comes_back_with_its_call() -> None:
    parties, gate = Sources(), threading.Event()
    done = [threading.Event() for _ in range(MAX_OUT)]
    for event in done:
        parties.ask_all(
            {("provider", "x"): Ask(lambda event=event: gate.wait() and event.set(), always=True)}, timeout=0
        )
    gate.set()
    assert all(event.wait(PATIENT) for event in done)
    for _ in range(1_000):  # the last lines of a thread run after its call
        if not (said := parties.ask_all({("provider", "x"): Ask(lambda: 1, always=True)}, timeout=PATIENT))[
            "provider", "x"
        ].error_type:
            break
    assert said["provider", "x"].value == 1


# ---------------------------------------------------------------- questions


def questions(*providers: FakeProvider, clock: Clock, **options: Any) -> Docgraph:
    made = asking(*providers, **options)
    made.session.adapters = replace(made.session.adapters, sources=Sources(clock))
    return made


def good(name: str = "good", **fields: Any) -> FakeProvider:
    return FakeProvider(lambda _: [hit(name)], name=name, **fields)


def test_a_hanging_provider_is_left_alone_with_its_reason_and_nobody_waits_for_it(
    clock: Clock, gate: threading.Event
) -> None:
    asked: list[int] = []

    def hang(_: PacketRequest) -> Any:
        asked.append(1)
        gate.wait()

    docgraph = questions(FakeProvider(hang, name="stuck"), good(), clock=clock, timeout=SHORT)
    for _ in range(TIMEOUTS_IN_A_ROW):
        said = docgraph.retrieve("x", timeout=SHORT)
        assert said.routing_metadata["failures"]["stuck"]["error_type"] == "Timeout"
    said = docgraph.retrieve("x", timeout=PATIENT)
    assert len(asked) == TIMEOUTS_IN_A_ROW
    assert said.context_packet.provider == "good"
    assert said.routing_metadata["statuses"] == {"good": "available", "stuck": "unavailable"}
    assert said.routing_metadata["status_reasons"] == {
        "stuck": "left alone after 3 failures in a row, the last a Timeout"
    }
    assert said.routing_metadata["failures"] == {}


def test_a_provider_recovers_by_a_trial_that_no_question_waits_for(clock: Clock) -> None:
    broken, tried = threading.Event(), threading.Event()
    broken.set()

    def answer(_: PacketRequest) -> Any:
        if broken.is_set():
            raise OSError
        tried.set()
        return [hit("back")]

    docgraph = questions(FakeProvider(answer, name="patient"), good(), clock=clock)
    for _ in range(FAILURES_IN_A_ROW):
        docgraph.retrieve("x")
    broken.clear()
    assert docgraph.retrieve("x").context_packet.provider == "good"
    assert not tried.is_set(), "it rests"
    clock.now += REST_SECONDS
    said = docgraph.retrieve("x")
    assert said.context_packet.provider == "good"
    assert said.routing_metadata["statuses"]["patient"] == "degraded"
    assert tried.wait(PATIENT)
    wait_for(lambda: docgraph.session.adapters.sources.state(("provider", "patient"))[0] == "closed")
    assert set(docgraph.retrieve("x").context_packet.provider.split("+")) == {"good", "patient"}


def test_where_nobody_else_is_available_the_trial_is_the_question_itself(clock: Clock) -> None:
    answers: list[Any] = [OSError()] * FAILURES_IN_A_ROW

    def answer(_: PacketRequest) -> Any:
        if answers:
            raise answers.pop()
        return [hit("back")]

    docgraph = questions(FakeProvider(answer, name="only"), clock=clock)
    for _ in range(FAILURES_IN_A_ROW):
        docgraph.retrieve("x")
    resting = docgraph.retrieve("x")
    assert (resting.next_action.action, resting.routing_metadata["selected_providers"]) == ("fallback", [])
    clock.now += REST_SECONDS
    assert docgraph.retrieve("x").next_action.action == "proceed"


def test_a_mistake_of_the_person_who_asks_does_not_count_against_a_provider(clock: Clock) -> None:
    """A workspace that is imported a moment later is asked at once."""
    docgraph = questions(FakeProvider(failing(NotFoundError("no workspace")), name="graph"), clock=clock)
    for _ in range(3 * FAILURES_IN_A_ROW):
        said = docgraph.retrieve("x").routing_metadata
        assert (said["error_type"], said["statuses"]) == ("NotFoundError", {"graph": "available"})


def test_statuses_that_are_given_decide_and_replays_are_equal(clock: Clock) -> None:
    """The contract: the same question with the same flags and statuses has the same answer."""
    docgraph = questions(FakeProvider(failing(OSError()), name="bad"), good(), clock=clock)
    said = [docgraph.retrieve("x", statuses={}) for _ in range(3 * FAILURES_IN_A_ROW)]
    assert all(each == said[0] for each in said)
    assert said[0].routing_metadata["failures"] == {"bad": {"error_type": "OSError"}}


def test_a_provider_that_hangs_when_asked_how_it_is_costs_a_few_questions_and_then_nothing(
    clock: Clock, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docgraph.orchestration.health.HEALTH_SECONDS", SHORT)
    asked: list[int] = []

    class Silent(FakeProvider):
        """Never says how it is."""

        def status(self) -> Any:
            asked.append(1)
            gate.wait()

    docgraph = questions(Silent(lambda _: [], name="silent"), good(), clock=clock)
    for _ in range(10):
        said = docgraph.retrieve("x")
        assert said.context_packet.provider == "good"
    assert len(asked) == TIMEOUTS_IN_A_ROW
    reason = "health check: left alone after 3 failures in a row, the last a Timeout"
    assert said.routing_metadata["status_reasons"] == {"silent": reason}


def test_a_reranker_that_hangs_is_left_alone_and_the_order_is_kept(clock: Clock, gate: threading.Event) -> None:
    reranker = FakeReranker(lambda _: gate.wait())
    two = FakeProvider(lambda _: [hit("a", 0.9), hit("b", 0.8)])
    docgraph = questions(two, clock=clock, reranker=reranker)
    for _ in range(10):
        said = docgraph.retrieve("x", timeout=SHORT if len(reranker.asked) < TIMEOUTS_IN_A_ROW else PATIENT)
        assert [c.id for c in said.context_packet.candidates] == ["a/0", "b/0"]
    assert len(reranker.asked) == TIMEOUTS_IN_A_ROW
    assert said.routing_metadata["rerank_failure"]["error_type"] == "Unavailable"


def wait_for(condition: Any) -> None:
    """Until a thread has said its last word."""
    pause = threading.Event()
    for _ in range(500):
        if condition():
            return
        pause.wait(0.01)
    raise AssertionError("it did not come about")


@pytest.mark.slow
def test_a_thousand_questions_are_answered_beside_a_hanging_a_slow_and_a_crashing_provider(
    gate: threading.Event,
) -> None:
    """After 64 hanging calls nobody was asked any more: a thousand questions would have had 64 answers."""
    n_asked: Counter[str] = Counter()

    def bad(name: str, behave: Callable[[], Any]) -> FakeProvider:
        def answer(_: PacketRequest) -> Any:
            n_asked[name] += 1
            behave()
            return [hit(name)]

        return FakeProvider(answer, name=name, priority=1)

    def crash() -> None:
        raise ConnectionError

    late = itertools.cycle([0.0, 1.0])
    providers = (bad("hanging", gate.wait), bad("slow", lambda: gate.wait(next(late))), bad("crashing", crash))
    docgraph = asking(*providers, good(), timeout=0.05)
    said = [docgraph.retrieve("x") for _ in range(1_000)]
    assert all("good" in each.context_packet.provider for each in said)
    assert n_asked["hanging"] < 20
    assert n_asked["slow"] < 200
    assert n_asked["crashing"] < 20
