"""Conversation memory and calibrations in the reference store."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from docgraph.domain.graph import Vector, Vectors
from docgraph.domain.memory import Memory, MemoryHit, Remembered, fused_order
from docgraph.domain.packet import Calibration
from docgraph.domain.ranking import text_word_scores
from docgraph.plugins.stores._rows.ready import CANDIDATES, ready_memories, storable
from docgraph.plugins.stores._rows.writing import cleaned
from docgraph.plugins.stores.memory.queries import distances
from docgraph.plugins.stores.memory.reading import Content
from docgraph.ports import Probe


@dataclass(frozen=True)
class KeptMemory:
    """A memory with its vector, shape (dimension,)."""

    memory: Memory
    vector: Vector


class MemoryMemories:
    """What conversations left in a workspace, and its calibrations (``ports.MemoryStore``, ``ports.CalibrationStore``).

    Kept beside the ``Content``: snapshots do not see it, and no revision moves with it.
    """

    content: Content
    _lock: threading.Lock
    _memories: Mapping[str, KeptMemory] = {}  # replaced, never changed
    _calibrations: Mapping[tuple[str, str], Calibration] = {}

    def remember(
        self, memories: Sequence[Memory], vectors: Vectors, *, per_conversation: int, in_workspace: int
    ) -> Remembered:
        """Keep memories as the newest; the oldest go where there are too many."""
        ready, rows = ready_memories(memories, vectors, self.content.embedder)
        with self._lock:
            turn = max((kept.memory.turn for kept in self._memories.values()), default=0)
            made = [memory.model_copy(update={"turn": turn + n}) for n, memory in enumerate(ready, start=1)]
            there = {**self._memories}
            there |= {m.memory_id: KeptMemory(m, row) for m, row in zip(made, rows, strict=True)}
            gone = _too_many(there, per_conversation=per_conversation, in_workspace=in_workspace)
            self._memories = {i: kept for i, kept in there.items() if i not in gone}
        return Remembered(memories=tuple(m for m in made if m.memory_id not in gone), n_dropped=len(gone))

    def recall(self, probe: Probe, *, limit: int, conversation_id: str | None = None) -> tuple[MemoryHit, ...]:
        """The best by similarity, words and recency."""
        inside = [k for k in self._memories.values() if conversation_id in (None, k.memory.conversation_id)]
        if not inside:
            return ()
        words = text_word_scores(probe.text, {k.memory.memory_id: k.memory.text for k in inside})
        near = distances(np.stack([k.vector for k in inside]), probe.vector).tolist()
        hits = [
            MemoryHit(memory=k.memory, score=round(1 - d, 6), words=round(words.get(k.memory.memory_id, 0.0), 6))
            for k, d in zip(inside, near, strict=True)
        ]
        depth = max(limit, CANDIDATES)
        by_vector = sorted(hits, key=lambda hit: (-hit.score, -hit.memory.turn))[:depth]
        by_words = sorted((h for h in hits if h.words), key=lambda hit: (-hit.words, -hit.memory.turn))[:depth]
        chosen = {hit.memory.memory_id: hit for hit in (*by_vector, *by_words)}
        return fused_order(chosen.values(), limit=limit)

    def memories(
        self, *, conversation_id: str | None = None, limit: int = 200, before: int | None = None
    ) -> tuple[Memory, ...]:
        """Memories, newest first."""
        found = [
            k.memory
            for k in self._memories.values()
            if conversation_id in (None, k.memory.conversation_id) and (before is None or k.memory.turn < before)
        ]
        return tuple(sorted(found, key=lambda memory: -memory.turn)[:limit])

    def forget(self, *, conversation_id: str | None = None, memory_ids: Sequence[str] | None = None) -> int:
        """Remove those of a conversation, those of these ids, or those that are both; how many."""
        if conversation_id is None and memory_ids is None:
            return 0
        ids = None if memory_ids is None else {cleaned(each) for each in memory_ids}
        with self._lock:
            gone = {
                i
                for i, k in self._memories.items()
                if conversation_id in (None, k.memory.conversation_id) and (ids is None or i in ids)
            }
            self._memories = {i: k for i, k in self._memories.items() if i not in gone}
        return len(gone)

    def calibrations(self) -> tuple[Calibration, ...]:
        """All of the workspace, by embedder_id, then by score_kind."""
        return tuple(self._calibrations[key] for key in sorted(self._calibrations))

    def set_calibration(self, calibration: Calibration) -> None:
        """Keep it in the place of that of the same embedder and kind of score."""
        ready = storable(calibration)
        with self._lock:
            self._calibrations = {**self._calibrations, (ready.embedder_id, ready.score_kind): ready}

    def remove_calibrations(self) -> int:
        """Forget all of them; how many there were."""
        with self._lock:
            there, self._calibrations = self._calibrations, {}
        return len(there)


def _too_many(there: Mapping[str, KeptMemory], *, per_conversation: int, in_workspace: int) -> set[str]:
    """The ids of the oldest memories beyond what a conversation, then the workspace, may have."""
    newest = sorted((kept.memory for kept in there.values()), key=lambda memory: -memory.turn)
    counts: dict[str, int] = {}
    kept: list[str] = []
    for memory in newest:
        counts[memory.conversation_id] = counts.get(memory.conversation_id, 0) + 1
        if counts[memory.conversation_id] <= per_conversation:
            kept.append(memory.memory_id)
    return set(there) - set(kept[:in_workspace])
