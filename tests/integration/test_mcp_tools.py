"""The tools of the MCP server, asked by the protocol's own client in this process."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import anyio
import jsonschema
import pytest
from mcp.client import Client

import docgraph
from docgraph.domain.packet import PacketRequest
from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from tests.integration.mcp_servers import HOSTILE_ID, MARKER, QUERY, SECRETIVE, asked, called, documents, edges, marked

READING = {
    "search_memory",
    "plan_retrieval",
    "execute_plan",
    "explain_document",
    "compare_runs",
    "list_relationship_findings",
}
WRITING = {"accept_relationship", "ignore_finding", "edit_relationship", "undo"}


@pytest.fixture(scope="module")
def dg() -> Iterator[Docgraph]:
    with docgraph.connect(store="memory", workspace="w") as opened:
        opened.ingest_records(documents(), edges())
        yield opened


def _tools(dg: Docgraph, writes_by: str = "") -> dict[str, Any]:
    return {tool.name: tool for tool in asked(dg, lambda c: c.list_tools(), writes_by=writes_by).tools}


def _good_calls(dg: Docgraph) -> dict[str, dict[str, Any]]:
    """For every reading tool arguments that it answers."""
    run = dg.runs.save(docgraph.RetrievalRequest(query=QUERY), name="kept")
    plan = dg.plan(docgraph.RetrievalRequest(query="words words", max_documents=4, max_chunks=50))
    return {
        "search_memory": {"query": QUERY, "threshold": 0.0},
        "plan_retrieval": {"query": QUERY, "relation_types": ["explains"]},
        "execute_plan": {"plan": plan.model_dump(mode="json")},
        "explain_document": {"query": QUERY, "document_id": "adr-1"},
        "compare_runs": {"run_id": run.run_id},
        "list_relationship_findings": {"limit": 100},
    }


def test_a_server_only_reads_unless_it_is_told_otherwise(dg: Docgraph) -> None:
    tools = _tools(dg)
    assert set(tools) == READING
    for tool in tools.values():
        kind = tool.annotations
        assert (kind.read_only_hint, kind.idempotent_hint, kind.open_world_hint) == (True, True, False)
    writing = _tools(dg, writes_by="Ann")
    assert set(writing) == READING | WRITING
    assert all(not writing[name].annotations.read_only_hint for name in WRITING)
    assert called(dg, "undo", entry_id=1, reason="x").is_error


def test_every_tool_is_described_and_closed_in_both_directions(dg: Docgraph) -> None:
    for tool in _tools(dg, writes_by="Ann").values():
        assert tool.description == tool.description.strip()
        assert "   " not in tool.description
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema["additionalProperties"] is False
        for schema in (tool.input_schema, tool.output_schema):
            jsonschema.Draft202012Validator.check_schema(schema)


def test_the_list_of_tools_is_short(dg: Docgraph) -> None:
    """A client hands it to its model with every conversation: it was 79 kB with the writing tools."""
    listed = asked(dg, lambda c: c.list_tools(), writes_by="Ann")
    assert len(listed.model_dump_json(by_alias=True, exclude_none=True).encode()) < 20_000


def _fields(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    for name, field in schema.get("properties", {}).items():
        yield f"{path}{name}", field
        yield from _fields(field, f"{path}{name}.")


def test_every_argument_says_in_one_line_what_it_is(dg: Docgraph) -> None:
    tools = _tools(dg, writes_by="Ann")
    fields = {f"{name}.{path}": field for name in tools for path, field in _fields(tools[name].input_schema)}
    assert len(fields) > 30
    for name, field in fields.items():
        assert 0 < len(field.get("description", "")) <= 200, name
        assert "\n" not in field["description"], name
        assert set(field) & {"type", "enum", "anyOf"}, name
        assert not set(field) & {"title", "$ref"}, name


def test_a_short_schema_still_tells_what_a_call_needs(dg: Docgraph) -> None:
    tools = _tools(dg, writes_by="Ann")
    good = _good_calls(dg)
    for name, arguments in good.items():
        whole = tools[name].input_schema
        for required in whole.get("required", ()):
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate({k: v for k, v in arguments.items() if k != required}, whole)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**arguments, "stranger": 1}, whole)
    for edit in (fix for f in dg.check().findings for fix in f.fix):
        arguments = {"edit": edit.model_dump(mode="json"), "reason": "x"}
        jsonschema.validate(arguments, tools["edit_relationship"].input_schema)


PROMPTS = {"why_in_plan", "why_not_in_plan"}


def test_prompts_ask_why_a_document_is_in_or_not(dg: Docgraph) -> None:
    assert {prompt.name for prompt in asked(dg, lambda c: c.list_prompts()).prompts} == PROMPTS
    for name in PROMPTS:
        given = {"question": QUERY, "document_id": "adr-1"}
        [message] = asked(dg, lambda c, n=name, g=given: c.get_prompt(n, g)).messages
        assert message.role == "user"
        assert "explain_document" in message.content.text
        assert repr(QUERY) in message.content.text


def test_every_answer_fits_its_schema_and_is_said_twice_alike(dg: Docgraph) -> None:
    tools = _tools(dg)
    for name, arguments in _good_calls(dg).items():
        result = called(dg, name, **arguments)
        assert not result.is_error, (name, result.content)
        jsonschema.validate(result.structured_content, tools[name].output_schema)
        jsonschema.validate(arguments, tools[name].input_schema)
        assert json.loads(result.content[0].text) == result.structured_content


def test_a_plan_by_the_preset_literal_goes_out_and_comes_back(dg: Docgraph) -> None:
    """It is the plan of the API, and what is planned by it is why a document is in or out."""
    made = called(dg, "plan_retrieval", query=QUERY, preset="literal", max_chunks=3)
    plan = dg.plan(docgraph.RetrievalRequest(query=QUERY, preset="literal", max_chunks=3))
    assert made.structured_content == plan.model_dump(mode="json", by_alias=True)
    read = called(dg, "execute_plan", plan=made.structured_content)
    assert len(read.structured_content["candidates"]) == dg.execute(plan).n_chunks
    why = called(dg, "explain_document", query=QUERY, preset="literal", document_id="adr-1")
    assert why.structured_content["signal"] == "chunk"
    assert called(dg, "plan_retrieval", query=QUERY, preset="wild").is_error


def test_a_filter_goes_out_and_comes_back(dg: Docgraph) -> None:
    conditions = ["doc_type=decision"]
    made = called(dg, "plan_retrieval", query=QUERY, where=conditions)
    plan = dg.plan(docgraph.RetrievalRequest(query=QUERY, where=conditions))
    assert made.structured_content == plan.model_dump(mode="json", by_alias=True)
    assert not called(dg, "execute_plan", plan=made.structured_content).is_error
    why = called(dg, "explain_document", query=QUERY, document_id="adr-1", where=["doc_type=nothing"])
    assert "outside_where" in [each["kind"] for each in why.structured_content["obstacles"]]
    refused = called(dg, "plan_retrieval", query=QUERY, where=["status"])
    assert refused.is_error
    assert "is not a condition: write status=accepted" in refused.content[0].text


def test_text_of_documents_stands_in_the_contents_of_candidates_and_the_quotes_of_reasons_and_nowhere_else(
    dg: Docgraph,
) -> None:
    """A plan proves itself by the sentence that names the target: a document's text, so it has one place."""
    read, quoted = set(), set()
    for name, arguments in _good_calls(dg).items():
        places = marked(called(dg, name, **arguments).structured_content)
        quotes = {place for place in places if place[-2:] == ("reasons", "text")}
        assert places - quotes <= {("candidates", "content")}, name
        read |= {name} if places - quotes else set()
        quoted |= {name} if quotes else set()
    assert read >= {"search_memory", "execute_plan"}
    assert quoted == {"plan_retrieval"}


