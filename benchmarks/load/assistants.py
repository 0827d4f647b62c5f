"""Assistants at ``docgraph mcp --http``, for Locust: each calls ``search_memory``, thinks, and calls it again."""

from __future__ import annotations

import random

import gevent
from locust import FastHttpUser, events, task
from locust.env import Environment

from benchmarks.load.meter import Meter

HEADERS = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}


@events.init.add_listener
def _measured(environment: Environment, **_: object) -> None:
    Assistant.meter = Meter(environment)


class Assistant(FastHttpUser):
    """One client with one connection that is kept."""

    meter: Meter
    connection_timeout = network_timeout = 60.0

    def on_start(self) -> None:
        """Say hello, as every client does."""
        who = {"name": "load", "version": "1"}
        said = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who}
        try:
            self._call("hello", "initialize", said)
        finally:
            self.meter.ready()  # whoever fails is not waited for
        self.meter.begun.wait()
        if not self.meter.volley:
            gevent.sleep(random.uniform(0, 2 * self.meter.options.think))

    @task
    def ask(self) -> None:
        """A new question; answered = candidates came back."""
        asked = {"name": "search_memory", "arguments": {"query": self.meter.question()}}
        self._call("question", "tools/call", asked)
        self.meter.answered()
        gevent.sleep(600 if self.meter.volley else random.uniform(0.5, 1.5) * self.meter.options.think)

    def _call(self, name: str, method: str, params: dict[str, object]) -> None:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        with self.client.post("/mcp", json=body, headers=HEADERS, name=name, catch_response=True) as answer:
            if answer.status_code == 200:
                result = answer.json().get("result", {})
                if name == "question" and not result.get("structuredContent", {}).get("candidates"):
                    answer.failure(f"no candidates: {str(result)[:80]}")
