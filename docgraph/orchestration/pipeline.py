"""One question through every stage on one snapshot: plan, execute, assemble, verify."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docgraph.assembly.context import assemble
from docgraph.domain.context import AssembledContext, RetrievedContext
from docgraph.domain.directions import direction
from docgraph.domain.graph import Vector
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.errors import EmbeddingMismatchError
from docgraph.execution.executor import execute_plan
from docgraph.orchestration.saved_runs import SavedRuns
from docgraph.orchestration.tracing import Tracer
from docgraph.planning.planner import make_plan
from docgraph.ports import Probe, Snapshot
from docgraph.verification.contract import Witness, check_contract

WITNESSED_CHUNKS = 5
"""For the score check, this many times ``max_chunks`` of MS3's chunks are fetched."""


class Running(SavedRuns):
    """Runs of questions."""

    def run(self, request: RetrievalRequest, query_vector: Sequence[float] | None = None) -> Run:
        """Plan, execute, assemble and verify on one snapshot, with the trace of every step."""
        trace = Tracer(self._adapters.clock)
        with trace.step("embed query", {"query": request.query}) as step:
            vector = self._vector(request.query, query_vector)
            step.outputs = {"dimension": len(vector), "embedder_id": self.embedder.embedder_id}
        with self._reading() as snapshot:
            return self._run_on(snapshot, request, probe=Probe(vector, request.query), trace=trace)

    def assemble(self, context: RetrievedContext, *, token_budget: int = 2_000) -> AssembledContext:
        """The text that a model would receive, within ``token_budget`` tokens."""
        return assemble(context, self._adapters.tokenizer, token_budget=token_budget)

    # ------------------------------------------------------------ inside

    def _run_on(self, snapshot: Snapshot, request: RetrievalRequest, *, probe: Probe, trace: Tracer) -> Run:
        """Every stage on one snapshot, the data as they are or as edits would make them."""
        with trace.step("plan", request.model_dump(mode="json", exclude={"query"}), snapshot) as step:
            plan = make_plan(request, probe, snapshot)
            step.outputs = {"plan_id": plan.plan_id, "documents": list(plan.document_ids)}
        with trace.step("execute", {"plan_id": plan.plan_id}, snapshot) as step:
            context = execute_plan(plan, probe.vector, snapshot)
            step.outputs = {"chunks": context.n_chunks, "eligible": context.n_eligible_chunks}
        with trace.step("assemble", {"token_budget": request.token_budget}) as step:
            assembled = self.assemble(context, token_budget=request.token_budget)
            step.outputs = {"tokens": assembled.total_tokens, "left_out": assembled.n_left_out}
        with trace.step("verify", {"plan_id": plan.plan_id}, snapshot) as step:
            witness = self._witness(request, probe, snapshot, plan=plan)
            contract = check_contract(plan, context, witness, snapshot)
            step.outputs = {"passed": sum(c.passed for c in contract), "of": len(contract)}
        return Run(
            request=request, plan=plan, context=context, assembled=assembled, contract=contract, trace=trace.steps
        )

    def _vector(self, query: str, given: Sequence[float] | None) -> Vector:
        if given is None:
            vector = self._adapters.embedder.embed([query])[0]
            return np.asarray(vector, dtype=np.float32)
        try:
            return direction(given, self.embedder.dimension, what="the query vector")
        except ValueError as error:
            raise EmbeddingMismatchError(str(error), hint=f"embed the query with {self.embedder.embedder_id}") from None

    def _witness(self, request: RetrievalRequest, probe: Probe, snapshot: Snapshot, *, plan: RetrievalPlan) -> Witness:
        replayed = make_plan(request, probe, snapshot)
        return Witness(
            replayed=replayed,
            replayed_context=execute_plan(replayed, probe.vector, snapshot),
            ms3=snapshot.nearest_chunks(probe.vector, limit=request.max_chunks * WITNESSED_CHUNKS),
            revision_before=plan.corpus_revision,
            revision_after=snapshot.workspace.revision,
        )
