"""What may be given where a request or a record is expected, and what is said of anything else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import docgraph
from docgraph import Docgraph, Document, Edit, PacketRequest, Relationship, RetrievalRequest, Rule
from docgraph.boundary.records import as_record, as_records
from docgraph.domain.graph import Chunk
from docgraph.errors import PlanError, RequestError, UserError

QUESTION = "why is the queue bounded"
A = {"document_id": "a", "title": "Bounded queue", "text": "The queue is bounded so that waiting ends."}
B = {"document_id": "b", "title": "Alarm", "text": "Action when the alarm rings."}
EDGE = {"from_document_id": "a", "relation_type": "explains", "to_document_id": "b"}
KEY = ("a", "explains", "b")


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    with docgraph.connect(store="memory") as opened:
        opened.ingest_records([A, B], [EDGE])
        yield opened


def test_mappings_go_in_as_records_do(dg: Docgraph) -> None:
    with docgraph.connect(store="memory") as other:
        other.ingest_records(
            [Document.model_validate(A), Document.model_validate(B)], [Relationship.model_validate(EDGE)]
        )
        assert other.workspace.revision == dg.workspace.revision


@pytest.mark.slow
@pytest.mark.parametrize("question", [QUESTION, {"query": QUESTION}, RetrievalRequest(query=QUESTION)])
def test_a_text_is_a_question_and_a_mapping_its_fields(dg: Docgraph, question: Any) -> None:
    plan = dg.plan(RetrievalRequest(query=QUESTION))
    assert dg.plan(question) == plan
    assert dg.run(question).plan == plan
    assert dg.explain(question, "b").in_plan == dg.explain(RetrievalRequest(query=QUESTION), "b").in_plan
    assert dg.compare(question).b.run.plan == plan
    assert dg.runs.save(question).run.plan == plan
    assert dg.relationships.compare_edits(question, [{"action": "remove", "key": KEY}]).a.run.plan == plan


@pytest.mark.parametrize("question", [QUESTION, {"query": QUESTION}, PacketRequest(query=QUESTION)])
def test_a_packet_is_asked_for_in_the_same_ways(dg: Docgraph, question: Any) -> None:
    assert dg.retrieve(question).context_packet.candidates == dg.retrieve(QUESTION).context_packet.candidates


def test_what_was_written_as_json_is_taken_as_a_mapping(dg: Docgraph) -> None:
    plan = dg.plan(QUESTION)
    context = dg.execute(plan)
    assert dg.execute(plan.model_dump(mode="json", by_alias=True)) == context
    assert dg.assemble(context.model_dump(mode="json")) == dg.assemble(context)


def test_edits_rules_and_relationships_may_be_mappings(dg: Docgraph) -> None:
    assert dg.relationships.edit([{"action": "accept", "key": KEY}], by="me")[0].edit == Edit(action="accept", key=KEY)
    dg.relationships.add({**EDGE, "relation_type": "cites"})
    dg.relationships.update(("a", "cites", "b"), {**EDGE, "relation_type": "names"}, by="me")
    assert set(dg.relationships.types()) == {"explains", "names"}
    dg.rules.set({"hub": {"on": False}})
    assert dg.rules.get() == {"hub": Rule(on=False)}
    assert dg.check({"hub": {"on": False}}).n_on == dg.check().n_on
    assert dg.relationships.impact([{"action": "remove", "key": KEY}]) == dg.relationships.impact(
        [Edit(action="remove", key=KEY)]
    )


WRONG: list[tuple[Callable[[Docgraph], object], type[UserError], str]] = [
    (lambda dg: dg.plan(7), RequestError, "a question is expected, not int 7"),
    (lambda dg: dg.plan(None), RequestError, "a question is expected, not NoneType"),
    (lambda dg: dg.plan(["why"]), RequestError, "a question is expected, not list"),
    (lambda dg: dg.plan(" "), RequestError, "query"),
    (lambda dg: dg.plan({"query": "why", "max_documents": "many"}), RequestError, "max_documents"),
    (lambda dg: dg.plan({"query": "why", "limit": 3}), RequestError, "limit"),
    (lambda dg: dg.run(b"why"), RequestError, "a question is expected, not bytes"),
    (lambda dg: dg.retrieve(7), RequestError, "a question is expected, not int"),
    (lambda dg: dg.retrieve({"query": "why", "top_k": 0}), RequestError, "top_k"),
    (lambda dg: dg.retrieve("\ud800"), RequestError, "query: "),
    (lambda dg: dg.retrieve("x" * 20_001), RequestError, "query: String should have at most"),
    (lambda dg: dg.retrieve(PacketRequest.model_construct(query="why", top_k=0)), RequestError, "top_k: "),
    (lambda dg: dg.relationships.remove(("a", "explains")), UserError, "(from document, type, to document), not ('a',"),
    (lambda dg: dg.relationships.remove({"key": KEY}), UserError, "(from document, type, to document), not {'key'"),
    (lambda dg: dg.relationships.history(key=("a", 1, "b")), UserError, "document), not ('a', 1, 'b')"),
    (lambda dg: dg.relationships.history(key="abc"), UserError, "document), not 'abc'"),
    (
        lambda dg: dg.relationships.update((*KEY, "d"), EDGE),
        UserError,
        "(from document, type, to document), not ('a', 'e",
    ),
    (lambda dg: dg.execute("plan"), UserError, "a RetrievalPlan is expected, not str 'plan'"),
    (lambda dg: dg.execute({"query": "why"}), PlanError, "this is not a valid plan"),
    (lambda dg: dg.ingest_records(A), UserError, "a list, each item a Document is expected, not dict"),
    (lambda dg: dg.ingest_records("a"), UserError, "a list, each item a Document is expected, not str"),
    (lambda dg: dg.ingest_records([{"title": "no id"}]), UserError, "this is not a Document: document_id"),
    (lambda dg: dg.ingest_records([A], [("a", "explains", "b")]), UserError, "a Relationship is expected, not tuple"),
    (lambda dg: dg.relationships.edit(Edit(action="accept", key=KEY), by="me"), UserError, "a list, each item an Edit"),
    (lambda dg: dg.relationships.edit([{"action": "drop", "key": KEY}], by="me"), UserError, "action"),
    (lambda dg: dg.relationships.add({**EDGE, "weight": 2}), UserError, "weight"),
    (lambda dg: dg.rules.set({"hub": "off"}), UserError, "a Rule is expected, not str 'off'"),
    (lambda dg: dg.assemble({"query": object()}), UserError, "object has no form in JSON"),
]


@pytest.mark.parametrize(("call", "kind", "said"), WRONG, ids=[said for _, _, said in WRONG])
def test_anything_else_is_an_error_that_says_what_was_expected(
    dg: Docgraph, call: Callable[[Docgraph], object], kind: type[UserError], said: str
) -> None:
    before = dg.workspace.revision
    with pytest.raises(kind) as raised:
        call(dg)
    assert said in raised.value.message
    assert raised.value.hint
    assert dg.workspace.revision == before


def test_nothing_is_converted_that_json_would_not_convert() -> None:
    with pytest.raises(UserError, match="title"):
        as_record({"document_id": "a", "title": 7, "text": ""}, Document)


def test_vectors_of_numpy_and_records_inside_a_mapping_are_read() -> None:
    chunk = {"chunk_id": "a#0", "chunk_index": 0, "text": "x", "token_count": 1, "vector": np.ones(3, dtype=np.float32)}
    assert as_record(chunk, Chunk).vector == (1.0, 1.0, 1.0)
    assert as_record({**A, "chunks": [as_record(chunk, Chunk)]}, Document).chunks[0].text == "x"


def test_records_pass_through_as_they_are() -> None:
    made = Document.model_validate(A)
    assert as_record(made, Document) is made
    assert as_records((each for each in [made]), Document) == [made]
