"""One workspace in PostgreSQL: every change is one transaction, every reading sees one state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from docgraph.domain.graph import ImportHashes
from docgraph.domain.own_questions import Trial
from docgraph.domain.type_roles import TypeChange, switching_off
from docgraph.domain.workspace import BY_USER
from docgraph.errors import UserError
from docgraph.plugins.stores._rows.ready import moves_origins, ready_decisions
from docgraph.plugins.stores._rows.writing import accepted, accepted_anew, clean_relationship
from docgraph.plugins.stores.postgres.archives.imports import PostgresImports
from docgraph.plugins.stores.postgres.connections.failures import refusing_foreign_rows
from docgraph.plugins.stores.postgres.curation import PostgresCuration
from docgraph.plugins.stores.postgres.decided import decide
from docgraph.plugins.stores.postgres.embedding import PostgresEmbedding
from docgraph.plugins.stores.postgres.judgments import PostgresJudgments
from docgraph.plugins.stores.postgres.memories import PostgresMemories
from docgraph.plugins.stores.postgres.postings import switch
from docgraph.plugins.stores.postgres.queries import SQL as READING
from docgraph.plugins.stores.postgres.reading import PostgresSnapshot
from docgraph.plugins.stores.postgres.restating import restate
from docgraph.plugins.stores.postgres.statements import placed
from docgraph.plugins.stores.postgres.workspaces import check_embedder
from docgraph.plugins.stores.postgres.writing import SQL, Writing
from docgraph.ports import WriteResult

if TYPE_CHECKING:
    from docgraph.domain.graph import PreparedDocument, Relationship, RestatedDocument
    from docgraph.domain.history import HistoryEntry
    from docgraph.domain.overrides import EdgeKey
    from docgraph.domain.type_roles import TypeDecision
    from docgraph.domain.workspace import EmbedderInfo, SearchChoice, VectorSearch
    from docgraph.plugins.stores.postgres.connections import Connector
    from docgraph.plugins.stores.postgres.vector_cache.cache import VectorCache
    from docgraph.ports import EdgeChange

MAX_INDEXED = 2_000
"""Numbers of a vector that pgvector can index."""


@refusing_foreign_rows
class PostgresStore(PostgresCuration, PostgresJudgments, PostgresMemories, PostgresImports, PostgresEmbedding):
    """One workspace (``ports.Store``); safe to use from several threads."""

    def __init__(
        self,
        name: str,
        embedder: EmbedderInfo,
        *,
        writer: Connector,
        reader: Connector,
        statement_timeout: float,
        vector_cache: VectorCache | None = None,
    ) -> None:
        self._name, self._schema, self._embedder = name, writer.naming.schema_of(name), embedder
        self._writer, self._reader = writer, reader
        self._search: VectorSearch = "exact"
        self._statement_timeout, self._cache = max(1, int(statement_timeout * 1000)), vector_cache

    @contextmanager
    def reading(self, *, exact: bool = False, embedder: EmbedderInfo | None = None) -> Iterator[PostgresSnapshot]:
        """One snapshot for everything read inside: REPEATABLE READ, READ ONLY, bounded in time (milliseconds)."""
        with self._reader.reading(f"read workspace {self._name!r}") as lease:
            snapshot = PostgresSnapshot(
                lease,
                self._name,
                self._schema,
                statement_timeout=self._statement_timeout,
                search=self._search,
                exact=exact,
                vector_cache=None if exact else self._cache,
                embedder=embedder,
            )
            yield snapshot
        if not exact:
            self._search = snapshot.search

    def content_hashes(self, document_ids: Sequence[str] | None = None) -> dict[str, str]:
        """document_id → content hash of stored documents; all when ``document_ids`` is None."""
        name = "content_hashes" if document_ids is None else "content_hashes_of"
        values = None if document_ids is None else {"ids": list(document_ids)}
        return dict(self._writer.rows(f"read workspace {self._name!r}", placed(READING[name], self._schema), values))

    def import_hashes(self, document_ids: Sequence[str]) -> dict[str, ImportHashes]:
        """document_id → what the stored documents among these were made of."""
        statement = placed(READING["import_hashes"], self._schema)
        rows = self._writer.rows(f"read workspace {self._name!r}", statement, {"ids": list(document_ids)})
        return {row[0]: ImportHashes(text=row[1], embedded=row[2], stated=row[3]) for row in rows}

    def write(
        self, batch: Sequence[PreparedDocument], *, at: str = "", embedder: EmbedderInfo | None = None
    ) -> WriteResult:
        """Add or replace documents whole; equal ones are left alone, what people decided stands."""
        ready = accepted(batch, embedder or self._embedder)
        if not ready:
            return WriteResult()
        with self._writing("store documents") as writing:
            writing.lock([prepared.document.document_id for prepared in ready])
            check_embedder(writing.connection, self._name, embedder or self._embedder)
            return writing.replace(ready, at=at)

    def restate(self, batch: Sequence[RestatedDocument], *, at: str = "") -> tuple[str, ...]:
        """Replace what is said of documents that are made of what the batch says; which ones."""
        ready = accepted_anew(batch)
        if not ready:
            return ()
        with self._writing("restate documents") as writing:
            writing.lock([each.document_id for each in ready])
            return restate(writing, ready, at=at)

    def put_ingested(self, relationships: Sequence[Relationship], *, at: str = "") -> tuple[Relationship, ...]:
        """Import relationships beside those that are there. Raises NotFoundError for an unknown start."""
        edges = {edge.key: edge for edge in map(clean_relationship, relationships)}
        if not edges:
            return ()
        with self._writing("store relationships") as writing:
            writing.lock(sorted({key[0] for key in edges}))
            return writing.state([edges[key] for key in sorted(edges)], at=at)

    def delete_documents(self, document_ids: Sequence[str]) -> int:
        """Remove documents with chunks and outgoing relationships; how many there were."""
        if not document_ids:
            return 0
        with self._writing("delete documents") as writing:
            writing.lock(sorted(set(document_ids)))
            return writing.delete(document_ids)

    def carry_over(self, moves: Mapping[str, str], *, at: str, by: str) -> tuple[HistoryEntry, ...]:
        """Give what was decided about documents to those in their place, and remove the old ones."""
        from docgraph.plugins.stores.postgres.history import carry_over

        if not moves:
            return ()
        with self._writing("move documents") as writing:
            return carry_over(writing, self._name, moves, at=at, by=by)

    def change_relationships(
        self, changes: Sequence[EdgeChange], *, at: str, by: str, reason: str
    ) -> tuple[HistoryEntry, ...]:
        """Change relationships and write it down, all or none. Raises ConflictError, NotFoundError."""
        from docgraph.plugins.stores._rows.history import ready_changes
        from docgraph.plugins.stores.postgres import history

        ready = ready_changes(changes)
        if not ready:
            return ()
        with self._writing("change relationships") as writing:
            entries = history.change(writing, self._name, ready, at=at, by=by, reason=reason)
            if moves_origins(ready):
                decide(writing, self._name, lambda _: ())
            return entries

    def history(
        self, *, key: EdgeKey | None = None, document_id: str | None = None, limit: int = 200, before: int | None = None
    ) -> tuple[HistoryEntry, ...]:
        """What was done to relationships, newest first."""
        from docgraph.plugins.stores.postgres import history

        with self._reader.connection(f"read the history of workspace {self._name!r}") as connection:
            return history.find(connection, self._name, key=key, document_id=document_id, limit=limit, before=before)

    def set_off_relation_types(self, types: Sequence[str]) -> None:
        """Exactly these types are off from now on, by hand."""
        with self._writing("switch relation types") as writing:
            decide(writing, self._name, partial(switching_off, types=types))

    def decide_types(self, decisions: Sequence[TypeDecision]) -> tuple[TypeChange, ...]:
        """Give relation types their roles in plans; what changed, by type."""
        ready = ready_decisions(decisions)
        with self._writing("decide about relation types") as writing:
            return decide(writing, self._name, lambda _: ready)

    def keep_trial(self, trial: Trial) -> Trial:
        """Keep a trial of relation types under the next ``trial_id``; as it is kept."""
        with self._holding("keep a trial in") as run:
            (last,) = run(SQL["last_trial"]).fetchone() or (0,)
            kept = trial.model_copy(update={"trial_id": last + 1})
            run(SQL["keep_trial"], {"ids": [kept.trial_id], "entries": [kept.model_dump_json()]})
        return kept

    def trials(self, *, limit: int = 20) -> tuple[Trial, ...]:
        """Trials of relation types, newest first."""
        return tuple(self._models(Trial, "the trials", SQL["trials"], {"limit": limit}))

    def type_history(self, *, limit: int = 200) -> tuple[TypeChange, ...]:
        """What was decided about relation types, newest first."""
        return tuple(self._models(TypeChange, "the decisions", SQL["type_changes"], {"limit": limit}))

    def set_vector_search(self, mode: VectorSearch, *, choice: SearchChoice = BY_USER) -> None:
        """Make what the mode needs, with every writer waiting. Raises NotFoundError, and UserError for wide vectors."""
        if mode == "hnsw" and self._embedder.dimension > MAX_INDEXED:
            raise UserError(
                f"vectors of {self._embedder.dimension:,} numbers are too wide for hnsw: it takes {MAX_INDEXED:,}",
                hint="choose quantized, which takes any",
            )
        with self._writing("switch the vector search") as writing:
            writing.execute(SQL["lock_workspace"], {"schema": self._schema})
            switch(writing.connection, self._name, self._schema, mode=mode, choice=choice)

    @contextmanager
    def _writing(self, action: str) -> Iterator[Writing]:
        with self._writer.transaction(f"{action} in workspace {self._name!r}") as connection:
            writing = Writing(connection, self._name, self._schema)
            yield writing
            writing.finish()
