"""Knows who asks, for every route, before the framework does: an ASGI middleware behind those for names and headers."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import anyio.to_thread
from starlette.requests import ClientDisconnect

from docgraph.domain.person import Person
from docgraph.errors import DocgraphError
from docgraph.ui.frame.quotas import Limits, QuotaError, Quotas
from docgraph.ui.frame.sign_ins import id_of
from docgraph.ui.frame.signing import HEADER
from docgraph.ui.shell.cookies import TOKEN, Claims, claims_of, cookies_of, set_by, token_cookie, without_sign_in
from docgraph.ui.shell.doors import CALLBACK, LOGOUT, UPLOADS, Door, door_of
from docgraph.ui.shell.refusals import FORBIDDEN, refuse, values
from docgraph.ui.shell.sockets import ByteSocket, OpenSockets, Socket, serve_unknown

READS = frozenset(("GET", "HEAD", "OPTIONS"))
UNAUTHORIZED, NOT_FOUND, NOT_ALLOWED, UNAVAILABLE = 401, 404, 405, 503
SIGN_IN_FIRST = "Sign in first: open docgraph's page in this browser.\n"
NO_ANSWER = "The database does not answer, so nobody can be recognised: try again in a moment.\n"
OTHERS = "This page is somebody else's: reload your own, and send it again.\n"
FOR_ADMINS = "This is for admins: ask an admin of this docgraph.\n"
SIGNED_OUT_FROM_ELSEWHERE = "A link on another page signs nobody out: use the button.\n"
WITH_A_TOKEN = "Metrics need a sign-in, or the bearer token of DOCGRAPH_METRICS_TOKEN.\n"
WAIT = ((b"retry-after", b"30"),)
BEARER = ((b"www-authenticate", b'Bearer realm="docgraph metrics"'),)
_log = logging.getLogger(__name__)


class Recognises(Protocol):
    """What of ``ui.frame.sign_ins.SignIns`` the edge asks; each may raise StoreError, and is asked in a thread."""

    def person(self, sign_in_id: str, claims: Claims) -> Person | None:
        """Who it is; None where it does not count."""
        ...

    def begin(self, claims: Claims, *, agent: str, instead_of: str = "") -> str | None:
        """A new sign-in's token; None for who is turned away."""
        ...

    def sign_out(self, sign_in_id: str, who: Person, *, everywhere: bool = False) -> None:
        """End it."""
        ...

    def refused(self, name: str, why: str) -> None:
        """Tell the audit."""
        ...


@dataclass(frozen=True)
class House:
    """What the edge knows of this dashboard. ``sign_ins`` = None: nobody signs in, everybody is at home."""

    limits: Limits
    quotas: Quotas
    sign_ins: Callable[[], Recognises] | None = None
    origin: str = ""
    hours: float = 12.0
    is_turned_away: Callable[[Claims], bool] = field(default=lambda _: False)
    metrics_token: str = ""
    owner_of: Callable[[str], str] = field(default=lambda _: "")
    """Session → the sign-in that its open page began with."""
    sockets: OpenSockets = field(default_factory=OpenSockets)

    @property
    def is_https(self) -> bool:
        """Whether browsers come over TLS."""
        return self.origin.startswith("https://")


@dataclass(frozen=True)
class Asker:
    """Who asks: with which sign-in, and, where it counts, as whom. ``unknown`` = the database could not be asked."""

    sign_in_id: str = ""
    claims: Claims = field(default_factory=dict)
    person: Person | None = None
    unknown: bool = False


