"""What a database holds and how it is changed by hand: workspaces, documents, relationships."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from docgraph.boundary.text import one_line
from docgraph.domain.graph import Relationship, StoredChunk, StoredDocument
from docgraph.domain.workspace import EmbedderInfo, Workspace, checked_workspace_name
from docgraph.errors import EmbeddingMismatchError, NotFoundError
from docgraph.ports import (
    AnyMeasure,
    Check,
    Database,
    Embedder,
    Loader,
    RelationExtractor,
    Snapshot,
    Store,
    Summarizer,
    Tokenizer,
)
from docgraph.ports.retrieval import Provider, Reranker
from docgraph.ports.rewriting import Rewriter

MAX_TITLE = 200


def utc_now() -> str:
    """This moment in UTC, ISO 8601 to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class Adapters:
    """Everything outside the core that a Docgraph works with; ``bootstrap`` builds it from the settings."""

    database: Database
    embedder: Embedder
    tokenizer: Tokenizer
    summarizer: Summarizer
    loaders: tuple[Loader, ...]
    extractors: tuple[RelationExtractor, ...]
    clock: Callable[[], float]
    chunk_tokens: int = 256
    measures: tuple[AnyMeasure, ...] = ()
    checks: tuple[Check, ...] = ()
    now: Callable[[], str] = utc_now
    providers: tuple[Provider, ...] = ()
    provider_flags: Mapping[str, bool] | None = None
    provider_timeout: float = 10.0
    reranker: Reranker | None = None
    rewriter: Rewriter | None = None


class Holdings:
    """One workspace of a database; the database is opened with the first question."""

    def __init__(self, adapters: Adapters, workspace: str = "default", *, owns_database: bool = True) -> None:
        self._adapters = adapters
        self._name = workspace
        self._owns_database = owns_database
        self._opened: Store | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back connections; the embedded server stops with its last user."""
        if self._owns_database:
            self._adapters.database.close()

    # ------------------------------------------------------------ documents and relationships

    def documents(self, *, doc_type: str | None = None, text: str | None = None) -> Iterator[StoredDocument]:
        """All documents by id; ``text`` = part of a title or id."""
        with self._reading() as snapshot:
            yield from snapshot.documents(doc_type=doc_type, text=text)

    def documents_by_id(self, document_ids: Sequence[str]) -> dict[str, StoredDocument]:
        """document_id → document; ids that the workspace does not hold are absent."""
        with self._reading() as snapshot:
            return snapshot.documents_by_id(document_ids)

    def chunks(self, document_id: str) -> tuple[StoredChunk, ...]:
        """All chunks of a document in text order. Raises NotFoundError."""
        with self._reading() as snapshot:
            if not snapshot.documents_by_id([document_id]):
                raise NotFoundError(
                    f"no document has the id {document_id[:80]!r}", hint="list them: docgraph documents"
                )
            return snapshot.chunks(document_id)

    def delete_documents(self, document_ids: Sequence[str]) -> int:
        """Remove documents with chunks and outgoing relationships; incoming ones stay, dangling. Returns how many."""
        return self._store().delete_documents(document_ids)

    def relationships(
        self, *, document_id: str | None = None, relation_type: str | None = None, dangling: bool | None = None
    ) -> Iterator[Relationship]:
        """Relationships by key; ``document_id`` = at either end, ``dangling`` = whether the target is missing."""
        with self._reading() as snapshot:
            yield from snapshot.relationships(document_id=document_id, relation_type=relation_type, dangling=dangling)

    def relation_types(self) -> dict[str, int]:
        """relation_type → number of relationships."""
        with self._reading() as snapshot:
            return snapshot.relation_types()

    def set_off_relation_types(self, types: Sequence[str]) -> None:
        """Types that plans leave out unless a request names them."""
        self._store().set_off_relation_types(types)

    # ------------------------------------------------------------ workspaces

    @property
    def workspace(self) -> Workspace:
        """This workspace as it is now. Raises NotFoundError before the first import."""
        with self._reading() as snapshot:
            return snapshot.workspace

    @property
    def workspace_name(self) -> str:
        """The name of this workspace, whether it exists yet or not."""
        return self._name

    @property
    def embedder(self) -> EmbedderInfo:
        """The configured embedder."""
        return self._adapters.embedder.info

    def workspaces(self) -> tuple[Workspace, ...]:
        """All workspaces of the database, by name."""
        return self._adapters.database.workspaces()

    def create_workspace(self, name: str, *, title: str = "") -> None:
        """A new, empty workspace with the configured embedder. Raises ConflictError, and UserError for a bad name."""
        line = one_line(title, MAX_TITLE)
        self._adapters.database.create_workspace(checked_workspace_name(name), self.embedder, title=line)

    def drop_workspace(self, name: str) -> None:
        """Remove a workspace with everything in it. Raises NotFoundError."""
        self._adapters.database.drop_workspace(name)
        if name == self._name:
            self._opened = None

    def use_workspace(self, name: str) -> Self:
        """Another workspace of the same database; close this one, not that one. Raises UserError for a bad name."""
        return type(self)(self._adapters, checked_workspace_name(name), owns_database=False)

    def health(self) -> dict[str, Any]:
        """Database, embedder and counts, as ``docgraph doctor`` shows them."""
        workspaces = self.workspaces()
        return {
            "database": self._adapters.database.health(),
            "embedder": self.embedder.model_dump(),
            "workspaces": [w.model_dump() for w in workspaces],
        }

    # ------------------------------------------------------------ inside

    def _store(self, *, create: bool = False) -> Store:
        if self._opened is None:
            self._opened = self._open(create=create)
        return self._opened

    def _open(self, *, create: bool) -> Store:
        database = self._adapters.database
        try:
            store = database.open_workspace(self._name)
        except NotFoundError:
            if not create:
                raise
            return database.create_workspace(self._name, self.embedder)
        with store.reading() as snapshot:
            stored = snapshot.workspace.embedder
        if stored != self.embedder:
            raise EmbeddingMismatchError(
                f"workspace {self._name!r} holds vectors of {stored.embedder_id}, "
                f"but the configured embedder is {self.embedder.embedder_id}",
                hint=f"configure {stored.embedder_id}, or import the documents into a new workspace",
            )
        return store

    @contextmanager
    def _reading(self) -> Iterator[Snapshot]:
        with self._store().reading() as snapshot:
            yield snapshot
