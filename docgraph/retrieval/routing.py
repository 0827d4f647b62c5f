"""Chooses the providers for a request: flags, then health, then the mode, then a fixed order; no chance, no clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from docgraph.domain.packet import PacketMode, PacketRequest, ProviderStatus
from docgraph.ports.retrieval import Provider


@dataclass(frozen=True)
class Route:
    """Who is asked, in this order, and why.

    ``flags`` and ``statuses`` are snapshots of what was decided on: every known provider has both. ``rerank`` tells
    whether the mode lets an external reranker work; ``rerank_why`` says why not, or why. ``status_reasons`` says why a
    provider is not available, where that is known.
    """

    mode: PacketMode
    providers: tuple[str, ...]
    why: str
    flags: dict[str, bool]
    statuses: dict[str, ProviderStatus]
    override_note: str = ""
    rerank: bool = False
    rerank_why: str = ""
    status_reasons: dict[str, str] = field(default_factory=dict)


def choose(
    request: PacketRequest,
    providers: Sequence[Provider],
    *,
    flags: Mapping[str, bool] | None,
    statuses: Mapping[str, ProviderStatus],
    reasons: Mapping[str, str] | None = None,
) -> Route:
    """The route of a request.

    ``flags=None`` enables every provider; an explicit mapping enables exactly those that it says True of, so ``{}``
    enables none. A missing status counts as available; one that is degraded is asked only when nobody is available.
    An override is honoured while its provider is known, enabled and available; otherwise the usual choice is made.
    ``reasons`` = provider → why it is not available; they decide nothing.
    """
    known = sorted(providers, key=lambda p: (p.priority, p.name))
    enabled = {p.name: True if flags is None else flags.get(p.name) is True for p in known}
    health: dict[str, ProviderStatus] = {p.name: statuses.get(p.name, "available") for p in known}
    candidates, why = _healthy([p for p in known if enabled[p.name]], health, request.mode)
    chosen, note = _taking_part(candidates, request.mode), ""
    if request.provider_override is not None:
        wanted = request.provider_override
        refused = _refusal(wanted, enabled, health)
        if not refused:
            chosen, why = [p for p in known if p.name == wanted], f"the request asks for {wanted}"
        note = f"{wanted} was asked for, but {refused}" if refused else ""
    rerank, rerank_why = _rerank(request.mode)
    return Route(
        mode=request.mode,
        providers=tuple(p.name for p in chosen),
        why=why if chosen else _nobody(known, enabled),
        flags=enabled,
        statuses=health,
        override_note=note,
        rerank=rerank,
        rerank_why=rerank_why,
        status_reasons={name: said for name, said in sorted((reasons or {}).items()) if name in health},
    )


def _healthy(
    enabled: Sequence[Provider], health: Mapping[str, ProviderStatus], mode: PacketMode
) -> tuple[list[Provider], str]:
    able = [p for p in enabled if mode in p.modes]
    available = [p for p in able if health[p.name] == "available"]
    if available:
        return available, f"enabled, available and made for the mode {mode}"
    degraded = [p for p in able if health[p.name] == "degraded"]
    return degraded, "degraded, but no other is available"


def _taking_part(candidates: Sequence[Provider], mode: PacketMode) -> list[Provider]:
    """Without those whose place is taken; *fast* asks a single one."""
    names = {p.name for p in candidates}
    chosen = [p for p in candidates if p.stands_in_for not in names]
    return chosen[:1] if mode == "fast" else chosen


def _refusal(wanted: str, enabled: Mapping[str, bool], health: Mapping[str, ProviderStatus]) -> str:
    if wanted not in enabled:
        return "there is no such provider"
    if not enabled[wanted]:
        return "it is switched off"
    return "" if health[wanted] == "available" else f"it is {health[wanted]}"


def _rerank(mode: PacketMode) -> tuple[bool, str]:
    match mode:
        case "fast":
            return False, "the mode fast does without it"
        case "conversation":
            return False, "in conversations the provider's own rerank counts"
    return True, "the mode accurate reranks"


def _nobody(known: Sequence[Provider], enabled: Mapping[str, bool]) -> str:
    if not known:
        return "there is no provider"
    return "no enabled provider is available" if any(enabled.values()) else "no provider is enabled"
