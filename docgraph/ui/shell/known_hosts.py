"""Refuses requests under foreign names and from foreign pages before the framework sees them, as an ASGI middleware."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docgraph.boundary.hosts import Host, is_own_host, is_own_origin
from docgraph.boundary.text import one_line

MISDIRECTED, FORBIDDEN = 421, 403
SHOWN = 100


class KnownHosts:
    """Lets a request through, HTTP or WebSocket, whose ``Host`` is one of ``own`` and whose ``Origin`` fits it.

    Streamlit would ask another machine for this one's external address to judge a foreign origin. What passes here
    therefore reaches it as of the same origin, which it does not judge.
    """

    def __init__(self, app: Any, own: Sequence[Host]) -> None:
        self.app = app
        self.own = tuple(own)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """ASGI entry; lifespan traffic passes."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        hosts, origins = _values(scope, b"host"), _values(scope, b"origin")
        if not is_own_host(hosts, self.own):
            await _refuse(scope, receive, send, MISDIRECTED, _unknown_host(hosts))
        elif not is_own_origin(origins, hosts[0], self.own):
            await _refuse(scope, receive, send, FORBIDDEN, _foreign_origin(origins, hosts[0]))
        else:
            await self.app(_of_same_origin(scope, hosts[0]) if origins else scope, receive, send)


def _values(scope: Any, name: bytes) -> list[str]:
    return [value.decode("latin-1").strip() for key, value in scope["headers"] if key.lower() == name]


def _of_same_origin(scope: Any, host: str) -> Any:
    scheme = _values(scope, b"origin")[0].partition(":")[0]
    headers = [pair for pair in scope["headers"] if pair[0].lower() != b"origin"]
    return {**scope, "headers": [*headers, (b"origin", f"{scheme}://{host}".encode("latin-1"))]}


def _unknown_host(hosts: Sequence[str]) -> str:
    if len(hosts) != 1:
        return f"The request has {len(hosts)} Host headers; one is needed: ask with HTTP/1.1.\n"
    return (
        f"docgraph does not answer to the name {_shown(hosts[0])}. "
        "If it is this server's, add it to DOCGRAPH_ALLOWED_HOSTS and start docgraph again.\n"
    )


def _foreign_origin(origins: Sequence[str], host: str) -> str:
    return (
        f"A page of {_shown(', '.join(origins))} may not ask docgraph at {_shown(host)}. "
        "If it is this server's own name, add it (with its port) to DOCGRAPH_ALLOWED_HOSTS and start docgraph again.\n"
    )


def _shown(text: str) -> str:
    return ascii(one_line(text, SHOWN))


async def _refuse(scope: Any, receive: Any, send: Any, status: int, line: str) -> None:
    """Answer in one line; a WebSocket is refused in its handshake, by the status alone where the server can no more."""
    kind = "http.response"
    if scope["type"] == "websocket":
        await receive()
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})
            return
        kind = "websocket.http.response"
    body = line.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
