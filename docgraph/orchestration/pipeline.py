"""One question through every stage on one snapshot: plan, execute, assemble, verify."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from docgraph.assembly.context import assemble
from docgraph.domain.baselines import MS3, baseline_request
from docgraph.domain.context import RetrievedContext
from docgraph.domain.graph import Vector
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import ContractCheck, Run, TraceStep
from docgraph.domain.workspace import Workspace
from docgraph.errors import ConflictError
from docgraph.execution.executor import evidence_reads, execute_plan
from docgraph.orchestration.caches import answers_of, asked_again, recorded, replayed
from docgraph.orchestration.plans import asked_on, bare, described, standing_reads
from docgraph.orchestration.session import Adapters, Session, with_new_vectors
from docgraph.planning.planner import make_plan
from docgraph.ports import Probe, Read, Snapshot, read
from docgraph.ports.progress import Spans, no_spans
from docgraph.verification.contract import Witness, check_contract, edge_reads

Verify = Literal["replay", "full", "later"]
"""How a run is checked: *replay* = planned and executed again on what the store answered, all other promises against
the data; *full* = the store is asked everything again as well; *later* = not now (``verified``)."""

WITNESSED_CHUNKS = 5
"""For the score check, this many times ``max_chunks`` of plain vector search's chunks are fetched."""


@with_new_vectors
def run(
    session: Session,
    request: RetrievalRequest,
    query_vector: Sequence[float] | None = None,
    *,
    verify: Verify = "replay",
) -> Run:
    """Every stage on one snapshot of the workspace, with the trace of every step."""
    of = {"openinference.span.kind": "CHAIN", "input.value": request.query, "docgraph.workspace": session.workspace}
    with session.adapters.spans("run", of):
        trace, probe = embedded(session, request, query_vector)
        with session.reading() as snapshot:
            asked = asked_on(snapshot, request, session.adapters)
            return run_on(snapshot, asked, probe=probe, trace=trace, adapters=session.adapters, verify=verify)


def execute(session: Session, plan: RetrievalPlan, vector: Vector) -> RetrievedContext:
    """The evidence of a plan, on a snapshot of its own."""
    embedder = session.embedder
    of_here = (session.workspace, embedder.embedder_id, (embedder.dimension,))
    is_of_here = (plan.workspace, plan.embedder_id, vector.shape) == of_here and plan.fits_its_id
    with session.reading() as snapshot:
        seen = recorded(snapshot)
        if is_of_here:
            _read_ahead(plan, vector, seen)
        context = execute_plan(plan, vector, seen, reranker=session.adapters.passage_reranker)
        return described(context, plan, seen)


def _read_ahead(plan: RetrievalPlan, vector: Vector, seen: Snapshot) -> None:
    """Everything that executing a plan and describing its documents read, in one trip."""
    seen.at_once(*evidence_reads(plan, vector), *standing_reads(plan.document_ids))


def embedded(
    session: Session, request: RetrievalRequest, query_vector: Sequence[float] | None = None
) -> tuple[Tracer, Probe]:
    """The trace of a run that begins, and the question as the store sees it."""
    trace = Tracer(session.adapters.clock, session.adapters.spans)
    with trace.step("embed query", {"query": request.query}) as step:
        vector = session.vector(request.query, query_vector)
        step.outputs = {"dimension": len(vector), "embedder_id": session.embedder.embedder_id}
        step.watched = {"embedding.model_name": session.embedder.embedder_id}
    return trace, Probe(vector, request.query)


