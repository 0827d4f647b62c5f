"""How long one connection is waited for, to the MCP server and to the dashboard: by a clock that the test turns on."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from docgraph.boundary.timeouts import (
    ANSWER_SECONDS,
    MAX_CONNECTIONS,
    REQUEST_SECONDS,
    SLOW_BYTES,
    BrowsersProtocol,
    PatientProtocol,
)
from docgraph.ui.frame import launcher

BOTH = pytest.mark.parametrize("kind", [PatientProtocol, BrowsersProtocol])
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
    untaken = 0

    def get_write_buffer_size(self) -> int:
        """Bytes that the other end has not taken yet."""
        return self.untaken

    def abort(self) -> None:
        """Hang up."""
        self.closed = True

    def is_closing(self) -> bool:
        """Whether somebody hung up."""
        return self.closed

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Somebody else hears from now on."""

    def pause_reading(self) -> None:
        """Nothing is read here."""

    def resume_reading(self) -> None:
        """Nothing is read here."""


@pytest.fixture
def clock() -> Iterator[Clock]:
    made = Clock()
    yield made
    made.close()


def _connected(
    clock: Clock, state: ServerState | None = None, *, kind: type[PatientProtocol] = PatientProtocol, ws: Any = "none"
) -> tuple[PatientProtocol, Wire]:
    async def app(scope: Any, receive: Any, send: Any) -> None: ...

    config = uvicorn.Config(app, http=kind, ws=ws, log_config=None)
    config.load()
    wire = Wire()
    protocol = kind(config, state or ServerState(), {}, clock)
    protocol.connection_made(wire)
    return protocol, wire


def _waits(clock: Clock) -> list[float]:
    return sorted(seconds for seconds, _ in clock.due.values())


@BOTH
@pytest.mark.parametrize("said", [(), (b"POST",), (HEAD,), (HEAD + b"\r\n",), (HEAD, b"\r\n", b"{", b"}")])
def test_a_request_has_one_time_to_arrive_whole_however_slowly_it_comes(
    clock: Clock, said: tuple[bytes, ...], kind: type[PatientProtocol]
) -> None:
    protocol, wire = _connected(clock, kind=kind)
    (first,) = clock.due
    for part in said:
        protocol.data_received(part)
    assert list(clock.due) == [first], "no byte sets the time anew"
    assert _waits(clock) == [REQUEST_SECONDS]
    first._run()
    assert wire.closed


@BOTH
def test_no_write_to_a_client_waits_until_the_one_before_is_confirmed(
    clock: Clock, kind: type[PatientProtocol], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as connection:
        assert not connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        monkeypatch.setattr(Wire, "get_extra_info", lambda _, name, default=None: {"socket": connection}.get(name))
        _connected(clock, kind=kind)
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@BOTH
def test_while_a_whole_request_is_answered_nobody_waits_for_the_client(
    clock: Clock, kind: type[PatientProtocol]
) -> None:
    protocol, wire = _connected(clock, kind=kind)
    protocol.data_received(HEAD + b"\r\n{  }")
    assert (_waits(clock), wire.closed) == ([], False)


@BOTH
def test_an_answer_that_is_not_taken_has_its_time_too(clock: Clock, kind: type[PatientProtocol]) -> None:
    protocol, wire = _connected(clock, kind=kind)
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
    monkeypatch.setattr(PatientProtocol, "max_connections", 2)
    state = ServerState()
    wires = [_connected(clock, state)[1] for _ in range(3)]
    assert [wire.closed for wire in wires] == [False, False, True]
    assert _waits(clock) == [REQUEST_SECONDS, REQUEST_SECONDS]


@pytest.mark.parametrize(
    ("kind", "n_bytes", "closed"),
    [
        (BrowsersProtocol, SLOW_BYTES * REQUEST_SECONDS, False),
        (BrowsersProtocol, 100, True),
        (PatientProtocol, SLOW_BYTES * REQUEST_SECONDS, True),
    ],
)
def test_a_large_upload_lasts_as_long_as_enough_of_it_comes_to_the_dashboard(
    clock: Clock, kind: type[PatientProtocol], n_bytes: int, closed: bool
) -> None:
    protocol, wire = _connected(clock, kind=kind)
    protocol.data_received(b"POST /up HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n")
    protocol.data_received(b"x" * n_bytes)
    (first,) = clock.due
    first._run()
    assert wire.closed is closed
    if not closed:
        second = list(clock.due)[-1]
        second._run()  # nothing came in the meantime
        assert wire.closed


def test_a_large_download_lasts_as_long_as_enough_of_it_is_taken(clock: Clock) -> None:
    protocol, wire = _connected(clock, kind=BrowsersProtocol)
    protocol.data_received(HEAD + b"\r\n{  }")
    wire.untaken = 9_000_000
    protocol.pause_writing()
    for untaken, closed in ((8_000_000, False), (7_999_999, True)):
        (timer,) = clock.due
        clock.due.clear()
        wire.untaken = untaken
        timer._run()
        assert wire.closed is closed


def test_a_web_socket_of_the_dashboard_may_be_silent_and_counts_for_nobody_s_limit(clock: Clock) -> None:
    """A session of the framework says nothing for hours; it has pings of its own."""

    class Socket:
        def __init__(self, **_: Any) -> None: ...

        def connection_made(self, transport: Any) -> None: ...

        def data_received(self, data: bytes) -> None: ...

    protocol, wire = _connected(clock, kind=BrowsersProtocol, ws=Socket)
    upgrade = b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
    protocol.data_received(b"GET /_stcore/stream HTTP/1.1\r\nHost: localhost\r\n" + upgrade)
    assert _waits(clock) == [REQUEST_SECONDS], "half a handshake is half a request"
    protocol.data_received(b"\r\n")
    assert (_waits(clock), wire.closed) == ([], False)
    assert BrowsersProtocol.max_connections is None


def test_the_dashboard_s_server_takes_it() -> None:
    launcher.be_patient()
    config = uvicorn.Config("docgraph:none", ws="none", log_config=None)
    with pytest.raises(SystemExit):  # there is no such program; which protocol it would have had is settled before
        config.load()
    assert config.http_protocol_class is BrowsersProtocol
