"""What is said beside planned documents changes nothing of what is planned and read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import docgraph
from docgraph import Docgraph
from docgraph.cli.text.answers import show_plan
from docgraph.domain.graph import Document, Relationship
from docgraph.orchestration.plans import standings_on
from docgraph.views.plan.graph import plan_graph

QUESTION = "How do clients of the public API get booking updates?"
DOCUMENTS = [
    Document(
        document_id="adr-1", title="Polling", text="Clients of the public API poll for booking updates.", doc_type="adr"
    ),
    Document(document_id="adr-2", title="Push", text="Booking updates are pushed to clients of the API."),
    Document(
        document_id="adr-3",
        title="GraphQL",
        text="Clients get booking updates by GraphQL.",
        metadata={"status": "Rejected"},
    ),
]


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    with docgraph.connect(store="memory", workspace="adrs") as opened:
        edge = Relationship(from_document_id="adr-2", relation_type="supersedes", to_document_id="adr-1")
        opened.ingest_records(DOCUMENTS, [edge])
        yield opened


def test_the_text_says_of_every_document_what_it_is_why_it_is_in_and_whether_it_holds(dg: Docgraph) -> None:
    run = dg.run(QUESTION)
    lines = {line.split(" ", 2)[1]: line for line in run.assembled.text.splitlines() if line[:1].isdigit()}
    assert "(adr; match " in lines["Polling"]
    assert "superseded by Push)" in lines["Polling"]
    assert "; rejected)" in lines["GraphQL"]
    assert "superseded" not in lines["Push"]
    assert "[adr-1] (superseded by Push)" in run.assembled.text
    assert dg.assemble(dg.execute(run.plan)).text == run.assembled.text


def test_it_is_said_without_relationships_too_and_moves_no_document_and_no_score(dg: Docgraph) -> None:
    off = dg.run({"query": QUESTION, "use_relationships": False})
    standing = {d.document.document_id: d.document.standing_words for d in off.context.documents}
    assert standing == {"adr-1": "superseded by Push", "adr-2": "", "adr-3": "rejected"}
    assert all(check.passed for check in off.contract)
    dg.relationships.set_off_types(["supersedes"])
    again = dg.run({"query": QUESTION, "use_relationships": False})
    assert [d.chunks for d in again.context.documents] == [d.chunks for d in off.context.documents]


def test_a_candidate_of_the_contract_carries_it(dg: Docgraph) -> None:
    found = dg.retrieve({"query": QUESTION, "mode": "fast"}).context_packet.candidates
    said = {each.metadata["document_id"]: each.metadata.get("standing") for each in found}
    assert said["adr-1"] == "superseded by Push"
    assert said["adr-2"] is None


def test_the_plan_in_the_terminal_and_its_boxes_say_it_and_the_plan_itself_does_not(
    dg: Docgraph, capsys: pytest.CaptureFixture[str]
) -> None:
    run = dg.run(QUESTION)
    standings = standings_on(dg.session, run.plan)
    show_plan(run.plan, {document_id: each.words for document_id, each in standings.items()})
    said = capsys.readouterr().out.splitlines()
    (at,) = (n for n, line in enumerate(said) if line.endswith("Polling  adr-1"))
    assert said[at + 1].strip() == "superseded by Push"
    boxes = {node["label"]: node for node in plan_graph(run).data["nodes"] if "badge" in node}
    assert (boxes["Polling"]["badge"], boxes["Polling"]["ended"]) == ("superseded", "superseded by Push")
    assert (boxes["GraphQL"]["badge"], boxes["GraphQL"]["ended"]) == ("rejected", "rejected")
    assert boxes["Push"]["ended"] == ""
    assert "superseded" not in run.plan.model_dump_json()
