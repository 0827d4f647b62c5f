"""The retrieval contract over a workspace: always a packet and a next action, whatever fails on the way."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from docgraph.boundary.records import as_packet_request
from docgraph.domain.memory import MemoryHit
from docgraph.domain.packet import (
    PacketRequest,
    ProviderHit,
    ProviderStatus,
    RetrievalResponse,
)
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import RequestError
from docgraph.execution.executor import execute_plan
from docgraph.orchestration.confidences import Known, asked_with_calibrations
from docgraph.orchestration.health import SEARCH, given_health, health_of, try_again
from docgraph.orchestration.plans import described, with_reranker
from docgraph.orchestration.session import HasSession, Session
from docgraph.orchestration.sources import Answered, Ask, failure_of
from docgraph.planning.planner import make_plan
from docgraph.ports import Probe
from docgraph.ports.retrieval import Access, Provider, Reranker
from docgraph.retrieval.answers import Intake, take
from docgraph.retrieval.confidence import for_question
from docgraph.retrieval.evidence import evidence_hits, memory_hits, word_hits
from docgraph.retrieval.merging import Merged, merge
from docgraph.retrieval.packets import SCHEMA_ERROR, Failure, Found, respond, respond_to_a_fault
from docgraph.retrieval.reranking import (
    Ordered,
    Scores,
    in_order_of_one,
    policy,
    pool_size,
    reordered,
    reranked_text,
    scores_in,
)
from docgraph.retrieval.routing import Route, choose

RERANKER = "reranker"
"""Role of the source that orders what is found."""
MAX_SECONDS = 3_600.0
NEVER = "1970-01-01T00:00:00+00:00"
"""The time of a packet where the clock itself failed."""


def retrieve(
    self: HasSession,
    request: PacketRequest | Mapping[str, Any] | str,
    *,
    flags: Mapping[str, bool] | None = None,
    statuses: Mapping[str, ProviderStatus] | None = None,
    timeout: float | None = None,
) -> RetrievalResponse:
    """Candidates for a question, with confidence and next action; failures are reported in the packet, not raised.

    ``flags`` = provider → enabled (None: as configured; providers that it lacks are disabled), ``statuses`` = provider
    → health (None: as the providers report), ``timeout`` = seconds for every provider and the reranker (None: as
    configured). A text is asked in the mode *accurate*. Raises RequestError for an invalid question or ``timeout``;
    nothing else.
    """
    asked, session = as_packet_request(request), self.session
    seconds = session.adapters.provider_timeout if timeout is None else _seconds(timeout)
    try:
        return _response(session, asked, flags=flags, statuses=statuses, timeout=seconds)
    except (Exception, SystemExit, GeneratorExit) as error:  # the last guard: there is always a packet
        said = failure_of(error).error_type
        return respond_to_a_fault(asked, said, timestamp=_now(session), workspace=session.workspace)


def _response(
    session: Session,
    request: PacketRequest,
    *,
    flags: Mapping[str, bool] | None,
    statuses: Mapping[str, ProviderStatus] | None,
    timeout: float,
) -> RetrievalResponse:
    adapters = session.adapters
    enabled = adapters.provider_flags if flags is None else flags
    health = health_of(adapters.providers, adapters.sources) if statuses is None else given_health(statuses)
    route = choose(request, adapters.providers, flags=enabled, statuses=health.statuses, reasons=health.reasons)
    found = _found(session, request, route, timeout=timeout, decided=statuses is not None)
    return respond(request, route, found, timestamp=adapters.now(), workspace=session.workspace)


def _found(session: Session, request: PacketRequest, route: Route, *, timeout: float, decided: bool) -> Found:
    """What the route's providers found; ``decided`` = the caller said how they are, so their breakers do not count."""
    if not request.query:
        return Found(rerank_why="there is nothing to order", why_nothing="the question is empty")
    access: Access = _Access(session)
    calls = {
        p.name: (p, partial(_search, p, request, access)) for p in session.adapters.providers if route.flags[p.name]
    }
    if not decided:
        left = {name: call for name, call in calls.items() if name not in route.providers}
        try_again(left, request.mode, session.adapters.sources, timeout=timeout)
    if not route.providers:
        return Found(rerank_why="there is nothing to order")
    asks = {(SEARCH, name): Ask(calls[name][1], waits=True, always=decided) for name in route.providers}
    answers, known = asked_with_calibrations(session, request.query, asks, timeout)
    said = {name: answers[SEARCH, name] for name in route.providers}
    chosen = [calls[name][0] for name in route.providers]
    return _ordered(session, request, route, chosen, said, known=known, timeout=timeout)


def _search(provider: Provider, request: PacketRequest, access: Access) -> Intake:
    """What a provider finds, taken in: also reading its answer runs in its own thread and within its time.

    The question that it is given is its own: whatever it does with that, the others and the packet have theirs.
    """
    return take(provider.search(request.model_copy(), access), limit=request.top_k)


