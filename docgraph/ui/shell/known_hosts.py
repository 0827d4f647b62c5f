"""Refuses requests under foreign names and from foreign pages before the framework sees them, as an ASGI middleware."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docgraph.boundary.hosts import Host, is_own_fetch, is_own_host, is_own_origin
from docgraph.ui.shell.refusals import FORBIDDEN, MISDIRECTED, refuse, shown, values

FOREIGN_FETCH = "A page of another site may link to docgraph, but load nothing of it.\n"


class KnownHosts:
    """Lets a request through, HTTP or WebSocket, whose ``Host`` is one of ``own`` and whose ``Origin`` fits it.

    Where a page is asked for without an ``Origin``, what the browser says of the request decides.

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
        hosts, origins = values(scope, b"host"), values(scope, b"origin")
        if not is_own_host(hosts, self.own):
            await refuse(scope, receive, send, MISDIRECTED, _unknown_host(hosts))
        elif not is_own_origin(origins, hosts[0], self.own):
            await refuse(scope, receive, send, FORBIDDEN, _foreign_origin(origins, hosts[0]))
        elif not origins and not is_own_fetch(*_fetch(scope)):
            await refuse(scope, receive, send, FORBIDDEN, FOREIGN_FETCH)
        else:
            await self.app(_of_same_origin(scope, hosts[0]) if origins else scope, receive, send)


def _fetch(scope: Any) -> tuple[str, str, str]:
    site, mode, destination = (
        ",".join(values(scope, f"sec-fetch-{name}".encode())) for name in ("site", "mode", "dest")
    )
    return site, mode, destination


def _of_same_origin(scope: Any, host: str) -> Any:
    scheme = values(scope, b"origin")[0].partition(":")[0]
    headers = [pair for pair in scope["headers"] if pair[0].lower() != b"origin"]
    return {**scope, "headers": [*headers, (b"origin", f"{scheme}://{host}".encode("latin-1"))]}


def _unknown_host(hosts: Sequence[str]) -> str:
    if len(hosts) != 1:
        return f"The request has {len(hosts)} Host headers; one is needed: ask with HTTP/1.1.\n"
    return (
        f"docgraph does not answer to the name {shown(hosts[0])}. "
        "If it is this server's, add it to DOCGRAPH_ALLOWED_HOSTS and start docgraph again.\n"
    )


def _foreign_origin(origins: Sequence[str], host: str) -> str:
    return (
        f"A page of {shown(', '.join(origins))} may not ask docgraph at {shown(host)}. "
        "If it is this server's own name, add it (with its port) to DOCGRAPH_ALLOWED_HOSTS and start docgraph again.\n"
    )
