"""Execution obeys: planned documents only, limits enforced, strays are bugs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from docgraph.domain.graph import StoredChunk
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import EmbeddingMismatchError, PlanError, PlanViolationError
from docgraph.execution.executor import execute_plan
from docgraph.execution.grouping import ChunkLimits, pick
from docgraph.ports import ChunkHit, Read, one_by_one
from tests.corpora import EMBEDDER, context_of, corpus, plan_of, probe

WORLD = corpus(
    ("a", ["queue", "queue hold", "queue slot", "queue alarm"], [("explains", "b")]),
    ("b", ["payment", "sailing"], []),
    ("c", ["queue retry"], []),
)
VECTOR = probe("queue").vector


def a_plan(snapshot: Any, **fields: Any) -> RetrievalPlan:
    return plan_of(
        RetrievalRequest.model_validate(
            {"query": "queue", "max_documents": 2, "evidence_rule": "one_per_document", **fields}
        ),
        snapshot,
    )


def resealed(plan: RetrievalPlan, **changes: Any) -> RetrievalPlan:
    content = {name: getattr(plan, name) for name in RetrievalPlan.model_fields if name != "plan_id"}
    return RetrievalPlan.sealed(**{**content, **changes})


def hit(document_id: str, index: int, distance: float) -> ChunkHit:
    chunk = StoredChunk(
        document_id=document_id, chunk_id=f"{document_id}#{index}", chunk_index=index, text="t", token_count=1
    )
    return ChunkHit(chunk=chunk, score=round(1 - distance, 6), distance=distance)


def test_every_planned_document_gets_its_best_chunk_before_any_gets_a_second() -> None:
    with WORLD.reading() as snapshot:
        context = context_of(a_plan(snapshot, max_chunks=3), snapshot)
    shown = {d.document.document_id: [c.ground for c in d.chunks] for d in context.documents}
    assert shown == {"a": ["best_of_document", "similarity"], "b": ["best_of_document"]}


def test_no_document_gets_more_chunks_than_its_cap() -> None:
    with WORLD.reading() as snapshot:
        context = context_of(a_plan(snapshot, max_chunks=10, max_chunks_per_document=2), snapshot)
    assert [len(d.chunks) for d in context.documents] == [2, 2]
    assert (context.n_chunks, context.n_eligible_chunks) == (4, 6)


def test_a_document_outside_the_plan_is_invisible_however_similar() -> None:
    with WORLD.reading() as snapshot:
        context = context_of(a_plan(snapshot), snapshot)
    assert context.document_ids == ("a", "b")


def test_ranks_count_over_the_whole_context_by_similarity() -> None:
    with WORLD.reading() as snapshot:
        ranked = context_of(a_plan(snapshot), snapshot).ranked_chunks
    assert [chunk.rank for _, chunk in ranked] == list(range(1, len(ranked) + 1))
    assert [c.score for _, c in ranked] == sorted((c.score for _, c in ranked), reverse=True)


def test_equal_distances_are_ordered_by_document_and_chunk() -> None:
    hits = [hit("b", 0, 0.5), hit("a", 1, 0.5), hit("a", 0, 0.5)]
    groups = pick(hits, ("b", "a"), ChunkLimits("similarity", 2, 9))
    assert {document: [c.chunk_index for c in chunks] for document, chunks in groups.items()} == {"a": [0, 1]}


def test_with_fewer_chunks_than_documents_the_plan_order_decides() -> None:
    hits = [hit("a", 0, 0.9), hit("b", 0, 0.1), hit("c", 0, 0.2)]
    assert list(pick(hits, ("a", "c", "b"), ChunkLimits("one_per_document", 2, 3))) == ["c", "a"]


def test_a_stray_chunk_is_a_violation_and_never_a_result() -> None:
    with WORLD.reading() as snapshot:
        plan = a_plan(snapshot)

        class Leaking:
            def __getattr__(self, name: str) -> Any:
                return getattr(snapshot, name)

            def nearest_chunks_of(self, ids: Any, vector: Any, *, per_document: int) -> tuple[ChunkHit, ...]:
                return snapshot.nearest_chunks(vector, limit=10)

            def at_once(self, *reads: Read[Any]) -> tuple[Any, ...]:
                return one_by_one(self, reads)

        with pytest.raises(PlanViolationError, match="c#0"):
            execute_plan(plan, VECTOR, Leaking())  # type: ignore[arg-type]


def test_a_plan_that_names_foreign_documents_is_refused() -> None:
    with WORLD.reading() as snapshot:
        plan = a_plan(snapshot)
        seed = plan.seed_documents[0].model_copy(update={"document_id": "elsewhere", "expands": False})
        foreign = resealed(plan, seed_documents=(seed,), expanded_documents=())
        with pytest.raises(PlanError, match="'elsewhere'"):
            context_of(foreign, snapshot)


def test_a_plan_that_was_edited_in_memory_is_refused() -> None:
    with WORLD.reading() as snapshot:
        edited = a_plan(snapshot).model_copy(update={"query": "other"})
        with pytest.raises(PlanError, match="changed after it was made"):
            execute_plan(edited, VECTOR, snapshot)


def test_a_plan_of_another_workspace_is_refused() -> None:
    with WORLD.reading() as snapshot, pytest.raises(PlanError, match="'other'"):
        context_of(resealed(a_plan(snapshot), workspace="other"), snapshot)


def test_a_plan_of_another_embedder_is_refused() -> None:
    with WORLD.reading() as snapshot, pytest.raises(EmbeddingMismatchError, match="minilm"):
        context_of(resealed(a_plan(snapshot), embedder_id="minilm:x:384"), snapshot)


def test_a_plan_that_is_read_before_it_is_checked_gives_the_same_and_is_refused_alike() -> None:
    with WORLD.reading() as snapshot:
        plan = a_plan(snapshot)
        assert execute_plan(plan, VECTOR, snapshot, is_of_here=True) == execute_plan(plan, VECTOR, snapshot)
        for refused, error in (
            (plan.model_copy(update={"query": "other"}), PlanError),
            (resealed(plan, workspace="other"), PlanError),
            (resealed(plan, embedder_id="minilm:x:384"), EmbeddingMismatchError),
        ):
            with pytest.raises(error):
                execute_plan(refused, VECTOR, snapshot, is_of_here=True)


def test_a_query_vector_of_another_width_is_refused() -> None:
    with WORLD.reading() as snapshot, pytest.raises(EmbeddingMismatchError, match=r"\(3,\)"):
        execute_plan(a_plan(snapshot), np.ones(3, dtype=np.float32), snapshot)


def test_a_document_that_came_after_the_plan_stays_invisible() -> None:
    from docgraph.plugins.stores import memory
    from tests.builders import prepared

    store = memory.build().create_workspace("laws", EMBEDDER.info)
    store.write(WORLD.documents)
    with store.reading() as snapshot:
        plan = a_plan(snapshot)
        before = context_of(plan, snapshot)
    store.write([prepared("new", ["queue"], embedder=EMBEDDER)])
    with store.reading() as snapshot:
        after = context_of(plan, snapshot)
    assert after.documents == before.documents
    assert after.corpus_revision != before.corpus_revision


def test_a_document_without_chunks_is_planned_with_no_evidence() -> None:
    bare = WORLD.documents[1]
    bare = replace(
        bare,
        chunks=(),
        chunk_vectors=np.zeros((0, EMBEDDER.info.dimension), dtype=np.float32),
        document=bare.document.model_copy(update={"n_chunks": 0, "content_hash": "bare"}),
    )
    world = type(WORLD)((WORLD.documents[0], bare))
    with world.reading() as snapshot:
        context = context_of(a_plan(snapshot), snapshot)
    assert [len(d.chunks) for d in context.documents] == [3, 0]
