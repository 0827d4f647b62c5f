"""The MCP server over HTTP, in a process of its own: who may ask it, and what it bears."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

import docgraph
from docgraph.cli import edge
from tests.integration.mcp_fuzz import fuzz_lines
from tests.integration.mcp_servers import (
    HELLO,
    QUERY,
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


@pytest.fixture(scope="module")
def url(module_database_url: str) -> Iterator[str]:
    """A server that asks for a token, over a small workspace."""
    with docgraph.connect(module_database_url, workspace="w") as dg:
        dg.ingest_records(documents(), edges())
    given = {"DOCGRAPH_DATABASE_URL": module_database_url, "BEARER": TOKEN}
    with http_server("--token-env", "BEARER", "--allowed-host", "docs.example", **given) as (there, _):
        yield there


def _found(url: str) -> list[Any]:
    answer = post(url, search(1)).json()
    found: list[Any] = answer["result"]["structuredContent"]["candidates"]
    assert found
    return found


def test_the_protocols_own_client_with_the_token_searches_and_reads(url: str) -> None:
    async def work() -> tuple[Any, Any]:
        known = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=known, trust_env=False) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            found = await client.call_tool("search_memory", {"query": QUERY})
            return found, await client.read_resource("docgraph://documents/adr-1")

    found, document = anyio.run(work)
    assert found.structured_content["candidates"][0]["content"].startswith("The booking queue is bounded")
    assert json.loads(document.contents[0].text)["title"] == "Bounded queue"


@pytest.mark.parametrize(
    "shown", ["", "Bearer", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer \x7fé"]
)
def test_without_the_token_nothing_is_answered(url: str, shown: str) -> None:
    for message in (HELLO, search(1), request("tools/list")):
        with httpx2.Client(trust_env=False) as http:
            sent = {**headers(), "Content-Type": "application/json", "Authorization": shown}
            answer = http.post(url, json=message, headers=[(k, v.encode()) for k, v in sent.items() if v])
        assert answer.status_code == 401
        assert "Bounded" not in answer.text
        assert TOKEN[:-1] not in answer.text
    assert _found(url)


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("Host", "evil.example", 421),
        ("Host", "evil.example:8765", 421),
        ("Host", "127.0.0.1.evil.example", 421),
        ("Host", "docs.example", 200),
        ("Host", "localhost:1234", 200),
        ("Origin", "http://evil.example", 403),
        ("Origin", "null", 403),
        ("Origin", "http://127.0.0.1.evil.example", 403),
        ("Origin", "http://{own}", 200),
        ("Origin", "http://localhost:3000", 403),
        ("Origin", "http://127.0.0.1", 403),
        ("Origin", "https://docs.example", 200),
        ("Origin", "https://docs.example:8443", 403),
    ],
)
def test_only_known_names_and_origins_are_answered(url: str, header: str, value: str, status: int) -> None:
    """Any page that a program of this machine served passed for the server's own, whatever its port."""
    assert post(url, search(1), **{header: value.replace("{own}", urlsplit(url).netloc)}).status_code == status


def test_a_body_that_is_too_large_or_no_json_is_refused(url: str) -> None:
    assert post(url, b" " * (5 * 1024 * 1024)).status_code == 413
    assert post(url, b"{", **{"Content-Type": "text/plain"}).status_code == 400
    assert _found(url)


def test_nonsense_is_refused_and_the_next_call_is_right(url: str) -> None:
    before = _found(url)
    for lines in fuzz_lines():
        for line in lines:
            answer = post(url, line)
            assert answer.status_code < 500 or "jsonrpc" in answer.text, (line, answer.text)
            assert not [word for word in SECRETIVE if word in answer.text]
    assert _found(url) == before


def test_a_hundred_calls_at_once_get_the_answers_of_one(url: str) -> None:
    alone = _found(url)
    with ThreadPoolExecutor(32) as pool:
        assert all(found == alone for found in pool.map(lambda _: _found(url), range(100)))


def test_clients_that_die_in_the_middle_of_a_call_leave_the_server_right(url: str) -> None:
    alone, there = _found(url), urlsplit(url)
    body = json.dumps(search(1)).encode()
    lines = [f"{name}: {value}" for name, value in headers(**{"Content-Type": "application/json"}).items()]
    head = "\r\n".join([f"POST {there.path} HTTP/1.1", f"Host: {there.netloc}", *lines, ""])
    for n in range(30):
        with socket.create_connection((there.hostname, there.port), timeout=60) as client:  # type: ignore[arg-type]
            cut = len(body) if n % 3 else len(body) // 2  # some leave before they have said everything
            client.sendall(head.encode() + f"Content-Length: {len(body)}\r\n\r\n".encode() + body[:cut])
    assert _found(url) == alone


@pytest.mark.slow
def test_three_hundred_connections_that_say_nothing_or_half_are_all_closed_and_the_server_answers(url: str) -> None:
    """They stayed open for ever: each held a place, and a file of the process."""
    alone, there = _found(url), urlsplit(url)
    head = f"POST {there.path} HTTP/1.1\r\nHost: {there.netloc}\r\nContent-Length: 100\r\n".encode()
    said = (b"", head, head + b"\r\n{", b"GET / HTTP/1.1\r\n")
    with ExitStack() as held:
        clients = []
        for n in range(300):
            client = held.enter_context(socket.create_connection((there.hostname, there.port), timeout=60))
            clients.append(client)
            with suppress(ConnectionError):  # over the limit: it may be closed already
                client.sendall(said[n % len(said)])
        for client in clients:
            with suppress(ConnectionError):
                while client.recv(1_000):
                    pass
        assert _found(url) == alone


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--http", "--host", "0.0.0.0"], 1, "listening on '0.0.0.0' needs a token"),
        (["--http", "--host", "docs.example"], 1, "listening on 'docs.example' needs a token"),
        (["--http", "--token-env", "NOT_SET"], 3, "the variable NOT_SET contains no token"),
        (["--http", "--token-env", "SHORT"], 3, "the token in SHORT is not usable: 7 characters"),
        (["--http", "--allow-writes", "--by", "Ann"], 1, "changing relationships over HTTP needs a token"),
        (["--port", "9000"], 1, "--host, --port, --token-env and --allowed-host need --http"),
        (["--allow-writes"], 1, "--allow-writes needs an author"),
        (["--by", "Ann"], 1, "--by needs --allow-writes"),
    ],
)
def test_what_would_be_unsafe_is_refused_before_anything_starts(
    arguments: list[str], code: int, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHORT", "hunter2")
    assert edge.run(["mcp", *arguments]) == code
    written = capsys.readouterr()
    assert written.err.startswith(f"error: {told}")
    assert "hint: " in written.err
    assert "hunter2" not in written.out + written.err


def test_a_port_that_is_taken_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], module_database_url: str
) -> None:
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", module_database_url)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert edge.run(["mcp", "-w", "w", "--http", "--port", str(port)]) == 3
    assert f"cannot listen on 127.0.0.1:{port}" in capsys.readouterr().err
