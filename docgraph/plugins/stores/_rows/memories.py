"""What stores of conversation memory share: memories and vectors as they can be kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from docgraph.domain.memory import Memory
from docgraph.domain.packet import Calibration
from docgraph.errors import EmbeddingMismatchError
from docgraph.plugins.stores._rows.writing import cleaned

if TYPE_CHECKING:
    from docgraph.domain.graph import Vectors
    from docgraph.domain.workspace import EmbedderInfo

CANDIDATES = 50
"""Memories that are looked at by similarity, and by words, at least."""


def ready_memories(
    memories: Sequence[Memory], vectors: Vectors, embedder: EmbedderInfo
) -> tuple[tuple[Memory, ...], Vectors]:
    """The memories without what no database holds, and their vectors; of two with one id the last counts.

    Raises EmbeddingMismatchError and IngestionError.
    """
    rows = np.asarray(vectors, dtype=np.float32)
    if rows.shape != (len(memories), embedder.dimension):
        raise EmbeddingMismatchError(
            f"{len(memories)} memories come with vectors of shape {rows.shape}, expected "
            f"({len(memories)}, {embedder.dimension}) (embedder {embedder.embedder_id})",
            hint="use the workspace's embedder: one vector for each text",
        )
    if not np.isfinite(rows).all():
        raise EmbeddingMismatchError(
            "the vectors of memories hold values that are not finite",
            hint="check the embedder: NaN and infinity cannot be compared",
        )
    clean = [Memory.model_validate(cleaned(memory.model_dump())) for memory in memories]
    last = {memory.memory_id: place for place, memory in enumerate(clean)}
    kept = sorted(last.values())
    return tuple(clean[place] for place in kept), rows[kept]


def ready_calibration(calibration: Calibration) -> Calibration:
    """The calibration without what no database holds."""
    return Calibration.model_validate(cleaned(calibration.model_dump()))
