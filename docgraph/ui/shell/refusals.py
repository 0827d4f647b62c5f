"""How the edge of the dashboard refuses a request: in one line, over HTTP and in the handshake of a WebSocket."""

from __future__ import annotations

from typing import Any

from docgraph.boundary.text import one_line

BAD_REQUEST, FORBIDDEN, MISDIRECTED = 400, 403, 421
SHOWN = 100


def shown(text: str) -> str:
    """What a request said, fit for a line: in quotes, as ASCII, cut."""
    return ascii(one_line(text, SHOWN))


def values(scope: Any, name: bytes) -> list[str]:
    """The values of a header, one an occurrence."""
    return [value.decode("latin-1").strip() for key, value in scope["headers"] if key.lower() == name]


async def refuse(
    scope: Any, receive: Any, send: Any, status: int, line: str, *, beside: tuple[tuple[bytes, bytes], ...] = ()
) -> None:
    """Answer in one line; a WebSocket is refused in its handshake, by the status alone where the server can no more.

    ``beside`` = further headers.
    """
    kind = "http.response"
    if scope["type"] == "websocket":
        await receive()
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})
            return
        kind = "websocket.http.response"
    body = line.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": f"{kind}.start", "status": status, "headers": [*headers, *beside]})
    await send({"type": f"{kind}.body", "body": body})
