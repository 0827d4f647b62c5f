"""Builds the packet of the retrieval contract: branch, confidence, candidates, next action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docgraph.domain.frozen import fingerprint
from docgraph.domain.packet import (
    ACTIONS,
    CONTRACT_VERSION,
    Branch,
    ConfidenceSummary,
    ContextPacket,
    NextAction,
    PacketRequest,
    RerankType,
    RetrievalResponse,
)
from docgraph.retrieval.confidence import passage_of
from docgraph.retrieval.merging import Merged
from docgraph.retrieval.routing import Route


def branch_of(
    request: PacketRequest, candidates: Sequence[Merged], *, native_rerank: bool, schema_error: bool
) -> Branch:
    """The first branch that holds, in the order of the contract's table.

    ``schema_error`` = nothing was found because a provider's answer was none of the contract's. A confidence equal to
    the threshold meets it, and it is looked at before a rerank counts.
    """
    if not candidates:
        return "LOW_CONFIDENCE" if schema_error else "EMPTY_SET"
    if max(each.candidate.confidence for each in candidates) < request.threshold:
        return "LOW_CONFIDENCE"
    if request.channel is not None and all(request.channel not in each.channels for each in candidates):
        return "CHANNEL_MISMATCH"
    return "RERANK_BYPASSED" if native_rerank else "SUCCESS"


def next_action(request: PacketRequest, candidates: Sequence[Merged], branch: Branch, *, why: str) -> NextAction:
    """What to do about a branch; ``why`` = why nothing was found, for the branches that say so."""
    top = max((each.candidate.confidence for each in candidates), default=0.0)
    suggestion: str | None = None
    match branch:
        case "EMPTY_SET":
            said = f"no candidate: {why}"
            suggestion = "ask in other words, allow another channel or another provider"
        case "LOW_CONFIDENCE":
            low, enough = _apart(top, request.threshold)
            said = f"the packet's confidence {low} is below the threshold {enough}"
            if not candidates:
                said = f"no candidate can be trusted: {why}"
            suggestion = "ask which of the found documents is meant, or for a name or a date"
        case "CHANNEL_MISMATCH":
            n = len(candidates)
            said = (
                f"none of the {n} candidates is of the channel {request.channel}"
                if n > 1
                else (f"the candidate is not of the channel {request.channel}")
            )
        case "RERANK_BYPASSED":
            said = f"confidence {top:.2f} ≥ {request.threshold:.2f}; the provider's own rerank stands"
        case "SUCCESS":
            said = f"confidence {top:.2f} ≥ {request.threshold:.2f}"
    return NextAction(action=ACTIONS[branch], reason=said, branch_code=branch, suggestion=suggestion)


def _apart(low: float, high: float) -> tuple[str, str]:
    """Two different numbers in as few decimals, from two on, as it takes to see that they differ."""
    for digits in range(2, 7):
        pair = f"{low:.{digits}f}", f"{high:.{digits}f}"
        if pair[0] != pair[1]:
            break
    return pair


SCHEMA_ERROR = "SchemaError"
"""``error_type`` of a provider whose answer holds no hit of the contract."""


@dataclass(frozen=True)
class Failure:
    """Why a provider, or the reranker, gave nothing.

    ``error_type`` = the name of the exception, ``Timeout`` or ``SchemaError``; ``message`` at most 200 characters,
    without keys and addresses, and empty for exceptions that are not ours.
    """

    error_type: str
    message: str = ""

    def as_metadata(self) -> dict[str, str]:
        """As it stands in the routing metadata."""
        return {"error_type": self.error_type, **({"message": self.message} if self.message else {})}


@dataclass(frozen=True)
class Found:
    """What became of a request: candidates in final order, who found some, and what failed."""

    candidates: tuple[Merged, ...] = ()
    providers: tuple[str, ...] = ()
    failures: Mapping[str, Failure] | None = None
    n_malformed: Mapping[str, int] | None = None
    native_rerank: bool = False
    rerank_applied: bool = False
    rerank_type: RerankType = "none"
    rerank_why: str = ""
    rerank_failure: Failure | None = None
    why_nothing: str = ""


def respond(request: PacketRequest, route: Route, found: Found, *, timestamp: str, workspace: str) -> RetrievalResponse:
    """The packet, the action and the routing metadata; a pure function of what is given."""
    failures = dict(found.failures or {})
    schema_error = not found.candidates and any(f.error_type == SCHEMA_ERROR for f in failures.values())
    branch = branch_of(request, found.candidates, native_rerank=found.native_rerank, schema_error=schema_error)
    candidates = tuple(each.candidate for each in found.candidates)
    top = max((c.confidence for c in candidates), default=0.0)
    packet = ContextPacket(
        candidates=candidates,
        summary=ConfidenceSummary(
            top_confidence=top,
            candidate_count=len(candidates),
            threshold_met=bool(candidates) and top >= request.threshold,
            branch=branch,
            passage_confidence=passage_of(candidates),
        ),
        provider="+".join(found.providers),
        rerank_applied=found.rerank_applied,
        timestamp=timestamp,
    )
    action = next_action(request, found.candidates, branch, why=found.why_nothing or _why_nothing(route, failures))
    metadata = _metadata(request, route, found, failures=failures, workspace=workspace)
    return RetrievalResponse(context_packet=packet, next_action=action, routing_metadata=metadata)


def respond_to_a_fault(request: PacketRequest, error_type: str, *, timestamp: str, workspace: str) -> RetrievalResponse:
    """The packet where retrieval itself failed: nothing found, and the name of what went wrong."""
    route = Route(mode=request.mode, providers=(), why=f"retrieval failed ({error_type})", flags={}, statuses={})
    found = Found(failures={"retrieval": Failure(error_type)}, rerank_why="there is nothing to order")
    return respond(request, route, found, timestamp=timestamp, workspace=workspace)


def trace_id(request: PacketRequest, route: Route, workspace: str) -> str:
    """16 hex digits that follow from the question and the route: a replay has the same."""
    asked = [workspace, request.model_dump(mode="json"), list(route.providers), route.flags, route.statuses]
    return fingerprint(asked)[:16]


def _metadata(
    request: PacketRequest, route: Route, found: Found, *, failures: Mapping[str, Failure], workspace: str
) -> dict[str, Any]:
    metadata: dict[str, Any] = {
        "contract_version": CONTRACT_VERSION,
        "trace_id": trace_id(request, route, workspace),
        "workspace": workspace,
        "mode": request.mode,
        "selected_provider": route.providers[0] if route.providers else None,
        "selected_providers": list(route.providers),
        "why": route.why,
        "skip_external_rerank": found.rerank_type != "external",
        "rerank_type": found.rerank_type,
        "rerank_why": found.rerank_why,
        "flags": route.flags,
        "statuses": route.statuses,
        "failures": {name: failures[name].as_metadata() for name in sorted(failures)},
    }
    if route.status_reasons:
        metadata["status_reasons"] = route.status_reasons
    if route.override_note:
        metadata["override_note"] = route.override_note
    if malformed := {name: n for name, n in sorted((found.n_malformed or {}).items()) if n}:
        metadata["malformed"] = malformed
    if found.rerank_failure is not None:
        metadata["rerank_failure"] = found.rerank_failure.as_metadata()
    if failures and not found.candidates:
        metadata["error_type"] = _first(route.providers, failures).error_type
    return metadata


def _why_nothing(route: Route, failures: Mapping[str, Failure]) -> str:
    if not route.providers:
        return route.why
    if not failures:
        return "nothing fits the question"
    first = _first(route.providers, failures)
    n = len(failures)
    said = f"{n} of {len(route.providers)} providers failed" if len(route.providers) > 1 else "the provider failed"
    return f"{said} ({first.error_type})"


def _first(providers: Sequence[str], failures: Mapping[str, Failure]) -> Failure:
    return next((failures[name] for name in providers if name in failures), next(iter(failures.values())))
