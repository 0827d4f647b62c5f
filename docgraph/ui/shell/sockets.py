"""Web sockets while they are open: closed when their sign-in ends, or when somebody unknown sends too much."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from docgraph.ui.shell.cookies import Claims

ENDED, TOO_BIG, NO_BYTES = 1008, 1009, 1003
"""Close codes: policy violation, message too big, data of a kind that is not taken."""
UNKNOWN_BYTES = 262_144
"""So much may who has not signed in send over a socket, in all: the page of the sign-in needs some hundred bytes."""


@dataclass(eq=False)
class Socket:
    """One socket of somebody who is signed in, and with what."""

    sign_in_id: str
    claims: Claims
    is_over: bool = False
    ended: asyncio.Event = field(default_factory=asyncio.Event)


class OpenSockets:
    """Those of this process that belong to a sign-in."""

    def __init__(self) -> None:
        self._open: set[Socket] = set()

    def ids(self) -> tuple[str, ...]:
        """The sign-ins that have one open."""
        return tuple({each.sign_in_id for each in self._open})

    def close_unless(self, counts: Callable[[Socket], bool]) -> int:
        """Close those for which that was not so the last time either; how many.

        By then a browser that signs out itself has left the page, for the identity provider's.
        """
        over = [each for each in self._open if not counts(each)]
        closing = [each for each in over if each.is_over]
        for each in over:
            each.is_over = True
        for each in closing:
            each.ended.set()
        return len(closing)

    async def serve(self, app: Any, scope: Any, receive: Any, send: Any, socket: Socket) -> None:
        """Let the framework have it, until one of them is done, or the sign-in ends."""
        self._open.add(socket)
        door = _Closing(receive, send, socket.ended)
        try:
            await app(scope, door.receive, door.send)
        finally:
            self._open.discard(socket)
            door.leave()


class ByteSocket:
    """A socket on which text closes it (the framework takes bytes only, and fails by a text), and that ends closed."""

    def __init__(self, receive: Any, send: Any) -> None:
        self._receive, self._send = receive, send
        self._has_spoken = self._has_left = False

    async def receive(self) -> Any:
        """What comes next; that it is over, once a text came."""
        message = await self._receive()
        self._has_spoken = self._has_spoken or message.get("type") == "websocket.receive"
        self._has_left = self._has_left or message.get("type") == "websocket.disconnect"
        if message.get("type") != "websocket.receive" or message.get("bytes") is not None:
            return message
        with suppress(Exception):  # the client has left by itself
            await self._send({"type": "websocket.close", "code": NO_BYTES})
        return {"type": "websocket.disconnect", "code": NO_BYTES}

    async def end(self) -> None:
        """Close what a client left before it said a word: the server may still be at the handshake, and logs an error
        when nobody ends that.
        """
        if self._has_left and not self._has_spoken:
            with suppress(RuntimeError):  # it is closed already
                await self._send({"type": "websocket.close", "code": 1000})


async def serve_unknown(app: Any, scope: Any, receive: Any, send: Any) -> None:
    """Let the framework have the socket of somebody who has not signed in, as far as the sign-in page needs it."""
    came, door = 0, _Closing(receive, send, asyncio.Event())

    async def counted() -> Any:
        nonlocal came
        message = await door.receive()
        came += len(message.get("bytes") or b"") + len((message.get("text") or "").encode())
        return message if came <= UNKNOWN_BYTES else await door.close(TOO_BIG)

    try:
        await app(scope, counted, door.send)
    finally:
        door.leave()


class _Closing:
    """The two ends of a socket that may be closed from here: nothing is sent after that."""

    def __init__(self, receive: Any, send: Any, ended: asyncio.Event) -> None:
        self._receive, self._send = receive, send
        self._ending, self._is_closed = asyncio.ensure_future(ended.wait()), False

    async def receive(self) -> Any:
        """What comes next; that it is over, once the sign-in has ended."""
        coming = asyncio.ensure_future(self._receive())
        try:
            await asyncio.wait({coming, self._ending}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            coming.cancel()
            raise
        if coming.done():
            return coming.result()
        coming.cancel()
        with suppress(asyncio.CancelledError):
            await coming
        await self.send({"type": "websocket.send", "bytes": _load_anew()})
        return await self.close(ENDED)

    async def send(self, message: Any) -> None:
        """To the client, as long as it is open."""
        if not self._is_closed:
            await self._send(message)

    async def close(self, code: int) -> Any:
        """Close it; what the framework is told then."""
        if not self._is_closed:
            self._is_closed = True
            with suppress(Exception):  # the client has left by itself
                await self._send({"type": "websocket.close", "code": code})
        return {"type": "websocket.disconnect", "code": code}

    def leave(self) -> None:
        """Nobody waits any more."""
        self._ending.cancel()


def _load_anew() -> bytes:
    """What makes the browser load the page anew: what it shows is gone, and the sign-in stands there instead.

    A page whose socket is merely closed connects again, and goes on showing what it has.
    """
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
    from streamlit.runtime.runtime_util import serialize_forward_msg

    message = ForwardMsg()
    message.auth_redirect.url = "./"
    return serialize_forward_msg(message)
