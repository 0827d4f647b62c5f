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


@pytest.fixture
def service(server: Hostile) -> Iterator[JsonService]:
    made = JsonService(server.url, what="retriever", setting="DOCGRAPH_X", timeout=0.2, attempts=1)
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
    server: Hostile, service: JsonService, monkeypatch: pytest.MonkeyPatch, trick: object, n: int, kind: str
) -> None:
    monkeypatch.setattr(breaker, "REST_SECONDS", 0.5)
    service._breaker = breaker.Breaker(time.monotonic)
    server.trick = trick  # type: ignore[assignment]
    for _ in range(n):
        assert "left alone" not in said(service)
    connections, began = server.connections, time.monotonic()
    told = said(service)
    assert time.monotonic() - began < 0.1
    assert server.connections == connections, "nobody is asked meanwhile"
    assert f"is left alone after {n} failures in a row, the last a {kind}, since " in told
    assert re.search(r"since \d\d:\d\d:\d\d UTC; it is asked again from \d\d:\d\d:\d\d UTC on$", told)
    assert server.url in told
    time.sleep(0.55)
    server.trick = TAKEN["as it should"]
    assert service.post("", {}) == {}
    assert service.post("", {}) == {}


def test_a_refusal_of_one_request_says_nothing_about_the_next(server: Hostile, service: JsonService) -> None:
    server.trick = REFUSED["a refusal with a secret"]
    assert {said(service) for _ in range(7)} == {f"the retriever at {server.url} answered 401"}


def test_all_tries_of_a_call_share_its_seconds(server: Hostile) -> None:
    server.trick = lambda wire: (time.sleep(0.15), wire.reset())[0]
    service = JsonService(server.url, what="retriever", timeout=0.4, attempts=9, first_pause=0.001)
    began = time.monotonic()
    assert "within 0.4 seconds" in said(service)
    assert time.monotonic() - began < 1
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


def test_a_trial_that_hangs_lets_nobody_else_wait(
    server: Hostile, service: JsonService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(breaker, "REST_SECONDS", 0.1)
    service._breaker = breaker.Breaker(time.monotonic)
    server.trick = LATE["accepts and says nothing"]
    for _ in range(3):
        said(service)
    time.sleep(0.15)
    trial = threading.Thread(target=said, args=(service,))
    trial.start()
    time.sleep(0.05)
    began = time.monotonic()
    assert "left alone" in said(service)
    assert time.monotonic() - began < 0.1
    trial.join()
