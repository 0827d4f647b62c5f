"""Every Protocol that a stage asks for and an adapter fulfils; one class and one ``build()`` make a plug-in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from docgraph.domain.graph import (
    Document,
    DocumentRef,
    PreparedDocument,
    Relationship,
    StoredChunk,
    StoredDocument,
    Vector,
    Vectors,
)
from docgraph.domain.report import Rejected
from docgraph.domain.request import SeedSignal
from docgraph.domain.workspace import EmbedderInfo, Workspace

# ---------------------------------------------------------------- embedding and text


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into unit vectors. Plug-in folder: ``embedders/``."""

    @property
    def info(self) -> EmbedderInfo:
        """Name, model and dimension."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, rows of unit length; a text without known words gives zeros.

        Equal texts give equal vectors, whatever the batch. Raises EmbedderError.
        """
        ...


class Tokenizer(Protocol):
    """Counts and cuts tokens as the budget sees them. Plug-in folder: ``tokenizers/``."""

    name: str

    def count(self, text: str) -> int:
        """Number of tokens."""
        ...

    def shorten(self, text: str, max_tokens: int) -> str:
        """The longest beginning of ``text`` with at most ``max_tokens`` tokens, cut at a word boundary."""
        ...

    def split(self, text: str, max_tokens: int) -> list[str]:
        """``text`` in pieces of at most ``max_tokens``, cut at paragraph, sentence and word boundaries."""
        ...


class Summarizer(Protocol):
    """Makes a document's summary. Plug-in folder: ``summarizers/``."""

    name: str

    def summarize(self, document: Document, embed: Callable[[Sequence[str]], Vectors]) -> str:
        """One to three sentences; never empty when the document has text. Raises EmbedderError on a failed call."""
        ...


class Loader(Protocol):
    """Reads one kind of file. Plug-in folder: ``loaders/``."""

    name: str
    suffixes: tuple[str, ...]

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Rejected]:
        """The documents in one file's bytes (one for most kinds, many for record files).

        ``source`` is the path relative to the import root, with ``/``. Raises ValueError with a one-line reason for a
        file that cannot be read as a whole; the pipeline turns it into a rejection. A record file yields a
        ``Rejected`` in place of each record that cannot be read, and goes on with the next one.
        """
        ...


@dataclass(frozen=True, eq=False)
class Titles:
    """All documents of a workspace as extractors see them: ids and titles, and where each came from.

    ``sources`` maps document_id → source (a path with ``/``), for links that name files rather than ids; documents
    may be missing from it. Make one object per import and hand it to every call: extractors index it once.
    """

    documents: tuple[DocumentRef, ...]
    sources: Mapping[str, str] = field(default_factory=dict)


class RelationExtractor(Protocol):
    """Finds relationships in documents. Plug-in folder: ``extractors/``.

    ``default_on=False`` marks edges that are only mentions in running text: their types are switched off in plans
    unless a request names them.
    """

    name: str
    default_on: bool

    def extract(self, document: Document, titles: Titles) -> Iterable[Relationship]:
        """Outgoing relationships of ``document``, each with its provenance in ``relationship_metadata``."""
        ...


# ---------------------------------------------------------------- reading a workspace


@dataclass(frozen=True)
class Probe:
    """The question as the store sees it: its vector (shape (dimension,), float32) and its words."""

    vector: Vector
    text: str


@dataclass(frozen=True)
class RankedDocument:
    """A document's place (from 1) in the ranking by a seed signal, and its score (higher is better, 6 digits)."""

    document_id: str
    title: str
    rank: int
    score: float
    ingestion_id: str = ""
    doc_type: str = ""


class DocumentSearch(Protocol):
    """Ranks whole documents for a question; exact, ties by document_id."""

    def rank_documents(
        self, probe: Probe, signal: SeedSignal, *, limit: int, document_ids: Sequence[str] = (),
        where: Mapping[str, str] | None = None,
    ) -> tuple[RankedDocument, ...]:  # fmt: skip
        """The first ``limit`` documents by ``signal``, and wherever they stand those of ``document_ids``, by rank.

        ``chunk`` = best chunk similarity (documents without chunks are left out); ``summary`` = summary similarity;
        ``mean`` = their mean (no chunk counts as 0); ``hybrid`` = reciprocal rank fusion (k = 60) of the rank by
        ``mean`` and the rank by full text (a document without any of the words has no second rank). ``where`` keeps
        documents whose ingestion_id / doc_type is equal; ranks then count inside it.
        """
        ...

    def documents_of_nearest_chunks(self, vector: Vector, *, limit: int) -> tuple[RankedDocument, ...]:
        """The documents of the ``limit`` most similar chunks (MS3), by their best chunk; score = its similarity."""
        ...


class RelationshipReader(Protocol):
    """Reads edges, one hop at a time."""

    def outgoing(
        self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None, limit: int
    ) -> tuple[Relationship, ...]:
        """Outgoing edges of each document, at most ``limit`` per document, in the order given, then by (type, to)."""
        ...

    def count_outgoing(self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None) -> dict[str, int]:
        """document_id → number of outgoing edges of the allowed types (0 is included)."""
        ...

    def incoming(
        self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None, limit: int
    ) -> tuple[Relationship, ...]:
        """Edges that point at each document, at most ``limit`` per document, by (to, type, from)."""
        ...

    def relation_types(self) -> dict[str, int]:
        """relation_type → number of edges, by name."""
        ...

    def relationships(
        self, *, document_id: str | None = None, relation_type: str | None = None, dangling: bool | None = None
    ) -> Iterator[Relationship]:
        """All edges by key; ``document_id`` = at either end."""
        ...


