"""Nonsense for MCP servers: broken JSON, broken JSON-RPC, broken calls; ``DOCGRAPH_TEST_MCP_CASES`` says how much."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.integration.mcp_servers import HELLO, QUERY, request

N_CASES = int(os.environ.get("DOCGRAPH_TEST_MCP_CASES", "100"))
SEED = 20_261_122
METHODS = (
    "tools/call",
    "tools/list",
    "resources/read",
    "resources/list",
    "resources/templates/list",
    "prompts/get",
    "prompts/list",
    "initialize",
    "ping",
    "logging/setLevel",
    "completion/complete",
    "notifications/cancelled",
    "notifications/progress",
    "sampling/createMessage",
    "roots/list",
    "subscriptions/listen",
    "server/discover",
    "x",
    "",
)
TOOLS = (
    "search_memory",
    "plan_retrieval",
    "execute_plan",
    "explain_document",
    "compare_runs",
    "list_relationship_findings",
    "undo",
    "__init__",
    "",
)
NAMES = ("query", "mode", "top_k", "threshold", "channel", "plan", "document_id", "run_id", "limit", "uri", "name", "x")


def fuzz_lines(n: int = N_CASES) -> Iterator[tuple[bytes | dict[str, Any], ...]]:
    """``n`` cases, each the lines of one message or of a few; the same ones every time."""
    rng = random.Random(SEED)
    for number in range(n):
        yield _KINDS[number % len(_KINDS)](rng)


def _value(rng: random.Random, depth: int = 0) -> Any:
    simple: list[Any] = [
        None,
        True,
        0,
        -1,
        10**30,
        0.5,
        "",
        QUERY,
        "x" * 30_000,
        "\x00",
        "‮é🦑",
        "'; DROP TABLE x --",
        "../../etc/passwd",
        "%s%n{0}",
        "docgraph://documents/%00",
        "2026-07-28",
        [],
        {},
    ]
    if depth < 3 and rng.random() < 0.3:
        some = range(rng.randrange(4))
        if rng.random() < 0.5:
            return [_value(rng, depth + 1) for _ in some]
        return {rng.choice(NAMES): _value(rng, depth + 1) for _ in some}
    return rng.choice(simple)


def _call(rng: random.Random) -> tuple[dict[str, Any], ...]:
    arguments = {rng.choice(NAMES): _value(rng) for _ in range(rng.randrange(4))}
    return (request("tools/call", _id(rng), name=rng.choice(TOOLS), arguments=arguments),)


def _method(rng: random.Random) -> tuple[dict[str, Any], ...]:
    params = {rng.choice(NAMES): _value(rng) for _ in range(rng.randrange(4))}
    return (request(rng.choice(METHODS), _id(rng), **params),)


def _shape(rng: random.Random) -> tuple[dict[str, Any], ...]:
    """A message whose own fields are wrong."""
    message = request("tools/list", _id(rng))
    field = rng.choice(["jsonrpc", "id", "method", "params", "result", "error", "x"])
    if rng.random() < 0.3:
        message.pop(field, None)
    else:
        message[field] = _value(rng)
    return (message,)


def _torn(rng: random.Random) -> tuple[bytes, ...]:
    """Good bytes with some of them lost or changed; never a line break, which would make two messages of it."""
    data = bytearray(
        json.dumps(request("tools/call", _id(rng), name="search_memory", arguments={"query": QUERY})).encode()
    )
    for _ in range(rng.randrange(1, 6)):
        place = rng.randrange(len(data))
        data[place : place + rng.randrange(2)] = bytes([rng.choice([0, 34, 44, 91, 123, 125, 255, 128, 92])])
    return (bytes(data[: rng.randrange(1, len(data) + 1)]),)


def _odd(rng: random.Random) -> tuple[bytes, ...]:
    deep = rng.choice([100, 5_000])
    return (
        rng.choice(
            [
                b"",
                b" ",
                b"null",
                b"[]",
                b"{}",
                b"42",
                b'"x"',
                b"\xff\xfe",
                b"[" * deep,
                b'{"a":' * deep,
                b"NaN",
                b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}',
                b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}',
                b'[{"jsonrpc":"2.0","id":5,"method":"ping"}]',
                b"GET / HTTP/1.1",
                b'{"jsonrpc":"2.0",' + b" " * 99_999,
                b'{"jsonrpc":"2.0","id":6,"id":7,"method":"tools/list"}',
                b'{"jsonrpc":"2.0","id":1,"result":{}}',
            ]
        ),
    )


def _order(rng: random.Random) -> tuple[dict[str, Any], ...]:
    """Good messages at a wrong time: a second handshake, a cancelled call, one number twice."""
    number = rng.randrange(10**6, 10**7)
    call = request("tools/call", number, name="search_memory", arguments={"query": QUERY, "top_k": 1})
    stop = request("notifications/cancelled", None, requestId=number)
    return rng.choice([(HELLO,), (call, stop), (stop, call), (call, call)])


def _id(rng: random.Random) -> Any:
    return rng.choice([rng.randrange(10**6, 10**7), f"id-{rng.randrange(10**6)}", 10**18, "", -5])


_KINDS: tuple[Callable[[random.Random], tuple[Any, ...]], ...] = (_call, _method, _shape, _torn, _odd, _order)
