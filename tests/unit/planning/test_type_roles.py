"""Types that give reasons only: their relationships stay in a plan, and no document comes in by them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.domain.plan import RetrievalPlan, parse_plan
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.type_roles import OwnFigures, TypeDecision
from docgraph.errors import PlanError
from docgraph.planning.explanation import explain
from docgraph.plugins.stores import memory
from docgraph.ports import Snapshot
from tests.corpora import EMBEDDER, TYPES, Corpus, context_of, corpora, corpus, plan_of, probe, requests

laws = settings(max_examples=80, deadline=None)
FIGURES = OwnFigures(n=240, better=7, worse=12, points=-2.1, low=-3.4, high=-0.8)
WORLD = corpus(
    ("a", ["queue " * 12], [("requires", "b"), ("links_to", "b"), ("links_to", "c"), ("links_to", "d")]),
    ("b", ["payment slot"], []),
    ("c", ["alarm sailing"], []),
    ("d", ["queue budget alarm"], []),
    ("e", ["queue hold"], []),
)


@contextmanager
def deciding(world: Corpus, *names: str, by: str = "own_questions") -> Iterator[Snapshot]:
    store = memory.build().create_workspace("roles", EMBEDDER.info)
    store.write(world.documents)
    said = {"role": "reasons_only", "by": by, "figures": FIGURES if by == "own_questions" else None}
    store.decide_types([TypeDecision.model_validate({"relation_type": name, **said}) for name in names])
    with store.reading() as snapshot:
        yield snapshot


def request(**fields: object) -> RetrievalRequest:
    return RetrievalRequest.model_validate({"query": "queue", "seed_signal": "chunk", "max_documents": 2, **fields})


def documents(plan: RetrievalPlan) -> tuple[Sequence[str], Sequence[str]]:
    return plan.seed_document_ids, plan.expanded_document_ids


@laws
@given(corpora(), requests(relation_types=None, use_relationships=True), st.sets(st.sampled_from(TYPES)))
def test_the_documents_are_those_of_a_request_that_names_the_other_types(
    world: Corpus, asked: RetrievalRequest, silent: set[str]
) -> None:
    others = tuple(name for name in TYPES if name not in silent)
    named = asked.model_copy(update={"relation_types": others})
    with deciding(world, *sorted(silent)) as snapshot:
        plan, other = plan_of(asked, snapshot), plan_of(named, snapshot)
        assert documents(plan) == documents(other)
        assert context_of(plan, snapshot).documents == context_of(other, snapshot).documents
        assert parse_plan(plan.model_dump_json()) == plan
        assert {d.limit for d in plan.cut if d.document_id in plan.document_ids} == set()


@laws
@given(corpora(), requests(relation_types=None, use_relationships=True), st.sets(st.sampled_from(TYPES)))
def test_every_reason_is_kept_whatever_the_role_of_its_type(
    world: Corpus, asked: RetrievalRequest, silent: set[str]
) -> None:
    stored = {edge.key for document in world.documents for edge in document.relationships}
    with deciding(world, *sorted(silent)) as snapshot:
        plan = plan_of(asked, snapshot)
    expanding = {ref.document_id for ref in plan.consulted} if plan.constraints.max_expanded else set()
    for document in (*plan.seed_documents, *plan.expanded_documents):
        expected = {(a, via) for a, via, b in stored if b == document.document_id and a in expanding and a != b}
        assert {(r.from_document_id, r.via) for r in document.reasons} == expected


@laws
@given(corpora(), requests(use_relationships=True), st.sets(st.sampled_from(TYPES), min_size=1))
def test_types_that_a_request_names_add_documents_as_if_nothing_were_decided(
    world: Corpus, asked: RetrievalRequest, silent: set[str]
) -> None:
    named = asked.model_copy(update={"relation_types": tuple(sorted(silent))})
    with deciding(world, *sorted(silent)) as decided, deciding(world) as undecided:
        one, other = plan_of(named, decided), plan_of(named, undecided)
    assert one.model_dump(exclude={"plan_id", "corpus_revision"}) == other.model_dump(
        exclude={"plan_id", "corpus_revision"}
    )


def test_a_plan_says_which_type_adds_no_document_who_decided_so_and_whom_that_keeps_out() -> None:
    with deciding(WORLD, "links_to") as snapshot:
        plan = plan_of(request(), snapshot)
    assert documents(plan) == (("a",), ("b",))
    assert [r.via for r in plan.expanded_documents[0].reasons] == ["links_to", "requires"]
    assert plan.constraints.reasons_only_types == ("links_to",)
    [total] = [t for t in plan.cut_totals if t.limit == "reasons_only"]
    assert (total.relation_type, total.kept, total.total) == ("links_to", 1, 3)
    assert total.decided == "generated questions −2.1 [−3.4, −0.8]"
    silent = {c.document_id: c.place for c in plan.cut if c.limit == "reasons_only"}
    assert silent == {"d": 2}, "the most similar one would have come in; c is among the candidates that just missed it"


def test_boilerplate_is_told_by_the_types_that_add_documents() -> None:
    """Links from everywhere must not take away the place of the one that an author requires."""
    others = [(f"n{i:02}", ["hold"], [("links_to", "b")]) for i in range(40)]
    world = corpus(("a", ["queue"], [("requires", "b")]), ("b", ["payment"], []), *others)
    with deciding(world, "links_to") as snapshot:
        assert plan_of(request(), snapshot).expanded_document_ids == ("b",)
    with deciding(world) as snapshot:
        assert plan_of(request(), snapshot).expanded_document_ids == ()


def test_where_no_type_adds_documents_the_result_is_that_without_relationships() -> None:
    with deciding(WORLD, "links_to", "requires") as snapshot:
        plan, off = plan_of(request(), snapshot), plan_of(request(use_relationships=False), snapshot)
        assert documents(plan) == documents(off)
        assert context_of(plan, snapshot).documents == context_of(off, snapshot).documents


def test_literal_follows_all_types_in_full() -> None:
    asked = RetrievalRequest(query="queue", preset="literal", max_chunks=1)
    with deciding(WORLD, "links_to") as decided, deciding(WORLD) as undecided:
        one, other = plan_of(asked, decided), plan_of(asked, undecided)
    assert documents(one) == documents(other)
    assert one.constraints == other.constraints


def test_a_plan_without_such_types_is_written_as_before() -> None:
    """So that plans of earlier builds keep their ids."""
    with deciding(WORLD) as snapshot:
        written = json.loads(plan_of(request(), snapshot).model_dump_json())
    assert "reasons_only_types" not in written["constraints"]
    assert all(set(total) == {"limit", "value", "kept", "total"} for total in written["cut_totals"])


def test_a_plan_that_lets_a_type_add_documents_against_its_own_word_is_refused() -> None:
    with deciding(WORLD) as snapshot:
        plan = plan_of(request(max_documents=4), snapshot)
    forged = json.loads(plan.model_dump_json())
    forged["constraints"]["reasons_only_types"] = ["links_to"]
    with pytest.raises(PlanError, match="brought in by types that only give reasons"):
        parse_plan(json.dumps(forged))


def test_why_not_names_the_type_and_its_remedy_brings_the_document_in() -> None:
    with deciding(WORLD, "links_to") as snapshot:
        asked = request(max_expanded=1)
        answer = explain(asked, "d", probe("queue"), snapshot)
        first = answer.obstacles[0]
        assert (first.kind, first.edges) == ("reasons_only", (("a", "links_to", "d"),))
        assert "links_to: generated questions −2.1" in first.text
        named = RetrievalRequest.model_validate({**asked.model_dump(), **first.remedy})
        assert plan_of(named, snapshot).expanded_document_ids == ("d",)


def test_who_decided_is_said_in_a_few_words() -> None:
    with deciding(WORLD, "links_to", by="person") as snapshot:
        plan = plan_of(request(), snapshot)
    assert [t.decided for t in plan.cut_totals if t.limit == "reasons_only"] == ["decided by hand"]
