"""A client of the HTTP API in this process, over the small workspace of the tests of assistants."""

from __future__ import annotations

from typing import Any

import httpx2
from starlette.testclient import TestClient

import docgraph
from docgraph.boundary.hosts import own_hosts
from docgraph.http_server.access import Access, Guard
from docgraph.http_server.application import Workplace, application
from docgraph.orchestration.docgraph import Docgraph
from tests.integration.mcp_servers import QUERY, SECRETIVE, documents, edges

ASKED = {"query": QUERY}
READS, WRITES = "reading-token-0123", "writing-token-0123"
JSON = {"Content-Type": "application/json"}


def small_workspace() -> Docgraph:
    """The workspace ``w`` with four documents and two relationships, in memory."""
    dg = docgraph.connect(store="memory", workspace="w")
    dg.ingest_records(documents(), edges())
    return dg


def client_of(dg: Docgraph, *, tokens: tuple[str, str] = ("", ""), shown: str = "", **given: Any) -> TestClient:
    """A client that shows a token; ``tokens`` = those that read and write, ``given`` = of the ``Workplace``."""
    app = Guard(application(Workplace(dg, **given), Access.by(*tokens)), own_hosts("127.0.0.1", ("docs.example",)))
    return TestClient(
        app, base_url="http://127.0.0.1:8766", headers={"Authorization": f"Bearer {shown}"} if shown else {}
    )


def refused(answer: httpx2.Response, status: int, code: str) -> str:
    """What a refusal says; it holds a message and nothing that no client is told."""
    assert (answer.status_code, answer.json()["error"]) == (status, code), answer.text
    assert set(answer.json()) == {"error", "message", "hint"}
    assert not [word for word in SECRETIVE if word in answer.text]
    told: str = answer.json()["message"]
    assert told
    return told
