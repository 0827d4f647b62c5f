"""How the providers are: what each says of itself, and what its breaker knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, get_args

from docgraph.domain.packet import PacketMode, ProviderStatus
from docgraph.orchestration.sources import Ask, Sources
from docgraph.ports.retrieval import Provider

SEARCH, HEALTH = "provider", "health"
"""Roles: a provider that searches, and the same one that says how it is."""
HEALTH_SECONDS = 1.0
"""Within which a provider says whether it can be asked."""
STATUSES: tuple[ProviderStatus, ...] = get_args(ProviderStatus)


@dataclass(frozen=True)
class Health:
    """Status of every provider, and why one is not available where that is known."""

    statuses: dict[str, ProviderStatus] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)


def health_of(providers: Sequence[Provider], sources: Sources) -> Health:
    """What the providers say of themselves, unless their breaker knows better.

    One that cannot say it, or says nonsense, is unavailable, and so is one whose breaker is open. One that may be tried
    again is degraded: it is asked for real only when nobody else is available.
    """
    asks = {(HEALTH, p.name): Ask(partial(_said, p)) for p in providers}
    statuses: dict[str, ProviderStatus] = {}
    reasons: dict[str, str] = {}
    for (_, name), said in sources.ask_all(asks, timeout=HEALTH_SECONDS).items():
        statuses[name] = "unavailable" if said.error_type else said.value
        if said.error_type:
            reasons[name] = f"health check: {said.message or said.error_type}"
            continue
        state, reason = sources.state((SEARCH, name))
        if state == "closed" or statuses[name] == "unavailable":
            continue
        statuses[name] = "unavailable" if state == "open" else "degraded"
        reasons[name] = reason
    return Health(statuses, reasons)


def given_health(statuses: Mapping[str, Any]) -> Health:
    """The statuses that a caller gives; what is none of the three counts as unavailable."""
    return Health({name: _status(said) or "unavailable" for name, said in statuses.items()})


def try_again(
    calls: Mapping[str, tuple[Provider, Callable[[], Any]]], mode: PacketMode, sources: Sources, *, timeout: float
) -> None:
    """Try the providers that may be tried again, beside a question that does without them; nobody waits."""
    for name, (provider, call) in calls.items():
        if mode in provider.modes:
            sources.try_beside((SEARCH, name), call, timeout=timeout)


def _said(provider: Provider) -> ProviderStatus:
    status = _status(provider.status())
    if status is None:
        raise ValueError("a status that is none of the three")
    return status


def _status(said: Any) -> ProviderStatus | None:
    return next((status for status in STATUSES if isinstance(said, str) and str.__str__(said) == status), None)
