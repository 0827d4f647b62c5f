"""ASGI middleware of the HTTP server: refuses requests from other web pages, and shortens error messages."""

from __future__ import annotations

import json
from collections.abc import Sequence

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docgraph.boundary.hosts import Host, is_own_origin

BAD_REQUEST, FORBIDDEN = 400, 403


class SameOrigin:
    """Accepts a request without ``Origin``, or with one whose name and port match its ``Host`` or a name in ``own``.

    The ``mcp`` package compares host names but not ports, so that any page served on this machine would pass.
    """

    def __init__(self, app: ASGIApp, own: Sequence[Host]) -> None:
        self._app = app
        self._own = tuple(own)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; the ``mcp`` package checks the host names."""
        if scope["type"] == "http" and not is_own_origin(
            _values(scope, b"origin"), next(iter(_values(scope, b"host")), ""), self._own
        ):
            await PlainTextResponse("Invalid Origin header", status_code=FORBIDDEN)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1").strip() for key, value in scope["headers"] if key.lower() == name]


class ShortErrors:
    """Cuts the message of a JSON-RPC error with status 400 at its first colon: the rest quotes the package's parser."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        refusal: Message | None = None

        async def forward(message: Message) -> None:
            nonlocal refusal
            if message["type"] == "http.response.start" and message["status"] == BAD_REQUEST:
                refusal = message
                return
            if refusal is not None:
                start, refusal = refusal, None
                if not message.get("more_body", False):
                    message = {**message, "body": _shortened(message.get("body", b""))}
                    start = {**start, "headers": _sized(start["headers"], len(message["body"]))}
                await send(start)
            await send(message)

        await self._app(scope, receive, forward)


def _shortened(body: bytes) -> bytes:
    try:
        error = json.loads(body)
        error["error"]["message"] = error["error"]["message"].split(":")[0]
    except (ValueError, TypeError, KeyError, AttributeError):  # not JSON-RPC: a plain text of the transport
        return body
    return json.dumps(error).encode()


def _sized(headers: list[tuple[bytes, bytes]], size: int) -> list[tuple[bytes, bytes]]:
    kept = [(name, value) for name, value in headers if name.lower() != b"content-length"]
    return [*kept, (b"content-length", str(size).encode())]
