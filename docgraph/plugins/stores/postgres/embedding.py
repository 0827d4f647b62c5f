"""A workspace embedded anew in PostgreSQL: vectors in a table beside, then in the place of the old ones at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import psycopg

from docgraph.plugins.stores._rows.embedding import accepted_vectors, at_work, check_abandon, check_begin, none_begun
from docgraph.plugins.stores._rows.ready import ready_memories
from docgraph.plugins.stores.postgres.connections.failures import refusing_foreign_rows, store_errors
from docgraph.plugins.stores.postgres.part import WorkspacePart
from docgraph.plugins.stores.postgres.postings import search_of
from docgraph.plugins.stores.postgres.statements import family, placed
from docgraph.plugins.stores.postgres.workspaces import check_embedder, dropped, hold

if TYPE_CHECKING:
    from docgraph.domain.embedding import EmbeddingGain, EmbeddingState, LackingVectors, NewVectors, OwnAnswer
    from docgraph.domain.graph import Vectors
    from docgraph.domain.memory import Memory
    from docgraph.domain.workspace import EmbedderInfo
    from docgraph.plugins.stores.postgres.connections.naming import Connection

SQL, WRITING = family("embedding"), family("writing")
SUMMARY, TITLE = -1, -2
"""Where a document's own vectors stand beside those of its chunks."""
_REPEATABLE = b"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"