def run_on(
    snapshot: Snapshot,
    request: RetrievalRequest,
    *,
    probe: Probe,
    trace: Tracer,
    adapters: Adapters,
    verify: Verify = "replay",
) -> Run:
    """Every stage on one snapshot, the data as they are or as edits would make them; nothing is read twice of it."""
    seen = recorded(snapshot)
    with trace.step("plan", request.model_dump(mode="json", exclude={"query"}), seen) as step:
        plan = make_plan(request, probe, seen)
        step.outputs = {"plan_id": plan.plan_id, "documents": list(plan.document_ids), **_not_in_plan(seen.workspace)}
        step.watched = {"docgraph.plan_id": plan.plan_id, "docgraph.n_documents": len(plan.document_ids)}
    with trace.step("execute", {"plan_id": plan.plan_id}, seen) as step:
        _read_ahead(plan, probe.vector, seen)
        found = execute_plan(plan, probe.vector, seen, reranker=adapters.passage_reranker)
        context = described(found, plan, seen)
        step.outputs = {"chunks": context.n_chunks, "eligible": context.n_eligible_chunks}
        step.watched = _retrieved(request, context)
    with trace.step("assemble", {"token_budget": request.token_budget}) as step:
        assembled = assemble(context, adapters.counting, token_budget=request.token_budget)
        step.outputs = {"tokens": assembled.total_tokens, "left_out": assembled.n_left_out}
    contract: tuple[ContractCheck, ...] = ()
    if verify != "later":
        with trace.step("verify", {"plan_id": plan.plan_id}, seen) as step:
            contract = _contract(
                request, plan, context, probe=probe, seen=seen, adapters=adapters, again=verify == "full"
            )
            step.outputs = {"passed": sum(c.passed for c in contract), "of": len(contract)}
    return Run(request=request, plan=plan, context=context, assembled=assembled, contract=contract, trace=trace.steps)


def _retrieved(request: RetrievalRequest, context: RetrievedContext) -> dict[str, Any]:
    """The chunks as OpenInference's attributes of a retriever, in the order of their ranks."""
    said: dict[str, Any] = {"input.value": request.query}
    for position, (_, chunk) in enumerate(context.ranked_chunks):
        at = f"retrieval.documents.{position}.document"
        said |= {f"{at}.id": chunk.chunk_id, f"{at}.score": chunk.score, f"{at}.content": chunk.text}
    return said


@with_new_vectors
def run_then(session: Session, request: RetrievalRequest) -> tuple[Run, Callable[[], Run]]:
    """The run without its contract, and what adds it: for whoever shows the one while the other is still checked.

    What the store answered is kept, so the check asks for what is missing alone. It raises ConflictError where the data
    have changed since, and whatever reading raises.
    """
    trace, probe = embedded(session, request)
    with session.reading() as snapshot:
        seen = recorded(snapshot)
        asked = asked_on(seen, request, session.adapters)
        made = run_on(seen, asked, probe=probe, trace=trace, adapters=session.adapters, verify="later")
        answers = answers_of(seen)

    def proven() -> Run:
        with session.reading() as snapshot:
            return _proven(session, made, probe, recorded(snapshot, answers), answered=True)

    return made, proven


@with_new_vectors
def verified(session: Session, made: Run, query_vector: Sequence[float] | None = None) -> Run:
    """The run with its contract, checked on the data of now. Raises ConflictError when they are others by now."""
    _, probe = embedded(session, made.request, query_vector)
    with session.reading() as snapshot:
        return _proven(session, made, probe, recorded(snapshot), answered=False)


def _proven(session: Session, made: Run, probe: Probe, seen: Snapshot, *, answered: bool) -> Run:
    """``answered`` = what the run was made on is known already; else it is asked first."""
    if not _is_of_now(made, seen.workspace):
        raise ConflictError(
            "the run cannot be verified: the data have changed since it was made", hint="run the question again"
        )
    trace = Tracer(session.adapters.clock, session.adapters.spans)
    with trace.step("verify", {"plan_id": made.plan.plan_id}, seen) as step:
        adapters = session.adapters
        if not answered:
            again = make_plan(made.request, probe, seen)
            execute_plan(again, probe.vector, seen, reranker=adapters.passage_reranker)
        contract = _contract(made.request, made.plan, made.context, probe=probe, seen=seen, adapters=adapters)
        step.outputs = {"passed": sum(c.passed for c in contract), "of": len(contract)}
    return made.model_copy(update={"contract": contract, "trace": (*made.trace, *trace.steps)})


def _not_in_plan(workspace: Workspace) -> dict[str, str]:
    """What a ranking depends on and a plan does not tell: the documents with their vectors, and where they are from."""
    return {"content_revision": workspace.content_revision, "places": workspace.places}


