"""The independent Inspector calls the MCP server, over standard input and output and over HTTP."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import platformdirs
import pytest

import docgraph
from tests.integration.mcp_servers import QUERY, TOKEN, command, documents, edges, environment, http_server

VERSION = "2.12.0"
NODE, OLDEST_NODE = "22.23.3", (22, 19)
"""The Node.js that is installed beside it where the machine's own is older than the Inspector takes."""

CACHE = Path(os.environ.get("DOCGRAPH_TEST_CACHE") or platformdirs.user_cache_dir("docgraph-tests"))
TOOL_ERROR = 5
Inspect = Callable[..., tuple[int, Any, str]]
"""Arguments → (exit code, result, standard error)."""

CALLS: list[tuple[str, dict[str, Any], int, str]] = [
    ("ok", {"query": QUERY, "threshold": 0.0}, 0, "SUCCESS RERANK_BYPASSED"),
    ("empty", {"query": "   "}, 0, "EMPTY_SET"),
    ("low confidence", {"query": "zebra crossing in winter", "threshold": 1.0}, 0, "LOW_CONFIDENCE"),
    ("bad mode", {"query": QUERY, "mode": "bad"}, TOOL_ERROR, "mode: Input should be 'fast', 'accurate' or"),
    ("top_k = 0", {"query": QUERY, "top_k": 0}, TOOL_ERROR, "top_k: Input should be greater than or equal to 1"),
    ("no query", {}, TOOL_ERROR, "query: Field required"),
]
READING = 6


@pytest.fixture(scope="module")
def inspector() -> list[str]:
    """The command line of the Inspector, installed once into a cache beside the user's other caches."""
    folder = CACHE / f"inspector-{VERSION}-{platform.machine()}"
    program = folder / "node_modules" / "@modelcontextprotocol" / "inspector"
    if not program.is_dir():
        _install(folder)
    own = folder / "node_modules" / "node" / "bin" / "node"
    node = str(own) if own.is_file() else shutil.which("node") or "node"
    start = json.loads((program / "package.json").read_text())["bin"]["mcp-inspector"]
    return [node, str(program / start), "--cli"]


def _install(folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm: install Node.js to let the MCP Inspector check the server")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}')
    wanted = [f"@modelcontextprotocol/inspector@{VERSION}", *([] if _node_will_do() else [f"node@{NODE}"])]
    options = ["--no-audit", "--no-fund", "--prefix", str(folder)]
    try:
        done = subprocess.run([npm, "install", *options, *wanted], capture_output=True, text=True, timeout=240)
    except subprocess.TimeoutExpired:
        pytest.skip("npm did not bring the MCP Inspector within 240 seconds")
    if done.returncode:
        shutil.rmtree(folder / "node_modules", ignore_errors=True)
        why = next((line for line in done.stderr.splitlines() if line.startswith("npm error")), "no reason given")
        pytest.skip(f"npm could not install the MCP Inspector: {why[:120]}")


def _node_will_do() -> bool:
    node = shutil.which("node")
    if node is None:
        return False
    found = re.match(r"v(\d+)\.(\d+)", subprocess.run([node, "--version"], capture_output=True, text=True).stdout)
    return found is not None and (int(found[1]), int(found[2])) >= OLDEST_NODE


@pytest.fixture(scope="module")
def url(module_database_url: str) -> str:
    with docgraph.connect(module_database_url, workspace="w") as dg:
        dg.ingest_records(documents(), edges())
    return module_database_url


@pytest.fixture(scope="module")
def over_stdio(inspector: list[str], url: str, tmp_path_factory: pytest.TempPathFactory) -> Inspect:
    folder = tmp_path_factory.mktemp("inspector")
    given, known = command(), environment(DOCGRAPH_DATABASE_URL=url)
    variables = {name: known[name] for name in ("DOCGRAPH_DATABASE_URL", "DOCGRAPH_DATA_DIR", "PYTHONPATH")}
    server = {"command": given[0], "args": given[1:], "env": variables}
    file = folder / "servers.json"
    file.write_text(json.dumps({"mcpServers": {"docgraph": server}}))
    return _inspect([*inspector, "--config", str(file), "--server", "docgraph"], folder)


@pytest.fixture(scope="module")
def over_http(inspector: list[str], url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inspect]:
    given = {"DOCGRAPH_DATABASE_URL": url, "BEARER": TOKEN}
    with http_server("--token-env", "BEARER", **given) as (there, _):
        ask = [*inspector, "--server-url", there, "--transport", "http", "--header", f"Authorization: Bearer {TOKEN}"]
        yield _inspect(ask, tmp_path_factory.mktemp("inspector"))


def _inspect(ask: Sequence[str], home: Path) -> Inspect:
    def run(*arguments: str) -> tuple[int, Any, str]:
        variables = {**os.environ, "HOME": str(home), "MCP_INSPECTOR_SECRET_STORE": "memory"}
        done = subprocess.run(
            [*ask, "--format", "json", *arguments], env=variables, capture_output=True, text=True, timeout=120
        )
        return done.returncode, json.loads(done.stdout)["result"] if done.stdout else None, done.stderr

    return run


@pytest.mark.parametrize("way", ["over_stdio", "over_http"])
def test_the_inspector_lists_and_calls_the_tools(way: str, request: pytest.FixtureRequest) -> None:
    """tools/list under --strict (schemas that every client understands), then six calls, two at a time.

    Over stdio each call starts a server, so that four of the six are made under ``CI=true`` and ``make inspect`` only.
    """
    inspect: Inspect = request.getfixturevalue(way)
    calls = CALLS if way == "over_http" or os.environ.get("CI") else [CALLS[0], CALLS[-1]]

    def call(arguments: dict[str, Any]) -> tuple[int, Any, str]:
        given = ["--tool-name", "search_memory", "--tool-args-json", json.dumps(arguments)]
        return inspect("--method", "tools/call", *given)

    with ThreadPoolExecutor(2) as pool:
        listing = pool.submit(inspect, "--method", "tools/list", "--strict")
        answers = list(pool.map(call, [arguments for _, arguments, _, _ in calls]))
    code, listed, told = listing.result()
    assert (code, len(listed["tools"])) == (0, READING), told
    for (name, _, expected, said), (code, result, told) in zip(calls, answers, strict=True):
        assert code == expected, (name, told)
        if expected:
            assert result["isError"], name
            assert result["content"][0]["text"].startswith(said), name
        else:
            assert result["structuredContent"]["next_action"]["branch_code"] in said.split(), name
