"""What a conversation remembers: the state after a turn follows from the state before it and the turn alone."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.domain.content_words import clipped, content_words, stem
from docgraph.domain.conversation import (
    MAX_KEPT,
    MAX_TOPIC,
    MAX_TURNS,
    Choice,
    ConversationState,
    FocusDocument,
    PastTurn,
    Understanding,
)
from docgraph.domain.packet import Action
from docgraph.errors import UserError


def opened(state: ConversationState | None, workspace: str) -> ConversationState:
    """The state that a turn starts from. Raises UserError for a conversation over another workspace."""
    if state is None:
        return ConversationState(workspace=workspace)
    if state.workspace not in ("", workspace):
        raise UserError(
            f"the conversation is over the workspace {state.workspace!r}, not over {workspace!r}",
            hint="open that workspace, or start a new conversation",
        )
    return state.model_copy(update={"workspace": workspace})


def advanced(
    state: ConversationState,
    understanding: Understanding,
    action: Action,
    *,
    documents: Sequence[FocusDocument] | None = None,
    question: str = "",
    choices: Sequence[Choice] = (),
) -> ConversationState:
    """The state after a turn.

    ``documents`` = those of its packet, None when nothing was retrieved; an empty packet leaves the ones before it,
    unless the topic is new. Smalltalk changes nothing but the turns. On a new topic nothing of the old one stays.
    """
    number = state.n_turns + 1
    small = understanding.link == "smalltalk"
    kept = () if understanding.new_topic else state.documents
    focus = tuple(documents) if documents else kept
    topic = state.topic if small else _topic(understanding, state)
    past = PastTurn(
        number=number,
        text=clipped(understanding.text, MAX_KEPT),
        query=clipped(understanding.query, MAX_KEPT),
        intent=understanding.intent,
        link=understanding.link,
        action=action,
        topic=topic,
        documents=focus,
        question=clipped(question, MAX_KEPT),
        choices=tuple(choices),
    )
    turns = (*state.turns, past)[-MAX_TURNS:]
    pending = state.pending if small else (number if choices else None)
    return ConversationState(
        conversation_id=state.conversation_id,
        workspace=state.workspace,
        n_turns=number,
        turns=turns,
        topic=topic,
        question=understanding.question,
        documents=focus,
        channel=understanding.channel,
        pending=pending if pending is not None and pending >= turns[0].number else None,
        n_failures=_failures(state, action, small=small),
    )


def _topic(understanding: Understanding, state: ConversationState) -> tuple[str, ...]:
    """Content words of the query, then those of the topic so far, one of each stem."""
    before = () if understanding.new_topic else state.topic
    kept: dict[str, str] = {}
    for word in (*content_words(understanding.query), *before):
        kept.setdefault(stem(word), word)
    return tuple(kept.values())[:MAX_TOPIC]


def _failures(state: ConversationState, action: Action, *, small: bool) -> int:
    """Turns in a row without an answer; they end with an answer, and where somebody takes over."""
    if small:
        return state.n_failures
    return 0 if action in ("proceed", "escalate") else state.n_failures + 1
