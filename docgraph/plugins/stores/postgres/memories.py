"""Conversation memory and calibrations in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from psycopg.types.json import Jsonb

from docgraph.domain.graph import Vectors
from docgraph.domain.memory import Memory, MemoryHit, Remembered, fused_order
from docgraph.domain.packet import Calibration
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import NotFoundError
from docgraph.plugins.stores._rows.memories import CANDIDATES, ready_calibration, ready_memories
from docgraph.plugins.stores.postgres import statements as sql
from docgraph.plugins.stores.postgres.connections import Connection, Connector
from docgraph.plugins.stores.postgres.reading import pg_text
from docgraph.ports import Probe

_COLUMNS = "memory_id, conversation_id, turn, role, text, metadata, at"
_LOCK_WORKSPACE = "SELECT name FROM docgraph.workspaces WHERE name = %s FOR NO KEY UPDATE"
_LAST_TURN = "SELECT COALESCE(max(turn), 0) FROM {schema}.memories"
_PUT = f"""
INSERT INTO {{schema}}.memories ({_COLUMNS}, embedding) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (memory_id) DO UPDATE SET (conversation_id, turn, role, text, metadata, at, embedding) =
  (excluded.conversation_id, excluded.turn, excluded.role, excluded.text, excluded.metadata, excluded.at,
   excluded.embedding)"""
_DROP_OF_CONVERSATIONS = """
DELETE FROM {schema}.memories m USING (
  SELECT c.id, (SELECT turn FROM {schema}.memories WHERE conversation_id = c.id
                ORDER BY turn DESC OFFSET %s LIMIT 1) AS turn
  FROM unnest(%s::text[]) AS c (id)) AS last
WHERE m.conversation_id = last.id AND m.turn <= last.turn RETURNING memory_id"""
_DROP_OF_WORKSPACE = """
DELETE FROM {schema}.memories
WHERE turn <= (SELECT turn FROM {schema}.memories ORDER BY turn DESC OFFSET %s LIMIT 1) RETURNING memory_id"""
_RECALL = f"""
WITH question AS MATERIALIZED ({sql.ANY_OF_THE_WORDS}),
near AS MATERIALIZED (
  SELECT memory_id, {sql.distance("embedding")} AS distance FROM {{schema}}.memories{{inside}}
  ORDER BY distance, turn DESC LIMIT %(depth)s),
worded AS MATERIALIZED (
  SELECT memory_id, ts_rank_cd(words, query) AS rank FROM question JOIN {{schema}}.memories ON words @@ query{{inside}}
  ORDER BY rank DESC, turn DESC LIMIT %(depth)s)
SELECT {_COLUMNS}, 1 - {sql.distance("embedding")}, COALESCE(ts_rank_cd(words, query), 0)
FROM {{schema}}.memories CROSS JOIN question
WHERE memory_id IN (SELECT memory_id FROM near UNION SELECT memory_id FROM worded)"""
_LIST = f"""
SELECT {_COLUMNS} FROM {{schema}}.memories
WHERE (%(conversation)s::text IS NULL OR conversation_id = %(conversation)s)
  AND (%(before)s::bigint IS NULL OR turn < %(before)s)
