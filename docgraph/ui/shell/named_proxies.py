"""Believes forwarding headers of the proxies named in the settings, and of nobody else, as an ASGI middleware."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docgraph.boundary.hosts import FORWARDING, LOOPBACK, Asked, ContradictionError, Network, asked_by, parse_host
from docgraph.ui.frame import visitor
from docgraph.ui.shell.refusals import BAD_REQUEST, refuse, values

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
