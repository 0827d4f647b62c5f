"""What conversations leave behind in a workspace: short texts that later questions may find again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import Field, StringConstraints, field_validator

from docgraph.domain.frozen import Frozen, fingerprint
from docgraph.domain.ranking import RRF_K

MAX_TEXT = 8_000
MAX_ITEMS = 500
"""Texts that are remembered in one call."""
MAX_IN_CONVERSATION = 1_000
"""Memories of one conversation; the oldest make room for new ones."""
MAX_IN_WORKSPACE = 100_000
"""Memories of one workspace; the oldest make room for new ones."""
MAX_METADATA = 10_000
"""Characters of one memory's metadata as JSON."""
RECENCY = 0.5
"""How much the order in time counts, beside similarity and words, which count 1 each."""

ConversationId = Annotated[str, StringConstraints(min_length=1, max_length=200)]
MemoryId = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class MemoryItem(Frozen):
    """A text to be remembered. Without a ``memory_id`` conversation, role and text make one.

    ``role`` = who said it: ``user``, ``assistant`` or any other short word. ``metadata`` = JSON values.
    """

    text: str = Field(min_length=1, max_length=MAX_TEXT)
    role: str = Field(default="user", min_length=1, max_length=40)
    metadata: dict[str, Any] = Field(default_factory=dict)
    memory_id: MemoryId | None = None

    @field_validator("text")
    @classmethod
    def _says_something(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("the text is empty")
        return text


class Memory(Frozen):
    """A remembered text. ``turn`` = its place in the order in which the workspace remembered, from 1, newest highest.

    The turn is the only clock that ``recall`` looks at; ``at`` (ISO 8601, UTC) is for people.
    """

    memory_id: MemoryId
    conversation_id: ConversationId
    turn: int = Field(default=0, ge=0)
    role: str
    text: str
    metadata: dict[str, Any] = Field(default_factory=dict)
    at: str = ""


class Remembered(Frozen):
    """What became of texts: ``memories`` as they are kept, in the order given, and how many older ones had to go."""

    memories: tuple[Memory, ...] = ()
    n_dropped: int = Field(default=0, ge=0)


class MemoryHit(Frozen):
    """A memory that fits a question: ``score`` = cosine, ``words`` = fit by words (0: none of them), 6 digits each.

    ``fused`` = what it is ordered by, 9 digits; see ``fused_order``.
    """

    memory: Memory
    score: float
    words: float = Field(ge=0)
    fused: float = 0.0


def memory_id_of(conversation_id: str, role: str, text: str) -> str:
    """The id of a text that brings none: the same said again in the same conversation is the same memory."""
    return fingerprint([conversation_id, role, text])[:32]


def fused_order(candidates: Iterable[MemoryHit], *, limit: int) -> tuple[MemoryHit, ...]:
    """The best ``limit`` by reciprocal rank fusion of similarity, words and recency; ties: the newer first.

    1 / (60 + rank by cosine) + 1 / (60 + rank by words) + ½ / (60 + rank by turn, newest first), ranks counted from 1
    among the candidates. One without any of the words has no rank by words; one that neither points the same way
    (cosine above 0) nor holds a word is no candidate. Equal cosines and equal words stand newest first.
    """
    hits = [hit for hit in candidates if hit.score > 0 or hit.words > 0]
    newest = sorted(hits, key=lambda hit: (-hit.memory.turn, hit.memory.memory_id))
    rankings = (
        (1.0, sorted(newest, key=lambda hit: -hit.score)),
        (1.0, sorted((hit for hit in newest if hit.words > 0), key=lambda hit: -hit.words)),
        (RECENCY, newest),
    )
    fused = {hit.memory.memory_id: 0.0 for hit in hits}
    for weight, ranking in rankings:
        for rank, hit in enumerate(ranking, start=1):
            fused[hit.memory.memory_id] += weight / (RRF_K + rank)
    made = [hit.model_copy(update={"fused": round(fused[hit.memory.memory_id], 9)}) for hit in newest]
    return tuple(sorted(made, key=lambda hit: -hit.fused)[:limit])