def _ordered(
    session: Session,
    request: PacketRequest,
    route: Route,
    chosen: list[Provider],
    answers: Mapping[str, Answered],
    *,
    known: Known,
    timeout: float,
) -> Found:
    taken: dict[str, Intake] = {name: a.value for name, a in answers.items() if not a.error_type}
    found = [(p.name, taken[p.name].hits) for p in chosen if p.name in taken and taken[p.name].hits]
    sure = for_question(known.calibrations, (hit for _, hits in found for hit in hits), known.weights)
    names = tuple(name for name, _ in found)
    reranking = frozenset(p.name for p in chosen if p.name in names and p.native_rerank)
    pool = merge(
        found,
        sure,
        limit=pool_size(request.top_k) if route.rerank else request.top_k,
        top=request.top_k,
        keeping=frozenset(p.name for p in chosen if getattr(p, "keeps_places", False) is True),
        first=reranking if request.mode == "conversation" else frozenset(),
    )
    merged = pool[: request.top_k]
    pool = merged if all(each.keeps for each in merged) else pool
    reranker = session.adapters.reranker
    todo = policy(
        allowed=route.rerank,
        allowed_why=route.rerank_why,
        native=bool(reranking),
        n_candidates=len(merged),
        reranker="" if reranker is None else reranker.name,
    )
    ordered = Ordered(merged, applied=in_order_of_one(merged, reranking), why=todo.why)
    failure = None
    if todo.ask:
        ordered, failure = _reranked(session, request, pool, timeout)
    return Found(
        candidates=ordered.candidates,
        providers=names,
        failures=_failures(answers, taken),
        n_malformed={name: each.n_malformed for name, each in taken.items()},
        native_rerank=bool(reranking),
        rerank_applied=ordered.applied,
        rerank_type=todo.rerank_type,
        rerank_why=ordered.why,
        rerank_failure=failure,
    )


def _reranked(
    session: Session, request: PacketRequest, pool: tuple[Merged, ...], timeout: float
) -> tuple[Ordered, Failure | None]:
    reranker = session.adapters.reranker
    assert reranker is not None
    texts = [reranked_text(each.candidate) for each in pool]
    call = partial(_scores, reranker, request.query, texts)
    answer = session.adapters.sources.ask((RERANKER, reranker.name), call, timeout=timeout)
    if answer.error_type or answer.value.broken:
        failure = Failure(answer.error_type or SCHEMA_ERROR, answer.message)
        return Ordered(pool[: request.top_k], applied=False, why="the reranker failed; the order is kept"), failure
    return reordered(pool, answer.value, limit=request.top_k, channel=request.channel), None


def _scores(reranker: Reranker, query: str, texts: Sequence[str]) -> Scores:
    """What a reranker says, taken in within its own thread and time; the list that it is given is its own."""
    return scores_in(reranker.rerank(query, list(texts)), len(texts))


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
        self._probes: dict[tuple[str, str], Probe] = {}
        self._lock = threading.Lock()

    def evidence(self, request: RetrievalRequest) -> tuple[ProviderHit, ...]:
        """See ``Access.evidence``."""
        return self._session.with_new_vectors(lambda: self._evidence(request))

    def _evidence(self, request: RetrievalRequest) -> tuple[ProviderHit, ...]:
        probe = self._probe(request.query)
        with self._session.reading() as snapshot:
            adapters = self._session.adapters
            plan = make_plan(with_reranker(request, adapters), probe, snapshot)
            found = execute_plan(plan, probe.vector, snapshot, reranker=adapters.passage_reranker)
            context = described(found, plan, snapshot)
            return evidence_hits(plan, context, snapshot.documents_by_id(context.document_ids))

    def full_text(self, query: str, limit: int) -> tuple[ProviderHit, ...]:
        """See ``Access.full_text``."""
        return self._session.with_new_vectors(lambda: self._full_text(query, limit))

    def _full_text(self, query: str, limit: int) -> tuple[ProviderHit, ...]:
        probe = self._probe(query)
        with self._session.reading() as snapshot:
            found = snapshot.chunks_with_words(probe, limit=limit)
            ids = dict.fromkeys(each.chunk.document_id for each in found)
            return word_hits(found, snapshot.documents_by_id(tuple(ids)))

    def memories(self, query: str, limit: int) -> tuple[ProviderHit, ...]:
        """See ``Access.memories``."""
        recall = partial(self._recall, query, limit)
        return memory_hits(self._session.with_new_vectors(recall))

    def _recall(self, query: str, limit: int) -> tuple[MemoryHit, ...]:
        probe = self._probe(query)
        return self._session.store().recall(probe, limit=limit)

    def _probe(self, query: str) -> Probe:
        with self._lock:
            key = (query, self._session.embedding.info.embedder_id)
            if key not in self._probes:
                self._probes[key] = self._session.probe(query)
            return self._probes[key]


def _seconds(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= MAX_SECONDS:
        raise RequestError(f"timeout: {given!r:.60} is not possible", hint=f"give seconds, 0 to {MAX_SECONDS:,.0f}")
    return float(given)


def _now(session: Session) -> str:
    try:
        return str(session.now())
    except Exception:
        return NEVER


def _failures(answers: Mapping[str, Answered], taken: Mapping[str, Intake]) -> dict[str, Failure]:
    failed = {name: Failure(a.error_type, a.message) for name, a in answers.items() if a.error_type}
    return failed | {name: Failure(SCHEMA_ERROR) for name, each in taken.items() if each.broken}