def test_a_search_is_the_packet_of_the_contract_with_the_action_beside_it(dg: Docgraph) -> None:
    for top_k, mode in ((1, "fast"), (2, "accurate"), (2, "conversation")):
        found = called(dg, "search_memory", query=QUERY, top_k=top_k, mode=mode, threshold=0.1).structured_content
        same = dg.retrieve(PacketRequest(query=QUERY, top_k=top_k, mode=mode, threshold=0.1))  # type: ignore[arg-type]
        expected = {**same.context_packet.model_dump(mode="json"), "next_action": same.next_action.model_dump()}
        assert {**found, "timestamp": ""} == {**expected, "timestamp": ""}
    assert called(dg, "search_memory", query="").structured_content["next_action"]["branch_code"] == "EMPTY_SET"
    low = called(dg, "search_memory", query="zebra", threshold=1.0).structured_content
    assert low["next_action"]["action"] in ("clarify", "fallback")


def test_a_huge_passage_is_cut_and_says_how_long_it_was(dg: Docgraph) -> None:
    result = called(dg, "execute_plan", **_good_calls(dg)["execute_plan"]).structured_content
    [long] = [each for each in result["candidates"] if each["document_id"] == "long"]
    assert len(long["content"]) == 8_000
    assert long["n_characters"] > 8_000
    found = called(dg, "search_memory", query="word1 word2 word3", top_k=10).structured_content["candidates"]
    assert all(len(each["content"]) <= 8_000 for each in found)


