"""E4: the MCP server over HTTP, by clients that say half, slowly, too much, leave in the middle, or claim a session."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import docgraph
from tests.integration.mcp_servers import (
    HELLO,
    SECRETIVE,
    TOKEN,
    documents,
    edges,
    headers,
    http_server,
    post,
    request,
    search,
)
from tests.survive.tally import Row, Tally

ROW = Row(
    row="E4",
    what="MCP over HTTP: half-open, slow, cut, huge, cancelled, 60 at once, foreign session ids, other methods",
    rule="answered as by the protocol or hung up on; alive and right after each; memory and open files as before",
    n=33,
    short=20,
    case="what a client does with its connection",
)
MB = 1_000_000
GROWN = 60 * MB
CALL = json.dumps(search(1)).encode()


def _found(url: str) -> list[Any]:
    answer = post(url, search(1), Authorization=f"Bearer {TOKEN}").json()
    found: list[Any] = answer["result"]["structuredContent"]["candidates"]
    assert found
    return found


def _raw(url: str, *lines: str, body: bytes = b"", start: str = "", token: str = TOKEN, reads: bool = True) -> bytes:
    """A request written by hand: the whole answer, or nothing where nobody waits for it."""
    to = urlsplit(url)
    named = headers(**{"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
    given = [f"{name}: {value}" for name, value in named.items()]
    first = start or f"POST {to.path} HTTP/1.1"
    head = "\r\n".join([first, f"Host: {to.netloc}", "Connection: close", *given, *lines, "", ""])
    with socket.create_connection((to.hostname, to.port), timeout=60) as client:
        with suppress(ConnectionError):
            client.sendall(head.encode() + body)
        said = b""
        with suppress(ConnectionError):
            while reads and (piece := client.recv(65_536)):
                said += piece
        return said


def _sized(n: int = len(CALL)) -> str:
    return f"Content-Length: {n}"


def _status(said: bytes) -> int:
    return int(said.split()[1]) if said else 0


def _ways(url: str) -> dict[str, tuple[Callable[[], bytes], tuple[int, ...]]]:
    """What a client does → the statuses that may come back; 0 = it is hung up on."""
    session = "Mcp-Session-Id: "
    chunked = "Transfer-Encoding: chunked"
    path = urlsplit(url).path
    pieces = b"".join(b"%x\r\n%s\r\n" % (1, CALL[at : at + 1]) for at in range(len(CALL))) + b"0\r\n\r\n"
    cancel = json.dumps(request("notifications/cancelled", None, requestId=1, reason="x")).encode()
    return {
        "a call": (lambda: _raw(url, _sized(), body=CALL), (200,)),
        "a call, a byte a chunk": (lambda: _raw(url, chunked, body=pieces), (200,)),
        "cut in the head": (lambda: _raw(url, start="POST", reads=False), (0,)),
        "cut in the body": (lambda: _raw(url, _sized(), body=CALL[:20], reads=False), (0,)),
        "cut while it is answered": (lambda: _raw(url, _sized(), body=CALL, reads=False), (0,)),
        "cut in a chunk": (lambda: _raw(url, chunked, body=b"fff\r\nx", reads=False), (0,)),
        "a body of 5 MB": (lambda: _raw(url, _sized(5 * MB), body=b" " * 5 * MB), (413, 0)),
        "a body of 20 MB, chunked": (
            lambda: _raw(url, chunked, body=(b"fffff\r\n" + b" " * 0xFFFFF + b"\r\n") * 20 + b"0\r\n\r\n"),
            (413, 0),
        ),
        "a length of 10^20": (lambda: _raw(url, _sized(10**20), body=b"{"), (413, 400, 0)),
        "a length below zero": (lambda: _raw(url, "Content-Length: -5", body=CALL), (400, 0)),
        "two lengths": (lambda: _raw(url, _sized(), _sized(3), body=CALL), (400, 0)),
        "a length and chunks": (lambda: _raw(url, _sized(), chunked, body=b"0\r\n\r\n"), (400, 0)),
        "a head of 200 kB": (lambda: _raw(url, "X: " + "x" * 200_000, _sized(), body=CALL), (400, 431, 0)),
        "2,000 headers": (lambda: _raw(url, *["X: y"] * 2_000, _sized(), body=CALL), (200, 400, 431, 0)),
        "nested to death": (lambda: _raw(url, _sized(200_000), body=b"[" * 200_000), (400,)),
        "a batch of 5,000": (lambda: _batch(url), (400, 200, 413)),
        "a session of nobody's": (lambda: _raw(url, session + "0" * 32, _sized(), body=CALL), (200, 400, 404)),
        "a session that is none": (lambda: _raw(url, session + "../../x", _sized(), body=CALL), (200, 400, 404)),
        "two sessions": (lambda: _raw(url, session + "a", session + "b", _sized(), body=CALL), (200, 400, 404)),
        "an end to a session": (
            lambda: _raw(url, session + "a", start=f"DELETE {path} HTTP/1.1"),
            (200, 400, 404, 405),
        ),
        "somebody else's call cancelled": (lambda: _raw(url, _sized(len(cancel)), body=cancel), (202, 200, 400)),
        "without the token": (lambda: _raw(url, _sized(), body=CALL, token="x"), (401,)),
        "without the token, huge": (lambda: _raw(url, _sized(20 * MB), body=b" " * MB, token="x"), (401, 413, 0)),
        "another path": (lambda: _raw(url, start="GET /../../etc/passwd HTTP/1.1"), (401, 404)),
        "another method": (lambda: _raw(url, start=f"TRACE {path} HTTP/1.1"), (401, 404, 405)),
        "an older protocol": (lambda: _raw(url, _sized(), body=CALL, start=f"POST {path} HTTP/1.0"), (200,)),
        "a newer protocol": (lambda: _raw(url, start="PRI * HTTP/2.0"), (400, 404, 401, 421, 0)),
        "an upgrade": (lambda: _raw(url, "Upgrade: websocket", _sized(), body=CALL), (200, 400, 426)),
        "no HTTP at all": (lambda: _raw(url, start="\x16\x03\x01\x02\x00"), (400, 0)),
    }


def _batch(url: str) -> bytes:
    body = json.dumps([request("ping", n) for n in range(5_000)]).encode()
    return _raw(url, _sized(len(body)), body=body)


def _process(process: subprocess.Popen[str]) -> tuple[int, int]:
    """(bytes in memory, open files)."""
    place = Path(f"/proc/{process.pid}")
    pages = int((place / "statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE"), len(list((place / "fd").iterdir()))


def _half_open(url: str, right: list[Any]) -> None:
    """Sixty that say half and stay, while others ask."""
    to = urlsplit(url)
    with ExitStack() as held:
        for n in range(60):
            client = held.enter_context(socket.create_connection((to.hostname, to.port), timeout=60))
            client.sendall(f"POST {to.path} HTTP/1.1\r\nHost: {to.netloc}\r\n".encode()[: None if n % 2 else 9])
        for _ in range(3):
            assert _found(url) == right


@pytest.mark.timeout(600)
def test_e4_whatever_a_client_does_the_server_is_right_after_it(tally: Tally, new_database_url: str) -> None:
    with docgraph.connect(new_database_url, workspace="w") as dg:
        dg.ingest_records(documents(), edges())
    given = {"DOCGRAPH_DATABASE_URL": new_database_url, "BEARER": TOKEN}
    with http_server("--token-env", "BEARER", **given) as (url, process):
        right = _found(url)
        for name, (way, statuses) in tally.some(_ways(url).items()):
            with tally.trying(name):
                said = way()
                assert _status(said) in statuses, said[:300]
                assert not [word for word in SECRETIVE if word.encode() in said], said[:2_000]
                assert TOKEN.encode() not in said
                assert _found(url) == right
        with tally.trying("sixty that say half"):
            _half_open(url, right)
        with tally.trying("sixty at once, each second one leaves"), ThreadPoolExecutor(16) as pool:
            ask: list[Callable[[], Any]] = [lambda: _found(url), lambda: _raw(url, _sized(), body=CALL, reads=False)]
            found = list(pool.map(lambda n: ask[n % 2](), range(60)))
            assert all(each == right for each in found[::2])
        with tally.trying("a greeting in each of sixty sessions"):
            ids = {post(url, HELLO, Authorization=f"Bearer {TOKEN}").headers.get("mcp-session-id") for _ in range(60)}
            assert ids == {None}, "the server keeps nothing of a session, so there is none to take over"
        with tally.trying("what was large is large no second time, and open files are as before"):
            for _ in range(2):
                _all_large(url)
            before = _process(process)
            for _ in range(3):
                _all_large(url)
            memory, files = _process(process)
            tally.more["megabytes_grown"] = round((memory - before[0]) / MB, 1)
            assert memory - before[0] < GROWN
            assert files <= before[1] + 8
            assert _found(url) == right


def _all_large(url: str) -> None:
    for name in ("a body of 5 MB", "a body of 20 MB, chunked", "nested to death", "a batch of 5,000"):
        _ways(url)[name][0]()
