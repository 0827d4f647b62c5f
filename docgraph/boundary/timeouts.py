"""How long a server waits for a client over HTTP, and how many it serves at once; an idle client is closed."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 15
"""Within so many a request has arrived whole, from the connection or the request's first byte on."""

ANSWER_SECONDS = 30
"""For so long a client may leave an answer untaken that is larger than what the system holds for it."""

MAX_CONNECTIONS = 200
"""Further ones are closed at once."""

SLOW_BYTES = 2_000
"""So many in a second keep a large upload and a large download alive, where those are served."""


class PatientProtocol(H11Protocol):
    """One connection. Between two requests the server's own, shorter time-out holds; a web socket has its own too."""

    max_connections: ClassVar[int | None] = MAX_CONNECTIONS
    slow_bytes: ClassVar[int] = 0
    """A second; 0 = no request or answer is so large that it takes longer than its time."""

    _arriving: asyncio.TimerHandle | None = None
    _leaving: asyncio.TimerHandle | None = None
    _came = _waiting = 0
    _is_socket = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has come."""
        super().connection_made(transport)
        _send_at_once(transport)
        if self.max_connections is not None and len(self.connections) > self.max_connections:
            transport.abort()
            return
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Some bytes have come."""
        self._came += len(data)
        super().data_received(data)

    def handle_events(self) -> None:
        """Something of a request has come, or all of it."""
        super().handle_events()
        self._watch()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From now on the connection is a web socket's, and waited for by its protocol alone."""
        self._is_socket = True
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has left, or was hung up on."""
        self._forget_request()
        self._forget_answer()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The client does not take what is written."""
        super().pause_writing()
        if self._leaving is None:
            self._await_answer()

    def resume_writing(self) -> None:
        """It does again."""
        self._forget_answer()
        super().resume_writing()

    def _watch(self) -> None:
        """Set a time while the rest of a request is waited for, and none while it is answered."""
        waits = self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and self.timeout_keep_alive_task is None
        if not waits or self._is_socket or self.transport.is_closing():
            self._forget_request()
        elif self._arriving is None:
            self._await_request()

    def _await_request(self) -> None:
        self._came = 0
        self._arriving = self.loop.call_later(REQUEST_SECONDS, self._request_is_due)

    def _request_is_due(self) -> None:
        """A body goes on coming as long as enough of it came; a head has its time and no more."""
        is_body = self.conn.their_state is h11.SEND_BODY
        if is_body and self._is_enough(self._came, REQUEST_SECONDS):
            self._await_request()
        else:
            self.transport.abort()

    def _await_answer(self) -> None:
        self._waiting = self.transport.get_write_buffer_size() if self.slow_bytes else 0
        self._leaving = self.loop.call_later(ANSWER_SECONDS, self._answer_is_due)

    def _answer_is_due(self) -> None:
        if self.slow_bytes and self._is_enough(self._waiting - self.transport.get_write_buffer_size(), ANSWER_SECONDS):
            self._await_answer()
        else:
            self.transport.abort()

    def _is_enough(self, n_bytes: int, seconds: int) -> bool:
        return 0 < self.slow_bytes * seconds <= n_bytes

    def _forget_request(self) -> None:
        if self._arriving is not None:
            self._arriving.cancel()
        self._arriving = None

    def _forget_answer(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
        self._leaving = None


def _send_at_once(transport: asyncio.BaseTransport) -> None:
    """No write waits until the client has confirmed the one before: head and body of an answer are two writes.

    asyncio asks for it by itself, but only where the listening socket was made with the protocol's number; the servers'
    are made without. A client confirms after 40 ms, so a small file took that long on every connection but a new one.
    """
    connection = transport.get_extra_info("socket")
    if connection is not None:
        with suppress(OSError):  # no TCP: a socket of this machine's file system
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class BrowsersProtocol(PatientProtocol):
    """For browsers: files go both ways over slow lines, and a page takes several connections, many at once."""

    max_connections = None
    slow_bytes = SLOW_BYTES
