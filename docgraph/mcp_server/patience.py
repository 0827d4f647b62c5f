"""How long the server waits for a client over HTTP, and for how many at once: who says nothing is hung up on."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 15
"""Within so many a request has arrived whole, from the connection or the request's first byte on."""

ANSWER_SECONDS = 30
"""For so long a client may leave an answer untaken that is larger than what the system holds for it."""

MAX_CONNECTIONS = 200
"""Further ones are closed at once."""


class PatientProtocol(H11Protocol):
    """One connection. Between two requests the server's own, shorter time-out holds."""

    _arriving: asyncio.TimerHandle | None = None
    _leaving: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has come."""
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.abort()
            return
        self._watch()

    def handle_events(self) -> None:
        """Something of a request has come, or all of it."""
        super().handle_events()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has left, or was hung up on."""
        self._forget_request()
        self._forget_answer()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The client does not take what is written."""
        super().pause_writing()
        self._leaving = self._leaving or self.loop.call_later(ANSWER_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """It does again."""
        self._forget_answer()
        super().resume_writing()

    def _watch(self) -> None:
        """Set a time while the rest of a request is waited for, and none while it is answered."""
        waits = self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and self.timeout_keep_alive_task is None
        if not waits or self.transport.is_closing():
            self._forget_request()
        elif self._arriving is None:
            self._arriving = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _forget_request(self) -> None:
        if self._arriving is not None:
            self._arriving.cancel()
        self._arriving = None

    def _forget_answer(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
        self._leaving = None