def _is_of_now(made: Run, now: Workspace) -> bool:
    """Whether the run was made on the data of now; what its trace does not tell (a run that was read) may differ."""
    plan = made.plan
    search = "exact" if plan.constraints.seed_signal == "summary" else now.vector_search
    here = (now.name, now.revision, now.embedder.embedder_id, search)
    if here != (plan.workspace, plan.corpus_revision, plan.embedder_id, plan.constraints.vector_search):
        return False
    told = next((step.outputs for step in made.trace if step.name == "plan"), {})
    return all(told.get(name, value) == value for name, value in _not_in_plan(now).items())


def _contract(
    request: RetrievalRequest,
    plan: RetrievalPlan,
    context: RetrievedContext,
    *,
    probe: Probe,
    seen: Snapshot,
    adapters: Adapters,
    again: bool = False,
) -> tuple[ContractCheck, ...]:
    """The promises, checked by a replay and against the data; whatever is still to be read is read in one trip.

    A snapshot is one unchanging view, so a replay on its answers decides as one on the store would. They are told in
    another order, and what was not asked before is asked now: a planner that is not pure shows. ``again`` = the replay
    is on second answers to the same reads.
    """
    off = baseline_request(request, MS3)
    without = plan if off == request else make_plan(off, probe, seen)
    plain = read(Snapshot.nearest_chunk_scores, probe.vector, limit=request.chunk_limit * WITNESSED_CHUNKS)
    more: list[Read[Any]] = [
        *evidence_reads(without, probe.vector),
        *standing_reads(without.document_ids),
        plain,
        *edge_reads(plan),
    ]
    if again:
        other = asked_again(seen, *more)
    else:
        seen.at_once(*more)
        other = replayed(seen)
    second = make_plan(request, probe, other)
    execute = partial(execute_plan, reranker=adapters.passage_reranker)
    second_context, context = execute(second, probe.vector, other), bare(context)
    witness = Witness(
        replayed=second,
        replayed_context=second_context,
        # a run without relationships is its own other half
        without=second_context if off == request else execute(without, probe.vector, other),
        plain=plain.of(other),
        revision_before=plan.corpus_revision,
        revision_after=other.workspace.revision,
    )
    return check_contract(plan, context, witness, other)


@dataclass
class OpenStep:
    """A step while it runs; set ``outputs`` before it ends, and ``watched``: what a span says of it."""

    outputs: dict[str, Any] = field(default_factory=dict)
    watched: dict[str, Any] = field(default_factory=dict)


KINDS = {"embed query": "EMBEDDING", "execute": "RETRIEVER"}
"""Step → its kind as OpenInference has it; all others are links of a CHAIN."""


class Tracer:
    """Collects steps in the order in which they ended; ``clock`` gives seconds, ``spans`` tells whoever watches."""

    def __init__(self, clock: Callable[[], float], spans: Spans = no_spans) -> None:
        self._clock, self._spans = clock, spans
        self._steps: list[TraceStep] = []

    def copy(self) -> Tracer:
        """Another trace that begins with the steps of this one."""
        other = Tracer(self._clock, self._spans)
        other._steps = list(self._steps)
        return other

    @property
    def steps(self) -> tuple[TraceStep, ...]:
        """The finished steps."""
        return tuple(self._steps)

    @contextmanager
    def step(self, name: str, inputs: dict[str, Any], snapshot: Snapshot | None = None) -> Iterator[OpenStep]:
        """Time one step; statements sent through ``snapshot`` meanwhile belong to it."""
        step, started = OpenStep(), self._clock()
        with self._spans(name.replace(" ", "_"), {"openinference.span.kind": KINDS.get(name, "CHAIN")}) as tell:
            yield step
            tell(step.watched)
        milliseconds = round((self._clock() - started) * 1000, 3)
        statements = snapshot.statements() if snapshot else ()
        self._steps.append(
            TraceStep(name=name, inputs=inputs, outputs=step.outputs, milliseconds=milliseconds, statements=statements)
        )
