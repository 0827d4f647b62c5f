"""The contract strip: nine promises of every run, each checked against the data rather than taken from the plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from docgraph.domain.context import RetrievedContext
from docgraph.domain.graph import Relationship
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.run import ContractCheck
from docgraph.domain.where import facets_of_document, meets
from docgraph.domain.workspace import VectorSearch
from docgraph.ports import ChunkScore, Read, Snapshot, read

INDEX: Mapping[VectorSearch, str] = {
    "quantized": "two-stage search, exact scores",
    "hnsw": "approximate search (HNSW), exact scores",
}
"""Vector search of a plan's ranking → how its contract says so; of an exact one nothing is said."""


@dataclass(frozen=True)
class Witness:
    """What was seen beside a run.

    The plan made and executed a second time, and once with relationships off; the scores of plain vector search; the
    revision before and after.
    """

    replayed: RetrievalPlan
    replayed_context: RetrievedContext
    without: RetrievedContext
    plain: tuple[ChunkScore, ...]
    revision_before: str
    revision_after: str


def check_contract(
    plan: RetrievalPlan, context: RetrievedContext, witness: Witness, snapshot: Snapshot
) -> tuple[ContractCheck, ...]:
    """The nine checks in the order they are shown."""
    return (
        _one_hop(plan),
        _outgoing(plan, snapshot),
        _nothing_unplanned(plan, context),
        _limits_kept(plan, context, snapshot),
        _wrote_nothing(witness),
        _same_without(plan, context, witness),
        _score_drift(context, witness),
        _replay(plan, context, witness),
        _index(plan, context),
    )


def edge_reads(plan: RetrievalPlan) -> tuple[Read[tuple[Relationship, ...]], ...]:
    """What the check of directions reads: the edges that start where those of the plan do; nothing without any."""
    sources, c = sorted({edge[0] for edge in plan.edges}), plan.constraints
    if not sources:
        return ()
    return (read(Snapshot.outgoing, sources, relation_types=c.relation_types, limit=c.max_edges_per_seed),)


def _one_hop(plan: RetrievalPlan) -> ContractCheck:
    expanding = {s.document_id for s in plan.seed_documents if s.expands}
    far = [edge for edge in plan.edges if edge[0] not in expanding]
    return _check("one_hop", "one hop only", not far, f"{len(far)} of {len(plan.edges)} start beyond the matches")


def _outgoing(plan: RetrievalPlan, snapshot: Snapshot) -> ContractCheck:
    """Every edge of the plan stands in the store in the direction in which it was followed."""
    there = {edge.key for each in edge_reads(plan) for edge in each.of(snapshot)}
    wrong = [edge for edge in plan.edges if edge not in there]
    return _check("outgoing", "outgoing only", not wrong, f"{len(wrong)} of {len(plan.edges)} not outgoing")


def _nothing_unplanned(plan: RetrievalPlan, context: RetrievedContext) -> ContractCheck:
    planned = set(plan.document_ids)
    strays = sum(len(d.chunks) for d in context.documents if d.document.document_id not in planned)
    return _check(
        "planned_only",
        "nothing from outside the plan" if not strays else f"{strays} passages from outside the plan",
        strays == 0,
        f"{strays}",
    )


def _limits_kept(plan: RetrievalPlan, context: RetrievedContext, snapshot: Snapshot) -> ContractCheck:
    c, outside = plan.constraints, _outside_the_filter(plan, snapshot)
    n_documents, most = len(context.documents), max((len(d.chunks) for d in context.documents), default=0)
    kept = (
        n_documents <= c.max_documents
        and context.n_chunks <= c.max_chunks
        and most <= c.max_chunks_per_document
        and len(plan.expanded_documents) <= c.max_expanded
        and not outside
    )
    title = f"limits kept: {n_documents} of {c.max_documents} documents, {context.n_chunks} of {c.max_chunks} passages"
    title += f", {len(outside)} outside the filter" if c.where is not None else ""
    return _check("limits", title, kept, f"at most {most} of {c.max_chunks_per_document} passages per document")


def _outside_the_filter(plan: RetrievalPlan, snapshot: Snapshot) -> list[str]:
    """Ranked seeds and related documents that do not meet the filter which concerns them, as they are stored."""
    if (where := plan.constraints.where) is None:
        return []
    stored = snapshot.documents_by_id(plan.document_ids)
    ranked = tuple(seed.document_id for seed in plan.seed_documents if seed.rank is not None)
    asked = ((ranked, where.of_seeds), (plan.expanded_document_ids, where.of_related))
    return [i for ids, of in asked for i in ids if i in stored and not meets(of, facets_of_document(stored[i]))]


def _wrote_nothing(witness: Witness) -> ContractCheck:
    same = witness.revision_before == witness.revision_after
    detail = f"revision {witness.revision_before[:8]} before, {witness.revision_after[:8]} after"
    return _check("read_only", "read-only" if same else "data changed", same, detail)


def _same_without(plan: RetrievalPlan, context: RetrievedContext, witness: Witness) -> ContractCheck:
    """The law that makes relationships reversible: where they add nothing, nothing is changed (MS4, MS5)."""
    title = "no related document, no change"
    n = len(plan.expanded_documents)
    if n:
        return _check("same_without", title, True, f"{n} related: they explain every difference")
    same = context.documents == witness.without.documents
    return _check("same_without", title, same, f"{context.n_chunks} passages compared, document by document")


def _score_drift(context: RetrievedContext, witness: Witness) -> ContractCheck:
    """A chunk carries one score: here, with relationships off, and in plain vector search."""
    others = {(i, chunk.chunk_index): [chunk.score] for i, chunk in witness.without.ranked_chunks}
    for document_id, chunk_index, score in witness.plain:
        others.setdefault((document_id, chunk_index), []).append(score)
    shared = [
        (chunk.score, other)
        for document_id, chunk in context.ranked_chunks
        for other in others.get((document_id, chunk.chunk_index), ())
    ]
    drift = max((abs(a - b) for a, b in shared), default=0.0)
    title = "scores unchanged" if drift == 0 else f"scores changed by up to {drift:g}"
    detail = f"{len(shared)} scores compared: relationships off, and plain vector search"
    return _check("score_drift", title, drift == 0, detail)


def _replay(plan: RetrievalPlan, context: RetrievedContext, witness: Witness) -> ContractCheck:
    same = witness.replayed.plan_id == plan.plan_id and witness.replayed_context == context
    return _check(
        "replay",
        "same result when repeated" if same else "another result when repeated",
        same,
        f"plan {plan.plan_id[:12]}",
    )


def _index(plan: RetrievalPlan, context: RetrievedContext) -> ContractCheck:
    """Scores are exact in every run; the plan says whether all chunks were compared or candidates only."""
    title = INDEX.get(plan.constraints.vector_search, f"{context.index} search")
    return _check("index", title, context.index == "exact", context.index)


def _check(name: str, title: str, passed: bool, detail: str) -> ContractCheck:
    return ContractCheck(name=name, title=title, passed=passed, detail=detail)
