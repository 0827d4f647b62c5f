"""The HTTP API says what the Python API says, to whom it may, within its bounds."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import anyio
import pytest
from starlette.testclient import TestClient

from docgraph.boundary.logs import log_to
from docgraph.errors import StoreError
from docgraph.http_server import routes
from docgraph.http_server.application import MAX_BODY, Workplace
from docgraph.http_server.refusals import RefusedError
from docgraph.http_server.routes import ROUTES, Call
from docgraph.orchestration.docgraph import Docgraph
from tests.integration.http_api import ASKED, JSON, client_of, refused, small_workspace
from tests.integration.mcp_servers import QUERY, documents, edges


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
    refused(client.post("/v1/nowhere/retrieve", json=ASKED), 404, "not_found")


def test_what_no_plan_names_is_invisible_and_a_changed_plan_isrefused(client: TestClient) -> None:
    plan = client.post("/v1/w/plan", json={**ASKED, "max_documents": 2}).json()
    planned = {*plan["seed_document_ids"], *plan["expanded_document_ids"]}
    assert len(planned) == 2
    read = client.post("/v1/w/execute", json=plan).json()
    assert {each["document"]["document_id"] for each in read["documents"]} == planned
    plan["seed_documents"][1]["document_id"] = "long"
    refused(client.post("/v1/w/execute", json=plan), 422, "invalid_plan")


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
    assert "other" not in refused(client.post("/v1/nope/plan", json=ASKED), 404, "not_found")
    refused(client.post("/v1/other/plan", json=ASKED), 404, "not_found")
    for body in ({"run_id": saved.run_id}, {"request": ASKED, "baseline": saved.run_id}):
        refused(client.post("/v1/w/compare", json=body), 404, "not_found")
    assert client_of(dg).post("/v1/other/compare", json={"run_id": saved.run_id}).status_code == 200


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
    assert len(refused(answer, status, code)) < 1_001
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
    refused(client.post("/v1/w/plan", content=sent, headers=headers), 415, "no_json")
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
    refused(client.get(address), status, code)


def test_a_method_that_is_not_there_names_all_that_are(client: TestClient) -> None:
    answer = client.delete("/v1/w/relationships")
    refused(answer, 405, "method_not_allowed")
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
    assert told in refused(answer, status, code)
    assert "/srv" not in answer.text


def test_what_takes_too_long_is_answered_and_runs_to_its_end(dg: Docgraph) -> None:
    released, ended = threading.Event(), threading.Event()

    def slow(_: Call) -> routes.messages.Health:
        released.wait(60)
        ended.set()
        return routes.messages.Health()

    async def asked() -> None:
        work = Workplace(dg, seconds=0.01).work
        with pytest.raises(RefusedError) as caught:
            await work(replace(ROUTES[-1], work=slow), None)
        assert (caught.value.status, caught.value.problem.error) == (504, "too_slow")
        released.set()
        assert await anyio.to_thread.run_sync(ended.wait, 60)

    anyio.run(asked)
