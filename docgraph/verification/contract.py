"""The contract strip: eight promises of every run, each checked against the data rather than taken from the plan."""

from __future__ import annotations

from dataclasses import dataclass

from docgraph.domain.context import RetrievedContext
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.run import ContractCheck
from docgraph.ports import ChunkHit, Snapshot


@dataclass(frozen=True)
class Witness:
    """What was seen beside a run: the plan made a second time, MS3's chunks, the revision before and after."""

    replayed: RetrievalPlan
    replayed_context: RetrievedContext
    ms3: tuple[ChunkHit, ...]
    revision_before: str
    revision_after: str


def check_contract(
    plan: RetrievalPlan, context: RetrievedContext, witness: Witness, snapshot: Snapshot
) -> tuple[ContractCheck, ...]:
    """The eight checks in the order they are shown."""
    return (
        _one_hop(plan),
        _outgoing(plan, snapshot),
        _nothing_unplanned(plan, context),
        _limits_kept(plan, context),
        _wrote_nothing(witness),
        _score_drift(context, witness.ms3),
        _replay(plan, context, witness),
        ContractCheck(
            name="index", title=f"index: {context.index}", passed=context.index == "exact", detail=context.index
        ),
    )


def _one_hop(plan: RetrievalPlan) -> ContractCheck:
    expanding = {s.document_id for s in plan.seed_documents if s.expands}
    far = [edge for edge in plan.edges if edge[0] not in expanding]
    return _check("one_hop", "1 hop only", not far, f"{len(far)} of {len(plan.edges)} edges start beyond the seeds")


def _outgoing(plan: RetrievalPlan, snapshot: Snapshot) -> ContractCheck:
    """Every edge of the plan stands in the store in the direction in which it was followed."""
    sources = sorted({edge[0] for edge in plan.edges})
    limit = plan.constraints.max_edges_per_seed
    stored = snapshot.outgoing(sources, relation_types=plan.constraints.relation_types, limit=limit) if sources else ()
    there = {edge.key for edge in stored}
    wrong = [edge for edge in plan.edges if edge not in there]
    return _check("outgoing", "outgoing only", not wrong, f"{len(wrong)} of {len(plan.edges)} edges not outgoing")


def _nothing_unplanned(plan: RetrievalPlan, context: RetrievedContext) -> ContractCheck:
    planned = set(plan.document_ids)
    strays = sum(len(d.chunks) for d in context.documents if d.document.document_id not in planned)
    return _check("planned_only", f"{strays} chunks from unplanned documents", strays == 0, f"{strays}")


def _limits_kept(plan: RetrievalPlan, context: RetrievedContext) -> ContractCheck:
    c = plan.constraints
    n_documents, most = len(context.documents), max((len(d.chunks) for d in context.documents), default=0)
    kept = (
        n_documents <= c.max_documents
        and context.n_chunks <= c.max_chunks
        and most <= c.max_chunks_per_document
        and len(plan.expanded_documents) <= c.max_expanded
    )
    title = f"limits kept: {n_documents} of {c.max_documents} docs, {context.n_chunks} of {c.max_chunks} chunks"
    return _check("limits", title, kept, f"at most {most} of {c.max_chunks_per_document} chunks a document")


def _wrote_nothing(witness: Witness) -> ContractCheck:
    same = witness.revision_before == witness.revision_after
    detail = f"revision {witness.revision_before[:8]} before, {witness.revision_after[:8]} after, read-only"
    return _check("read_only", "planner wrote nothing", same, detail)


def _score_drift(context: RetrievedContext, ms3: tuple[ChunkHit, ...]) -> ContractCheck:
    """A chunk that MS3 returns too must carry the same score here: relationships change no score."""
    flat = {(hit.chunk.document_id, hit.chunk.chunk_index): hit.score for hit in ms3}
    shared = [
        (chunk.score, flat[document_id, chunk.chunk_index])
        for document_id, chunk in context.ranked_chunks
        if (document_id, chunk.chunk_index) in flat
    ]
    drift = max((abs(a - b) for a, b in shared), default=0.0)
    title = "score drift 0" if drift == 0 else f"score drift {drift:g}"
    return _check("score_drift", title, drift == 0, f"{len(shared)} chunks compared with MS3")


def _replay(plan: RetrievalPlan, context: RetrievedContext, witness: Witness) -> ContractCheck:
    same = witness.replayed.plan_id == plan.plan_id and witness.replayed_context == context
    return _check("replay", "replay identical" if same else "replay differs", same, f"plan {plan.plan_id[:12]}")


def _check(name: str, title: str, passed: bool, detail: str) -> ContractCheck:
    return ContractCheck(name=name, title=title, passed=passed, detail=detail)
