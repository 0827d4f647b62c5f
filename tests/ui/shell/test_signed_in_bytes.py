"""Bytes are taken from whoever is signed in, where people sign in; everything else passes."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from streamlit.web.server import server_util
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from docgraph.ui.shell.signed_in_bytes import Claims, SignedInBytes

SECRET, ORIGIN = "s" * 32, "https://docs.example"
UPLOAD = "/_stcore/upload_file/session/file"


@pytest.fixture(autouse=True)
def _secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_util, "get_cookie_secret", lambda: SECRET)


def cookie(claims: Any, *, secret: str = SECRET, origin: str = ORIGIN) -> str:
    value = create_signed_value(secret, "_streamlit_user", json.dumps({**claims, "origin": origin}))
    return f"_streamlit_user={value.decode('latin-1')}"


def asked(method: str, *, cookies: str = "", kind: str = "http", origin: str = ORIGIN, signs: bool = True) -> int:
    """The status, 200 where the request reaches the framework."""
    statuses: list[int] = []

    async def framework(scope: Any, receive: Any, send: Any) -> None:
        statuses.append(200)

    async def send(message: Any) -> None:
        if message["type"].endswith(".start"):
            statuses.append(message["status"])

    async def receive() -> Any:
        raise AssertionError("nothing of a refused body is read")

    def is_known(claims: Claims) -> bool:
        return claims.get("sub") == "ann"

    headers = [(b"origin", origin.encode())] if origin else []
    headers += [(b"cookie", cookies.encode("latin-1"))] if cookies else []
    scope = {"type": kind, "method": method, "path": UPLOAD, "headers": headers}
    asyncio.run(SignedInBytes(framework, is_known if signs else None)(scope, receive, send))
    [status] = statuses
    return status


@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE", "PATCH", "put", "ANYTHING"])
@pytest.mark.parametrize(
    "cookies",
    [
        "",
        "_streamlit_user=",
        "_streamlit_user=forged",
        "_streamlit_user=\xff\xfe; a=b",
        "; ; =",
        cookie({"sub": "ann"}, secret="another" * 8),
        cookie({"sub": "ben"}),
        cookie({"sub": "ann"}, origin="https://other.example"),
    ],
)
def test_whoever_is_not_signed_in_sends_nothing(method: str, cookies: str) -> None:
    assert asked(method, cookies=cookies) == 401


def test_whoever_is_signed_in_sends_as_before() -> None:
    assert asked("PUT", cookies=f"other=1; {cookie({'sub': 'ann'})}") == 200
    assert asked("PUT", cookies=cookie({"sub": "ann"}), origin="") == 401, "a browser says where a request is from"


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_reading_passes_and_every_page_asks_for_the_sign_in_itself(method: str) -> None:
    assert asked(method) == 200


def test_a_web_socket_passes_and_where_nobody_signs_in_everything_does() -> None:
    assert asked("GET", kind="websocket") == 200
    assert asked("PUT", signs=False) == 200
