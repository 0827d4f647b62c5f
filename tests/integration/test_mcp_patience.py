"""How long one connection to the MCP server is waited for: by a clock that the test turns on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from docgraph.mcp_server import patience
from docgraph.mcp_server.patience import ANSWER_SECONDS, MAX_CONNECTIONS, REQUEST_SECONDS, PatientProtocol

HEAD = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n"


class Clock(asyncio.BaseEventLoop):
    """A loop whose time stands still; ``due`` = the timers that are set: seconds → what is done then."""

    def __init__(self) -> None:
        super().__init__()
        self.due: dict[asyncio.TimerHandle, tuple[float, Callable[..., object]]] = {}
        self.left: list[asyncio.Task[Any]] = []

    def call_later(self, delay: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:
        """Remember a timer."""
        handle = asyncio.TimerHandle(delay, callback, args, self)
        self.due[handle] = (delay, callback)
        return handle

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        self.due.pop(handle, None)

    def create_task(self, coro: Any, **_: Any) -> Any:
        """The request is whole: its answer is not made here."""
        coro.close()
        task: asyncio.Future[Any] = asyncio.Future(loop=self)
        return task


class Wire(asyncio.Transport):
    """The other end; ``closed`` once somebody hung up."""

    closed = False

    def abort(self) -> None:
        """Hang up."""
        self.closed = True

    def is_closing(self) -> bool:
        """Whether somebody hung up."""
        return self.closed

    def pause_reading(self) -> None:
        """Nothing is read here."""

    def resume_reading(self) -> None:
        """Nothing is read here."""


@pytest.fixture
def clock() -> Iterator[Clock]:
    made = Clock()
    yield made
    made.close()


def _connected(clock: Clock, state: ServerState | None = None) -> tuple[PatientProtocol, Wire]:
    async def app(scope: Any, receive: Any, send: Any) -> None: ...

    config = uvicorn.Config(app, http=PatientProtocol, ws="none", log_config=None)  # type: ignore[arg-type]
    config.load()
    wire = Wire()
    protocol = PatientProtocol(config, state or ServerState(), {}, clock)
    protocol.connection_made(wire)
    return protocol, wire


def _waits(clock: Clock) -> list[float]:
    return sorted(seconds for seconds, _ in clock.due.values())


@pytest.mark.parametrize("said", [(), (b"POST",), (HEAD,), (HEAD + b"\r\n",), (HEAD, b"\r\n", b"{", b"}")])
def test_a_request_has_one_time_to_arrive_whole_however_slowly_it_comes(clock: Clock, said: tuple[bytes, ...]) -> None:
    protocol, wire = _connected(clock)
    (first,) = clock.due
    for part in said:
        protocol.data_received(part)
    assert list(clock.due) == [first], "no byte sets the time anew"
    assert _waits(clock) == [REQUEST_SECONDS]
    first._run()
    assert wire.closed


def test_while_a_whole_request_is_answered_nobody_waits_for_the_client(clock: Clock) -> None:
    protocol, wire = _connected(clock)
    protocol.data_received(HEAD + b"\r\n{  }")
    assert (_waits(clock), wire.closed) == ([], False)


def test_an_answer_that_is_not_taken_has_its_time_too(clock: Clock) -> None:
    protocol, wire = _connected(clock)
    protocol.data_received(HEAD + b"\r\n{  }")
    protocol.pause_writing()
    assert _waits(clock) == [ANSWER_SECONDS]
    protocol.resume_writing()
    assert _waits(clock) == []
    protocol.pause_writing()
    (timer,) = clock.due
    timer._run()
    assert wire.closed


def test_who_leaves_is_waited_for_no_more(clock: Clock) -> None:
    protocol, _ = _connected(clock)
    protocol.data_received(HEAD)
    protocol.connection_lost(ConnectionResetError())
    assert _waits(clock) == []


def test_above_the_limit_a_connection_is_closed_at_once(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_CONNECTIONS >= 100
    monkeypatch.setattr(patience, "MAX_CONNECTIONS", 2)
    state = ServerState()
    wires = [_connected(clock, state)[1] for _ in range(3)]
    assert [wire.closed for wire in wires] == [False, False, True]
    assert _waits(clock) == [REQUEST_SECONDS, REQUEST_SECONDS]
