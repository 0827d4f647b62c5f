"""Who fails again and again is left alone for a while, and what is said meanwhile tells since when and until when."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator

import pytest

from docgraph.boundary.outbound import breaker
from docgraph.boundary.outbound.json_service import JsonService
from docgraph.errors import EmbedderError
from tests.hostile_service import LATE, REFUSED, TAKEN, Hostile, hostile


@pytest.fixture
def server() -> Iterator[Hostile]:
    with hostile() as made:
        yield made


class Clock:
    """One that stands still until it is told."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(server: Hostile, clock: Clock) -> Iterator[JsonService]:
    made = JsonService(server.url, what="retriever", setting="DOCGRAPH_X", timeout=1, attempts=1)
    made._breaker = breaker.Breaker(clock)
    yield made
    made.close()


def said(service: JsonService) -> str:
    with pytest.raises(EmbedderError) as caught:
        service.post("", {})
    return caught.value.message


@pytest.mark.parametrize(
    ("trick", "n", "kind"),
    [
        (LATE["drips the body"], 3, "Timeout"),
        (REFUSED["an error with a secret"], 5, "busy answer"),
        (REFUSED["resets without a word"], 5, "lost connection"),
        (REFUSED["no JSON"], 5, "broken answer"),
    ],
)
def test_it_is_left_alone_after_failures_in_a_row_and_tried_by_one_call_later(
    server: Hostile, service: JsonService, clock: Clock, trick: object, n: int, kind: str
) -> None:
    server.trick = trick  # type: ignore[assignment]
    for _ in range(n):
        assert "left alone" not in said(service)
        server.hang_up()
    connections = server.connections
    told = said(service)
    assert server.connections == connections, "nobody is asked meanwhile"
    assert f"is left alone after {n} failures in a row, the last a {kind}, since " in told
    assert re.search(r"since \d\d:\d\d:\d\d UTC; it is asked again from \d\d:\d\d:\d\d UTC on$", told)
    assert server.url in told
    clock.now += breaker.REST_SECONDS
    server.trick = TAKEN["as it should"]
    assert service.post("", {}) == {}
    assert service.post("", {}) == {}


def test_a_refusal_of_one_request_says_nothing_about_the_next(server: Hostile, service: JsonService) -> None:
    server.trick = REFUSED["a refusal with a secret"]
    assert {said(service) for _ in range(7)} == {f"the retriever at {server.url} answered 401"}


def test_all_tries_of_a_call_share_its_seconds(server: Hostile) -> None:
    server.trick = lambda wire: (time.sleep(0.15), wire.reset())[0]
    service = JsonService(server.url, what="retriever", timeout=0.4, attempts=9, first_pause=0.001)
    assert "within 0.4 seconds" in said(service)
    assert server.connections < 9, "not one more than begin within its seconds"
    service.close()


def test_the_key_is_sent_and_never_said(server: Hostile) -> None:
    service = JsonService(server.url, what="retriever", api_key="sk-1", attempts=1)
    heard: list[bytes] = []
    server.trick = lambda wire: (heard.append(wire.asked), wire.answer(b"sk-1", status="403 sk-1"))[1]
    with pytest.raises(EmbedderError) as caught:
        service.post("", {"q": "a\ud800b"})
    assert b"Authorization: Bearer sk-1\r\n" in heard[0]
    assert "sk-1" not in str(caught.value)
    service.close()


def test_a_trial_that_hangs_lets_nobody_else_wait(server: Hostile, service: JsonService, clock: Clock) -> None:
    server.trick = LATE["accepts and says nothing"]
    for _ in range(3):
        said(service)
    clock.now += breaker.REST_SECONDS
    connections = server.connections
    trial = threading.Thread(target=said, args=(service,))
    trial.start()
    while server.connections == connections and trial.is_alive():
        time.sleep(0.01)
    assert "left alone" in said(service)
    assert server.connections == connections + 1
    trial.join()
