"""What embedding a workspace anew, in place, asks of its store."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from docgraph.domain.embedding import EmbeddingGain, EmbeddingState, LackingVectors, NewVectors, OwnAnswer
    from docgraph.domain.graph import Vectors
    from docgraph.domain.memory import Memory
    from docgraph.domain.workspace import EmbedderInfo


class EmbeddingStore(Protocol):
    """Vectors of another embedder, kept beside those that answer until all are there, then put in their place.

    Nothing but vectors is changed by it, and what they decide: ids, texts, relationships and whatever people said stay.
    A document or memory that is changed meanwhile lacks its new vectors again.
    """

    def embedding(self) -> EmbeddingState | None:
        """Where it stands, or how the last one ended; None = it was never begun, or given up."""
        ...

    def embedding_turn(self, by: str) -> AbstractContextManager[None]:
        """Inside, nobody else works at it. Raises ConflictError, which says who does."""
        ...

    def begin_embedding(self, embedder: EmbedderInfo, *, at: str, by: str) -> EmbeddingState:
        """Begin it, or go on with it. Raises ConflictError while it is unfinished for another embedder."""
        ...

    def lacking_vectors(self, *, after: str, limit: int) -> tuple[LackingVectors, ...]:
        """The next documents by id behind ``after`` that lack vectors, with about ``limit`` texts to embed in all."""
        ...

    def lacking_memories(self, *, limit: int) -> tuple[Memory, ...]:
        """Memories that lack their vector, by id."""
        ...

    def put_vectors(self, batch: Sequence[NewVectors]) -> None:
        """Keep new vectors; those of the same document with another stamp go. Raises EmbeddingMismatchError."""
        ...

    def put_memory_vectors(self, memories: Sequence[Memory], vectors: Vectors) -> None:
        """Keep the new vectors of memories, shape (len(memories), dimension). Raises EmbeddingMismatchError."""
        ...

    def note_embedding(self, *, asked: Sequence[OwnAnswer] = (), gain: EmbeddingGain | None = None) -> None:
        """Keep what was read for own questions before it, and what it brought, with the state."""
        ...

    def switch_vectors(self) -> bool:
        """Put all new vectors in the place of the old ones, in one transaction; False = some are lacking.

        The workspace has another embedder then, and another content revision. Who reads meanwhile sees one or the
        other.
        """
        ...

    def finish_embedding(self) -> None:
        """After the switch: make again what search needs, free the room of the old vectors."""
        ...

    def abandon_embedding(self) -> bool:
        """Throw the unfinished vectors away; False = there are none. Raises ConflictError after the switch."""
        ...
