"""Which host names and proxies the dashboard answers to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docgraph.boundary.hosts import (
    FORWARDING,
    LOOPBACK,
    Asked,
    ContradictionError,
    Host,
    Network,
    asked_by,
    is_own_fetch,
    is_own_host,
    is_own_origin,
    parse_host,
)
from docgraph.ui.frame import visitor
from docgraph.ui.shell.refusals import BAD_REQUEST, FORBIDDEN, MISDIRECTED, refuse, shown, values

_TAKEN_AWAY = frozenset(name.encode() for name in (*FORWARDING, visitor.HEADER))
_SCHEMES = {"http": {"http": "http", "https": "https"}, "websocket": {"http": "ws", "https": "wss"}}


class NamedProxies:
    """Puts the visitor's address, host name and scheme in place of the proxy's, and tells pages whether it is local.

    Forwarding headers reach nothing behind it, believed or not: what is true of them stands in the request itself.
    """

    def __init__(self, app: Any, proxies: Sequence[Network] = ()) -> None:
        self.app = app
        self.proxies = tuple(proxies)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """ASGI entry; lifespan traffic passes."""
        if scope["type"] not in _SCHEMES:
            await self.app(scope, receive, send)
            return
        peer = scope.get("client")
        try:
            asked = asked_by(
                peer[0] if peer else "",
                {name: found for name in FORWARDING if (found := values(scope, name.encode()))},
                self.proxies,
            )
        except ContradictionError as problem:
            line = f"The proxy's headers contradict each other: {problem}. Let it set one form and remove the other.\n"
            await refuse(scope, receive, send, BAD_REQUEST, line)
            return
        await self.app(_as_asked(scope, asked), receive, send)


def _as_asked(scope: Any, asked: Asked) -> Any:
    """The request as the visitor made it."""
    kept = [pair for pair in scope["headers"] if pair[0].lower() not in _TAKEN_AWAY]
    made = {**scope}
    if asked.host:
        kept = [pair for pair in kept if pair[0].lower() != b"host"] + [(b"host", asked.host.encode("latin-1"))]
    if asked.scheme:
        made["scheme"] = _SCHEMES[scope["type"]][asked.scheme]
    if asked.visitor is not None:
        made["client"] = (str(asked.visitor), 0)
    made["headers"] = kept
    where = visitor.LOCAL if _is_local(made, asked) else visitor.REMOTE
    made["headers"] = [*kept, (visitor.HEADER.encode(), where.encode())]
    return made


def _is_local(scope: Any, asked: Asked) -> bool:
    """From a loopback address, and under a loopback name: a proxy that says nothing mostly passes on its own name."""
    hosts = [parse_host(host) for host in values(scope, b"host")]
    named = len(hosts) == 1 and hosts[0] is not None and hosts[0].name in LOOPBACK
    return named and asked.visitor is not None and asked.visitor.is_loopback


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
