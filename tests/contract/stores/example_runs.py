"""Small runs that keep every rule of a run, for testing what keeps them."""

from __future__ import annotations

from typing import Any

from docgraph.domain.context import (
    AssembledContext,
    AssembledDocument,
    DocumentEvidence,
    EvidenceDocument,
    RetrievedContext,
    ScoredChunk,
)
from docgraph.domain.plan import Constraints, ExpandedDocument, Reason, RetrievalPlan, SeedDocument
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import ContractCheck, Run, TraceStep
from docgraph.domain.saved_run import RUN_ID_LENGTH, CorpusState, SavedRun, content_hash

_LIMITS = Constraints(
    seed_signal="hybrid",
    max_documents=6,
    max_seeds=4,
    max_expanded=2,
    max_expanding_seeds=3,
    max_fan_out=3,
    max_edges_per_seed=50,
    evidence_rule="one_per_document",
    max_chunks=10,
    max_chunks_per_document=3,
)


def example_run(
    query: str = "why",
    *,
    text: str = "Because.",
    workspace: str = "example",
    revision: str = "a" * 32,
    milliseconds: float = 1.5,
) -> Run:
    """A seed ``a`` and a document ``b`` that it ``cites``, each with one chunk ``text``; equal arguments, equal hash.

    ``milliseconds`` is the time in the trace, which the hash does not cover.
    """
    request = RetrievalRequest(query=query)
    plan = RetrievalPlan.sealed(
        workspace=workspace,
        corpus_revision=revision,
        embedder_id="example:sha256:8",
        query=request.query,
        seed_documents=(SeedDocument(document_id="a", title="A", place=1, rank=1, score=0.00001, expands=True),),
        expanded_documents=(
            ExpandedDocument(
                document_id="b",
                title="B",
                place=2,
                score=1.0,
                reasons=(Reason.model_validate({"via": "cites", "from": "a"}),),
            ),
        ),
        constraints=_LIMITS,
    )
    context = RetrievedContext(
        plan_id=plan.plan_id,
        workspace=workspace,
        corpus_revision=revision,
        embedder_id=plan.embedder_id,
        query=plan.query,
        evidence_rule="one_per_document",
        max_chunks=10,
        max_chunks_per_document=3,
        documents=tuple(_evidence(i, rank, text) for rank, i in enumerate("ab", start=1)),
        n_chunks=2,
        n_eligible_chunks=2,
    )
    trace = (TraceStep(name="plan", inputs={"query": query}, milliseconds=milliseconds, statements=("SELECT 1",)),)
    return Run(
        request=request,
        plan=plan,
        context=context,
        assembled=_assembled(plan, text),
        contract=(ContractCheck(name="planned_only", title="Planned documents only", passed=True),),
        trace=trace,
    )


def _assembled(plan: RetrievalPlan, text: str) -> AssembledContext:
    return AssembledContext(
        plan_id=plan.plan_id,
        text=text,
        token_budget=2_000,
        total_tokens=7,
        conceptual_tokens=2,
        evidence_tokens=4,
        frame_tokens=1,
        documents=(
            AssembledDocument(document_id="a", title="A", conceptual_tokens=2, evidence_tokens=4, chunk_ids=("a#0",)),
        ),
    )


def example_saved(run: Run | None = None, **fields: Any) -> SavedRun:
    """The run under its id, saved at the beginning of 2026 unless ``fields`` say otherwise."""
    run = run or example_run()
    whole = content_hash(run)
    said: dict[str, Any] = {
        "run_id": whole[:RUN_ID_LENGTH],
        "name": "A run",
        "saved_at": "2026-01-01T00:00:00+00:00",
        "saved_by": "me",
        "content_hash": whole,
        "run": run,
    }
    return SavedRun(**(said | fields))


def example_state(*ids: str, complete: bool = True, **fields: Any) -> CorpusState:
    """A state of the corpus of ``example_run`` that holds ``ids``, each citing ``b``."""
    documents = {i: (f"Title of {i}", f"hash of {i}") for i in ids}
    edges = tuple((i, "cites", "b") for i in sorted(ids))
    key = {"workspace": "example", "revision": "a" * 32} | fields
    return CorpusState(documents=documents, relationships=edges, complete=complete, **key)


def _evidence(document_id: str, rank: int, text: str) -> DocumentEvidence:
    chunk = ScoredChunk(
        chunk_id=f"{document_id}#0",
        chunk_index=0,
        text=text,
        score=round(1 / 3**rank, 6),
        rank=rank,
        ground="best_of_document",
        token_count=1,
    )
    document = EvidenceDocument(document_id=document_id, title=document_id.upper(), n_chunks=1)
    return DocumentEvidence(document=document, chunks=(chunk,))