class Edge:
    """Lets through what the table of doors allows to who asks, within the quotas, and writes down sign-ins."""

    def __init__(self, app: Any, house: House) -> None:
        self.app, self.house = app, house

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """ASGI entry; lifespan traffic passes."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        scope = _without(scope, HEADER.encode())
        path = _path_of(scope)
        door = door_of(path)
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif door == "metrics" and self.house.metrics_token and self._has_token(scope):
            await self.app(scope, receive, send)
        elif self.house.sign_ins is None:
            await self._at_home(scope, receive, send, door)
        elif door in ("everybody", "sign-in page") and scope["method"].upper() in READS:
            await self._by_the_way(scope, receive, send, path)
        else:
            await self._signed_in(scope, receive, send, door)

    async def _at_home(self, scope: Any, receive: Any, send: Any, door: Door) -> None:
        """Where nobody signs in: everything within the quotas, metrics with the token where there is one."""
        if door == "metrics" and self.house.metrics_token:
            await refuse(scope, receive, send, UNAUTHORIZED, WITH_A_TOKEN, beside=BEARER)
        elif door == "upload" and scope["method"].upper() == "PUT":
            await self._upload(scope, receive, send, "")
        else:
            await self.app(scope, receive, send)

    async def _by_the_way(self, scope: Any, receive: Any, send: Any, path: str) -> None:
        if path in (CALLBACK, LOGOUT) and scope["method"] != "GET":  # a look at a link neither begins nor ends anything
            await refuse(scope, receive, send, NOT_ALLOWED, "Method Not Allowed\n", beside=((b"allow", b"GET"),))
        elif path == CALLBACK:
            await self._begin(scope, receive, send)
        elif path == LOGOUT:
            await self._sign_out(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _signed_in(self, scope: Any, receive: Any, send: Any, door: Door) -> None:
        """What needs somebody who is signed in; a body needs them at every door."""
        asker = await self._who(scope)
        if asker.unknown:
            await refuse(scope, receive, send, UNAVAILABLE, NO_ANSWER, beside=WAIT)
        elif asker.person is None:
            line, beside = (WITH_A_TOKEN, BEARER) if door == "metrics" else (SIGN_IN_FIRST, ())
            await refuse(scope, receive, send, UNAUTHORIZED, line, beside=beside)
        elif door == "nobody":
            await refuse(scope, receive, send, NOT_FOUND, "Not Found\n")
        elif door == "admin" and not asker.person.may("admin"):
            await refuse(scope, receive, send, FORBIDDEN, FOR_ADMINS)
        elif door == "upload" and self.house.owner_of(_session_of(scope)) not in ("", asker.sign_in_id):
            await refuse(scope, receive, send, FORBIDDEN, OTHERS)
        elif door == "upload" and scope["method"].upper() == "PUT":
            await self._upload(_with(scope, asker), receive, send, asker.person.name)
        else:
            await self.app(_with(scope, asker), receive, send)

    async def _upload(self, scope: Any, receive: Any, send: Any, person: str) -> None:
        house = self.house
        stated = values(scope, b"content-length")
        n_bytes = int(stated[0]) if len(stated) == 1 and stated[0].isdecimal() else house.limits.one_upload
        try:
            async with house.quotas.upload(_session_of(scope), person, n_bytes, house.limits):
                await self.app(scope, receive, send)
        except QuotaError as full:
            await refuse(scope, receive, send, full.status, full.line, beside=WAIT if full.status != 413 else ())
        except ClientDisconnect:  # nobody is there to be answered, and nothing of it was kept
            _log.info("an upload was broken off by who sent it")

    async def _socket(self, scope: Any, receive: Any, send: Any) -> None:
        house, asker, ends = self.house, Asker(), ByteSocket(receive, send)
        receive = ends.receive
        if house.sign_ins is not None:
            asker = await self._who(scope)
        person = asker.person.name if asker.person else "" if house.sign_ins is None else None
        client = scope.get("client")
        try:
            known = asker.sign_in_id if asker.person else ""
            with house.quotas.socket(person, client[0] if client else "", house.limits, sign_in_id=known):
                if house.sign_ins is None:
                    await self.app(scope, receive, send)
                elif asker.person is not None:
                    socket = Socket(asker.sign_in_id, asker.claims)
                    await house.sockets.serve(self.app, _with(scope, asker), receive, send, socket)
                else:
                    await serve_unknown(self.app, self._as_nobody(scope, asker), receive, send)
                await ends.end()
        except QuotaError as full:
            await refuse(scope, receive, send, full.status, full.line, beside=WAIT)

    def _as_nobody(self, scope: Any, asker: Asker) -> Any:
        """Its page is told of a sign-in only to say why it does not count."""
        if asker.unknown:
            return _with(scope, asker)
        return scope if self.house.is_turned_away(asker.claims) else without_sign_in(scope)

    async def _who(self, scope: Any) -> Asker:
        """Who asks, by their cookies; a body and a socket bring the origin of their page, or count for nobody's."""
        assert self.house.sign_ins is not None
        cookies = cookies_of(scope)
        is_read = scope["type"] == "http" and scope["method"].upper() in READS
        origins = values(scope, b"origin") or ([self.house.origin] if is_read else [])
        claims = claims_of(cookies, origins)
        sign_in_id = id_of(cookies.get(TOKEN, ""))
        if not claims or not sign_in_id:
            return Asker(claims=claims)
        try:
            person = await anyio.to_thread.run_sync(lambda: self._asked().person(sign_in_id, claims))
        except DocgraphError as problem:
            _log.warning("a sign-in cannot be looked up: %s", problem.message)
            return Asker(sign_in_id, claims, unknown=True)
        return Asker(sign_in_id, claims, person)

    async def _begin(self, scope: Any, receive: Any, send: Any) -> None:
        """The way back from the identity provider: beside the framework's cookie the browser gets a token."""
        agent = " ".join(values(scope, b"user-agent"))
        before = id_of(cookies_of(scope).get(TOKEN, ""))
        is_failed = False

        async def told(message: Any) -> None:
            nonlocal is_failed
            if message["type"] == "http.response.start":
                try:
                    message = await self._with_token(scope, message, agent, before)
                except DocgraphError as problem:
                    _log.error("a sign-in cannot be kept: %s", problem.message)
                    is_failed = True
                    await refuse(scope, receive, send, UNAVAILABLE, NO_ANSWER, beside=WAIT)
            if not is_failed:
                await send(message)

        await self.app(scope, receive, told)

    async def _with_token(self, scope: Any, message: Any, agent: str, before: str) -> Any:
        headers = list(message.get("headers", ()))
        claims = claims_of(set_by(headers), [self.house.origin])
        if not claims:
            query = scope.get("query_string", b"")
            if b"code=" in query or b"error=" in query:  # else they come from signing out
                await anyio.to_thread.run_sync(lambda: self._asked().refused("", "the identity provider did not agree"))
            return message
        token = await anyio.to_thread.run_sync(lambda: self._asked().begin(claims, agent=agent, instead_of=before))
        return {**message, "headers": [*headers, self._cookie(token or "")]}

    async def _sign_out(self, scope: Any, receive: Any, send: Any) -> None:
        """The sign-in ends on the server before the framework takes its cookie away."""
        if any(site in ("cross-site", "same-site") for site in values(scope, b"sec-fetch-site")):
            await refuse(scope, receive, send, FORBIDDEN, SIGNED_OUT_FROM_ELSEWHERE)
            return
        asker = await self._who(scope)
        if asker.unknown or not await self._is_ended(asker):
            await refuse(scope, receive, send, UNAVAILABLE, NO_ANSWER, beside=WAIT)
            return

        async def told(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), self._cookie("")]}
            await send(message)

        await self.app(scope, receive, told)

    async def _is_ended(self, asker: Asker) -> bool:
        who = asker.person
        if who is not None:
            try:
                await anyio.to_thread.run_sync(lambda: self._asked().sign_out(asker.sign_in_id, who))
            except DocgraphError as problem:
                _log.error("a sign-in cannot be ended: %s", problem.message)
                return False
        return True

    def _cookie(self, token: str) -> tuple[bytes, bytes]:
        return token_cookie(token, seconds=int(self.house.hours * 3600), secure=self.house.is_https)

    def _asked(self) -> Recognises:
        assert self.house.sign_ins is not None
        return self.house.sign_ins()

    def _has_token(self, scope: Any) -> bool:
        given = values(scope, b"authorization")
        wanted = f"Bearer {self.house.metrics_token}"
        return len(given) == 1 and hmac.compare_digest(given[0].encode("latin-1"), wanted.encode())


def _path_of(scope: Any) -> str:
    """The path below the address that the dashboard is served under, where that is not the root."""
    from streamlit import config

    path, base = str(scope["path"]), str(config.get_option("server.baseUrlPath") or "").strip("/")
    return path.removeprefix(f"/{base}") or "/" if base and f"{path}/".startswith(f"/{base}/") else path


def _session_of(scope: Any) -> str:
    return _path_of(scope).removeprefix(UPLOADS).partition("/")[0]


def _without(scope: Any, name: bytes) -> Any:
    return {**scope, "headers": [pair for pair in scope["headers"] if pair[0].lower() != name]}


def _with(scope: Any, asker: Asker) -> Mapping[str, Any]:
    return {**scope, "headers": [*scope["headers"], (HEADER.encode(), asker.sign_in_id.encode())]}
