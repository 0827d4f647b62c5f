"""F10: nonsense for the MCP server, by both ways; wrong names and tokens; many at once; clients that die."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import docgraph
from tests.integration.mcp_fuzz import fuzz_lines
from tests.integration.mcp_servers import (
    SECRETIVE,
    TOKEN,
    Stdio,
    documents,
    edges,
    http_server,
    post,
    request,
    search,
)
from tests.survive.tally import Row, Tally

ROW = Row(
    row="F10",
    what="MCP: broken JSON-RPC over stdio and HTTP, wrong Host, Origin and bearer, 100 at once, clients that die",
    rule="alive and right after each; no text of the inside; standard output is JSON-RPC only",
    n=1_000,
    short=18,
    case="a broken message, by one of two ways",
)
PARALLEL, FEW = 100, 10
"""Calls at once; the short form is short because tests/integration/test_mcp_*.py do the same with 100 of each."""
REFUSED: tuple[tuple[dict[str, str], int], ...] = (
    ({"Host": "evil.example"}, 421),
    ({"Host": "127.0.0.1.evil.example"}, 421),
    ({"Origin": "http://evil.example"}, 403),
    ({"Origin": "null"}, 403),
    ({"Authorization": "Bearer x"}, 401),
    ({"Authorization": f"Bearer {TOKEN}x"}, 401),
    ({"Authorization": ""}, 401),
)


def _candidates(answer: dict[str, Any]) -> list[Any]:
    found: list[Any] = answer["result"]["structuredContent"]["candidates"]
    assert found
    return found


def _by_stdio(tally: Tally, url: str, n: int) -> None:
    server = Stdio(DOCGRAPH_DATABASE_URL=url).greet()
    try:
        server.send(search(1))
        right = _candidates(server.answer(1))
        for number, lines in enumerate(fuzz_lines(n), start=1_000):
            with tally.trying(f"stdio {number - 1_000}"):
                server.send(*lines, request("ping", number))
                assert server.answer(number)["result"] == {}
        with tally.trying("stdio, the next call"):
            server.send(search(2))
            assert _candidates(server.answer(2)) == right
            assert server.leave() == (0, b"")
            assert not [word for word in SECRETIVE if word in server.errors() + "".join(server.seen)]
    finally:
        server.end()


def _by_http(tally: Tally, url: str, n: int) -> None:
    given = {"DOCGRAPH_DATABASE_URL": url, "BEARER": TOKEN}
    with http_server("--token-env", "BEARER", **given) as (there, _):
        right = _candidates(post(there, search(1)).json())
        for number, lines in enumerate(fuzz_lines(n)):
            with tally.trying(f"HTTP {number}"):
                for line in lines:
                    answer = post(there, line)
                    assert answer.status_code < 500 or "jsonrpc" in answer.text
                    assert not [word for word in SECRETIVE if word in answer.text]
        for headers, status in REFUSED:
            with tally.trying(f"HTTP {headers}"):
                assert post(there, search(1), **headers).status_code == status
        at_once = PARALLEL if tally.whole else FEW
        with tally.trying(f"{at_once} at once"), ThreadPoolExecutor(32) as pool:
            found = pool.map(lambda n: _candidates(post(there, search(n)).json()), range(at_once))
            assert all(each == right for each in found)


@pytest.mark.timeout(1_800)
def test_f10_nonsense_leaves_the_server_right(tally: Tally, new_database_url: str) -> None:
    with docgraph.connect(new_database_url, workspace="w") as dg:
        dg.ingest_records(documents(), edges())
    _by_stdio(tally, new_database_url, tally.n // 2)
    _by_http(tally, new_database_url, tally.n // 2)
    with tally.trying("a client that dies in the middle of a call"):
        server = Stdio(DOCGRAPH_DATABASE_URL=new_database_url).greet()
        server.send(*[search(number) for number in range(1, 30)])
        server.process.stdout.close()  # type: ignore[union-attr]
        server.process.stdin.close()  # type: ignore[union-attr]
        assert server.process.wait(60) == 0
        server.end()
