"""Whoever docgraph asks over HTTP, and whatever comes back: in time, in bounds, one message, nothing of it repeated."""

from __future__ import annotations

import logging
import re
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

import docgraph
from docgraph.errors import EmbedderError
from tests.hostile_service import HEAVY, LATE, REFUSED, SECRET, SHAPES, TAKEN, Hostile, Trick, hostile
from tests.outbound_users import SECONDS, USERS, Build, finite, right

pytestmark = pytest.mark.slow
MEMORY = 30_000_000
ENOUGH = 1.5
"""Seconds of a call that ends by itself long before, also where other tests run beside it."""
TITLES = ("queue", "slots", "alarm")
COLLECTOR = "collector of spans"
"""It is told that spans came by a status alone; what it fails with stands in the log."""


@dataclass(frozen=True)
class Outcome:
    """What one call came to, and what it took."""

    seconds: float
    value: object = None
    error: EmbedderError | None = None


@pytest.fixture(scope="module")
def server() -> Iterator[Hostile]:
    with hostile() as found:
        found.right = right
        yield found


def outcome(build: Build, url: str, seconds: float = SECONDS) -> Outcome:
    client = build(url, seconds)
    began = time.monotonic()
    try:
        value, error = client.ask(), None
    except EmbedderError as caught:
        value, error = None, caught
    took = time.monotonic() - began
    client.close()
    if error is not None and client.names:
        assert all(name in str(error) for name in client.names), str(error)
        assert "\n" not in str(error)
        assert SECRET not in "".join(traceback.format_exception(error))
    return Outcome(took, value, error)


def played(server: Hostile, trick: Trick, seconds: float = ENOUGH) -> dict[str, Outcome]:
    """The trick played with everybody at once."""
    server.trick = trick
    with ThreadPoolExecutor(len(USERS)) as pool:
        running = {name: pool.submit(outcome, build, server.url, seconds) for name, build in USERS.items()}
        return {name: each.result() for name, each in running.items()}


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """The log, in which nothing that a server says may stand."""
    with caplog.at_level(logging.DEBUG):
        yield caplog
    assert SECRET not in caplog.text


@pytest.mark.parametrize("name", LATE)
def test_a_deadline_holds_however_slowly_it_comes(server: Hostile, log: pytest.LogCaptureFixture, name: str) -> None:
    for user, found in played(server, LATE[name], SECONDS).items():
        assert SECONDS <= found.seconds < SECONDS + 1, user
        assert found.error is not None, user
        assert user == COLLECTOR or f"within {SECONDS:g} seconds" in found.error.message, user


def peak() -> int:
    """The most memory this process held since the last time; then it is counted anew."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return 1_000 * int(re.search(r"VmHWM:\s+(\d+)", status)[1])  # type: ignore[index]


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is told and counted anew on Linux only")
@pytest.mark.parametrize("name", HEAVY)
def test_what_asks_for_much_is_refused_before(server: Hostile, log: pytest.LogCaptureFixture, name: str) -> None:
    server.trick = HEAVY[name]
    for user, build in USERS.items():
        peak()
        before = peak()
        found = outcome(build, server.url, ENOUGH)
        grown = peak() - before
        assert grown < MEMORY, (user, grown)
        assert found.seconds < ENOUGH + 1, user
        assert found.error is not None or user == COLLECTOR, user


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_answer_is_one_message(server: Hostile, log: pytest.LogCaptureFixture, name: str) -> None:
    for user, found in played(server, REFUSED[name]).items():
        assert found.seconds < ENOUGH + 1, user
        assert found.error is not None or user == COLLECTOR, user


@pytest.mark.parametrize("name", SHAPES)
def test_json_of_another_kind_is_a_message_or_left_out(
    server: Hostile, log: pytest.LogCaptureFixture, name: str
) -> None:
    for user, found in played(server, SHAPES[name]).items():
        assert found.seconds < ENOUGH + 1, user
        assert found.error is not None or finite(found.value), (user, found.value)


@pytest.mark.parametrize("name", TAKEN)
def test_what_is_unusual_and_fine_is_taken(server: Hostile, log: pytest.LogCaptureFixture, name: str) -> None:
    usual = played(server, TAKEN["as it should"])
    for user, found in played(server, TAKEN[name]).items():
        assert found.error is None, (user, str(found.error))
        assert str(found.value) == str(usual[user].value), user


def test_nothing_that_a_server_writes_in_an_error_comes_through_to_people(
    server: Hostile,
    log: pytest.LogCaptureFixture,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every surface that asks: imports, questions, comparisons, packets, conversations, their JSON, log and audit."""
    asked: set[str] = set()
    monkeypatch.setattr(server, "right", lambda body: asked.update(body))
    tricks = ("an error with a secret", "a refusal with a secret", "to itself", "no JSON", "a text for each list")
    audit = tmp_path / "audit.jsonl"
    for name in tricks:
        server.trick = {**REFUSED, **SHAPES}[name]
        said: list[str] = []
        with docgraph.connect(
            store="memory",
            audit_file=audit,
            retrievers=f"ours={server.url}",
            reranker="cohere",
            reranker_url=server.url,
            rewriter="language_model",
            rewriter_url=server.url,
            rewriter_model="m",
        ) as dg:
            documents = [{"document_id": each, "title": each, "text": f"The {each} is limited."} for each in TITLES]
            dg.ingest_records(documents)
            compared = dg.runs.compare_with("Why is the queue limited?", "ours")
            assert "'ours' of DOCGRAPH_RETRIEVERS" in compared.a.failure
            said += [compared.model_dump_json(), dg.retrieve("Why is the queue limited?").model_dump_json()]
            first = dg.converse(None, "Why is the queue limited?")
            said += [each.model_dump_json() for each in (first, dg.converse(first.state, "and for slots?"))]
        with (
            docgraph.connect(store="memory", embedder="ollama", embedder_url=server.url, audit_file=audit) as dg,
            pytest.raises(EmbedderError, match="DOCGRAPH_EMBEDDER_") as caught,
        ):
            dg.ingest_records(documents)
        said.append("".join(traceback.format_exception(caught.value)))
        assert SECRET not in "".join(said)
    assert asked >= {"query", "documents", "messages", "input"}, "everybody was asked"
    assert SECRET not in audit.read_text(encoding="utf-8")
    out = capsys.readouterr()
    assert SECRET not in out.out + out.err
