"""The retrieval contract over a workspace: always a packet and a next action, whatever fails on the way."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, get_args

from docgraph.boundary.records import as_packet_request
from docgraph.domain.packet import (
    Calibration,
    ConfidenceSummary,
    PacketRequest,
    ProviderHit,
    ProviderStatus,
    RetrievalResponse,
)
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.execution.executor import execute_plan
from docgraph.orchestration.deadlines import Answered, ask_all
from docgraph.orchestration.session import HasSession, Session
from docgraph.planning.planner import make_plan
from docgraph.ports import Probe
from docgraph.ports.retrieval import Access, Provider
from docgraph.retrieval.answers import Intake, take
from docgraph.retrieval.branching import branch_of
from docgraph.retrieval.confidence import for_question
from docgraph.retrieval.evidence import evidence_hits, memory_hits, word_hits
from docgraph.retrieval.merging import Merged, merge
from docgraph.retrieval.packets import SCHEMA_ERROR, Failure, Found, respond
from docgraph.retrieval.reranking import policy, pool_size, reordered, reranked_text
from docgraph.retrieval.routing import Route, choose
from docgraph.retrieval.shipped import shipped_calibrations

CALIBRATIONS, SHIPPED = "calibrations", "shipped calibrations"
"""Parties asked beside the providers: for the workspace's calibrations, and for those that count when it has none."""

HEALTH_SECONDS = 1.0
"""Within which a provider says whether it can be asked."""


def retrieve(
    self: HasSession,
    request: PacketRequest | Mapping[str, Any] | str,
    *,
    flags: Mapping[str, bool] | None = None,
    statuses: Mapping[str, ProviderStatus] | None = None,
    timeout: float | None = None,
) -> RetrievalResponse:
    """Candidates for a question, with their confidence and what to do next; never raises for a failure.

    ``flags`` = provider → enabled (None: as configured; a name that it lacks is not enabled), ``statuses`` =
    provider → health (None: as the providers say), ``timeout`` = seconds that every provider and the reranker have
    (None: as configured). A text is asked in the mode *accurate*. Raises pydantic's ValidationError for a text that
    cannot be a question, and RequestError for what is neither text, fields nor a request; nothing else.
    """
    asked = as_packet_request(request)
    adapters = self.session.adapters
    enabled = adapters.provider_flags if flags is None else flags
    health = _health(adapters.providers) if statuses is None else statuses
    route = choose(asked, adapters.providers, flags=enabled, statuses=health)
    found = _found(self.session, asked, route, adapters.provider_timeout if timeout is None else timeout)
    return respond(asked, route, found, timestamp=adapters.now(), workspace=self.session.workspace)


def confidence_in(
    self: HasSession, run: Run, *, threshold: float = PacketRequest.model_fields["threshold"].default
) -> ConfidenceSummary | None:
    """How sure the passages of a run are, and the branch that a packet of them would have; nobody is asked.

    ``threshold`` = confidence that is enough, 0 to 1. None for a run of another embedder than the configured one:
    nothing is known of its scores. Never raises for a failure: without a database the shipped calibration counts.
    """
    if run.plan.embedder_id != self.session.embedder.embedder_id:
        return None
    _, calibrations = _asked_with_calibrations(self.session, {}, self.session.adapters.provider_timeout)
    hits = evidence_hits(run.plan, run.context, {})
    calibrations = for_question(calibrations, run.request.query, hits)
    merged = merge([("graph", hits)], calibrations, limit=max(len(hits), 1))
    asked = PacketRequest(query="", threshold=threshold)
    top = max((each.candidate.confidence for each in merged), default=0.0)
    return ConfidenceSummary(
        top_confidence=top,
        candidate_count=len(merged),
        threshold_met=bool(merged) and top >= threshold,
        branch=branch_of(asked, merged, native_rerank=False, schema_error=False),
    )


def _found(session: Session, request: PacketRequest, route: Route, timeout: float) -> Found:
    if not request.query:
        return Found(rerank_why="there is nothing to order", why_nothing="the question is empty")
    if not route.providers:
        return Found(rerank_why="there is nothing to order")
    providers = {p.name: p for p in session.adapters.providers}
    chosen = [providers[name] for name in route.providers]
    access: Access = _Access(session)
    calls: dict[str, Callable[[], Any]] = {p.name: partial(p.search, request, access) for p in chosen}
    answers, calibrations = _asked_with_calibrations(session, calls, timeout)
    return _ordered(session, request, route, chosen, answers, calibrations=calibrations, timeout=timeout)


def _asked_with_calibrations(
    session: Session, calls: Mapping[str, Callable[[], Any]], timeout: float
) -> tuple[dict[str, Answered], Mapping[str, Calibration]]:
    """The calls' answers, and the calibrations asked for beside them: the first that come without an error."""
    known = {
        CALIBRATIONS: partial(known_calibrations, session),
        SHIPPED: partial(_shipped, session),
    }
    answers = ask_all({**calls, **known}, timeout=timeout)
    said = [answers.pop(party) for party in known]
    return answers, next((each.value for each in said if not each.error_type), {})


