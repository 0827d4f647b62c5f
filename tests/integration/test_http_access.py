"""Who may do what over the HTTP API, under which names it answers, and how it is started."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import quote

import anyio
import httpx2
import pytest

import docgraph
from docgraph.cli import edge
from docgraph.http_server import routes
from docgraph.http_server.application import Workplace
from docgraph.http_server.routes import ROUTES, Call, Route
from docgraph.orchestration.docgraph import Docgraph
from tests.integration.http_api import ASKED, READS, WRITES, client_of, refused, small_workspace
from tests.integration.mcp_servers import HOSTILE_ID, QUERY, SECRETIVE, documents, edges, environment

REMOVAL = {"action": "remove", "key": ["design-1", "explains", "adr-1"]}
CHANGE = {"edits": [REMOVAL], "by": "Ann", "reason": "It does not."}


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    with small_workspace() as made:
        yield made


@pytest.fixture(scope="module")
def only_read() -> Iterator[Docgraph]:
    """A workspace that no test writes to."""
    with small_workspace() as made:
        yield made


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)
def test_every_route_asks_for_the_token_that_it_needs(only_read: Docgraph, route: Route) -> None:
    path = route.path.format(workspace="w", document_id="adr-1")
    by_need = {"anyone": (200, 200, 200), "read": (401, 0, 0), "write": (401, 403, 0)}

    def status(shown: str, tokens: tuple[str, str] = (READS, WRITES)) -> int:
        found: int = client_of(only_read, tokens=tokens, shown=shown).request(route.method, path).status_code
        return found if found in (200, 401, 403) and not (found == 200 and route.needs != "anyone") else 0

    assert tuple(map(status, ("", READS, WRITES))) == by_need[route.needs]
    for shown in (READS[:-1], f"{READS}x", WRITES.upper()):
        assert status(shown) == by_need[route.needs][0]
    assert status("", ("", "")) == {"anyone": 200, "read": 0, "write": 403}[route.needs]
    assert status("", ("", WRITES)) == by_need[route.needs][0], "with one token nothing is open"


def test_nothing_is_written_but_by_an_edit_with_the_token_that_may(dg: Docgraph) -> None:
    before = dg.workspace.state
    reader, writer = (client_of(dg, tokens=(READS, WRITES), shown=token) for token in (READS, WRITES))
    assert writer.post("/v1/w/relationships/impact", json={"edits": [REMOVAL]}).status_code == 200
    refused(reader.post("/v1/w/relationships", json=CHANGE), 403, "forbidden")
    refused(client_of(dg).post("/v1/w/relationships", json=CHANGE), 403, "read_only")
    dry = writer.post("/v1/w/relationships", json={**CHANGE, "dry_run": True}).json()
    assert dry["entries"][0]["entry_id"] == 0
    refused(writer.post("/v1/w/relationships", json={**CHANGE, "by": " \n"}), 422, "invalid_request")
    assert (dg.workspace.state, dg.relationships.history()) == (before, ())
    made = writer.post("/v1/w/relationships", json=CHANGE).json()["entries"][0]
    [entry] = dg.relationships.history()
    assert (entry.entry_id, entry.by, entry.reason) == (made["entry_id"], "Ann", "It does not.")
    refused(writer.post("/v1/w/relationships", json=CHANGE), 404, "not_found")
    back = {**CHANGE, "edits": [{**REMOVAL, "action": "add"}]}
    assert writer.post("/v1/w/relationships", json={**back, "new_types": True}).status_code == 200
    refused(writer.post("/v1/w/relationships", json=back), 409, "conflict")


def test_reading_is_done_as_a_viewer(dg: Docgraph) -> None:
    """Whatever a handler did, the store refuses a write of a reading route."""

    def writes(call: Call) -> routes.messages.Health:
        call.docgraph.runs.save(QUERY, name="x")
        return routes.messages.Health()

    route = Route("GET", "/x", writes, routes.messages.Health)
    with pytest.raises(docgraph.DocgraphError, match="viewer"):
        anyio.run(lambda: Workplace(dg).work(route, "w"))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Host": "docs.example"}, 200),
        ({"Host": "localhost:1234"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:3000"}, 403),
        ({"Origin": "http://127.0.0.1:8766"}, 200),
    ],
)
def test_only_known_names_and_origins_are_answered(only_read: Docgraph, headers: dict[str, str], status: int) -> None:
    client = client_of(only_read)
    for answer in (client.get("/health", headers=headers), client.post("/v1/w/plan", json=ASKED, headers=headers)):
        assert answer.status_code == status
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in answer.headers
    assert client.options("/v1/w/plan", headers={"Origin": "http://127.0.0.1:8766"}).status_code == 405


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--host", "0.0.0.0"], 1, "listening on '0.0.0.0' needs a token"),
        (["--host", "docs.example"], 1, "listening on 'docs.example' needs a token"),
        (["--token-env", "NOT_SET"], 3, "the variable NOT_SET contains no token"),
        (["--write-token-env", "SHORT"], 3, "the token in SHORT is not usable: 7 characters"),
        (["--token-env", "ONE", "--write-token-env", "TWO"], 1, "the token that reads and the one that writes are"),
        (["--allowed-host", "https://docs.example"], 1, "--allowed-host: 'https://docs.example' is not a host name"),
        (["-w", "No!"], 1, "no workspace can be called 'No!'"),
    ],
)
def test_what_would_be_unsafe_is_refused_before_anything_starts(
    arguments: list[str], code: int, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {"SHORT": "hunter2", "ONE": READS, "TWO": READS}.items():
        monkeypatch.setenv(name, value)
    assert edge.run(["serve", *arguments]) == code
    written = capsys.readouterr()
    assert written.err.startswith(f"error: {told}")
    assert "hint: " in written.err
    assert READS not in written.out + written.err
    assert "hunter2" not in written.out + written.err


def test_the_command_serves_until_it_is_terminated(module_database_url: str) -> None:
    with docgraph.connect(module_database_url, workspace="w") as dg:
        dg.ingest_records(documents(), edges())
        here = dg.plan(ASKED).model_dump_json()
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "docgraph", "serve", "--port", "0", "--token-env", "BEARER"],
        env=environment(DOCGRAPH_DATABASE_URL=module_database_url, BEARER=READS),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        first = process.stderr.readline()
        assert first.startswith("docgraph serve listens on http://127.0.0.1:"), first + process.stderr.read()
        url, known = first.split()[-1], {"Authorization": f"Bearer {READS}"}
        with httpx2.Client(base_url=url, trust_env=False, timeout=60) as client:
            assert client.get("/health").json() == {"status": "ok"}
            refused(client.post("/v1/w/plan", json=ASKED), 401, "no_token")
            assert client.post("/v1/w/plan", json=ASKED, headers=known).text == here
            assert client.get("/openapi.json").json()["openapi"] == "3.1.0"
            for document_id in (HOSTILE_ID, "long"):  # the client in this process decodes a path twice
                found = client.get(f"/v1/w/documents/{quote(document_id, safe='')}", headers=known).json()
                assert found["document"]["document_id"] == document_id
    finally:
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "")
    assert not [word for word in SECRETIVE if word in err], err
