"""Conversation memory: what was said is kept in the workspace, and found again by later questions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from pydantic import TypeAdapter, ValidationError

from docgraph.boundary.text import clean
from docgraph.domain.memory import (
    MAX_IN_CONVERSATION,
    MAX_IN_WORKSPACE,
    MAX_ITEMS,
    MAX_METADATA,
    ConversationId,
    Memory,
    MemoryHit,
    MemoryItem,
    Remembered,
    memory_id_of,
)
from docgraph.domain.request import MAX_QUERY_LENGTH
from docgraph.errors import NotFoundError, UserError
from docgraph.orchestration.session import Namespace

MAX_LIMIT = 1_000
DEFAULT_CONVERSATION = "default"
_CONVERSATION: TypeAdapter[str] = TypeAdapter(ConversationId)


class Memories(Namespace):
    """Conversation memory: ``remember``, ``recall``, ``list``, ``forget``. Plans never read it; no revision changes."""

    def remember(
        self, items: str | MemoryItem | Sequence[str | MemoryItem], *, conversation_id: str = DEFAULT_CONVERSATION
    ) -> Remembered:
        """Store texts as the newest of a conversation; a repeated text is stored once, as the newest.

        At most 500 texts a call and 8,000 characters a text; a conversation keeps its newest 1,000, a workspace its
        newest 100,000, and the result counts the removed ones. The workspace is created if necessary. Raises UserError,
        storing nothing, for an invalid text or id.
        """
        given = [items] if isinstance(items, str | MemoryItem) else list(items)
        if len(given) > MAX_ITEMS:
            raise UserError(f"{len(given):,} texts are too many for one call", hint=f"at most {MAX_ITEMS:,}")
        conversation, now = _conversation(conversation_id), self.session.now()
        memories = [_memory(item, number, conversation, now) for number, item in enumerate(given, start=1)]
        if not memories:
            return Remembered()
        with suppress(NotFoundError):  # a workspace that is made by what is remembered first
            self.session.catch_up()
        vectors = self.session.vectors([memory.text for memory in memories])
        return self.session.store(create=True).remember(
            memories, vectors, per_conversation=MAX_IN_CONVERSATION, in_workspace=MAX_IN_WORKSPACE
        )

    def recall(self, query: str, limit: int = 5, *, conversation_id: str | None = None) -> tuple[MemoryHit, ...]:
        """Memories that match a question by similarity, words and recency, best first (``domain.memory.fused_order``).

        ``conversation_id`` = of this conversation only. An empty question matches nothing.
        """
        text, limit = clean(query).strip(), _bounded(limit)
        if len(text) > MAX_QUERY_LENGTH:
            raise UserError(f"the question has {len(text):,} characters", hint=f"at most {MAX_QUERY_LENGTH:,}")
        if not text:
            return ()
        where = None if conversation_id is None else _conversation(conversation_id)
        return self.session.with_new_vectors(
            lambda: self.session.store().recall(self.session.probe(text), limit=limit, conversation_id=where)
        )

    def list(
        self, *, conversation_id: str | None = None, limit: int = 200, before: int | None = None
    ) -> tuple[Memory, ...]:
        """Memories, newest first; ``before`` = only those of a smaller turn (for paging)."""
        where = None if conversation_id is None else _conversation(conversation_id)
        return self.session.store().memories(conversation_id=where, limit=_bounded(limit), before=before)

    def forget(self, *, conversation_id: str | None = None, memory_ids: Sequence[str] | None = None) -> int:
        """Delete memories of a conversation, memories by id, or those that match both; returns the number.

        Raises UserError when neither is given.
        """
        if conversation_id is None and memory_ids is None:
            raise UserError("nothing is named that is to be forgotten", hint="give conversation_id or memory_ids")
        where = None if conversation_id is None else _conversation(conversation_id)
        ids = None if memory_ids is None else [clean(each) for each in memory_ids]
        return self.session.store().forget(conversation_id=where, memory_ids=ids)


def _memory(item: str | MemoryItem, number: int, conversation_id: str, at: str) -> Memory:
    said = _item(item, number)
    if len(text := json.dumps(said.metadata, default=str)) > MAX_METADATA:
        raise UserError(
            f"the metadata of text {number} have {len(text):,} characters as JSON", hint=f"at most {MAX_METADATA:,}"
        )
    return Memory(
        memory_id=said.memory_id or memory_id_of(conversation_id, said.role, said.text),
        conversation_id=conversation_id,
        role=said.role,
        text=said.text,
        metadata=said.metadata,
        at=at,
    )


def _item(item: str | MemoryItem, number: int) -> MemoryItem:
    """The text without what no database holds. Raises UserError."""
    fields: dict[str, Any] = {"text": item} if isinstance(item, str) else item.model_dump()
    cleaned = {name: clean(value).strip() if isinstance(value, str) else value for name, value in fields.items()}
    try:
        return MemoryItem.model_validate(cleaned)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where, said = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
        raise UserError(f"text {number} cannot be remembered: {where}: {said}", hint="shorten or correct it") from None


def _conversation(conversation_id: str) -> str:
    try:
        return _CONVERSATION.validate_python(clean(conversation_id).strip())
    except ValidationError:
        raise UserError(
            f"{conversation_id[:60]!r} cannot name a conversation", hint="a name has 1 to 200 characters"
        ) from None


def _bounded(limit: int) -> int:
    if not 1 <= limit <= MAX_LIMIT:
        raise UserError(f"limit = {limit} is not possible", hint=f"1 to {MAX_LIMIT:,}")
    return limit
