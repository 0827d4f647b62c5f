"""The contract strip turns red when a promise is broken, and only then."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from docgraph.domain.request import RetrievalRequest
from docgraph.verification.contract import Witness, check_contract
from tests.corpora import context_of, corpus, plan_of, probe

WORLD = corpus(
    ("a", ["queue", "queue hold"], [("explains", "b")]),
    ("b", ["slot"], []),
    ("c", ["queue retry"], [("explains", "a")]),
)


@pytest.fixture
def parts() -> Any:
    with WORLD.reading() as snapshot:
        plan = plan_of(RetrievalRequest(query="queue", max_documents=2), snapshot)
        context = context_of(plan, snapshot)
        off = plan_of(RetrievalRequest(query="queue", max_documents=2, use_relationships=False), snapshot)
        plain = snapshot.nearest_chunk_scores(probe("queue").vector, limit=10)
        witness = Witness(plan, context, context_of(off, snapshot), plain, "r", "r")
        yield plan, context, witness, snapshot


def failed(plan: Any, context: Any, witness: Any, snapshot: Any) -> list[str]:
    return [c.name for c in check_contract(plan, context, witness, snapshot) if not c.passed]


def test_an_honest_run_passes_all_nine(parts: Any) -> None:
    assert len(check_contract(*parts)) == 9
    assert failed(*parts) == []


def test_a_chunk_from_an_unplanned_document_is_seen(parts: Any) -> None:
    plan, context, witness, snapshot = parts
    other = context.documents[0].model_copy(
        update={"document": context.documents[0].document.model_copy(update={"document_id": "c"})}
    )
    assert "planned_only" in failed(plan, context.model_copy(update={"documents": (other,)}), witness, snapshot)


def test_an_edge_followed_against_its_direction_is_seen(parts: Any) -> None:
    plan, context, witness, snapshot = parts
    backwards = plan.expanded_documents[0].model_copy(update={"document_id": "c"})
    turned = plan.model_copy(update={"expanded_documents": (backwards,)})
    assert "outgoing" in failed(turned, context, witness, snapshot)


def test_a_second_hop_is_seen(parts: Any) -> None:
    plan, context, witness, snapshot = parts
    seeds = tuple(s.model_copy(update={"expands": False}) for s in plan.seed_documents)
    assert "one_hop" in failed(plan.model_copy(update={"seed_documents": seeds}), context, witness, snapshot)


def test_a_changed_score_is_seen(parts: Any) -> None:
    plan, context, witness, snapshot = parts
    moved = tuple(hit._replace(score=hit.score + 0.01) for hit in witness.plain)
    assert failed(plan, context, replace(witness, plain=moved), snapshot) == ["score_drift"]


def test_a_score_that_differs_from_that_with_relationships_off_is_seen(parts: Any) -> None:
    plan, context, witness, snapshot = parts
    first, *others = witness.without.documents
    chunks = tuple(chunk.model_copy(update={"score": chunk.score + 0.01}) for chunk in first.chunks)
    moved = witness.without.model_copy(update={"documents": (first.model_copy(update={"chunks": chunks}), *others)})
    assert plan.expanded_documents, "so that only the scores are compared"
    assert failed(plan, context, replace(witness, without=moved), snapshot) == ["score_drift"]


def test_a_run_without_expansion_that_differs_from_relationships_off_is_seen(parts: Any) -> None:
    _, _, witness, snapshot = parts
    plan = plan_of(RetrievalRequest(query="queue", max_documents=2, relation_types=()), snapshot)
    context = context_of(plan, snapshot)
    honest = replace(witness, replayed=plan, replayed_context=context, without=context)
    assert failed(plan, context, honest, snapshot) == []
    fewer = context.model_copy(update={"documents": context.documents[:1]})
    assert "same_without" in failed(plan, context, replace(honest, without=fewer), snapshot)


def test_a_write_while_planning_is_seen(parts: Any) -> None:
    plan, context, witness, snapshot = parts
    assert failed(plan, context, replace(witness, revision_after="s"), snapshot) == ["read_only"]


def test_a_replay_that_differs_is_seen(parts: Any) -> None:
    plan, context, witness, snapshot = parts
    other = context.model_copy(update={"n_chunks": 0})
    assert failed(plan, context, replace(witness, replayed_context=other), snapshot) == ["replay"]


def test_more_chunks_than_allowed_are_seen(parts: Any) -> None:
    plan, context, witness, snapshot = parts
    assert "limits" in failed(plan, context.model_copy(update={"n_chunks": 99}), witness, snapshot)
