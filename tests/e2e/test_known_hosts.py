"""The served dashboard under foreign names and from foreign pages: refused by docgraph itself, and nothing goes out."""

from __future__ import annotations

import http.client
import os
import re
import socket
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from docgraph.ui.shell.doors import ROUTES
from tests import ROOT
from tests.e2e.conftest import PROXY


def _asked(url: str, *lines: str) -> tuple[int, str]:
    """(status, body) of a request written by hand; ``{own}`` stands for the dashboard's host and port."""
    own = urlsplit(url).netloc
    with socket.create_connection((urlsplit(url).hostname, urlsplit(url).port), timeout=60) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).replace("{own}", own).encode())
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        return answer.status, "" if answer.status == 101 else answer.read().decode()


def _websocket(url: str, *, origin: str) -> tuple[int, str]:
    handshake = ("Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")
    lines = ("GET /_stcore/stream HTTP/1.1", "Host: {own}", f"Origin: {origin}", "Connection: Upgrade", *handshake)
    return _asked(url, *lines)


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost:1", "null"])
def test_a_websocket_of_a_foreign_page_is_refused_and_no_call_goes_out(app_url: str, origin: str) -> None:
    """Streamlit asked an outside host for this machine's address; the fixture fails when anything leaves."""
    status, body = _websocket(app_url, origin=origin)
    assert status == 403
    assert "DOCGRAPH_ALLOWED_HOSTS" in body


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/_stcore/metrics", "/docgraph-assets/"])
def test_a_foreign_name_is_refused_on_every_path(app_url: str, path: str) -> None:
    status, body = _asked(app_url, f"GET {path} HTTP/1.1", "Host: evil.example")
    assert (status, body[:44]) == (421, "docgraph does not answer to the name 'evil.e")


ENDPOINTS = {
    "/": "/",
    "/docgraph-assets": "/docgraph-assets/vis-network.min.js",
    "/docgraph-backup/{word}": "/docgraph-backup/word",
    "/docgraph-health": "/docgraph-health",
    "/_stcore/health": "/_stcore/health",
    "/_stcore/metrics": "/_stcore/metrics",
    "/_stcore/host-config": "/_stcore/host-config",
    "/media/{file_id:path}": "/media/report.csv",
    "/_stcore/upload_file/{session_id}/{file_id}": "/_stcore/upload_file/session/file",
    "/component/{path:path}": "/component/a/b.js",
    "/_stcore/bidi-components/{path:path}": "/_stcore/bidi-components/a/b.js",
    "/_stcore/stream": "/_stcore/stream",
    "/auth/login": "/auth/login",
    "/auth/logout": "/auth/logout",
    "/oauth2callback": "/oauth2callback",
    "/_stcore/agent/interact": "/_stcore/agent/interact",
    "/_stcore/agent/openapi.json": "/_stcore/agent/openapi.json",
    "/_stcore/agent/mcp": "/_stcore/agent/mcp",
}
"""Every route of the server → an address of it; the last one takes what no other does: pages and their scripts."""

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
UPGRADE = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBs")
REFUSED = {  # what is no HTTP at all the server beneath refuses itself (400)
    "a foreign name": (421, ("Host: evil.example",)),
    "a foreign name with the port": (421, ("Host: evil.example:{port}",)),
    "no name": (400, ("X-Host: {own}",)),
    "two names": (400, ("Host: {own}", "Host: evil.example")),
    "a name that somebody forwards": (421, ("Host: evil.example", "X-Forwarded-Host: {own}")),
    "a foreign page": (403, ("Host: {own}", "Origin: https://evil.example")),
    "a page of another port": (403, ("Host: {own}", "Origin: http://127.0.0.1:1")),
    "nobody's page": (403, ("Host: {own}", "Origin: null")),
    "a foreign page's picture": (403, ("Host: {own}", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors")),
}


def test_every_route_of_the_server_stands_in_the_table() -> None:
    """Asked of the server's own table, so that a new version brings no way in that is not looked at."""
    program = (
        "import runpy; app = runpy.run_path('app.py', run_name='routes')['app']\n"
        "print(*{route.path or '/' for route in app._build_starlette_app().routes}, sep='\\n')"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True
    )
    assert set(found.stdout.decode().split()) == ENDPOINTS.keys(), found.stderr.decode()
    assert ROUTES.keys() == ENDPOINTS.keys(), "who may come in by it is not said"


def test_the_page_on_security_says_who_may_come_in_by_which_route() -> None:
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `(/\S*)` \| \*([\w -]+)\* \|", page, flags=re.MULTILINE))
    assert told == ROUTES


def _status(url: str, *lines: str, source: str = "127.0.0.1") -> int:
    """The status of a request written by hand, from an address of this machine."""
    to = urlsplit(url)
    told = (
        "\r\n".join([*lines, "Content-Length: 0", "", ""]).replace("{own}", to.netloc).replace("{port}", str(to.port))
    )
    with socket.create_connection((to.hostname, to.port), timeout=60, source_address=(source, 0)) as connection:
        connection.sendall(told.encode())
        with connection.makefile("rb") as answer:
            return int(answer.readline().split()[1])


@pytest.mark.parametrize("why", REFUSED)
@pytest.mark.parametrize("route", ENDPOINTS)
def test_nothing_is_answered_under_a_foreign_name_or_to_a_foreign_page(app_url: str, route: str, why: str) -> None:
    """Whatever the route, the method, and whether a WebSocket is asked for."""
    status, headers = REFUSED[why]
    for method in METHODS:
        assert _status(app_url, f"{method} {ENDPOINTS[route]} HTTP/1.1", *headers) == status, method
    # A handshake that the server beneath cannot read is refused by it, before anybody is asked.
    assert _status(app_url, f"GET {ENDPOINTS[route]} HTTP/1.1", *headers, *UPGRADE) in (status, 400)


@pytest.mark.parametrize(
    ("source", "headers", "status"),
    [
        (PROXY, ("Host: inner:8501", "X-Forwarded-Host: docs.example"), 200),
        (PROXY, ("Host: inner:8501", "Forwarded: for=198.51.100.3;host=docs.example"), 200),
        (PROXY, ("Host: inner:8501", "X-Forwarded-Host: evil.example"), 421),
        (PROXY, ("Host: docs.example", "X-Forwarded-For: 198.51.100.3", "Forwarded: for=127.0.0.1"), 400),
        (PROXY, ("Host: inner:8501", "X-Forwarded-Host: docs.example", "Origin: https://docs.example"), 200),
        (PROXY, ("Host: inner:8501", "X-Forwarded-Host: docs.example", "Origin: https://evil.example"), 403),
        ("127.0.0.1", ("Host: inner:8501", "X-Forwarded-Host: docs.example"), 421),
        ("127.0.0.3", ("Host: inner:8501", "Forwarded: host=docs.example"), 421),
        ("127.0.0.3", ("Host: docs.example",), 200),
    ],
)
def test_the_running_server_believes_the_named_proxy_and_nobody_else(
    app_url: str, source: str, headers: tuple[str, ...], status: int
) -> None:
    if sys.platform != "linux":
        pytest.skip("only here every 127.x.x.x is an address of this machine")
    assert _status(app_url, "GET /_stcore/health HTTP/1.1", *headers, source=source) == status


def test_the_dashboard_s_own_pages_are_answered(app_url: str) -> None:
    assert _asked(app_url, "GET /_stcore/health HTTP/1.1", "Host: {own}")[0] == 200
    assert _websocket(app_url, origin="http://{own}")[0] == 101