def _ordered(
    session: Session,
    request: PacketRequest,
    route: Route,
    chosen: list[Provider],
    answers: Mapping[str, Answered],
    *,
    calibrations: Mapping[str, Calibration],
    timeout: float,
) -> Found:
    taken = {name: take(a.value, limit=request.top_k) for name, a in answers.items() if not a.error_type}
    found = [(p.name, taken[p.name].hits) for p in chosen if p.name in taken and taken[p.name].hits]
    calibrations = for_question(calibrations, request.query, (hit for _, hits in found for hit in hits))
    pool = merge(found, calibrations, limit=pool_size(request.top_k))
    merged = pool[: request.top_k]
    names = tuple(name for name, _ in found)
    native = any(p.native_rerank for p in chosen if p.name in names)
    reranker = session.adapters.reranker
    todo = policy(
        allowed=route.rerank,
        allowed_why=route.rerank_why,
        native=native,
        n_candidates=len(merged),
        reranker="" if reranker is None else reranker.name,
    )
    ordered, applied, why, failure = merged, native, todo.why, None
    if todo.ask:
        ordered, applied, why, failure = _reranked(session, request, pool, timeout)
    return Found(
        candidates=ordered,
        providers=names,
        failures=_failures(answers, taken),
        n_malformed={name: each.n_malformed for name, each in taken.items()},
        native_rerank=native,
        rerank_applied=applied,
        rerank_type=todo.rerank_type,
        rerank_why=why,
        rerank_failure=failure,
    )


def _reranked(
    session: Session, request: PacketRequest, pool: tuple[Merged, ...], timeout: float
) -> tuple[tuple[Merged, ...], bool, str, Failure | None]:
    reranker = session.adapters.reranker
    assert reranker is not None
    texts = [reranked_text(each.candidate) for each in pool]
    call = partial(reranker.rerank, request.query, texts)
    answer = ask_all({reranker.name: call}, timeout=timeout)[reranker.name]
    if answer.error_type:
        failure = Failure(answer.error_type, answer.message)
        return pool[: request.top_k], False, "the reranker failed; the order is kept", failure
    new = reordered(pool, answer.value, limit=request.top_k, channel=request.channel)
    return new.candidates, new.applied, new.why, None


def known_calibrations(session: Session) -> dict[str, Calibration]:
    """Score kind → calibration of this workspace and embedder, the shipped ones where nobody fitted any."""
    return {**_shipped(session), **{each.score_kind: each for each in own_calibrations(session)}}


def own_calibrations(session: Session) -> tuple[Calibration, ...]:
    """The workspace's own for the configured embedder, by kind of score."""
    embedder_id = session.embedder.embedder_id
    return tuple(each for each in session.store().calibrations() if each.embedder_id == embedder_id)


def _shipped(session: Session) -> dict[str, Calibration]:
    return shipped_calibrations(session.embedder.embedder_id)


def found_for(session: Session, query: str, *, limit: int) -> tuple[tuple[ProviderHit, ...], ...]:
    """What the built-in providers find for a question, one list each, at most ``limit``: by a plan, and by words.

    Raises DocgraphError.
    """
    access = _Access(session)
    return access.evidence(RetrievalRequest(query=query, max_chunks=limit)), access.full_text(query, limit)


class _Access:
    """What providers may use of a workspace (``ports.retrieval.Access``); the question is embedded once."""

    def __init__(self, session: Session) -> None:
        self.workspace = session.workspace
        self._session = session
        self._probes: dict[str, Probe] = {}
        self._lock = threading.Lock()

    def evidence(self, request: RetrievalRequest) -> tuple[ProviderHit, ...]:
        """See ``Access.evidence``."""
        probe = self._probe(request.query)
        with self._session.reading() as snapshot:
            plan = make_plan(request, probe, snapshot)
            context = execute_plan(plan, probe.vector, snapshot)
            return evidence_hits(plan, context, snapshot.documents_by_id(context.document_ids))

    def full_text(self, query: str, limit: int) -> tuple[ProviderHit, ...]:
        """See ``Access.full_text``."""
        probe = self._probe(query)
        with self._session.reading() as snapshot:
            found = snapshot.chunks_with_words(probe, limit=limit)
            ids = dict.fromkeys(each.chunk.document_id for each in found)
            return word_hits(found, snapshot.documents_by_id(tuple(ids)))

    def memories(self, query: str, limit: int) -> tuple[ProviderHit, ...]:
        """See ``Access.memories``."""
        return memory_hits(self._session.store().recall(self._probe(query), limit=limit))

    def _probe(self, query: str) -> Probe:
        with self._lock:
            if query not in self._probes:
                self._probes[query] = self._session.probe(query)
            return self._probes[query]


def _health(providers: Sequence[Provider]) -> dict[str, ProviderStatus]:
    """What the providers say of themselves; one that cannot even say it is unavailable."""
    said = ask_all({p.name: p.status for p in providers}, timeout=HEALTH_SECONDS)
    known = get_args(ProviderStatus)
    return {name: each.value if each.value in known else "unavailable" for name, each in said.items()}


def _failures(answers: Mapping[str, Answered], taken: Mapping[str, Intake]) -> dict[str, Failure]:
    failed = {name: Failure(a.error_type, a.message) for name, a in answers.items() if a.error_type}
    return failed | {name: Failure(SCHEMA_ERROR) for name, each in taken.items() if each.broken}
