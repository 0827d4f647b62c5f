"""Runs made by hand: the plan, its evidence and its context, without a store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from docgraph.domain.context import (
    AssembledContext,
    AssembledDocument,
    DocumentEvidence,
    EvidenceDocument,
    RetrievedContext,
    ScoredChunk,
)
from docgraph.domain.graph import DocumentRef
from docgraph.domain.plan import (
    Constraints,
    CutDocument,
    CutTotal,
    ExpandedDocument,
    Reason,
    RetrievalPlan,
    SeedDocument,
)
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run

Edge = tuple[str, str, str]
MakeRun = Callable[..., Run]


def _reasons(document_id: str, edges: Sequence[Edge]) -> tuple[Reason, ...]:
    return tuple(Reason(via=via, from_document_id=a) for a, via, b in edges if b == document_id)


def _plan(
    seeds: Sequence[str],
    expanded: Sequence[str],
    edges: Sequence[Edge],
    cut: Sequence[CutDocument],
    cut_totals: Sequence[CutTotal],
    limits: dict[str, Any],
) -> RetrievalPlan:
    sources = [s for s in seeds if any(edge[0] == s for edge in edges)] if expanded else []
    n = len(seeds) + len(expanded)
    allowed = {
        "seed_signal": "mean",
        "max_documents": max(n, 1),
        "max_seeds": max(len(seeds), 1),
        "max_expanded": len(expanded),
        "max_expanding_seeds": len(sources),
        "max_fan_out": 3,
        "max_edges_per_seed": 200,
        "evidence_rule": "one_per_document" if expanded else "similarity",
        "max_chunks": 10,
        "max_chunks_per_document": 3,
    }
    return RetrievalPlan.sealed(
        workspace="harbor",
        corpus_revision="7c1e9a",
        embedder_id="hash::8",
        query="Why is the queue full?",
        consulted=tuple(DocumentRef(document_id=s, title=f"Title {s}") for s in sources),
        seed_documents=tuple(
            SeedDocument(
                document_id=s,
                title=f"Title {s}",
                place=i,
                rank=i,
                score=round(0.9 - 0.01 * i, 6),
                expands=s in sources,
                reasons=_reasons(s, edges) if expanded else (),
            )
            for i, s in enumerate(seeds, start=1)
        ),
        expanded_documents=tuple(
            ExpandedDocument(
                document_id=e, title=f"Title {e}", place=i, rank=i + 4, score=0.3, reasons=_reasons(e, edges)
            )
            for i, e in enumerate(expanded, start=len(seeds) + 1)
        ),
        constraints=Constraints.model_validate(allowed | limits),
        cut=tuple(cut),
        cut_totals=tuple(cut_totals),
    )


def _evidence(plan: RetrievalPlan, chunks: dict[str, int], n_chunks: int) -> RetrievedContext:
    documents, rank = [], 0
    for document_id in plan.document_ids:
        scored = []
        for i in range(chunks.get(document_id, 1)):
            rank += 1
            scored.append(
                ScoredChunk(
                    chunk_id=f"{document_id}#{i}",
                    chunk_index=i,
                    text=f"The queue of {document_id} was full.",
                    score=round(0.8 - 0.01 * rank, 6),
                    rank=rank,
                    ground="similarity",
                    heading_path=("Part", "Detail"),
                    token_count=7,
                )
            )
        about = EvidenceDocument(
            document_id=document_id, title=f"Title {document_id}", summary=f"About {document_id}.", n_chunks=n_chunks
        )
        documents.append(DocumentEvidence(document=about, chunks=tuple(scored)))
    limits = plan.constraints
    return RetrievedContext(
        plan_id=plan.plan_id,
        workspace=plan.workspace,
        corpus_revision=plan.corpus_revision,
        embedder_id=plan.embedder_id,
        query=plan.query,
        evidence_rule=limits.evidence_rule,
        max_chunks=limits.max_chunks,
        max_chunks_per_document=limits.max_chunks_per_document,
        documents=tuple(documents),
        n_chunks=rank,
        n_eligible_chunks=n_chunks * len(documents),
    )


def _assembled(context: RetrievedContext) -> AssembledContext:
    documents = tuple(
        AssembledDocument(
            document_id=d.document.document_id,
            title=d.document.title,
            conceptual_tokens=5,
            evidence_tokens=7 * len(d.chunks),
            chunk_ids=tuple(c.chunk_id for c in d.chunks),
        )
        for d in context.documents
    )
    conceptual, evidence = 5 * len(documents), 7 * context.n_chunks
    return AssembledContext(
        plan_id=context.plan_id,
        text="# Documents",
        token_budget=2000,
        total_tokens=conceptual + evidence,
        conceptual_tokens=conceptual,
        evidence_tokens=evidence,
        frame_tokens=0,
        documents=documents,
    )


@pytest.fixture(scope="session")
def make_run() -> MakeRun:
    """``make_run(seeds, expanded, edges, cut=…, chunks={"a": 0}, …)``: a run in which every number adds up."""

    def make(
        seeds: Sequence[str] = ("a", "b"),
        expanded: Sequence[str] = (),
        edges: Sequence[Edge] = (),
        *,
        cut: Sequence[CutDocument] = (),
        cut_totals: Sequence[CutTotal] = (),
        chunks: dict[str, int] | None = None,
        n_chunks: int = 4,
        **limits: Any,
    ) -> Run:
        plan = _plan(seeds, expanded, edges, cut, cut_totals, limits)
        context = _evidence(plan, chunks or {}, n_chunks)
        request = RetrievalRequest(query=plan.query, use_relationships=plan.constraints.use_relationships)
        return Run(request=request, plan=plan, context=context, assembled=_assembled(context))

    return make
