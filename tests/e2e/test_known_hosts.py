"""The served dashboard under foreign names and from foreign pages: refused by docgraph itself, and nothing goes out."""

from __future__ import annotations

import http.client
import socket
from urllib.parse import urlsplit

import pytest


def _asked(url: str, *lines: str) -> tuple[int, str]:
    """(status, body) of a request written by hand; ``{own}`` stands for the dashboard's host and port."""
    own = urlsplit(url).netloc
    with socket.create_connection((urlsplit(url).hostname, urlsplit(url).port), timeout=30) as connection:
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


def test_the_dashboard_s_own_pages_are_answered(app_url: str) -> None:
    assert _asked(app_url, "GET /_stcore/health HTTP/1.1", "Host: {own}")[0] == 200
    assert _websocket(app_url, origin="http://{own}")[0] == 101
