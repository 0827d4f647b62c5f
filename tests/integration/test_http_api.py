"""The HTTP API says what the Python API says, to whom it may, within its bounds."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import anyio
import httpx2
import pytest
from starlette.testclient import TestClient

import docgraph
from docgraph.boundary.logs import log_to
from docgraph.cli import edge
from docgraph.errors import StoreError
from docgraph.http_server import routes
from docgraph.http_server.application import MAX_BODY, Workplace
from docgraph.http_server.refusals import RefusedError
from docgraph.http_server.routes import ROUTES, Call, Route
from docgraph.orchestration.docgraph import Docgraph
from tests.integration.http_api import JSON, READS, WRITES, client_of, small_workspace
from tests.integration.mcp_servers import HOSTILE_ID, QUERY, SECRETIVE, documents, edges, environment

ASKED = {"query": QUERY}
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


@pytest.fixture(scope="module")
def client(only_read: Docgraph) -> TestClient:
    return client_of(only_read)


def _refused(answer: httpx2.Response, status: int, code: str) -> str:
    """What it says; it holds a message and nothing that no client is told."""
    assert (answer.status_code, answer.json()["error"]) == (status, code), answer.text
    assert set(answer.json()) == {"error", "message", "hint"}
    assert not [word for word in SECRETIVE if word in answer.text]
    told: str = answer.json()["message"]
    assert told
    return told


# ------------------------------------------------------------ the same as the Python API


@pytest.mark.parametrize("fields", [{}, {"use_relationships": False}, {"max_documents": 2, "mode": "fast"}])
def test_a_request_gives_the_plan_and_the_passages_of_the_python_api(
    only_read: Docgraph, client: TestClient, fields: dict[str, Any]
) -> None:
    planned = client.post("/v1/w/plan", json=ASKED | fields)
    here = only_read.plan(ASKED | fields)
    assert planned.json()["plan_id"] == here.plan_id
    assert planned.text == here.model_dump_json()
    read = client.post("/v1/w/execute", content=planned.content, headers=JSON)
    assert read.text == only_read.execute(here).model_dump_json()


def test_a_run_a_comparison_and_an_explanation_are_those_of_the_python_api(
    only_read: Docgraph, client: TestClient
) -> None:
    ran = client.post("/v1/w/run", json=ASKED).json()
    here = only_read.run(ASKED).model_dump(mode="json")
    assert {**ran, "trace": ()} == {**json.loads(json.dumps(here)), "trace": ()}
    assert all(check["passed"] for check in ran["contract"])
    compared = client.post("/v1/w/compare", json={"request": ASKED, "baseline": "plain"})
    assert compared.text == only_read.compare(ASKED, "plain").model_dump_json()
    explained = client.post("/v1/w/explain", json={"request": ASKED, "document_id": "long"})
    assert explained.text == only_read.explain(ASKED, "long").model_dump_json()


def test_a_packet_is_that_of_the_contract(only_read: Docgraph, client: TestClient) -> None:
    packet = client.post("/v1/w/retrieve", json={**ASKED, "mode": "fast", "top_k": 2}).json()
    here = only_read.retrieve({**ASKED, "mode": "fast", "top_k": 2}).model_dump(mode="json")
    assert packet["next_action"] == here["next_action"]
    assert packet["context_packet"]["candidates"] == json.loads(json.dumps(here["context_packet"]["candidates"]))
    assert client.post("/v1/w/retrieve", json={"query": ""}).json()["next_action"]["action"] == "fallback"
    _refused(client.post("/v1/nowhere/retrieve", json=ASKED), 404, "not_found")


def test_what_no_plan_names_is_invisible_and_a_changed_plan_is_refused(client: TestClient) -> None:
    plan = client.post("/v1/w/plan", json={**ASKED, "max_documents": 2}).json()
    planned = {*plan["seed_document_ids"], *plan["expanded_document_ids"]}
    assert len(planned) == 2
    read = client.post("/v1/w/execute", json=plan).json()
    assert {each["document"]["document_id"] for each in read["documents"]} == planned
    plan["seed_documents"][1]["document_id"] = "long"
    _refused(client.post("/v1/w/execute", json=plan), 422, "invalid_plan")


def test_lists_come_in_pages(only_read: Docgraph, client: TestClient) -> None:
    every = [document.document_id for document in only_read.documents.list()]
    pages = [client.get("/v1/w/documents", params={"offset": n, "limit": 2}).json() for n in (0, 2, 4)]
    assert [each["document_id"] for page in pages for each in page["documents"]] == every
    assert [page["more"] for page in pages] == [True, False, False]
    found = client.get("/v1/w/documents/ADR-1").json()
    assert (found["document"]["document_id"], len(found["chunks"])) == ("adr-1", 1)
    dangling = client.get("/v1/w/relationships", params={"dangling": "true"}).json()
    assert [edge["to_document_id"] for edge in dangling["relationships"]] == ["gone"]
    assert len(client.get("/v1/w/relationships", params={"document_id": "adr-1"}).json()["relationships"]) == 2
    assert [each["name"] for each in client.get("/v1/workspaces").json()["workspaces"]] == ["w"]


def test_workspaces_that_are_not_served_are_not_there(dg: Docgraph) -> None:
    other = dg.use_workspace("other")
    other.ingest_records(documents(), edges())
    saved = other.runs.save(QUERY, name="theirs")
    client = client_of(dg, only=["w"])
    assert [each["name"] for each in client.get("/v1/workspaces").json()["workspaces"]] == ["w"]
    assert "other" not in _refused(client.post("/v1/nope/plan", json=ASKED), 404, "not_found")
    _refused(client.post("/v1/other/plan", json=ASKED), 404, "not_found")
    for body in ({"run_id": saved.run_id}, {"request": ASKED, "baseline": saved.run_id}):
        _refused(client.post("/v1/w/compare", json=body), 404, "not_found")
    assert client_of(dg).post("/v1/other/compare", json={"run_id": saved.run_id}).status_code == 200


# ------------------------------------------------------------ who may do what


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
    _refused(reader.post("/v1/w/relationships", json=CHANGE), 403, "forbidden")
    _refused(client_of(dg).post("/v1/w/relationships", json=CHANGE), 403, "read_only")
    dry = writer.post("/v1/w/relationships", json={**CHANGE, "dry_run": True}).json()
    assert dry["entries"][0]["entry_id"] == 0
    _refused(writer.post("/v1/w/relationships", json={**CHANGE, "by": " \n"}), 422, "invalid_request")
    assert (dg.workspace.state, dg.relationships.history()) == (before, ())
    made = writer.post("/v1/w/relationships", json=CHANGE).json()["entries"][0]
    [entry] = dg.relationships.history()
    assert (entry.entry_id, entry.by, entry.reason) == (made["entry_id"], "Ann", "It does not.")
    _refused(writer.post("/v1/w/relationships", json=CHANGE), 404, "not_found")
    back = {**CHANGE, "edits": [{**REMOVAL, "action": "add"}]}
    assert writer.post("/v1/w/relationships", json={**back, "new_types": True}).status_code == 200
    _refused(writer.post("/v1/w/relationships", json=back), 409, "conflict")


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
def test_only_known_names_and_origins_are_answered(client: TestClient, headers: dict[str, str], status: int) -> None:
    for answer in (client.get("/health", headers=headers), client.post("/v1/w/plan", json=ASKED, headers=headers)):
        assert answer.status_code == status
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in answer.headers
    assert client.options("/v1/w/plan", headers={"Origin": "http://127.0.0.1:8766"}).status_code == 405


# ------------------------------------------------------------ bounds and hostile bodies


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff\xfe{}", 400),
        (b'{"query":"x","max_documents":NaN}', 400),
        (b'{"query":"x","where":Infinity}', 400),
        (b'{"query":"\\ud800"}', 400),
        (b'{"query":"x","max_documents":' + b"9" * 5_000 + b"}", 400),
        (b'{"query":"x","max_documents":' + b"9" * 40 + b"}", 422),
        (b"[" * 100_000, 400),
        (b'{"query":' + b"[" * 500 + b"]" * 500 + b"}", 400),
        (b'{"query":"x","where":[' + b"0," * 300_000 + b"0]}", 400),
        (b"null", 422),
        (b'"x"', 422),
        (b"[]", 422),
        (b"{}", 422),
        (b'{"query":""}', 422),
        (b'{"query":7}', 422),
        (b'{"query":"x","unknown":1}', 422),
        (b'{"query":"x","__class__":"y"}', 422),
        (b'{"query":"x","max_documents":0}', 422),
        (b'{"query":"x","max_documents":1e400}', 422),
        (b'{"query":"x","mode":"conversation"}', 422),
        (json.dumps({"query": "x" * 20_001}).encode(), 422),
        (b'{"query":"' + b"x" * MAX_BODY + b'"}', 413),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_hostile_body_is_refused_in_the_one_form(client: TestClient, body: bytes, status: int) -> None:
    answer = client.post("/v1/w/plan", content=body, headers=JSON)
    code = {400: "invalid_json", 413: "too_large", 422: "invalid_request"}[status]
    assert len(_refused(answer, status, code)) < 1_001
    assert client.post("/v1/w/plan", json=ASKED).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json; charset=utf-16"},
        {"Content-Type": ""},
        {**JSON, "Content-Encoding": "gzip"},
    ],
)
def test_only_json_is_taken(client: TestClient, headers: dict[str, str]) -> None:
    body = json.dumps(ASKED).encode()
    sent = gzip.compress(body) if "Content-Encoding" in headers else body
    _refused(client.post("/v1/w/plan", content=sent, headers=headers), 415, "no_json")
    named = {"Content-Type": "application/json; charset=UTF-8"}
    assert client.post("/v1/w/plan", content=body, headers=named).status_code == 200


@pytest.mark.parametrize(
    ("address", "status", "code"),
    [
        ("/", 404, "not_found"),
        ("/v1/w", 404, "not_found"),
        ("/v1/w/plan/", 404, "not_found"),
        ("/v1/w/plan", 405, "method_not_allowed"),
        ("/v1/W!/documents", 422, "invalid_request"),
        ("/v1/nowhere/documents", 404, "not_found"),
        ("/v1/w/documents/nothing", 404, "not_found"),
        ("/v1/w/documents/%00", 404, "not_found"),
        ("/v1/w/documents/%ff", 404, "not_found"),
        ("/v1/w/documents?limit=0", 422, "invalid_request"),
        ("/v1/w/documents?limit=9999999999999999999999", 422, "invalid_request"),
        ("/v1/w/documents?offset=-1", 422, "invalid_request"),
        ("/v1/w/documents?limit=1&limit=2", 422, "invalid_request"),
        ("/v1/w/documents?other=1", 422, "invalid_request"),
        ("/v1/w/relationships?dangling=perhaps", 422, "invalid_request"),
    ],
)
def test_an_address_that_is_none_is_refused_in_the_one_form(
    client: TestClient, address: str, status: int, code: str
) -> None:
    _refused(client.get(address), status, code)


def test_a_method_that_is_not_there_names_all_that_are(client: TestClient) -> None:
    answer = client.delete("/v1/w/relationships")
    _refused(answer, 405, "method_not_allowed")
    assert {each.strip() for each in answer.headers["allow"].split(",")} == {"GET", "HEAD", "POST"}


@pytest.mark.parametrize(
    ("raised", "status", "code", "told"),
    [
        (StoreError("postgresql://ann:hunter2@db/x in /srv/docgraph/data is gone"), 503, "unavailable", "is gone"),
        (ZeroDivisionError("hunter2"), 500, "internal", "internal error: ZeroDivisionError"),
    ],
)
def test_what_fails_is_told_without_secrets_paths_and_tracebacks(
    dg: Docgraph, raised: Exception, status: int, code: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr(Docgraph, "plan", fails)
    with log_to(form="text", level="CRITICAL"):
        answer = client_of(dg).post("/v1/w/plan", json=ASKED)
    assert told in _refused(answer, status, code)
    assert "/srv" not in answer.text


def test_what_takes_too_long_is_answered_and_runs_to_its_end(dg: Docgraph) -> None:
    released, ended = threading.Event(), threading.Event()

    def slow(_: Call) -> routes.messages.Health:
        released.wait(60)
        ended.set()
        return routes.messages.Health()

    async def asked() -> None:
        work = Workplace(dg, seconds=0.01).work
        with pytest.raises(RefusedError) as refused:
            await work(replace(ROUTES[-1], work=slow), None)
        assert (refused.value.status, refused.value.problem.error) == (504, "too_slow")
        released.set()
        assert await anyio.to_thread.run_sync(ended.wait, 60)

    anyio.run(asked)


# ------------------------------------------------------------ the command


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
            _refused(client.post("/v1/w/plan", json=ASKED), 401, "no_token")
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
