"""Conversation memory and calibrations in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from psycopg.types.json import Jsonb

from docgraph.plugins.stores._rows.ready import CANDIDATES, ready_memories, storable
from docgraph.plugins.stores.postgres.connections.failures import refusing_foreign_rows
from docgraph.plugins.stores.postgres.part import WorkspacePart
from docgraph.plugins.stores.postgres.queries import pg_text
from docgraph.plugins.stores.postgres.statements import family, placed, with_parts
from docgraph.plugins.stores.postgres.workspaces import check_embedder, hold

if TYPE_CHECKING:
    from docgraph.domain.graph import Vectors
    from docgraph.domain.memory import Memory, MemoryHit, Remembered
    from docgraph.domain.packet import Calibration
    from docgraph.domain.workspace import EmbedderInfo
    from docgraph.plugins.stores.postgres.reading import PostgresSnapshot
    from docgraph.ports import Probe

SQL = family("memories")
COLUMNS = ("memory_id", "conversation_id", "turn", "role", "text", "metadata", "at")
"""The fields of a memory in the order in which they are read."""


@refusing_foreign_rows
class PostgresMemories(WorkspacePart):
    """What conversations left in a workspace, and its calibrations (``ports.MemoryStore``, ``ports.CalibrationStore``).

    The workspace's row is held while memories come or go, so that turns are given out one after the other.
    """

    def reading(
        self, *, exact: bool = False, embedder: EmbedderInfo | None = None
    ) -> AbstractContextManager[PostgresSnapshot]:
        """See ``PostgresStore.reading``."""
        raise NotImplementedError

    def remember(
        self, memories: Sequence[Memory], vectors: Vectors, *, per_conversation: int, in_workspace: int
    ) -> Remembered:
        """Keep memories as the newest; the oldest go where there are too many."""
        from docgraph.domain.memory import Remembered

        ready, rows = ready_memories(memories, vectors, self._embedder)
        if not ready:
            return Remembered()
        with self._writer.transaction(f"remember in workspace {self._name!r}") as connection:
            hold(connection, self._name)
            check_embedder(connection, self._name, self._embedder)
            run = self._running(connection)
            last = run(SQL["last_turn"]).fetchall()[0][0]
            made = [memory.model_copy(update={"turn": last + n}) for n, memory in enumerate(ready, start=1)]
            with connection.cursor() as cursor:
                written = [_row(memory, vector) for memory, vector in zip(made, rows, strict=True)]
                cursor.executemany(placed(SQL["put"], self._schema), written)
            conversations = sorted({memory.conversation_id for memory in made})
            dropped = run(SQL["drop_of_conversations"], {"kept": per_conversation, "conversations": conversations})
            too_old = dropped.fetchall() + run(SQL["drop_of_workspace"], {"kept": in_workspace}).fetchall()
        gone = {row[0] for row in too_old}
        return Remembered(memories=tuple(m for m in made if m.memory_id not in gone), n_dropped=len(gone))

    def recall(self, probe: Probe, *, limit: int, conversation_id: str | None = None) -> tuple[MemoryHit, ...]:
        """The best by similarity, words and recency."""
        import numpy as np

        from docgraph.domain.memory import MemoryHit, fused_order

        values = {
            "vector": np.asarray(probe.vector, dtype=np.float32),
            "text": pg_text(probe.text),
            "depth": max(limit, CANDIDATES),
            "conversation": conversation_id and pg_text(conversation_id),
        }
        with self.reading(embedder=self._embedder) as snapshot:
            rows = snapshot.rows(recalling(in_conversation=conversation_id is not None), **values)
        hits = (MemoryHit(memory=_memory(row), score=round(row[7], 6), words=round(row[8], 6)) for row in rows)
        return fused_order(hits, limit=limit)

    def memories(
        self, *, conversation_id: str | None = None, limit: int = 200, before: int | None = None
    ) -> tuple[Memory, ...]:
        """Memories, newest first."""
        values = {"conversation": conversation_id and pg_text(conversation_id), "before": before, "limit": limit}
        return tuple(map(_memory, self._read("the memories", SQL["list"], values)))

    def forget(self, *, conversation_id: str | None = None, memory_ids: Sequence[str] | None = None) -> int:
        """Remove those of a conversation, those of these ids, or those that are both; how many."""
        if conversation_id is None and memory_ids is None:
            return 0
        ids = None if memory_ids is None else list(map(pg_text, memory_ids))
        values = {"conversation": conversation_id and pg_text(conversation_id), "ids": ids}
        with self._holding("forget in") as run:
            return run(SQL["forget"], values).rowcount

    def calibrations(self) -> tuple[Calibration, ...]:
        """All of the workspace, by embedder_id, then by score_kind."""
        from docgraph.domain.packet import Calibration

        return tuple(self._models(Calibration, "the calibrations", SQL["calibrations"]))

    def set_calibration(self, calibration: Calibration) -> None:
        """Keep it in the place of that of the same embedder and kind of score."""
        ready = storable(calibration)
        values = {"embedder_id": ready.embedder_id, "score_kind": ready.score_kind}
        with self._holding("store a calibration in") as run:
            run(SQL["set_calibration"], values | {"calibration": ready.model_dump_json()})

    def remove_calibrations(self) -> int:
        """Forget all of them; how many there were."""
        with self._holding("remove the calibrations of") as run:
            return run(SQL["no_calibrations"]).rowcount


def recalling(*, in_conversation: bool) -> str:
    """The statement that finds candidates, of one conversation or of all."""
    return with_parts(SQL["recall"], inside=f" {SQL['inside']}" if in_conversation else "")


def _row(memory: Memory, vector: Any) -> dict[str, Any]:
    fields = {name: getattr(memory, name) for name in COLUMNS}
    return fields | {"metadata": Jsonb(memory.metadata), "embedding": vector}


def _memory(row: tuple[Any, ...]) -> Memory:
    from docgraph.domain.memory import Memory

    return Memory(**dict(zip(COLUMNS, row, strict=False)))
