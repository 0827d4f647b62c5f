"""Who may come in by which door of the dashboard, what they may take, and what a sign-in leaves on the server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from starlette.middleware import Middleware
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.web.server import server_util
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from docgraph.domain.person import Person, Role
from docgraph.errors import StoreError
from docgraph.settings import Settings
from docgraph.ui.frame.quotas import Limits, Quotas
from docgraph.ui.frame.sign_ins import id_of
from docgraph.ui.frame.signing import HEADER
from docgraph.ui.shell.cookies import Claims
from docgraph.ui.shell.doors import ROUTES, door_of
from docgraph.ui.shell.edge import Edge, House
from docgraph.ui.shell.sockets import UNKNOWN_BYTES

ORIGIN, SECRET = "https://docs.example", "s" * 40
UPLOAD = "/_stcore/upload_file/session/file"
TOKEN, OTHER_TOKEN = "t" * 43, "o" * 43
WRITES = ("PUT", "POST", "DELETE", "PATCH", "put", "ANYTHING")
NOBODY = (
    "",
    "_streamlit_user=",
    "_streamlit_user=forged",
    "_streamlit_user=\xff\xfe; a=b",
    "; ; =",
    f"docgraph_sign_in={TOKEN}",
)


class People:
    """Ann is an admin, Vi a viewer, each with one token; what is asked is written down."""

    def __init__(self) -> None:
        self.roles: dict[str, Role] = {"ann": "admin", "vi": "viewer"}
        self.tokens = {"ann": TOKEN, "vi": OTHER_TOKEN}
        self.told: list[tuple[str, ...]] = []
        self.is_down = False

    def person(self, sign_in_id: str, claims: Claims) -> Person | None:
        if self.is_down:
            raise StoreError("the database does not answer")
        name = str(claims.get("sub"))
        is_theirs = name in self.tokens and id_of(self.tokens[name]) == sign_in_id
        return Person(name=name, role=self.roles[name]) if is_theirs else None

    def begin(self, claims: Claims, *, agent: str, instead_of: str = "") -> str | None:
        if self.is_down:
            raise StoreError("the database does not answer")
        self.told.append(("begin", str(claims["sub"]), agent, instead_of))
        return self.tokens.get(str(claims["sub"]))

    def sign_out(self, sign_in_id: str, who: Person, *, everywhere: bool = False) -> None:
        self.told.append(("sign out", who.name, sign_in_id))
        del self.tokens[who.name]

    def refused(self, name: str, why: str) -> None:
        self.told.append(("refused", name, why))


@pytest.fixture(autouse=True)
def _secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_util, "get_cookie_secret", lambda: SECRET)


@pytest.fixture
def people() -> People:
    return People()


@pytest.fixture
def house(people: People) -> House:
    return House(Limits.of(Settings()), Quotas(dict), lambda: people, origin=ORIGIN)


def framework_cookie(claims: Mapping[str, Any], *, secret: str = SECRET, origin: str = ORIGIN) -> str:
    value = create_signed_value(secret, "_streamlit_user", json.dumps({**claims, "origin": origin}))
    return f"_streamlit_user={value.decode('latin-1')}"


def cookies(who: str, token: str = "", **fields: Any) -> str:
    return f"{framework_cookie({'sub': who, 'is_logged_in': True}, **fields)}; docgraph_sign_in={token or TOKEN}"


class Asked:
    """One request through the edge: its status, 200 where it reaches the framework, and what the framework saw."""

    def __init__(
        self,
        house: House,
        method: str,
        path: str,
        *,
        kind: str = "http",
        headers: tuple[tuple[str, str], ...] = (),
        answers: tuple[tuple[str, str], ...] = (),
        comes: Iterator[Any] | None = None,
        query: bytes = b"",
    ) -> None:
        self.house, self.answers, self.comes = house, answers, comes or iter(())
        self.sent: list[dict[str, Any]] = []
        self.seen: dict[str, list[str]] | None = None
        self.received: list[Any] = []
        raw = [(name.encode(), value.encode("latin-1")) for name, value in headers]
        self.scope = {"type": kind, "method": method, "path": path, "headers": raw, "query_string": query}
        self.scope |= {"client": ("192.0.2.1", 5), "extensions": {"websocket.http.response": {}}}

    async def run(self) -> Asked:
        await Edge(self._framework, self.house)(self.scope, self._receive, self._send)
        return self

    async def _framework(self, scope: Any, receive: Any, send: Any) -> None:
        self.seen = {}
        for name, value in scope["headers"]:
            self.seen.setdefault(name.decode(), []).append(value.decode("latin-1"))
        if scope["type"] == "http":
            answered = [(name.encode(), value.encode("latin-1")) for name, value in self.answers]
            await send({"type": "http.response.start", "status": 200, "headers": answered})
            await send({"type": "http.response.body", "body": b""})
            return
        while True:
            message = await receive()
            self.received.append(message)
            if message["type"] == "websocket.disconnect":
                return

    async def _receive(self) -> Any:
        for message in self.comes:
            return message
        if self.scope["type"] == "websocket":
            await asyncio.sleep(60)
        raise AssertionError("nothing of a refused body is read")

    async def _send(self, message: Any) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int:
        return int(next(each["status"] for each in self.sent if each["type"].endswith(".start")))

    @property
    def line(self) -> str:
        return b"".join(each.get("body", b"") for each in self.sent).decode()

    def set_cookies(self) -> list[str]:
        headers = next(each["headers"] for each in self.sent if each["type"].endswith(".start"))
        return [value.decode() for name, value in headers if name == b"set-cookie"]


def asked(house: House, method: str, path: str, *, cookie: str = "", origin: str = "", **more: Any) -> Asked:
    headers = (*([("origin", origin)] if origin else []), *([("cookie", cookie)] if cookie else []))
    return asyncio.run(Asked(house, method, path, headers=(*headers, *more.pop("headers", ())), **more).run())


# ---------------------------------------------------------------- doors


BARE = ("everybody", "sign-in page")


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_without_a_sign_in_there_is_the_sign_in_and_a_bare_answer_and_nothing_else(
    house: House, route: str, method: str
) -> None:
    path = route.replace("{path:path}", "a/b").replace("{", "").replace("}", "").replace(":path", "")
    if route == "/_stcore/stream":
        return
    assert asked(house, method, path).status == (200 if ROUTES[route] in BARE else 401)


@pytest.mark.parametrize("path", ["/_stcore/anything-new", "/app/static/x.js", "/docgraph-new", "/media", "/auth/x"])
def test_a_route_that_nobody_has_looked_at_needs_a_sign_in(house: House, path: str) -> None:
    assert asked(house, "GET", path).status == 401


@pytest.mark.parametrize("route", ROUTES)
def test_who_has_signed_in_comes_in_by_every_door_that_is_theirs(house: House, route: str) -> None:
    path = route.replace("{path:path}", "a/b").replace("{", "").replace("}", "").replace(":path", "")
    viewer = asked(house, "GET", path, cookie=cookies("vi", OTHER_TOKEN)).status
    admin = asked(house, "GET", path, cookie=cookies("ann")).status
    assert (viewer, admin) == {"admin": (403, 200), "nobody": (404, 404)}.get(ROUTES[route], (200, 200))


@pytest.mark.parametrize("method", WRITES)
@pytest.mark.parametrize(
    "cookie",
    [
        *NOBODY,
        cookies("ann", secret="another" * 8),
        cookies("ann", OTHER_TOKEN),
        cookies("ben"),
        cookies("ann", origin="https://other.example"),
        framework_cookie({"sub": "ann", "is_logged_in": True}),
    ],
)
def test_whoever_is_not_signed_in_sends_nothing(house: House, method: str, cookie: str) -> None:
    for path in (UPLOAD, "/", "/_stcore/health"):
        assert asked(house, method, path, cookie=cookie, origin=ORIGIN).status == 401


def test_whoever_is_signed_in_sends_as_before(house: House) -> None:
    assert asked(house, "PUT", UPLOAD, cookie=f"other=1; {cookies('ann')}", origin=ORIGIN).status == 200
    assert asked(house, "PUT", UPLOAD, cookie=cookies("ann")).status == 401, "a browser says where a body is from"


def test_nobody_sends_into_the_page_of_somebody_else(house: House) -> None:
    theirs = replace(house, owner_of=lambda session: id_of(OTHER_TOKEN))
    assert asked(theirs, "PUT", UPLOAD, cookie=cookies("ann"), origin=ORIGIN).status == 403
    assert asked(theirs, "DELETE", UPLOAD, cookie=cookies("ann"), origin=ORIGIN).status == 403
    assert asked(theirs, "PUT", UPLOAD, cookie=cookies("vi", OTHER_TOKEN), origin=ORIGIN).status == 200


def test_where_nobody_signs_in_everything_is_open(house: House) -> None:
    home = replace(house, sign_ins=None)
    for method, path in (("PUT", UPLOAD), ("GET", "/media/x.csv"), ("GET", "/_stcore/metrics"), ("POST", "/")):
        assert asked(home, method, path, comes=iter(())).status == 200


def test_metrics_take_the_token_and_nothing_like_it(house: House) -> None:
    """As Prometheus sends it: ``authorization: credentials``."""
    for each in (replace(house, metrics_token="m" * 20), replace(house, metrics_token="m" * 20, sign_ins=None)):
        for given, status in (("Bearer " + "m" * 20, 200), ("Bearer ", 401), ("m" * 20, 401), ("bearer x\xff", 401)):
            answer = asked(each, "GET", "/_stcore/metrics", headers=(("authorization", given),))
            assert answer.status == status, given
        assert "DOCGRAPH_METRICS_TOKEN" in answer.line
        assert asked(each, "GET", "/media/x", headers=(("authorization", "Bearer " + "m" * 20),)).status == (
            401 if each.sign_ins else 200
        )
    assert asked(house, "GET", "/_stcore/metrics", headers=(("authorization", "Bearer "),)).status == 401


def test_what_a_client_says_of_its_sign_in_reaches_nothing(house: House) -> None:
    forged = ((HEADER, id_of(OTHER_TOKEN)), (HEADER.upper(), "x"))
    assert HEADER not in (asked(house, "GET", "/", headers=forged).seen or {})
    answer = asked(house, "GET", "/media/x", cookie=cookies("ann"), headers=forged)
    assert (answer.seen or {})[HEADER] == [id_of(TOKEN)]


def test_where_the_database_does_not_answer_nobody_is_taken_for_somebody(house: House, people: People) -> None:
    people.is_down = True
    answer = asked(house, "GET", "/media/x", cookie=cookies("ann"))
    assert (answer.status, "does not answer" in answer.line) == (503, True)
    assert asked(house, "GET", "/auth/logout", cookie=cookies("ann")).status == 503
    assert asked(house, "GET", "/").status == 200


def test_below_another_path_the_doors_are_the_same(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamlit.config.get_option", lambda name: "/docs/" if name == "server.baseUrlPath" else None)
    assert asked(house, "GET", "/docs/media/x").status == 401
    assert asked(house, "GET", "/docs/_stcore/health").status == 200
    assert asked(house, "GET", "/docs").status == 200


def test_a_path_leads_through_the_door_of_its_route() -> None:
    assert door_of("/_stcore/upload_file/a/b") == "upload"
    assert door_of("/_stcore/upload_filed") == "signed in"
    assert door_of("/media/") == "signed in"
    assert door_of("/mediation") == "signed in"
    assert door_of("/library") == "sign-in page"
    assert door_of("/") == "sign-in page"


# ---------------------------------------------------------------- sign-ins


def test_a_sign_in_gets_a_token_beside_the_framework_s_cookie(house: House, people: People) -> None:
    made = (("set-cookie", framework_cookie({"sub": "ann", "is_logged_in": True}) + "; HttpOnly; Path=/"),)
    headers = (("user-agent", "Firefox"),)
    answer = asked(house, "GET", "/oauth2callback", answers=made, query=b"code=x&state=y", headers=headers)
    assert people.told == [("begin", "ann", "Firefox", "")]
    (framework, token) = answer.set_cookies()
    assert framework == made[0][1]
    assert token == f"docgraph_sign_in={TOKEN}; HttpOnly; SameSite=Lax; Path=/; Max-Age=43200; Secure"


def test_over_plain_http_on_this_machine_the_cookie_is_kept_too(house: House) -> None:
    here = replace(house, origin="http://127.0.0.1:8501")
    made = (("set-cookie", framework_cookie({"sub": "ann", "is_logged_in": True}, origin=here.origin)),)
    assert not asked(here, "GET", "/oauth2callback", answers=made, query=b"code=x").set_cookies()[1].endswith("Secure")


def test_who_is_turned_away_gets_no_token(house: House, people: People) -> None:
    made = (("set-cookie", framework_cookie({"sub": "ben", "is_logged_in": True})),)
    answer = asked(house, "GET", "/oauth2callback", answers=made, query=b"code=x")
    assert answer.set_cookies()[1].startswith("docgraph_sign_in=; ")


@pytest.mark.parametrize("query", [b"code=x&state=forged", b"error=access_denied"])
def test_a_sign_in_that_fails_is_told_and_coming_back_from_signing_out_is_not(
    house: House, people: People, query: bytes
) -> None:
    gone = (("set-cookie", '_streamlit_user=""; Max-Age=0'),)
    assert len(asked(house, "GET", "/oauth2callback", answers=gone, query=query).set_cookies()) == 1
    assert [each[0] for each in people.told] == ["refused"]
    asked(house, "GET", "/oauth2callback", answers=gone)
    assert len(people.told) == 1


def test_a_sign_in_that_cannot_be_kept_signs_nobody_in(house: House, people: People) -> None:
    people.is_down = True
    made = (("set-cookie", framework_cookie({"sub": "ann", "is_logged_in": True})),)
    answer = asked(house, "GET", "/oauth2callback", answers=made, query=b"code=x")
    assert (answer.status, answer.set_cookies()) == (503, [])


def test_after_signing_out_a_copy_of_the_cookies_opens_nothing(house: House, people: People) -> None:
    copied = cookies("ann")
    assert asked(house, "GET", "/media/x", cookie=copied).status == 200
    answer = asked(house, "GET", "/auth/logout", cookie=copied)
    assert answer.set_cookies() == ["docgraph_sign_in=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0; Secure"]
    assert people.told == [("sign out", "ann", id_of(TOKEN))]
    assert asked(house, "GET", "/media/x", cookie=copied).status == 401


def test_a_link_on_another_page_signs_nobody_out(house: House, people: People) -> None:
    headers = (("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"))
    assert asked(house, "GET", "/auth/logout", cookie=cookies("ann"), headers=headers).status == 403
    assert people.told == []


# ---------------------------------------------------------------- web sockets


def message(n_bytes: int) -> dict[str, Any]:
    return {"type": "websocket.receive", "bytes": b"x" * n_bytes}


GONE = {"type": "websocket.disconnect", "code": 1000}


def test_a_socket_says_to_the_pages_whose_it_is(house: House) -> None:
    answer = asked(
        house, "", "/_stcore/stream", kind="websocket", cookie=cookies("ann"), origin=ORIGIN, comes=iter([GONE])
    )
    assert (answer.seen or {})[HEADER] == [id_of(TOKEN)]


@pytest.mark.parametrize("cookie", [*NOBODY, cookies("ann", OTHER_TOKEN)])
def test_a_socket_without_a_sign_in_brings_no_cookie_of_one(house: House, cookie: str) -> None:
    answer = asked(
        house,
        "",
        "/_stcore/stream",
        kind="websocket",
        cookie=f"_streamlit_xsrf=2|a|b; {cookie}",
        origin=ORIGIN,
        comes=iter([GONE]),
    )
    assert HEADER not in (answer.seen or {})
    assert "_streamlit_user" not in str(answer.seen)
    if not cookie.startswith(";") and "\xff" not in cookie:
        assert "_streamlit_xsrf=2|a|b" in str(answer.seen)


def test_a_socket_without_a_sign_in_carries_what_the_sign_in_page_needs_and_no_more(house: House) -> None:
    few = iter([message(200), message(2_000), GONE])
    assert len(asked(house, "", "/_stcore/stream", kind="websocket", comes=few).received) == 3
    much = iter([message(UNKNOWN_BYTES), message(1), message(1)])
    answer = asked(house, "", "/_stcore/stream", kind="websocket", comes=much)
    assert [each["type"] for each in answer.received] == ["websocket.receive", "websocket.disconnect"]
    assert answer.sent == [{"type": "websocket.close", "code": 1009}]


def test_sockets_without_a_sign_in_are_few_for_one_address(house: House) -> None:
    async def many() -> list[int]:
        opened = [
            asyncio.create_task(Asked(house, "", "/_stcore/stream", kind="websocket").run())
            for _ in range(house.limits.unknown_sockets)
        ]
        await asyncio.sleep(0)
        refused = await Asked(house, "", "/_stcore/stream", kind="websocket", comes=iter([{}])).run()
        signed_in = Asked(
            house,
            "",
            "/_stcore/stream",
            kind="websocket",
            comes=iter([GONE]),
            headers=(("cookie", cookies("ann")), ("origin", ORIGIN)),
        )
        await signed_in.run()
        for each in opened:
            each.cancel()
        await asyncio.gather(*opened, return_exceptions=True)
        assert "DOCGRAPH_SOCKETS_BEFORE_SIGN_IN" in refused.line
        again = await Asked(house, "", "/_stcore/stream", kind="websocket", comes=iter([GONE])).run()
        return [refused.status, len(signed_in.received), len(again.received)]

    assert asyncio.run(many()) == [429, 1, 1]


def test_an_open_page_is_closed_when_its_sign_in_ends(house: House, people: People) -> None:
    async def open_and_end() -> Asked:
        headers = (("cookie", cookies("ann")), ("origin", ORIGIN))
        page = Asked(house, "", "/_stcore/stream", kind="websocket", headers=headers, comes=iter([message(9)]))
        task = asyncio.create_task(page.run())
        while not page.received:
            await asyncio.sleep(0.001)
        assert house.sockets.ids() == (id_of(TOKEN),)
        assert house.sockets.close_unless(lambda _: True) == 0
        assert house.sockets.close_unless(lambda one: people.person(one.sign_in_id, one.claims) is not None) == 0
        people.tokens.clear()
        assert house.sockets.close_unless(lambda one: people.person(one.sign_in_id, one.claims) is not None) == 0
        assert house.sockets.close_unless(lambda one: people.person(one.sign_in_id, one.claims) is not None) == 1
        return await asyncio.wait_for(task, 5)

    page = asyncio.run(open_and_end())
    assert page.received[-1] == {"type": "websocket.disconnect", "code": 1008}
    assert [each["type"] for each in page.sent] == ["websocket.send", "websocket.close"]
    told = ForwardMsg()
    told.ParseFromString(page.sent[0]["bytes"])
    assert (told.auth_redirect.url, page.sent[1]["code"]) == ("./", 1008), "it is loaded anew, and shows the sign-in"
    assert house.sockets.ids() == ()


def test_the_edge_is_the_innermost_of_the_middleware() -> None:
    from docgraph.ui.shell import server

    classes = [each.cls for each in server.middleware() if isinstance(each, Middleware)]
    assert classes[-1] is Edge
