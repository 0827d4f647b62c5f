"""What retrieval by contract keeps in a workspace: conversation memory, and how scores become confidences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from docgraph.domain.graph import Vectors
    from docgraph.domain.memory import Memory, MemoryHit, Remembered
    from docgraph.domain.packet import Calibration
    from docgraph.ports.reading import Probe


class MemoryStore(Protocol):
    """Conversation memory of one workspace; it goes with the workspace and moves no revision: plans never read it."""

    def remember(
        self, memories: Sequence[Memory], vectors: Vectors, *, per_conversation: int, in_workspace: int
    ) -> Remembered:
        """Keep ``memories`` as the newest, in the order given; ``vectors`` has shape (len(memories), dimension).

        Turns are given out here. A memory whose id is there already is replaced, and is new. The oldest go where a
        conversation then has more than ``per_conversation``, or the workspace more than ``in_workspace``. Raises
        EmbeddingMismatchError for vectors of another width or with values that are not finite; then nothing is kept.
        """
        ...

    def recall(self, probe: Probe, *, limit: int, conversation_id: str | None = None) -> tuple[MemoryHit, ...]:
        """The best ``limit`` by similarity, words and recency, in the order of ``domain.memory.fused_order``.

        Candidates are the ``max(limit, 50)`` most similar ones and as many that fit best by words, exact.
        ``conversation_id`` = only of this conversation.
        """
        ...

    def memories(
        self, *, conversation_id: str | None = None, limit: int = 200, before: int | None = None
    ) -> tuple[Memory, ...]:
        """Memories, newest first; ``before`` = only those of a smaller turn."""
        ...

    def forget(self, *, conversation_id: str | None = None, memory_ids: Sequence[str] | None = None) -> int:
        """Remove those of a conversation, those of these ids, or those that are both; how many. With neither: none."""
        ...


class CalibrationStore(Protocol):
    """How raw scores become confidences in one workspace; it moves no revision."""

    def calibrations(self) -> tuple[Calibration, ...]:
        """All of the workspace, by embedder_id, then by score_kind."""
        ...

    def set_calibration(self, calibration: Calibration) -> None:
        """Keep it in the place of that of the same embedder and kind of score."""
        ...

    def remove_calibrations(self) -> int:
        """Forget all of them, so that the shipped ones count again; how many there were."""
        ...