def test_a_planned_question_is_executed_as_planned(dg: Docgraph) -> None:
    plan = called(dg, "plan_retrieval", query=QUERY).structured_content
    read = called(dg, "execute_plan", plan=plan).structured_content
    assert read["plan_id"] == plan["plan_id"]
    planned = [d["document_id"] for kind in ("seed_documents", "expanded_documents") for d in plan[kind]]
    assert [d["document_id"] for d in read["documents"]] == planned
    again = called(dg, "execute_plan", plan=json.dumps(plan))  # some clients send objects as text
    assert again.structured_content == read
    assert called(dg, "compare_runs", query=QUERY).structured_content["b"] == "MS5"


BAD = [
    ("search_memory", {}, "query: Field required"),
    ("search_memory", {"query": "x", "mode": "bad"}, "mode: Input should be 'fast', 'accurate' or 'conversation'"),
    ("search_memory", {"query": "x", "top_k": 0}, "top_k: Input should be greater than or equal to 1"),
    ("search_memory", {"query": "x", "topk": 3}, "search_memory has no argument 'topk'"),
    ("search_memory", {"query": "x" * 20_001}, "query: String should have at most 20000 characters"),
    ("search_memory", {"query": 7}, "query: Input should be a valid string"),
    ("search_memory", {"query": "x", "threshold": 2}, "threshold: "),
    ("plan_retrieval", {"query": " "}, "the query is empty"),
    ("plan_retrieval", {"query": "x", "relation_types": ["nope"]}, "no relationship has the type 'nope'"),
    ("plan_retrieval", {"query": "x", "max_documents": 10**9}, "max_documents: "),
    ("execute_plan", {"plan": {}}, "plan.workspace: Field required"),
    ("execute_plan", {"plan": "no plan"}, "plan: "),
    ("explain_document", {"query": "x", "document_id": "../../etc/passwd"}, "no document has the id '../../etc/passwd"),
    ("compare_runs", {}, "give either run_id or query"),
    ("compare_runs", {"run_id": "ffffffff"}, "there is no saved run 'ffffffff'"),
    ("list_relationship_findings", {"check_id": "nope"}, "there is no check 'nope'"),
    ("list_relationship_findings", {"limit": 101}, "limit: "),
    ("undo", {"entry_id": 10**9, "reason": "x"}, "the history has no entry 1000000000"),
    ("undo", {"entry_id": 1}, "reason: Field required"),
    ("ignore_finding", {"finding_id": "x", "reason": "x"}, "there is no open finding 'x'"),
    ("edit_relationship", {"edit": {"action": "retype", "key": ["a", "b", "c"]}, "reason": "x"}, "edit: retype needs"),
    ("accept_relationship", {"from_document_id": "a", "relation_type": "b", "to_document_id": "c", "reason": "x"}, ""),
    ("no_such_tool", {}, "Unknown tool: no_such_tool"),
]


@pytest.mark.parametrize(("tool", "arguments", "message"), BAD, ids=[f"{n}-{b[0]}" for n, b in enumerate(BAD)])
def test_what_is_wrong_with_a_call_is_told_in_one_line(
    dg: Docgraph, tool: str, arguments: dict[str, Any], message: str
) -> None:
    result = called(dg, tool, writes_by="Ann", **arguments)
    text = result.content[0].text
    assert result.is_error
    assert text.startswith(message), text
    assert "\n" not in text
    assert len(text) <= 600
    assert not [word for word in SECRETIVE if word in text]
    assert result.structured_content is None


def test_a_plan_that_was_changed_is_refused(dg: Docgraph) -> None:
    plan = called(dg, "plan_retrieval", query=QUERY).structured_content
    text = called(dg, "execute_plan", plan={**plan, "query": "another"}).content[0].text
    assert text.startswith("plan: plan_id")


