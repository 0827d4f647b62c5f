"""The resources of the MCP server, and what it says over a role that may only read or a database that is not there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

import docgraph
from docgraph.orchestration.docgraph import Docgraph
from tests.integration.mcp_servers import HOSTILE_ID, QUERY, SECRETIVE, asked, called, documents, edges, marked

SECRET = "hunter2-is-secret"


@pytest.fixture(scope="module")
def dg() -> Iterator[Docgraph]:
    with docgraph.connect(store="memory", workspace="w") as opened:
        opened.ingest_records(documents(), edges())
        yield opened


def _read(dg: Docgraph, uri: str) -> Any:
    async def work(client: Client) -> str:
        [content] = (await client.read_resource(uri)).contents
        assert content.mime_type == "application/json"
        return str(content.text)  # type: ignore[union-attr]

    return json.loads(asked(dg, work))


def _refusal(dg: Docgraph, uri: str) -> str:
    with pytest.raises(BaseException) as raised:  # noqa: PT011 (a group of one around an MCPError)
        _read(dg, uri)
    error = raised.value
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, MCPError)
    return str(error)


def test_lists_and_templates_are_announced(dg: Docgraph) -> None:
    lists = asked(dg, lambda c: c.list_resources()).resources
    templates = asked(dg, lambda c: c.list_resource_templates()).resource_templates
    assert [r.uri for r in lists] == ["docgraph://documents", "docgraph://runs", "docgraph://plans"]
    assert [t.uri_template for t in templates] == [
        "docgraph://documents/{document_id}{?first}",
        "docgraph://runs/{run_id}",
        "docgraph://plans/{run_id}",
    ]
    assert all(each.description for each in (*lists, *templates))


def test_every_listed_document_can_be_read_whatever_its_id_looks_like(dg: Docgraph) -> None:
    listed = _read(dg, "docgraph://documents")
    assert listed["n_documents"] == len(listed["documents"]) == 4
    assert marked(listed) == set()
    for row in listed["documents"]:
        found = _read(dg, "docgraph://documents/" + quote(row["document_id"], safe=""))
        assert found["document_id"] == row["document_id"]
        assert marked(found) == {("candidates", "content")}
        assert all(len(each["content"]) <= 8_000 for each in found["candidates"])
    rest = _read(dg, f"docgraph://documents/{quote(HOSTILE_ID, safe='')}?first=1")
    assert (rest["first"], rest["candidates"]) == (1, [])


def test_an_address_with_raw_spaces_opens(dg: Docgraph) -> None:
    """A person types the id as it is shown; a space belongs into no address, and was an unknown resource."""
    with docgraph.connect(store="memory", workspace="w") as spaced:
        spaced.ingest_records([{"document_id": "My Größe — v1.md", "title": "t", "text": "words"}])
        for uri in ("docgraph://documents/My Größe — v1.md", "docgraph://documents/My%20Gr%C3%B6%C3%9Fe%20— v1.md"):
            assert _read(spaced, uri)["document_id"] == "My Größe — v1.md"
    assert _refusal(dg, "docgraph://documents/no such").startswith("no document has the id 'no such'")


def test_a_saved_run_and_its_plan_are_read_by_id(dg: Docgraph) -> None:
    run = dg.runs.save(docgraph.RetrievalRequest(query=QUERY), name="kept")
    assert [each["run_id"] for each in _read(dg, "docgraph://runs")["runs"]] == [run.run_id]
    assert [each["run_id"] for each in _read(dg, "docgraph://plans")["plans"]] == [run.run_id]
    whole = _read(dg, f"docgraph://runs/{run.run_id[:4]}")
    assert whole["content_hash"] == run.content_hash
    assert marked(whole) == {("read", "candidates", "content")}
    plan = _read(dg, f"docgraph://plans/{run.run_id}")
    assert plan == whole["plan"]
    assert called(dg, "execute_plan", plan=plan).structured_content == whole["read"]


@pytest.mark.parametrize(
    ("uri", "told"),
    [
        ("docgraph://documents/..%2F..%2Fetc%2Fpasswd", "no document has the id '../../etc/passwd'"),
        ("docgraph://documents/a/b", "Unknown resource"),
        ("docgraph://documents/%00", "Unknown resource"),
        ("docgraph://documents/" + "x" * 5_000, "no document has the id 'xxx"),
        ("docgraph://documents/adr-1?first=many", "first: Input should be a valid integer"),
        ("docgraph://runs/zzzz", "'zzzz' is not the id of a run"),
        ("docgraph://plans/ffffffff", "there is no saved run 'ffffffff'"),
        ("file:///etc/passwd", "Unknown resource: file:///etc/passwd"),
        ("http://192.0.2.1/", "Unknown resource"),
        ("nonsense", "Unknown resource"),
    ],
)
def test_an_address_that_leads_nowhere_is_refused_in_one_line(dg: Docgraph, uri: str, told: str) -> None:
    said = _refusal(dg, uri)
    assert said.startswith(told)
    assert "\n" not in said
    assert len(said) < 700
    assert not [word for word in (*SECRETIVE, "root:") if word in said]


def test_a_role_that_may_only_select_serves_everything_that_reads(new_database_url: str) -> None:
    with docgraph.connect(new_database_url, workspace="w") as owner:
        owner.ingest_records(documents(), edges())
        run = owner.runs.save(docgraph.RetrievalRequest(query=QUERY), name="kept")
    role = "reader_" + new_database_url.split("/test_")[1].split("?")[0]
    with psycopg.connect(new_database_url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN")
        connection.execute(f"GRANT USAGE ON SCHEMA docgraph, ws_w TO {role}")
        connection.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA docgraph, ws_w TO {role}")
    with docgraph.connect(new_database_url.replace("postgres@", f"{role}@"), workspace="w") as reader:
        assert called(reader, "search_memory", query=QUERY).structured_content["summary"]["candidate_count"]
        plan = called(reader, "plan_retrieval", query=QUERY).structured_content
        for tool, arguments in (
            ("execute_plan", {"plan": plan}),
            ("explain_document", {"query": QUERY, "document_id": "adr-1"}),
            ("compare_runs", {"run_id": run.run_id}),
            ("list_relationship_findings", {}),
        ):
            assert not called(reader, tool, **arguments).is_error, tool
        assert _read(reader, f"docgraph://runs/{run.run_id}")["name"] == "kept"
        key = {"from_document_id": "design-1", "relation_type": "explains", "to_document_id": "adr-1"}
        refused = called(reader, "accept_relationship", writes_by="Ann", **key, reason="x")
        assert refused.is_error
        assert "permission denied" in refused.content[0].text


def test_when_the_database_is_gone_every_call_says_so_and_no_secret(
    new_database_url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    role = "asked_" + new_database_url.split("/test_")[1].split("?")[0]
    with psycopg.connect(new_database_url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN SUPERUSER")
        url = new_database_url.replace("postgres@", f"{role}:{SECRET}@")
        with docgraph.connect(url, workspace="w", pool_size=1) as dg:
            dg.ingest_records(documents(), edges())
            connection.execute(f"ALTER ROLE {role} NOLOGIN")
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", (role,))
            texts = [
                called(dg, "plan_retrieval", query=QUERY).content[0].text,
                called(dg, "list_relationship_findings").content[0].text,
                called(dg, "undo", writes_by="Ann", entry_id=1, reason="x").content[0].text,
                _refusal(dg, "docgraph://documents"),
                _refusal(dg, "docgraph://runs"),
            ]
            packet = called(dg, "search_memory", query=QUERY).structured_content
    assert packet["next_action"]["branch_code"] == "EMPTY_SET"
    captured = capfd.readouterr()
    for text in (*texts, json.dumps(packet), captured.out, captured.err):
        assert not [word for word in SECRETIVE if word in text]
    assert all(text and "\n" not in text for text in texts)
