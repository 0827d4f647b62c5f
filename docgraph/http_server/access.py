"""Who is answered: host names, pages of other sites, and the tokens that may read or write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docgraph.boundary.hosts import Host, is_own_host, is_own_origin
from docgraph.boundary.listening import is_token, token_digest
from docgraph.errors import UserError
from docgraph.http_server.refusals import RefusedError

Permission = Literal["anyone", "read", "write"]
SAFE = ((b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store"))


@dataclass(frozen=True)
class Access:
    """The two tokens, as digests. Without any, everyone who can reach the server reads, and nobody writes."""

    reading: bytes | None = None
    writing: bytes | None = None

    @classmethod
    def by(cls, read_token: str = "", write_token: str = "") -> Access:
        """The access that two tokens give. Raises UserError when they are the same."""
        if read_token and read_token == write_token:
            raise UserError("the token that reads and the one that writes are the same", hint="create two")
        return cls(*(token_digest(token) if token else None for token in (read_token, write_token)))

    def check(self, authorization: Sequence[str], needed: Permission) -> None:
        """Raises RefusedError unless the ``Authorization`` headers of a request reach for ``needed``."""
        if needed == "anyone" or (needed == "read" and self.reading is None and self.writing is None):
            return
        if needed == "write" and self.writing is None:
            raise RefusedError(
                HTTPStatus.FORBIDDEN, "read_only", "this server only reads", hint="start it with --write-token-env"
            )
        scheme, _, shown = authorization[0].partition(" ") if len(authorization) == 1 else ("", "", "")
        shown = shown.strip() if scheme.lower() == "bearer" else ""
        writes, reads = (known is not None and is_token(shown, known) for known in (self.writing, self.reading))
        if not (writes or reads):
            raise RefusedError(
                HTTPStatus.UNAUTHORIZED, "no_token", "a bearer token is needed", hint="send Authorization: Bearer …"
            )
        if needed == "write" and not writes:
            raise RefusedError(
                HTTPStatus.FORBIDDEN, "forbidden", "this token only reads", hint="use the token that may write"
            )


class Guard:
    """Answers under its own names only, and no page but one of its own; marks every response as not to be kept."""

    def __init__(self, app: ASGIApp, own: Sequence[Host]) -> None:
        self._app, self._own = app, tuple(own)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI entry; only requests are looked at."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *SAFE]}
            await send(message)

        hosts, origins = (values(scope, name) for name in (b"host", b"origin"))
        refused = None
        if not is_own_host(hosts, self._own):
            refused = RefusedError(
                HTTPStatus.MISDIRECTED_REQUEST,
                "unknown_host",
                "this server does not answer under that name",
                hint="start it with --allowed-host",
            )
        elif not is_own_origin(origins, hosts[0], self._own):
            refused = RefusedError(HTTPStatus.FORBIDDEN, "foreign_page", "pages of other origins are not answered")
        if refused is None:
            await self._app(scope, receive, marked)
        else:
            answer = Response(refused.problem.model_dump_json(), refused.status, media_type="application/json")
            await answer(scope, receive, marked)


def values(scope: Scope, name: bytes) -> list[str]:
    """The values of a header, one an occurrence."""
    return [value.decode("latin-1").strip() for key, value in scope["headers"] if key.lower() == name]
