"""Conversations: every turn is understood, retrieved for in sequence, and answered with what comes next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from pydantic import ValidationError

from docgraph.conversation.follow_up import not_rewritten, rewritable, rewritten
from docgraph.conversation.intents import Embed
from docgraph.conversation.references import named_channel
from docgraph.conversation.state import opened
from docgraph.conversation.turns import begin, finished, next_step, request_for, small_turn
from docgraph.conversation.understanding import checked_text, understand
from docgraph.domain.conversation import ConversationState, Turn, Understanding
from docgraph.domain.graph import Vectors
from docgraph.domain.packet import PacketMode, PacketRequest, ProviderStatus
from docgraph.domain.request import request_error
from docgraph.orchestration.packets import retrieve
from docgraph.orchestration.session import HasSession, Session

THRESHOLD: float = PacketRequest.model_fields["threshold"].default


def converse(
    self: HasSession,
    state: ConversationState | None,
    text: str,
    *,
    mode: PacketMode = "conversation",
    channel: str | None = None,
    top_k: int = 5,
    threshold: float = THRESHOLD,
    flags: Mapping[str, bool] | None = None,
    statuses: Mapping[str, ProviderStatus] | None = None,
    timeout: float | None = None,
    provider_override: str | None = None,
) -> Turn:
    """One turn: how it was understood, every step with its packet, the next action, and the new state.

    ``state`` = that of the previous turn (``turn.state``), None for a new conversation. ``channel`` applies unless the
    text names another; ``flags``, ``statuses`` and ``timeout`` as for ``retrieve``; ``provider_override`` = the only
    provider that is asked first. Stateless: equal state, text and data give an equal turn, except for the packets'
    timestamps. Raises UserError for an empty, long or invalid text, values out of range, and a state of another
    workspace; a failed retrieval is a turn like any other.
    """
    heard = checked_text(text)
    before = opened(state, self.session.workspace)
    template = _template(
        mode=mode, channel=channel, top_k=top_k, threshold=threshold, provider_override=provider_override
    )
    seconds = self.session.adapters.provider_timeout if timeout is None else timeout
    understood = _understood(self.session, heard, before, seconds)
    if understood.link == "smalltalk":
        return small_turn(understood, before)
    trip = begin(understood, before, request_for(understood, template))
    while (step := next_step(trip)) is not None:
        if step.request is None:
            trip = trip.with_skipped(step)
            continue
        answer = retrieve(self, step.request, flags=flags, statuses=statuses, timeout=timeout)
        trip = trip.with_answer(step, answer)
    return finished(understood, before, trip)


def _understood(session: Session, text: str, state: ConversationState, timeout: float) -> Understanding:
    named = named_channel(text)
    spoken = None if named is None else _channel_in_data(session, named.spellings, timeout)
    understood = understand(text, state, _meaning(session, timeout), spoken_channel=spoken)
    return _rewritten(session, understood, state, timeout)


def _rewritten(session: Session, understood: Understanding, state: ConversationState, timeout: float) -> Understanding:
    """A follow-up by the rewriter, where there is one; whatever goes wrong there, the rules' question stands."""
    rewriter, asked = session.adapters.rewriter, rewritable(understood, state)
    if rewriter is None or asked is None:
        return understood

    def rewrite() -> str:
        return rewriter.rewrite(asked.text, asked.turns, rules_query=asked.rules_query)

    name = str(getattr(rewriter, "name", ""))
    answered = session.adapters.sources.ask(("rewriter", name), rewrite, timeout=timeout)
    if answered.error_type:
        return not_rewritten(understood, error_type=answered.error_type, name=name)
    return rewritten(understood, asked, answer=answered.value, name=name)


def _meaning(session: Session, timeout: float) -> Embed:
    """Vectors by the embedder; none for the rest of the turn once it has failed or was too slow."""
    broken = False

    def embed(texts: Sequence[str]) -> Vectors | None:
        nonlocal broken
        if broken:
            return None
        value = _asked(session, "meaning", lambda: session.embedding.embed(texts), timeout=timeout)
        broken = not (isinstance(value, np.ndarray) and value.ndim == 2)
        return None if broken else value

    return embed


def _channel_in_data(session: Session, spellings: Sequence[str], timeout: float) -> str | None:
    """The first spelling that is a type of document here; None when there is none, or nobody can tell."""

    def find() -> str | None:
        with session.reading() as snapshot:
            there = (name for name in spellings if next(iter(snapshot.documents(doc_type=name)), None) is not None)
            return next(there, None)

    found = _asked(session, "channel", find, timeout=timeout)
    return found if isinstance(found, str) else None


def _asked(session: Session, what: str, call: Callable[[], Any], *, timeout: float) -> Any:
    return session.adapters.sources.ask(("conversation", what), call, timeout=timeout).value


def _template(**fields: Any) -> PacketRequest:
    try:
        return PacketRequest(query="", **fields)
    except ValidationError as error:
        raise request_error(error) from None
