"""One question through every stage on one snapshot: plan, execute, assemble, verify."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.assembly.context import assemble
from docgraph.domain.baselines import MS3, baseline_request
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.execution.executor import execute_plan
from docgraph.orchestration.document_ids import with_stored_ids
from docgraph.orchestration.session import Adapters, Session
from docgraph.orchestration.tracing import Tracer
from docgraph.planning.planner import make_plan
from docgraph.ports import Probe, Snapshot
from docgraph.verification.contract import Witness, check_contract

WITNESSED_CHUNKS = 5
"""For the score check, this many times ``max_chunks`` of plain vector search's chunks are fetched."""


def run(session: Session, request: RetrievalRequest, query_vector: Sequence[float] | None = None) -> Run:
    """Every stage on one snapshot of the workspace, with the trace of every step."""
    trace = Tracer(session.adapters.clock)
    with trace.step("embed query", {"query": request.query}) as step:
        vector = session.vector(request.query, query_vector)
        step.outputs = {"dimension": len(vector), "embedder_id": session.embedder.embedder_id}
    with session.reading() as snapshot:
        request = with_stored_ids(request, snapshot)
        return run_on(snapshot, request, probe=Probe(vector, request.query), trace=trace, adapters=session.adapters)


def run_on(snapshot: Snapshot, request: RetrievalRequest, *, probe: Probe, trace: Tracer, adapters: Adapters) -> Run:
    """Every stage on one snapshot, the data as they are or as edits would make them."""
    with trace.step("plan", request.model_dump(mode="json", exclude={"query"}), snapshot) as step:
        plan = make_plan(request, probe, snapshot)
        step.outputs = {"plan_id": plan.plan_id, "documents": list(plan.document_ids)}
    with trace.step("execute", {"plan_id": plan.plan_id}, snapshot) as step:
        context = execute_plan(plan, probe.vector, snapshot)
        step.outputs = {"chunks": context.n_chunks, "eligible": context.n_eligible_chunks}
    with trace.step("assemble", {"token_budget": request.token_budget}) as step:
        assembled = assemble(context, adapters.tokenizer, token_budget=request.token_budget)
        step.outputs = {"tokens": assembled.total_tokens, "left_out": assembled.n_left_out}
    with trace.step("verify", {"plan_id": plan.plan_id}, snapshot) as step:
        witness = _witness(request, probe, snapshot, revision=plan.corpus_revision)
        contract = check_contract(plan, context, witness, snapshot)
        step.outputs = {"passed": sum(c.passed for c in contract), "of": len(contract)}
    return Run(request=request, plan=plan, context=context, assembled=assembled, contract=contract, trace=trace.steps)


def _witness(request: RetrievalRequest, probe: Probe, snapshot: Snapshot, *, revision: str) -> Witness:
    replayed = make_plan(request, probe, snapshot)
    replayed_context = execute_plan(replayed, probe.vector, snapshot)
    off = baseline_request(request, MS3)
    without = replayed_context  # a run without relationships is its own other half
    if off != request:
        without = execute_plan(make_plan(off, probe, snapshot), probe.vector, snapshot)
    return Witness(
        replayed=replayed,
        replayed_context=replayed_context,
        without=without,
        plain=snapshot.nearest_chunks(probe.vector, limit=request.max_chunks * WITNESSED_CHUNKS),
        revision_before=revision,
        revision_after=snapshot.workspace.revision,
    )
