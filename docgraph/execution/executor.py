"""Executes a plan: fetches the best chunks of the planned documents and of no others (MS5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from docgraph.domain.context import DocumentEvidence, EvidenceDocument, RetrievedContext
from docgraph.domain.graph import StoredChunk, StoredDocument, Vector
from docgraph.domain.passages.fitting import asking_part
from docgraph.domain.plan import RetrievalPlan
from docgraph.errors import EmbeddingMismatchError, PlanError, PlanViolationError
from docgraph.execution.grouping import ChunkLimits, pick
from docgraph.execution.passages import MIN_SHORTLIST, pick_passages, reading
from docgraph.ports import ChunkHit, FittingChunks, Probe, Read, Snapshot, read
from docgraph.ports.retrieval import NamedReranker


def execute_plan(
    plan: RetrievalPlan,
    vector: Vector,
    snapshot: Snapshot,
    *,
    is_of_here: bool = False,
    reranker: NamedReranker | None = None,
) -> RetrievedContext:
    """The evidence of a plan: documents in plan order, each with its chunks that passed the limits.

    ``vector`` is the question's, shape (dimension,). Reads ``plan.document_ids`` and the evidence limits, never the
    reasons. Raises PlanError when the plan belongs to another workspace, names documents that do not exist here or
    a ``reranker`` that is not this one, or was changed after it was made, EmbeddingMismatchError for another embedder,
    PlanViolationError on a stray chunk. ``is_of_here`` = nothing speaks against the plan as far as is known: then it
    is read first, in one trip with what the plan is checked against.
    """
    found = snapshot.at_once(*evidence_reads(plan, vector)) if is_of_here else None
    _check(plan, vector, snapshot)
    read_once_more = reading(plan, reranker)
    documents, hits = found or snapshot.at_once(*evidence_reads(plan, vector))
    ids = plan.document_ids
    _refuse_unknown(documents, plan)
    limits = _limits(plan)
    nearest: Mapping[str, float] = {}
    if isinstance(hits, FittingChunks):
        nearest = hits.nearest
        _refuse_strays((hit.chunk for hit in hits.hits), plan)
        groups = pick_passages(
            hits,
            ids,
            max_chunks=limits.max_chunks,
            max_tokens=plan.constraints.max_tokens,
            read=read_once_more,
        )
    else:
        _refuse_strays((hit.chunk for hit in hits), plan)
        groups = pick(hits, ids, limits)
    evidence = tuple(
        DocumentEvidence(document=_as_evidence(documents[i]), chunks=groups.get(i, ()), best_score=nearest.get(i))
        for i in ids
    )
    return RetrievedContext(
        plan_id=plan.plan_id,
        workspace=plan.workspace,
        corpus_revision=snapshot.workspace.revision,
        embedder_id=plan.embedder_id,
        query=plan.query,
        evidence_rule=limits.rule,
        max_chunks=limits.max_chunks,
        max_chunks_per_document=limits.max_chunks_per_document,
        max_tokens=plan.constraints.max_tokens,
        documents=evidence,
        n_chunks=sum(len(e.chunks) for e in evidence),
        n_eligible_chunks=sum(e.document.n_chunks for e in evidence),
    )


def evidence_reads(
    plan: RetrievalPlan, vector: Vector
) -> tuple[Read[dict[str, StoredDocument]], Read[FittingChunks] | Read[tuple[ChunkHit, ...]]]:
    """What executing a plan reads, all of it: the planned documents, and their chunks that fit or are nearest."""
    limits, ids = _limits(plan), plan.document_ids
    documents = read(Snapshot.documents_by_id, ids)
    if limits.rule == "passages":
        probe, asked = Probe(vector, plan.query), asking_part(plan.query)
        limit = max(limits.max_chunks, MIN_SHORTLIST)
        return documents, read(Snapshot.fitting_chunks_of, ids, probe, asked=asked, limit=limit)
    per_document = min(limits.max_chunks_per_document, limits.max_chunks)
    return documents, read(Snapshot.nearest_chunks_of, ids, vector, per_document=per_document)


def _limits(plan: RetrievalPlan) -> ChunkLimits:
    c = plan.constraints
    return ChunkLimits(c.evidence_rule, c.max_chunks, c.max_chunks_per_document)


def _check(plan: RetrievalPlan, vector: Vector, snapshot: Snapshot) -> None:
    workspace = snapshot.workspace
    if not plan.fits_its_id:
        raise PlanError(
            "the plan was changed after it was made: its id does not fit its content",
            hint="build the plan again from its query",
        )
    if plan.workspace != workspace.name:
        raise PlanError(
            f"the plan was made in workspace {plan.workspace!r}, this one is {workspace.name!r}",
            hint=f"open workspace {plan.workspace!r}",
        )
    if plan.embedder_id != workspace.embedder.embedder_id:
        raise EmbeddingMismatchError(
            f"the plan was made with embedder {plan.embedder_id}, the workspace uses {workspace.embedder.embedder_id}",
            hint="build the plan again from its query",
        )
    if vector.shape != (workspace.embedder.dimension,):
        raise EmbeddingMismatchError(
            f"the query vector has shape {vector.shape}, expected ({workspace.embedder.dimension},)",
            hint=f"embed the query with {workspace.embedder.embedder_id}",
        )


def _refuse_unknown(documents: Mapping[str, StoredDocument], plan: RetrievalPlan) -> None:
    unknown = [document_id for document_id in plan.document_ids if document_id not in documents]
    if unknown:
        raise PlanError(
            f"the plan names {len(unknown)} documents that workspace {plan.workspace!r} does not hold: "
            f"{', '.join(map(repr, unknown[:3]))}",
            hint="they were removed since, or the plan is foreign: build it again from its query",
        )


def _refuse_strays(chunks: Iterable[StoredChunk], plan: RetrievalPlan) -> None:
    planned = set(plan.document_ids)
    for chunk in chunks:
        if chunk.document_id not in planned:
            raise PlanViolationError(
                f"chunk {chunk.chunk_id!r} of document {chunk.document_id!r} came back, "
                f"but plan {plan.plan_id[:12]} does not hold that document",
                hint="this is a bug in the store: please report it",
            )


def _as_evidence(document: StoredDocument) -> EvidenceDocument:
    return EvidenceDocument(
        document_id=document.document_id,
        title=document.title,
        summary=document.summary,
        source=document.source,
        doc_type=document.doc_type,
        headings=document.headings,
        n_chunks=document.n_chunks,
    )