def _changed(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """JSON with something wrong at every place of it: (the place, the whole)."""
    wrongs = ("", f"{MARKER} " * 50) if isinstance(value, str) else (None, [], {"x": 1}, 10**9)
    yield from ((path, wrong) for wrong in wrongs if wrong != value)
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        for place, changed in _changed(inner, (*path, key)):
            copy: Any = dict(value) if isinstance(value, dict) else list(value)
            copy[key] = changed
            yield place, copy


def test_no_error_repeats_text_of_documents_whatever_is_wrong_with_a_plan(dg: Docgraph) -> None:
    """A plan quotes sentences of documents, and a client may hand back anything in its place."""
    plan = called(dg, "plan_retrieval", query=QUERY, relation_types=["explains"]).structured_content
    assert marked(plan)
    plans = [changed for place, changed in _changed(plan) if place]

    async def refused(client: Client) -> set[str]:
        results = [await client.call_tool("execute_plan", {"plan": changed}) for changed in plans]
        return {result.content[0].text for result in results if result.is_error}  # type: ignore[union-attr]

    told = asked(dg, refused)
    assert len(plans) > 300
    assert told
    assert not [text for text in told if MARKER in text]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (RuntimeError("hunter2 in /etc/secret"), "internal error: RuntimeError (set DOCGRAPH_DEBUG=1"),
        (StoreError("no answer of postgresql://u:hunter2@h/db", hint="see /var/lib/x/log"), "no answer of <address>"),
    ],
)
def test_an_error_of_the_machine_tells_no_secret_and_no_path(dg: Docgraph, error: Exception, told: str) -> None:
    with patch.object(Docgraph, "plan", side_effect=error):
        text = called(dg, "plan_retrieval", query="x").content[0].text
    assert text.startswith(told)
    assert not [word for word in ("hunter2", "/etc", "/var", "\n") if word in text]
    assert not called(dg, "plan_retrieval", query="x").is_error


def test_a_change_is_written_under_the_given_name_and_can_be_taken_back(dg: Docgraph) -> None:
    key = {"from_document_id": "design-1", "relation_type": "explains", "to_document_id": "adr-1"}
    accepted = called(dg, "accept_relationship", writes_by="Ann", **key, reason="read it").structured_content
    assert (accepted["by"], accepted["reason"]) == ("Ann", "read it")
    edit = {"action": "retype", "key": list(key.values()), "relation_type": "supersedes"}
    tried = called(dg, "edit_relationship", writes_by="Ann", edit=edit, reason="x", dry_run=True).structured_content
    assert tried["entry_id"] == 0
    made = called(dg, "edit_relationship", writes_by="Ann", edit=edit, reason="x").structured_content
    assert made["after"] == ["design-1", "supersedes", "adr-1"]
    assert MARKER not in json.dumps([accepted, tried, made])
    back = called(dg, "undo", writes_by="Ann", entry_id=made["entry_id"], reason="no").structured_content
    assert (back["undoes"], back["after"]) == (made["entry_id"], list(key.values()))
    assert {entry.by for entry in dg.relationships.history()} == {"Ann"}


def test_an_ignored_finding_leaves_the_list(dg: Docgraph) -> None:
    before = called(dg, "list_relationship_findings").structured_content
    finding = next(f for f in before["findings"] if f["check_id"] == "missing_endpoint")
    done = called(dg, "ignore_finding", writes_by="Ann", finding_id=finding["finding_id"], reason="known")
    assert done.structured_content["by"] == "Ann"
    after = called(dg, "list_relationship_findings").structured_content
    assert (after["n_findings"], after["n_ignored"]) == (before["n_findings"] - 1, before["n_ignored"] + 1)
    dg.rules.withdraw([finding["finding_id"]])


def test_the_server_answers_while_a_call_takes_its_time(dg: Docgraph) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(*_: Any) -> Any:
        begun.set()
        assert go_on.wait(60)
        return real

    async def work(client: Client) -> int:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "plan_retrieval", {"query": "x"})
            assert await anyio.to_thread.run_sync(begun.wait, 60)
            quick = await client.call_tool("explain_document", {"query": QUERY, "document_id": HOSTILE_ID})
            n = len((await client.list_tools()).tools)
            go_on.set()
        assert not quick.is_error
        return n

    real = dg.plan(docgraph.RetrievalRequest(query="x"))
    with patch.object(Docgraph, "plan", side_effect=slow):
        assert asked(dg, work) == len(READING)


def test_a_hundred_calls_at_once_get_the_answers_of_one(dg: Docgraph) -> None:
    async def work(client: Client) -> list[Any]:
        found: list[Any] = []

        async def one() -> None:
            found.append((await client.call_tool("search_memory", {"query": QUERY})).structured_content)

        async with anyio.create_task_group() as tasks:
            for _ in range(100):
                tasks.start_soon(one)
        return found

    answers = asked(dg, work)
    alone = called(dg, "search_memory", query=QUERY).structured_content
    assert len(answers) == 100
    assert all({**each, "timestamp": ""} == {**alone, "timestamp": ""} for each in answers)
