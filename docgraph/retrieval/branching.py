"""Decides the branch of an answer from the packet's confidence, failures and channels: never from what is asked."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.domain.packet import ACTIONS, Branch, NextAction, PacketRequest
from docgraph.retrieval.merging import Merged


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