@dataclass(frozen=True)
class ChunkHit:
    """A chunk and its similarity to the question (cosine, 6 digits); ``distance`` is the raw one that orders."""

    chunk: StoredChunk
    score: float
    distance: float


class ChunkSearch(Protocol):
    """Fetches chunks by similarity: exact, and blind to relationships."""

    def nearest_chunks_of(
        self, document_ids: Sequence[str], vector: Vector, *, per_document: int
    ) -> tuple[ChunkHit, ...]:
        """The best ``per_document`` chunks of each of the documents, by (distance, document_id, chunk_index)."""
        ...

    def nearest_chunks(self, vector: Vector, *, limit: int) -> tuple[ChunkHit, ...]:
        """The best chunks of the whole workspace (MS3), by (distance, document_id, chunk_index)."""
        ...


class DocumentReader(Protocol):
    """Reads documents and chunks by id."""

    def documents_by_id(self, document_ids: Sequence[str]) -> dict[str, StoredDocument]:
        """document_id → document; unknown ids are absent."""
        ...

    def documents(self, *, doc_type: str | None = None, text: str | None = None) -> Iterator[StoredDocument]:
        """All documents by id; ``text`` filters by a part of title or id, whatever its case."""
        ...

    def chunks(self, document_id: str) -> tuple[StoredChunk, ...]:
        """All chunks of a document by chunk_index."""
        ...


@runtime_checkable
class Snapshot(DocumentSearch, RelationshipReader, ChunkSearch, DocumentReader, Protocol):
    """One unchanging view of a workspace, read-only; ``statements`` collects what was sent since the last call."""

    @property
    def workspace(self) -> Workspace:
        """The workspace at this view, with its revision."""
        ...

    def statements(self) -> tuple[str, ...]:
        """SQL texts sent since the last call of this method, without values."""
        ...


# ---------------------------------------------------------------- writing a workspace


@dataclass(frozen=True)
class WriteResult:
    """document_ids by what became of them in one atomic write."""

    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()


class GraphWriter(Protocol):
    """Changes a workspace; every call is one transaction and moves the revision."""

    def content_hashes(self, document_ids: Sequence[str] | None = None) -> dict[str, str]:
        """document_id → content hash (hex) of stored documents; all when ``document_ids`` is None."""
        ...

    def write(self, batch: Sequence[PreparedDocument]) -> WriteResult:
        """Add or replace documents whole, with chunks and *ingested* relationships; equal hashes are left alone.

        Relationships that a person added (``relationship_metadata["extractor"] == "manual"``) survive a replacement.
        Raises EmbeddingMismatchError for a wrong width or values that are not finite, before anything is written.
        """
        ...

    def delete_documents(self, document_ids: Sequence[str]) -> int:
        """Remove documents with chunks and outgoing relationships (incoming ones stay, dangling); how many."""
        ...

    def put_relationship(self, relationship: Relationship, *, replace: bool) -> None:
        """Add an edge (ConflictError when it exists and not ``replace``; NotFoundError for an unknown start)."""
        ...

    def delete_relationship(self, key: tuple[str, str, str]) -> Relationship:
        """Remove an edge and return it. Raises NotFoundError."""
        ...

    def set_off_relation_types(self, types: Sequence[str]) -> None:
        """Types that plans leave out unless a request names them."""
        ...


@runtime_checkable
class Store(GraphWriter, Protocol):
    """One workspace of a database."""

    def reading(self) -> AbstractContextManager[Snapshot]:
        """One snapshot for everything read inside (REPEATABLE READ, READ ONLY). Raises StoreError."""
        ...


@runtime_checkable
class Database(Protocol):
    """Holds workspaces. Plug-in folder: ``stores/`` (each file's ``build()`` returns one of these)."""

    def workspaces(self) -> tuple[Workspace, ...]:
        """All workspaces by name, with counts."""
        ...

    def create_workspace(self, name: str, embedder: EmbedderInfo, *, title: str = "") -> Store:
        """A new, empty workspace. Raises ConflictError when it exists."""
        ...

    def open_workspace(self, name: str) -> Store:
        """Raises NotFoundError, naming the workspaces there are."""
        ...

    def drop_workspace(self, name: str) -> None:
        """Remove a workspace with everything in it. Raises NotFoundError."""
        ...

    def health(self) -> dict[str, Any]:
        """What ``docgraph doctor`` shows: kind, server version, pgvector version, location, free bytes …"""
        ...

    def close(self) -> None:
        """Give back connections (and stop the embedded server when nobody else uses it)."""
        ...


# ---------------------------------------------------------------- long work


class Progress(Protocol):
    """Told how far long work is; ``cancelled()`` is asked between batches."""

    def update(self, done: int, total: int, message: str) -> None:
        """``done`` of ``total`` sources are accounted for."""
        ...

    def cancelled(self) -> bool:
        """True to stop after the current batch; what is finished is kept."""
        ...
