"""The MCP server over standard input and output, in a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters

import docgraph
from tests.integration.mcp_fuzz import fuzz_lines
from tests.integration.mcp_servers import (
    QUERY,
    SECRETIVE,
    Stdio,
    command,
    documents,
    edges,
    environment,
    request,
    search,
)
from tests.integration.server_programs import servers_of

Start = Callable[..., Stdio]


@pytest.fixture(scope="module")
def url(module_database_url: str) -> str:
    """A database with the workspace ``w``."""
    with docgraph.connect(module_database_url, workspace="w") as dg:
        dg.ingest_records(documents(), edges())
    return module_database_url


@pytest.fixture
def start(url: str) -> Iterator[Start]:
    """Starts servers and ends what is left of them."""
    started: list[Stdio] = []

    def begin(*arguments: str, **variables: str) -> Stdio:
        started.append(Stdio(*arguments, **{"DOCGRAPH_DATABASE_URL": url, **variables}))
        return started[-1]

    yield begin
    for each in started:
        each.end()


def test_the_protocols_own_client_searches_and_reads(url: str) -> None:
    given = command("--allow-writes", "--by", "Ann")
    server = StdioServerParameters(command=given[0], args=given[1:], env=environment(DOCGRAPH_DATABASE_URL=url))

    async def work() -> tuple[Any, Any, Any]:
        async with Client(server) as client:
            found = await client.call_tool("search_memory", {"query": QUERY})
            return found, await client.list_tools(), await client.read_resource("docgraph://documents/adr-1")

    found, tools, document = anyio.run(work)
    assert found.structured_content["candidates"][0]["content"].startswith("The booking queue is bounded")
    assert len(tools.tools) == 10
    assert json.loads(document.contents[0].text)["title"] == "Bounded queue"


def test_nonsense_is_answered_by_errors_and_the_next_call_is_right(start: Start) -> None:
    """Standard output carries JSON-RPC and nothing else, no text tells of the inside, and the end is clean."""
    server = start().greet()
    server.send(search(1))
    before = server.answer(1)["result"]["structuredContent"]["candidates"]
    for number, lines in enumerate(fuzz_lines(), start=1_000):
        server.send(*lines, request("ping", number))
        assert server.answer(number)["result"] == {}
    server.send(search(2))
    assert server.answer(2)["result"]["structuredContent"]["candidates"] == before
    code, late = server.leave()
    assert code == 0
    for line in late.splitlines():  # of a request among the nonsense that could be answered, and took longer
        assert json.loads(line)["jsonrpc"] == "2.0"
    assert not [word for word in SECRETIVE if word in server.errors() + "".join(server.seen)]


def test_a_client_that_dies_in_the_middle_of_a_call_ends_the_server_cleanly(start: Start) -> None:
    server = start().greet()
    server.send(*[search(number) for number in range(1, 30)])
    server.process.stdout.close()  # type: ignore[union-attr]
    server.process.stdin.close()  # type: ignore[union-attr]
    assert server.process.wait(60) == 0
    assert not [word for word in (*SECRETIVE, "Error") if word in server.errors()]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to end a process kindly")
@pytest.mark.parametrize("how", [signal.SIGTERM, None])
def test_the_embedded_database_stops_with_its_last_server(
    server_folder: Path, made_cluster: Path, start: Start, how: int | None
) -> None:
    (server_folder / "postgres").mkdir()
    subprocess.run(["cp", "-a", str(made_cluster / "pgdata"), str(server_folder / "postgres")], check=True)
    server = start(DOCGRAPH_DATABASE_URL="", DOCGRAPH_DATA_DIR=str(server_folder)).greet()
    server.send(request("tools/call", 1, name="plan_retrieval", arguments={"query": QUERY}))
    assert "workspace" in server.answer(1)["result"]["content"][0]["text"]  # nothing was imported there
    assert servers_of(server_folder / "postgres")
    if how is None:
        assert server.leave() == (0, b"")
    else:
        server.process.send_signal(how)
        assert server.process.wait(60) == 0
    assert servers_of(server_folder / "postgres") == []
    assert not [word for word in SECRETIVE if word in server.errors()]


def test_a_server_without_a_database_ends_with_one_line_and_no_secret(start: Start) -> None:
    server = start(DOCGRAPH_DATABASE_URL="postgresql://asked:hunter2-is-secret@127.0.0.1:1/nowhere")
    assert server.leave() == (3, b"")
    told = server.errors().splitlines()
    assert [line.split(":")[0] for line in told] == ["error", "hint"]
    assert not [word for word in SECRETIVE if word in "".join(told)]
