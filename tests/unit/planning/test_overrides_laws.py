"""The laws of what-ifs as properties: hidden edges are as good as not stored, and nothing else changes."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.domain.graph import PreparedDocument
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.planning.explanation import explain
from docgraph.ports import Snapshot
from tests.corpora import TYPES, Corpus, context_of, corpora, plan_of, probe, requests

laws = settings(max_examples=40, deadline=None)


def stored(corpus: Corpus) -> list[EdgeKey]:
    return sorted(edge.key for document in corpus.documents for edge in document.relationships)


def without(corpus: Corpus, hidden: set[EdgeKey]) -> Corpus:
    """The corpus as it would be if these edges had never been stored."""
    return Corpus(
        tuple(
            PreparedDocument(
                d.document,
                d.vector,
                d.chunks,
                d.chunk_vectors,
                tuple(e for e in d.relationships if e.key not in hidden),
            )
            for d in corpus.documents
        )
    )


def what_if(request: RetrievalRequest, **overrides: Any) -> RetrievalRequest:
    return RetrievalRequest.model_validate({**request.model_dump(), "overrides": overrides})


def decided(plan: RetrievalPlan, snapshot: Snapshot) -> tuple[object, ...]:
    """Everything that a plan decides and brings back, without the record of what it was asked."""
    return plan.seed_documents, plan.expanded_documents, plan.cut, context_of(plan, snapshot).documents


@laws
@given(corpora(), requests(), st.data())
def test_a_hidden_edge_is_as_good_as_not_stored(corpus: Corpus, request: RetrievalRequest, data: st.DataObject) -> None:
    edges = stored(corpus)
    hidden = set(data.draw(st.lists(st.sampled_from(edges), max_size=4))) if edges else set()
    with corpus.reading() as whole, without(corpus, hidden).reading() as bare:
        pretended = plan_of(what_if(request, without_edges=sorted(hidden)), whole)
        assert decided(pretended, whole) == decided(plan_of(request, bare), bare)
    assert not hidden & set(pretended.edges)


@laws
@given(corpora(), requests(), st.sets(st.sampled_from(TYPES), min_size=1))
def test_a_hidden_type_is_as_good_as_not_stored(corpus: Corpus, request: RetrievalRequest, types: set[str]) -> None:
    hidden = {key for key in stored(corpus) if key[1] in types}
    with corpus.reading() as whole, without(corpus, hidden).reading() as bare:
        pretended = plan_of(what_if(request, without_types=sorted(types)), whole)
        assert decided(pretended, whole) == decided(plan_of(request, bare), bare)
    assert not types & {via for _, via, _ in pretended.edges}


@laws
@given(corpora(), requests())
def test_hiding_every_edge_is_ms3(corpus: Corpus, request: RetrievalRequest) -> None:
    with corpus.reading() as snapshot:
        pretended = plan_of(what_if(request, without_edges=stored(corpus)), snapshot)
        off = plan_of(request.model_copy(update={"use_relationships": False}), snapshot)
        assert context_of(pretended, snapshot).documents == context_of(off, snapshot).documents
    assert not pretended.expanded_documents


@laws
@given(corpora(), requests(), st.data())
def test_added_seeds_come_first_in_their_order_and_dropped_ones_never(
    corpus: Corpus, request: RetrievalRequest, data: st.DataObject
) -> None:
    ids = [d.document.document_id for d in corpus.documents]
    order = data.draw(st.permutations(ids))
    added, dropped = order[: data.draw(st.integers(0, 2))], order[2:][: data.draw(st.integers(0, 3))]
    with corpus.reading() as snapshot:
        plan = plan_of(what_if(request, added_seed_ids=added, dropped_seed_ids=dropped), snapshot)
    room = request.max_seeds or max(plan.constraints.max_documents - len(plan.expanded_documents), 0)
    assert list(plan.seed_document_ids[: len(added)]) == added[:room]
    assert not set(dropped) & set(plan.seed_document_ids)
    if plan.expanded_documents:
        assert set(added[:room][: plan.constraints.max_expanding_seeds]) <= {d.document_id for d in plan.consulted}


@laws
@given(corpora(), requests(), st.data())
def test_a_what_if_changes_no_score_of_any_chunk(
    corpus: Corpus, request: RetrievalRequest, data: st.DataObject
) -> None:
    ids = [d.document.document_id for d in corpus.documents]
    changed = what_if(request, added_seed_ids=[data.draw(st.sampled_from(ids))], without_edges=stored(corpus)[:2])
    with corpus.reading() as snapshot:
        hits = snapshot.nearest_chunks(probe(request.query).vector, limit=1_000)
        flat = {(h.chunk.document_id, h.chunk.chunk_index): h.score for h in hits}
        context = context_of(plan_of(changed, snapshot), snapshot)
    assert all(chunk.score == flat[document_id, chunk.chunk_index] for document_id, chunk in context.ranked_chunks)


@laws
@given(corpora(), requests(), st.data())
def test_every_document_outside_a_what_if_can_be_explained(
    corpus: Corpus, request: RetrievalRequest, data: st.DataObject
) -> None:
    ids = [d.document.document_id for d in corpus.documents]
    dropped = data.draw(st.lists(st.sampled_from(ids), max_size=2, unique=True))
    changed = what_if(request, without_edges=stored(corpus)[:5], dropped_seed_ids=dropped)
    with corpus.reading() as snapshot:
        plan = plan_of(changed, snapshot)
        for document_id in ids:
            answer = explain(changed, document_id, probe(changed.query), snapshot)
            assert answer.in_plan == (document_id in plan.document_ids)
            kinds = {obstacle.kind for obstacle in answer.obstacles}
            assert answer.in_plan or ("seed_dropped" in kinds) == (document_id in dropped)
