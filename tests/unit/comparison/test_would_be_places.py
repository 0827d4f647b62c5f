"""The place in which something would come in is true: raise the limit to it, and it is in; one less, and it is not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from docgraph.domain.comparison import ChunkChange, DocumentChange
from docgraph.domain.overrides import Overrides
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from tests.unit.comparison.side_runs import compared, crowded, laws, opened

many = settings(laws, max_examples=50)


def has_chunk(dg: Docgraph, request: RetrievalRequest, chunk: ChunkChange, **limits: Any) -> bool:
    run = dg.run(request.model_copy(update=limits))
    return (chunk.document_id, chunk.chunk_id) in {(i, c.chunk_id) for i, c in run.context.ranked_chunks}


def check_chunk(dg: Docgraph, request: RetrievalRequest, chunk: ChunkChange) -> None:
    """Ask again with the limit at the place and just below it."""
    why = chunk.left_because
    if why is None or why.place is None or why.with_document:
        return
    event(f"{why.cause}{' at least' if why.at_least else ''}")
    if why.cause == "max_chunks":
        assert not has_chunk(dg, request, chunk, max_chunks=why.place - 1)
        assert why.at_least or has_chunk(dg, request, chunk, max_chunks=why.place)
    else:
        assert why.cause == "max_chunks_per_document"
        assert not has_chunk(dg, request, chunk, max_chunks=500, max_chunks_per_document=why.place - 1)
        assert has_chunk(dg, request, chunk, max_chunks=500, max_chunks_per_document=why.place)


def check_document(dg: Docgraph, request: RetrievalRequest, document: DocumentChange) -> None:
    """Ask again with room for one document more, up to its place, and with one place less than that."""
    why = document.left_because
    if why is None or why.place is None or why.cause not in ("max_expanded", "max_seeds"):
        return
    before = dg.plan(request)
    limits = before.constraints
    more = why.place - (len(before.seed_documents) if why.cause == "max_seeds" else limits.max_expanded)
    for extra, expected in ((more - 1, False), (more, True)):
        fields = {"max_documents": limits.max_documents + extra, "max_expanded": limits.max_expanded}
        fields["max_expanding_seeds"] = limits.max_expanding_seeds
        if why.cause == "max_expanded":
            fields["max_expanded"] += extra
        after = dg.plan(request.model_copy(update=fields))
        if after.scope.value != before.scope.value:
            event("another size changes the scope")
            return
        if why.cause == "max_seeds" and after.expanded_document_ids != before.expanded_document_ids:
            event("another seed changes what is expanded")
            return
        event(why.cause)
        assert (document.document_id in after.document_ids) == expected


SEEDS = st.integers(0, 1_000_000)


@pytest.mark.slow
@many
@given(SEEDS)
def test_a_chunk_comes_in_when_the_limit_is_raised_to_its_place(seed: int) -> None:
    corpus, a, b = crowded(seed)
    with opened(corpus) as dg:
        for chunk in compared(dg, a, b).chunks_with("left"):
            check_chunk(dg, b, chunk)


@many
@given(SEEDS)
def test_beside_plain_vector_search_the_place_beyond_the_total_is_always_exact(seed: int) -> None:
    corpus, request, _ = crowded(seed)
    request = request.model_copy(update={"scope_mode": "label", "overrides": Overrides()})
    with opened(corpus) as dg:
        left = dg.compare(request, "plain").chunks_with("left")
        assert not [c for c in left if c.left_because is not None and c.left_because.at_least]
        for chunk in left:
            check_chunk(dg, request, chunk)


@laws
@given(SEEDS)
def test_a_longer_run_knows_every_place_of_a_shorter_one(seed: int) -> None:
    corpus, longer, _ = crowded(seed)
    shorter = longer.model_copy(update={"max_chunks": max(longer.max_chunks // 2, 1)})
    with opened(corpus) as dg:
        found = compared(dg, longer, shorter)
        same = found.a.run.plan.document_ids == found.b.run.plan.document_ids
        for chunk in found.chunks_with("left"):
            assert not same or (chunk.left_because is not None and not chunk.left_because.at_least)
            check_chunk(dg, shorter, chunk)


@many
@given(SEEDS)
def test_a_document_comes_in_when_there_is_room_up_to_its_place(seed: int) -> None:
    corpus, a, b = crowded(seed)
    with opened(corpus) as dg:
        for document in compared(dg, a, b).documents_with("left"):
            check_document(dg, b, document)
