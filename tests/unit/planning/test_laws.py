"""The laws of the seeds as properties over random corpora and requests."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.domain.plan import RetrievalPlan, SeedDocument, parse_plan
from docgraph.domain.request import RetrievalRequest
from docgraph.ports import RankedDocument, Snapshot
from tests import ROOT
from tests.corpora import Corpus, any_requests, context_of, corpora, literal_requests, plan_of, probe, requests

laws = settings(max_examples=80, deadline=None)


@laws
@given(corpora(), any_requests())
def test_every_expanded_document_is_exactly_one_outgoing_edge_from_an_expanding_seed(
    corpus: Corpus, request: RetrievalRequest
) -> None:
    stored = {edge.key for document in corpus.documents for edge in document.relationships}
    with corpus.reading() as snapshot:
        plan = plan_of(request, snapshot)
    expanding = {seed.document_id for seed in plan.seed_documents if seed.expands}
    assert all(source in expanding and (source, via, target) in stored for source, via, target in plan.edges)
    assert {target for _, _, target in plan.edges} >= set(plan.expanded_document_ids)


@laws
@given(corpora(), any_requests(use_relationships=True))
def test_all_reasons_from_expanding_seeds_are_kept(corpus: Corpus, request: RetrievalRequest) -> None:
    stored = {edge.key for document in corpus.documents for edge in document.relationships}
    with corpus.reading() as snapshot:
        plan = plan_of(request, snapshot)
    expanding = {seed.document_id for seed in plan.seed_documents if seed.expands}
    types = plan.constraints.relation_types
    for document in plan.expanded_documents:
        expected = {
            (source, via)
            for source, via, target in stored
            if target == document.document_id and source in expanding and (types is None or via in types)
        }
        assert {(r.from_document_id, r.via) for r in document.reasons} == expected


@laws
@given(corpora(), any_requests(), st.randoms(use_true_random=False))
def test_the_order_in_which_documents_came_in_does_not_matter(corpus: Corpus, request: RetrievalRequest, rng) -> None:
    shuffled = list(corpus.documents)
    rng.shuffle(shuffled)
    with corpus.reading() as one, Corpus(tuple(shuffled)).reading() as other:
        plan = plan_of(request, one)
        assert plan.model_dump_json() == plan_of(request, other).model_dump_json()
        assert context_of(plan, one) == context_of(plan, other)


@pytest.mark.slow
@laws
@given(corpora(), any_requests())
def test_every_limit_of_the_plan_is_kept(corpus: Corpus, request: RetrievalRequest) -> None:
    with corpus.reading() as snapshot:
        plan = plan_of(request, snapshot)
        context = context_of(plan, snapshot)
    limits = plan.constraints
    assert len(plan.document_ids) <= limits.max_documents
    assert len(plan.expanded_documents) <= limits.max_expanded
    assert context.n_chunks <= limits.max_chunks == request.max_chunks
    assert all(len(d.chunks) <= limits.max_chunks_per_document for d in context.documents)
    if request.preset == "balanced":
        assert len(plan.document_ids) <= (request.max_documents or max(6, (request.max_seeds or 0) + 2))
    assert len(plan.seed_documents) <= (request.max_seeds or limits.max_documents)


@laws
@given(corpora(), any_requests())
def test_the_context_holds_the_planned_documents_and_no_others(corpus: Corpus, request: RetrievalRequest) -> None:
    with corpus.reading() as snapshot:
        plan = plan_of(request, snapshot)
        context = context_of(plan, snapshot)
    assert context.document_ids == plan.document_ids
    assert {document_id for document_id, _ in context.ranked_chunks} <= set(plan.document_ids)


@laws
@given(corpora(), any_requests())
def test_a_plan_survives_the_trip_through_json(corpus: Corpus, request: RetrievalRequest) -> None:
    with corpus.reading() as snapshot:
        plan = plan_of(request, snapshot)
    assert parse_plan(plan.model_dump_json()) == plan
    assert parse_plan(json.dumps(json.loads(plan.model_dump_json()), indent=2)) == plan


@laws
@given(corpora(), any_requests())
def test_without_relationships_the_result_is_that_of_relationships_off(
    corpus: Corpus, request: RetrievalRequest
) -> None:
    off = request.model_copy(update={"use_relationships": False})
    with corpus.without_relationships().reading() as snapshot:
        assert context_of(plan_of(request, snapshot), snapshot).documents == (
            context_of(plan_of(off, snapshot), snapshot).documents
        )


@laws
@given(corpora(), any_requests())
def test_a_run_in_which_nothing_expands_equals_the_run_with_relationships_off(
    corpus: Corpus, request: RetrievalRequest
) -> None:
    with corpus.reading() as snapshot:
        plan = plan_of(request, snapshot)
        if plan.expanded_documents:
            return
        off = plan_of(request.model_copy(update={"use_relationships": False}), snapshot)
        assert context_of(plan, snapshot).documents == context_of(off, snapshot).documents


def everybody(request: RetrievalRequest, snapshot: Snapshot) -> tuple[RankedDocument, ...]:
    """All that may be a seed."""
    matching = request.where.of_seeds if request.where else ()
    return snapshot.rank_documents(probe(request.query), request.seed_signal, limit=100, matching=matching)


@laws
@given(corpora(), requests(scope_mode="label", max_seeds=None))
def test_as_many_documents_are_planned_as_were_asked_for_expanded_or_not(
    corpus: Corpus, request: RetrievalRequest
) -> None:
    with corpus.reading() as snapshot:
        plan = plan_of(request, snapshot)
        ranked = everybody(request, snapshot)
    known = {d.document_id for d in ranked} | set(plan.expanded_document_ids)
    assert len(plan.document_ids) == min(plan.constraints.max_documents, len(known))


@laws
@given(corpora(), requests(scope_mode="label", max_documents=None), st.integers(1, 4))
def test_exactly_as_many_seeds_are_taken_as_were_asked_for(
    corpus: Corpus, request: RetrievalRequest, n_seeds: int
) -> None:
    exactly = request.model_copy(update={"max_seeds": n_seeds})
    with corpus.reading() as snapshot:
        plan = plan_of(exactly, snapshot)
        ranked = everybody(request, snapshot)
    others = [d for d in ranked if d.document_id not in plan.expanded_document_ids]
    assert len(plan.seed_documents) == min(n_seeds, len(others))


@laws
@given(corpora(), literal_requests(use_relationships=False, scope_mode="label"))
def test_literal_without_relationships_is_plain_vector_search(corpus: Corpus, request: RetrievalRequest) -> None:
    with corpus.reading() as snapshot:
        context = context_of(plan_of(request, snapshot), snapshot)
        flat = snapshot.nearest_chunks(probe(request.query).vector, limit=request.max_chunks)
    assert [(d, c.chunk_index, c.score, c.text) for d, c in context.ranked_chunks] == [
        (h.chunk.document_id, h.chunk.chunk_index, h.score, h.chunk.text) for h in flat
    ]


@laws
@given(corpora(), literal_requests(scope_mode="label"))
def test_literal_expands_every_seed_to_all_its_neighbours_and_reads_the_same_chunks(
    corpus: Corpus, request: RetrievalRequest
) -> None:
    off = request.model_copy(update={"use_relationships": False})
    with corpus.reading() as snapshot:
        plan, flat = plan_of(request, snapshot), plan_of(off, snapshot)
        stored = {d.document.document_id for d in corpus.documents}
        edges = snapshot.outgoing(plan.seed_document_ids, relation_types=request.relation_types, limit=1_000)
        found, without = context_of(plan, snapshot), context_of(flat, snapshot)
    assert plan.seed_document_ids == flat.seed_document_ids
    assert {e.to_document_id for e in edges} & stored == {target for _, _, target in plan.edges} | (
        {e.to_document_id for e in edges if e.from_document_id == e.to_document_id} & stored
    )
    assert found.ranked_chunks == without.ranked_chunks


@laws
@given(corpora(), any_requests())
def test_relationships_change_no_score_of_any_chunk(corpus: Corpus, request: RetrievalRequest) -> None:
    with corpus.reading() as snapshot:
        context = context_of(plan_of(request, snapshot), snapshot)
        vector = probe(request.query).vector
        flat = {
            (h.chunk.document_id, h.chunk.chunk_index): h.score for h in snapshot.nearest_chunks(vector, limit=1_000)
        }
    assert all(chunk.score == flat[document_id, chunk.chunk_index] for document_id, chunk in context.ranked_chunks)


@pytest.mark.slow
@laws
@given(corpora(), any_requests())
def test_execution_does_not_look_at_why_a_document_is_planned(corpus: Corpus, request: RetrievalRequest) -> None:
    """The same documents without any reason, all as seeds, give the same evidence."""
    with corpus.reading() as snapshot:
        plan = plan_of(request, snapshot)
        blind = RetrievalPlan.sealed(
            workspace=plan.workspace,
            corpus_revision="",
            embedder_id=plan.embedder_id,
            query=plan.query,
            constraints=plan.constraints,
            seed_documents=tuple(
                SeedDocument(document_id=i, title="", place=n) for n, i in enumerate(plan.document_ids, start=1)
            ),
        )
        assert context_of(blind, snapshot).documents == context_of(plan, snapshot).documents


@laws
@given(corpora(), requests())
def test_every_candidate_and_neighbour_that_stays_out_is_named_with_its_limit(
    corpus: Corpus, request: RetrievalRequest
) -> None:
    stored = {edge.key for document in corpus.documents for edge in document.relationships}
    with corpus.reading() as snapshot:
        plan = plan_of(request, snapshot)
    if not plan.expanded_documents:
        return
    expanding = {seed.document_id for seed in plan.seed_documents if seed.expands}
    types = plan.constraints.relation_types
    neighbours = {t for s, v, t in stored if s in expanding and s != t and (types is None or v in types)}
    named = {cut.document_id for cut in plan.cut} | set(plan.document_ids)
    assert neighbours <= named
    for total in plan.cut_totals:
        assert total.kept < total.total


@pytest.mark.slow
def test_five_processes_with_different_hash_seeds_make_one_plan() -> None:
    """Sets and dicts must never decide an order: PYTHONHASHSEED changes nothing."""
    code = (
        "from tests.corpora import *\n"
        "c = corpus(*[(f'd{i}', [WORDS[i % 10] + ' ' + WORDS[(i * 3) % 10]] * 2,"
        " [(t, f'd{(i * 7 + k) % 20}') for k, t in enumerate(TYPES)]) for i in range(20)])\n"
        "with c.reading() as s:\n"
        "    p = plan_of(RetrievalRequest(query='queue retry budget'), s)\n"
        "    print(p.model_dump_json(), context_of(p, s).model_dump_json())\n"
    )
    root = ROOT
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(root)},
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(5)
    }
    assert len(outputs) == 1
    assert '"expanded_documents":[{' in outputs.pop()
