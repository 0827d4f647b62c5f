"""Every tool and resource of assistants that takes a document's id takes it whatever its case."""

from __future__ import annotations

import json

import docgraph
from docgraph.domain.graph import Document, Relationship
from tests.integration.mcp_servers import asked, called

DOCUMENTS = [Document(document_id=i, title=f"On {i}", text=f"The text of {i}.") for i in ("ADR-1", "Note", "Queue")]
EDGES = [Relationship(from_document_id="ADR-1", relation_type="cites", to_document_id="Queue")]


def test_the_tools_and_resources_of_assistants_take_an_id_whatever_its_case() -> None:
    with docgraph.connect(store="memory", workspace="w") as dg:
        dg.ingest_records(DOCUMENTS, EDGES)
        why = called(dg, "explain_document", query="The text", document_id="adr-1").structured_content
        assert why["document_id"] == "ADR-1"
        there = {"from_document_id": "adr-1", "relation_type": "cites", "to_document_id": "queue"}
        accepted = called(dg, "accept_relationship", writes_by="Ann", reason="seen", **there)
        assert not accepted.is_error
        edit = {"action": "retarget", "key": ["adr-1", "cites", "queue"], "to_document_id": "note"}
        assert not called(dg, "edit_relationship", writes_by="Ann", reason="better", edit=edit).is_error
        assert [each.key for each in dg.relationships.list()] == [("ADR-1", "cites", "Note")]
        found = asked(dg, lambda client: client.read_resource("docgraph://documents/adr-1"))
        assert json.loads(found.contents[0].model_dump()["text"])["document_id"] == "ADR-1"


def test_no_other_tool_of_assistants_takes_an_id() -> None:
    with docgraph.connect(store="memory", workspace="w") as dg:
        dg.ingest_records(DOCUMENTS)
        tools = asked(dg, lambda client: client.list_tools(), writes_by="Ann").tools
    taking = {
        t.name
        for t in tools
        if {"edit"} & t.input_schema["properties"].keys() or "document_id" in str(sorted(t.input_schema["properties"]))
    }
    assert taking == {"explain_document", "accept_relationship", "edit_relationship"}
