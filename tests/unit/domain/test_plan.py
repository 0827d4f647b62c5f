"""A plan is a closed, sealed value: anything forged is refused with one line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from docgraph.domain.frozen import fingerprint
from docgraph.domain.plan import MAX_PLAN_BYTES, MAX_QUOTE, RetrievalPlan, parse_plan
from docgraph.domain.request import MAX_QUERY_LENGTH, RetrievalRequest, parse_request
from docgraph.errors import PlanError, RequestError
from tests.corpora import corpus, plan_of

WORLD = corpus(("a", ["queue"], [("explains", "b")]), ("b", ["slot"], []), ("c", ["hold"], []))


@pytest.fixture(scope="module")
def plan() -> RetrievalPlan:
    with WORLD.reading() as snapshot:
        return plan_of(RetrievalRequest(query="queue", max_documents=2), snapshot)


def forged(plan: RetrievalPlan, change: Any, *, reseal: bool = True) -> str:
    content = json.loads(plan.model_dump_json())
    change(content)
    if reseal:
        content["plan_id"] = fingerprint({k: v for k, v in content.items() if k != "plan_id"})
    return json.dumps(content)


FORGERIES = {
    "a second hop": lambda p: p["constraints"].update(max_relationship_depth=2),
    "traversal": lambda p: p["constraints"].update(traversal_enabled=True),
    "incoming edges": lambda p: p["constraints"].update(direction="incoming"),
    "an unknown field": lambda p: p.update(boost=2.0),
    "an unknown field deep inside": lambda p: p["seed_documents"][0].update(weight=3),
    "a reason from outside the seeds": lambda p: p["expanded_documents"][0]["reasons"][0].update({"from": "c"}),
    "an expanded document without reason": lambda p: p["expanded_documents"][0].update(reasons=[]),
    "more expanded documents than allowed": lambda p: p["constraints"].update(max_expanded=0),
    "more documents than allowed": lambda p: p["constraints"].update(max_documents=1),
    "a document twice": lambda p: p["expanded_documents"][0].update(document_id="a"),
    "places out of order": lambda p: p["expanded_documents"][0].update(place=7),
    "a type that is not allowed": lambda p: p["constraints"].update(relation_types=["implements"]),
    "another schema": lambda p: p.update(schema_version="2"),
    "an id with a control character": lambda p: p["seed_documents"][0].update(document_id="a\nb"),
    "not a number": lambda p: p["seed_documents"][0].update(score=float("nan")),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_plan_is_refused_even_when_its_id_was_computed_anew(plan: RetrievalPlan, name: str) -> None:
    change = FORGERIES[name]
    if name == "not a number":
        text = plan.model_dump_json().replace(f'"score":{plan.seed_documents[0].score}', '"score":NaN')
    else:
        text = forged(plan, change)
    with pytest.raises(PlanError, match="not a valid plan"):
        parse_plan(text)


def test_a_changed_plan_with_its_old_id_is_refused(plan: RetrievalPlan) -> None:
    with pytest.raises(PlanError, match="plan_id"):
        parse_plan(forged(plan, lambda p: p.update(query="another"), reseal=False))


@pytest.mark.parametrize("text", ["", "null", "[]", "{", '{"a":1}', "[" * 10_000, '{"a":' * 10_000, "\x00", "NaN"])
def test_anything_that_is_no_plan_gives_one_line(text: str) -> None:
    with pytest.raises(PlanError) as error:
        parse_plan(text)
    assert "\n" not in error.value.message


def test_a_huge_plan_is_refused_before_it_is_read() -> None:
    with pytest.raises(PlanError, match="bytes"):
        parse_plan(" " * (MAX_PLAN_BYTES + 1))


def test_a_plan_cannot_be_edited(plan: RetrievalPlan) -> None:
    with pytest.raises(ValidationError):
        plan.query = "other"  # type: ignore[misc]


def test_a_strange_key_with_a_line_break_in_it_is_told_in_one_line(plan: RetrievalPlan) -> None:
    """Found by the test below: the key stood in the message as it was."""
    with pytest.raises(PlanError) as caught:
        parse_plan(plan.model_dump_json().replace('"plan_id"', '"plan\\n_id"', 1))
    assert "\n" not in caught.value.message


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_mutated_plan_is_an_equal_plan_or_one_error(data: st.DataObject) -> None:
    with WORLD.reading() as snapshot:
        plan = plan_of(RetrievalRequest(query="queue", max_documents=2), snapshot)
    text = plan.model_dump_json()
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start, min(start + 20, len(text))))
    mutated = text[:start] + data.draw(st.text(max_size=8)) + text[end:]
    try:
        read = parse_plan(mutated)
    except PlanError as error:
        read, line = None, error.message
    assert read == plan or (read is None and "\n" not in line)


def test_the_json_has_the_shape_of_the_seed_documents(plan: RetrievalPlan) -> None:
    content = json.loads(plan.model_dump_json())
    assert [d["document_id"] for d in content["seed_documents"]] == ["a"]
    [reason] = content["expanded_documents"][0]["reasons"]
    assert (reason["via"], reason["from"], reason["review"]) == ("explains", "a", "unreviewed")
    assert content["seed_document_ids"] == ["a"]
    assert content["expanded_document_ids"] == ["b"]
    assert content["expansion_metadata"] == [{"document_id": "b", "via": "explains", "from": "a"}]
    assert content["constraints"]["max_relationship_depth"] == 1
    assert content["constraints"]["traversal_enabled"] is False


@pytest.mark.parametrize(
    ("name", "stated"),
    [
        ("seed_document_ids", ["b"]),
        ("seed_document_ids", ["a", "b"]),
        ("seed_document_ids", None),
        ("expanded_document_ids", []),
        ("expanded_document_ids", ["a"]),
        ("expansion_metadata", []),
        ("expansion_metadata", [{"document_id": "b", "via": "implements", "from": "a"}]),
        ("expansion_metadata", [{"document_id": "b", "via": "explains", "from": "a", "score": "1"}]),
        ("expansion_metadata", "b"),
    ],
)
def test_a_plan_that_states_what_does_not_follow_from_it_is_refused(
    plan: RetrievalPlan, name: str, stated: object
) -> None:
    """Its id says nothing of these: they are read off the documents, never believed."""
    with pytest.raises(PlanError, match=f"{name} is not what follows from the documents of the plan"):
        parse_plan(forged(plan, lambda p: p.update({name: stated}), reseal=False))


def test_a_plan_without_what_follows_from_it_is_the_same_plan(plan: RetrievalPlan) -> None:
    content = json.loads(plan.model_dump_json())
    for name in ("seed_document_ids", "expanded_document_ids", "expansion_metadata"):
        content.pop(name)
    assert parse_plan(json.dumps(content)) == plan == parse_plan(plan.model_dump_json())


def test_a_quote_that_is_longer_than_a_reason_may_carry_is_refused(plan: RetrievalPlan) -> None:
    quoted = forged(plan, lambda p: p["expanded_documents"][0]["reasons"][0].update(text="x" * (MAX_QUOTE + 1)))
    with pytest.raises(PlanError, match="at most 500 characters"):
        parse_plan(quoted)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"query": "  \n "}, "the query is empty"),
        ({"query": "q" * (MAX_QUERY_LENGTH + 1)}, "at most 20000 characters"),
        ({"query": "q" * 1_000_000}, "at most 20000 characters"),
        ({"query": "q", "max_documents": 0}, "max_documents.*'0'"),
        ({"query": "q", "mode": "turbo"}, "mode.*'turbo'"),
        ({"query": "q", "depth": 2}, "depth"),
        ({"query": "q", "evidence_rule": "planner"}, "evidence_rule.*'planner'"),
        ({"query": "q", "preset": "wild"}, "preset.*'wild'"),
        ({"query": "q", "max_seeds": 0}, "max_seeds.*'0'"),
        ({"query": "q", "max_seeds": 5, "max_documents": 4}, "max_seeds = 5 is more than max_documents = 4"),
        ({"query": "q", "max_linked_percent": 0}, "max_linked_percent.*'0'"),
        ({"query": "q", "max_linked_percent": 101}, "max_linked_percent.*'101'"),
        ({"query": "q", "preset": "literal", "seed_signal": "mean"}, "'literal' has seed_signal = 'chunk', not 'mean'"),
        ({"query": "q", "preset": "literal", "find_names": True}, "'literal' has find_names = False, not True"),
        ({"query": "q", "preset": "literal", "max_seeds": 2}, "'literal' reserves nothing"),
        ({"query": "q", "preset": "literal", "max_expanded": 0}, "'literal' reserves nothing"),
        ({"query": "q", "preset": "literal", "max_expanding_seeds": 1}, "'literal' reserves nothing"),
        ({"query": "q", "relation_types": ["bad\ntype"]}, "relation_types"),
        ({}, "query"),
    ],
)
def test_a_bad_request_gives_one_short_line(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestError, match=message) as error:
        parse_request(fields)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300