@refusing_foreign_rows
class PostgresEmbedding(WorkspacePart):
    """Vectors of another embedder beside those that answer (``ports.EmbeddingStore``)."""

    def embedding(self) -> EmbeddingState | None:
        """Where it stands, or how the last one ended."""
        with self._writer.connection(f"read workspace {self._name!r}") as connection:
            return self._counted(connection, self._state(connection))

    @contextmanager
    def embedding_turn(self, by: str) -> Iterator[None]:
        """Inside, nobody else works at it: a lock of a transaction of its own, which ends with the process."""
        with store_errors(f"embed workspace {self._name!r} anew"):
            connection = self._writer.connect()
        try:
            with store_errors(f"embed workspace {self._name!r} anew"):
                row = connection.execute(SQL["take_turn"].encode(), {"schema": self._schema}).fetchone()
                connection.execute(b"SELECT 1")  # without values: ends what the statement before would go on seeing
            with self._embedding("begin to embed") as stating:
                there = self._state(stating)
                if row is None or not row[0]:
                    raise at_work(self._name, "" if there is None else there.by)
                if there is not None and not there.finished:
                    self._put_state(stating, there.model_copy(update={"by": by}))
            yield
        finally:
            with suppress(psycopg.Error):  # at once: a server process notices late that its client has gone
                connection.rollback()
            connection.close()

    def begin_embedding(self, embedder: EmbedderInfo, *, at: str, by: str) -> EmbeddingState:
        """Begin it, or go on with it."""
        from docgraph.domain.embedding import EmbeddingState
        from docgraph.plugins.stores.postgres.resizing import make_table

        with self._embedding("begin to embed") as connection:
            hold(connection, self._name)
            there = self._counted(connection, self._state(connection))
            check_begin(self._name, there, embedder)
            if there is not None and not there.finished:
                return there
            check_embedder(connection, self._name, self._embedder)
            made = EmbeddingState(embedder=embedder, before=self._embedder, at=at, by=by)
            make_table(connection, self._schema, embedder.dimension)
            self._put_state(connection, made)
            counted = self._counted(connection, made)
        assert counted is not None
        return counted

    def lacking_vectors(self, *, after: str, limit: int) -> tuple[LackingVectors, ...]:
        """The next documents that lack vectors, each with its texts as they are at one moment."""
        from docgraph.domain.embedding import LackingVectors
        from docgraph.domain.graph import StoredDocument
        from docgraph.plugins.stores.postgres.queries import NODE, chunk

        with self._embedding("read") as connection:
            connection.execute(_REPEATABLE)
            documents = self._rows_of(connection, "lacking", {"after": after, "limit": limit})
            fitting = _fitting(documents, limit)
            ids = [row[0] for row in fitting]
            chunks = [
                chunk(row) for row in self._rows_of(connection, "lacking_chunks", {"ids": ids, "limit": limit + 1})
            ]
        is_rest = len(chunks) <= limit
        return tuple(
            LackingVectors(
                document=StoredDocument(**dict(zip(NODE, row, strict=False))),
                stamp=bytes(row[-1]).hex(),
                chunks=tuple(each for each in chunks[:limit] if each.document_id == row[0]),
                is_rest=is_rest,
            )
            for row in fitting
        )

    def lacking_memories(self, *, limit: int) -> tuple[Memory, ...]:
        """Memories that lack their vector, by id."""
        from docgraph.domain.memory import Memory
        from docgraph.plugins.stores.postgres.memories import COLUMNS

        with self._embedding("read") as connection:
            rows = self._rows_of(connection, "lacking_memories", {"limit": limit})
        return tuple(Memory(**dict(zip(COLUMNS, row, strict=False))) for row in rows)

    def put_vectors(self, batch: Sequence[NewVectors]) -> None:
        """Keep new vectors, and with a document's last one its fingerprint as it will be."""
        from docgraph.plugins.stores.postgres.resizing import fingerprints

        with self._embedding("embed") as connection:
            ready = accepted_vectors(batch, self._begun(connection).embedder)
            stamps = {"ids": [each.document_id for each in ready], "stamps": [_bytes(each) for each in ready]}
            connection.execute(placed(SQL["forget_stale"], self._schema), stamps)
            self._put(connection, [row for each in ready for row in _chunk_rows(each)])
            whole = [each for each in ready if each.vector is not None]
            made = fingerprints(partial(self._asked, connection), whole)
            self._put(connection, [row for each in whole if each.document_id in made for row in _own_rows(each, made)])

    def put_memory_vectors(self, memories: Sequence[Memory], vectors: Vectors) -> None:
        """Keep the new vectors of memories."""
        with self._embedding("embed") as connection:
            ready, rows = ready_memories(memories, vectors, self._begun(connection).embedder)
            made = [
                {"memory_id": memory.memory_id, "text": memory.text, "embedding": row}
                for memory, row in zip(ready, rows, strict=True)
            ]
            if made:
                with connection.cursor() as cursor:
                    cursor.executemany(placed(SQL["put_memory"], self._schema), made)

    def note_embedding(self, *, asked: Sequence[OwnAnswer] = (), gain: EmbeddingGain | None = None) -> None:
        """Keep what was read before it, and what it brought, with the state."""
        with self._embedding("embed") as connection:
            hold(connection, self._name)
            said: Mapping[str, Any] = {"asked": tuple(asked)} if gain is None else {"asked": (), "gain": gain}
            self._put_state(connection, self._begun(connection).model_copy(update=said))

    def switch_vectors(self) -> bool:
        """Make room for vectors of another width, then put all of them in their place in one transaction."""
        from docgraph.plugins.stores.postgres.resizing import make_room, put_in_place

        with self._embedding("read") as connection:
            state, lacks = self._begun(connection), self._lacks(connection)
            if lacks or state.switched:
                return state.switched
            if search_of(connection, self._name) == "hnsw":  # kept before it is left: nothing forgets how it was
                state = state.model_copy(update={"search": "hnsw"})
                self._put_state(connection, state)
        make_room(self._writer, self._name, self._schema, state.embedder.dimension)
        with self._embedding("switch the vectors of") as connection:
            connection.execute(WRITING["lock_workspace"].encode(), {"schema": self._schema})
            hold(connection, self._name, alone=True)
            check_embedder(connection, self._name, self._embedder)
            if self._lacks(connection):
                return False
            put_in_place(connection, self._name, self._schema, state.embedder)
            self._put_state(connection, state.model_copy(update={"switched": True}))
        self._embedder = state.embedder
        return True

    def finish_embedding(self) -> None:
        """Search as before, free the room."""
        from docgraph.plugins.stores.postgres.resizing import free_room, search_again

        with self._embedding("read") as connection:
            state = self._begun(connection)
        free_room(self._writer, self._name, self._schema)
        if state.search is not None:
            search_again(self._writer, self._name, self._schema, state.search)
        with self._embedding("embed") as connection:
            hold(connection, self._name)
            counted = self._counted(connection, self._begun(connection))
            assert counted is not None
            done = {"finished": True, "search": None, "asked": ()}
            self._put_state(connection, counted.model_copy(update=done))

    def abandon_embedding(self) -> bool:
        """Throw the unfinished vectors away; the search is as it was."""
        from docgraph.plugins.stores.postgres.resizing import drop_table, search_again

        with self._embedding("give up embedding") as connection:
            hold(connection, self._name)
            there = self._state(connection)
            if there is None or there.finished:
                return False
            check_abandon(self._name, there)
            drop_table(connection, self._schema)
            connection.execute(SQL["no_state"].encode(), {"workspace": self._name})
        if there.search is not None:
            search_again(self._writer, self._name, self._schema, there.search)
        return True

    # ------------------------------------------------------------ rows

    @contextmanager
    def _embedding(self, action: str) -> Iterator[Connection]:
        with self._writer.transaction(f"{action} workspace {self._name!r} anew") as connection:
            yield connection

    def _rows_of(self, connection: Connection, name: str, values: Mapping[str, Any] | None = None) -> list[Any]:
        return self._asked(connection, SQL[name], values or {})

    def _asked(self, connection: Connection, statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return connection.execute(placed(statement, self._schema), values).fetchall()

    def _put(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        if rows:
            with connection.cursor() as cursor:
                cursor.executemany(placed(SQL["put"], self._schema), rows)

    def _state(self, connection: Connection) -> EmbeddingState | None:
        from docgraph.domain.embedding import EmbeddingState

        row = connection.execute(SQL["state"].encode(), {"workspace": self._name}).fetchone()
        return None if row is None else EmbeddingState.model_validate_json(row[0])

    def _put_state(self, connection: Connection, state: EmbeddingState) -> None:
        values = {"workspace": self._name, "entry": state.model_dump_json()}
        connection.execute(SQL["put_state"].encode(), values)

    def _begun(self, connection: Connection) -> EmbeddingState:
        there = self._state(connection)
        if there is None or there.finished:
            raise none_begun(self._name)
        return there

    def _counted(self, connection: Connection, state: EmbeddingState | None) -> EmbeddingState | None:
        """With how far it is; what was changed since counts as done until it is looked at."""
        if state is None or state.finished:
            return state
        row = connection.execute(placed(SQL["totals"], self._schema), {"name": self._name}).fetchone()
        if row is None:
            raise dropped(self._name)
        total = int(row[0])
        if state.switched:
            return state.model_copy(update={"n_done": total, "n_total": total})
        try:
            with connection.transaction():
                (n_texts, n_documents) = self._rows_of(connection, "counts")[0]
        except psycopg.errors.InsufficientPrivilege:  # of a table that was made after the right to read was given
            return state.model_copy(update={"n_total": total})
        return state.model_copy(update={"n_done": min(n_texts + 2 * n_documents, total), "n_total": total})

    def _lacks(self, connection: Connection) -> bool:
        if self._begun(connection).switched:
            return False
        return any(self._rows_of(connection, name)[0][0] for name in ("is_lacking", "is_lacking_memories"))


def _fitting(documents: Sequence[Sequence[Any]], limit: int) -> list[Sequence[Any]]:
    """The first ones whose texts are no more than ``limit``, at least one."""
    found: list[Sequence[Any]] = []
    n_texts = 0
    for row in documents:
        n_texts += row[9] + 2
        if found and n_texts > limit:
            break
        found.append(row)
    return found


def _bytes(each: NewVectors) -> bytes:
    return bytes.fromhex(each.stamp)


def _chunk_rows(each: NewVectors) -> Iterator[dict[str, Any]]:
    for index, vector in sorted(each.chunks.items()):
        yield _row(each, index, vector, None)


def _own_rows(each: NewVectors, made: Mapping[str, tuple[bytes, bool]]) -> Iterator[dict[str, Any]]:
    """Of a document that is still there, with its fingerprint; the title's where the document is long."""
    fingerprint, is_long = made[each.document_id]
    if is_long and each.title_vector is not None:
        yield _row(each, TITLE, each.title_vector, None)
    yield _row(each, SUMMARY, each.vector, fingerprint)


def _row(each: NewVectors, index: int, vector: Any, fingerprint: bytes | None) -> dict[str, Any]:
    key = {"document_id": each.document_id, "chunk_index": index}
    return key | {"embedding": vector, "made_of": _bytes(each), "fingerprint": fingerprint}
