"""Refuses pages that are not the server's own, as an ASGI middleware: another port of this machine is another site."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from docgraph.boundary.hosts import Host, is_own_origin

FORBIDDEN = 403


class OwnPages:
    """Lets a request through that has no ``Origin``, or one with name and port of its ``Host`` or of a name in ``own``.

    The protocol's package can compare names of origins under every port alone: then each page that any program of this
    machine serves would be this server's own.
    """

    def __init__(self, app: ASGIApp, own: Sequence[Host]) -> None:
        self._app = app
        self._own = tuple(own)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; which names it may come under, the protocol's package decides."""
        if scope["type"] == "http" and not is_own_origin(
            _values(scope, b"origin"), next(iter(_values(scope, b"host")), ""), self._own
        ):
            await PlainTextResponse("Invalid Origin header", status_code=FORBIDDEN)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1").strip() for key, value in scope["headers"] if key.lower() == name]