ORDER BY turn DESC LIMIT %(limit)s"""
_FORGET = """
DELETE FROM {schema}.memories
WHERE (%(conversation)s::text IS NULL OR conversation_id = %(conversation)s)
  AND (%(ids)s::text[] IS NULL OR memory_id = ANY(%(ids)s::text[]))"""
_CALIBRATIONS = """
SELECT calibration::text FROM docgraph.calibrations WHERE workspace = %s ORDER BY embedder_id, score_kind"""
_SET_CALIBRATION = """
INSERT INTO docgraph.calibrations (workspace, embedder_id, score_kind, calibration) VALUES (%s, %s, %s, %s)
ON CONFLICT (workspace, embedder_id, score_kind) DO UPDATE SET calibration = excluded.calibration"""
_NO_CALIBRATIONS = "DELETE FROM docgraph.calibrations WHERE workspace = %s"


class PostgresMemories:
    """What conversations left in a workspace, and its calibrations (``ports.MemoryStore``, ``ports.CalibrationStore``).

    Who remembers or forgets holds the workspace's row, so that turns are given out one after the other.
    """

    _name: str
    _schema: str
    _embedder: EmbedderInfo
    _writer: Connector
    _reader: Connector
    _begin: bytes

    def remember(
        self, memories: Sequence[Memory], vectors: Vectors, *, per_conversation: int, in_workspace: int
    ) -> Remembered:
        """Keep memories as the newest; the oldest go where there are too many."""
        ready, rows = ready_memories(memories, vectors, self._embedder)
        if not ready:
            return Remembered()
        with self._writer.transaction(f"remember in workspace {self._name!r}") as connection:
            self._lock_row(connection)
            last = self._sent(connection, _LAST_TURN)[0][0]
            made = [memory.model_copy(update={"turn": last + n}) for n, memory in enumerate(ready, start=1)]
            with connection.cursor() as cursor:
                cursor.executemany(
                    self._statement(_PUT), [_row(memory, vector) for memory, vector in zip(made, rows, strict=True)]
                )
            conversations = sorted({memory.conversation_id for memory in made})
            dropped = self._sent(connection, _DROP_OF_CONVERSATIONS, (per_conversation, conversations))
            dropped += self._sent(connection, _DROP_OF_WORKSPACE, (in_workspace,))
        gone = {row[0] for row in dropped}
        return Remembered(memories=tuple(m for m in made if m.memory_id not in gone), n_dropped=len(gone))

    def recall(self, probe: Probe, *, limit: int, conversation_id: str | None = None) -> tuple[MemoryHit, ...]:
        """The best by similarity, words and recency."""
        values = {
            "vector": np.asarray(probe.vector, dtype=np.float32),
            "text": pg_text(probe.text),
            "depth": max(limit, CANDIDATES),
            "conversation": conversation_id and pg_text(conversation_id),
        }
        inside = "" if conversation_id is None else " WHERE conversation_id = %(conversation)s"
        with self._reader.connection(f"recall in workspace {self._name!r}") as connection:
            connection.execute(self._begin)
            rows = self._sent(connection, _RECALL.replace("{inside}", inside), values)
        hits = (MemoryHit(memory=_memory(row), score=round(row[7], 6), words=round(row[8], 6)) for row in rows)
        return fused_order(hits, limit=limit)

    def memories(
        self, *, conversation_id: str | None = None, limit: int = 200, before: int | None = None
    ) -> tuple[Memory, ...]:
        """Memories, newest first."""
        values = {"conversation": conversation_id and pg_text(conversation_id), "before": before, "limit": limit}
        with self._reader.connection(f"read the memories of workspace {self._name!r}") as connection:
            return tuple(map(_memory, self._sent(connection, _LIST, values)))

    def forget(self, *, conversation_id: str | None = None, memory_ids: Sequence[str] | None = None) -> int:
        """Remove those of a conversation, those of these ids, or those that are both; how many."""
        if conversation_id is None and memory_ids is None:
            return 0
        ids = None if memory_ids is None else list(map(pg_text, memory_ids))
        values = {"conversation": conversation_id and pg_text(conversation_id), "ids": ids}
        with self._writer.transaction(f"forget in workspace {self._name!r}") as connection:
            self._lock_row(connection)
            return connection.execute(self._statement(_FORGET), values).rowcount

    def calibrations(self) -> tuple[Calibration, ...]:
        """All of the workspace, by embedder_id, then by score_kind."""
        with self._reader.connection(f"read the calibrations of workspace {self._name!r}") as connection:
            rows = self._sent(connection, _CALIBRATIONS, (self._name,))
        return tuple(Calibration.model_validate_json(row[0]) for row in rows)

    def set_calibration(self, calibration: Calibration) -> None:
        """Keep it in the place of that of the same embedder and kind of score."""
        ready = ready_calibration(calibration)
        values = (self._name, ready.embedder_id, ready.score_kind, ready.model_dump_json())
        with self._writer.transaction(f"store a calibration in workspace {self._name!r}") as connection:
            self._lock_row(connection)
            self._sent(connection, _SET_CALIBRATION, values, rows=False)

    def remove_calibrations(self) -> int:
        """Forget all of them; how many there were."""
        with self._writer.transaction(f"remove the calibrations of workspace {self._name!r}") as connection:
            self._lock_row(connection)
            return connection.execute(self._statement(_NO_CALIBRATIONS), (self._name,)).rowcount

    def _lock_row(self, connection: Connection) -> None:
        if connection.execute(_LOCK_WORKSPACE.encode(), (self._name,)).fetchone() is None:
            raise NotFoundError(f"there is no workspace {self._name!r} any more", hint="it was dropped meanwhile")

    def _sent(self, connection: Connection, text: str, values: Any = None, *, rows: bool = True) -> list[Any]:
        cursor = connection.execute(self._statement(text), values)
        return cursor.fetchall() if rows else []

    def _statement(self, text: str) -> bytes:
        return text.replace("{schema}", f'"{self._schema}"').encode()


def _row(memory: Memory, vector: Any) -> tuple[Any, ...]:
    return (
        memory.memory_id,
        memory.conversation_id,
        memory.turn,
        memory.role,
        memory.text,
        Jsonb(memory.metadata),
        memory.at,
        vector,
    )


def _memory(row: tuple[Any, ...]) -> Memory:
    return Memory(**dict(zip(_COLUMNS.split(", "), row, strict=False)))
