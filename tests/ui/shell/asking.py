"""Requests to the edge as a server makes them: people with tokens, cookies, a framework that notes what it saw."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import Any

from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from docgraph.domain.person import Person, Role
from docgraph.errors import StoreError
from docgraph.ui.frame.sign_ins import id_of
from docgraph.ui.shell.cookies import Claims
from docgraph.ui.shell.edge import Edge, House

ORIGIN, SECRET = "https://docs.example", "s" * 40
UPLOAD = "/_stcore/upload_file/session/file"
TOKEN, OTHER_TOKEN = "t" * 43, "o" * 43


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


NOBODY = (
    "",
    "_streamlit_user=",
    "_streamlit_user=forged",
    "_streamlit_user=\xff\xfe; a=b",
    "; ; =",
    f"docgraph_sign_in={TOKEN}",
)
