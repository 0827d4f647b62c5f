"""Reading a workspace in PostgreSQL: one transaction that sees one state and cannot write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from docgraph.domain.graph import Relationship, StoredChunk, StoredDocument, Vector
from docgraph.domain.request import SeedSignal
from docgraph.domain.revision import revision_text
from docgraph.domain.workspace import EmbedderInfo, Workspace
from docgraph.errors import NotFoundError, RequestError
from docgraph.plugins.stores.postgres import statements as sql
from docgraph.plugins.stores.postgres.connections import Connection
from docgraph.ports import ChunkHit, Probe, RankedDocument, WordHit

FILTER_FIELDS = ("doc_type", "ingestion_id")
Row = tuple[Any, ...]


class PostgresSnapshot:
    """One unchanging view of a workspace (``ports.Snapshot``), on a connection inside its transaction."""

    def __init__(self, connection: Connection, name: str, schema: str) -> None:
        self._connection, self._name, self._schema = connection, name, f'"{schema}"'
        self._sent: list[str] = []

    @cached_property
    def workspace(self) -> Workspace:
        """The workspace at this view, asked for once. Raises NotFoundError when it was dropped."""
        row = next(iter(self._rows(sql.WORKSPACE, name=self._name)), None)
        if row is None:
            raise NotFoundError(f"there is no workspace {self._name!r} any more", hint="it was dropped meanwhile")
        return workspace_of(row)

    def statements(self) -> tuple[str, ...]:
        """SQL texts sent since the last call, without values."""
        sent, self._sent = tuple(self._sent), []
        return sent

    def rank_documents(
        self,
        probe: Probe,
        signal: SeedSignal,
        *,
        limit: int,
        document_ids: Sequence[str] = (),
        where: Mapping[str, str] | None = None,
    ) -> tuple[RankedDocument, ...]:
        """See ``ports.DocumentSearch.rank_documents``."""
        fields = tuple(sorted(where or {}))
        if unknown := set(fields) - set(FILTER_FIELDS):
            raise RequestError(f"cannot filter by {sorted(unknown)}", hint=f"fields are: {', '.join(FILTER_FIELDS)}")
        text = sql.rank_documents(signal, self._schema, fields)
        values = {
            "vector": _bound(probe.vector),
            "text": pg_text(probe.text),
            "limit": limit,
            "ids": _ids(document_ids),
        }
        filters = {name: pg_text(value) for name, value in (where or {}).items()}
        return tuple(map(_ranked, self._rows(text, **values, **filters)))

    def documents_of_nearest_chunks(self, vector: Vector, *, limit: int) -> tuple[RankedDocument, ...]:
        """See ``ports.DocumentSearch.documents_of_nearest_chunks``."""
        rows = self._rows(sql.DOCUMENTS_OF_NEAREST_CHUNKS, vector=_bound(vector), limit=limit)
        return tuple(map(_ranked, rows))

    def outgoing(
        self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None, limit: int
    ) -> tuple[Relationship, ...]:
        """See ``ports.RelationshipReader.outgoing``."""
        text = sql.OUTGOING if relation_types is None else sql.OUTGOING_OF_TYPES
        return self._edges(text, document_ids, relation_types, limit)

    def count_outgoing(self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None) -> dict[str, int]:
        """See ``ports.RelationshipReader.count_outgoing``."""
        text = sql.COUNT_OUTGOING if relation_types is None else sql.COUNT_OUTGOING_OF_TYPES
        counts: dict[str, int] = dict(self._rows(text, ids=_ids(document_ids), types=_ids(relation_types or ())))
        return {document_id: counts.get(document_id, 0) for document_id in dict.fromkeys(document_ids)}

    def incoming(
        self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None, limit: int
    ) -> tuple[Relationship, ...]:
        """See ``ports.RelationshipReader.incoming``."""
        text = sql.INCOMING if relation_types is None else sql.INCOMING_OF_TYPES
        return self._edges(text, document_ids, relation_types, limit)

    def relation_types(self) -> dict[str, int]:
        """relation_type → number of edges, by name."""
        return dict(self._rows(sql.RELATION_TYPES))

    def relationships(
        self, *, document_id: str | None = None, relation_type: str | None = None, dangling: bool | None = None
    ) -> Iterator[Relationship]:
        """See ``ports.RelationshipReader.relationships``; read in pages."""
        chosen = "" if document_id is None else sql.BY_DOCUMENT
        chosen += "" if relation_type is None else sql.BY_TYPE
        chosen += "" if dangling is None else sql.DANGLING if dangling else sql.ATTACHED
        text = sql.RELATIONSHIPS.replace("{filter}", chosen)
        values = {"document_id": pg_text(document_id or ""), "relation_type": pg_text(relation_type or "")}
        after = ("", "", "")
        while page := self._rows(text, **values, **dict(zip(("from", "type", "to"), after, strict=True))):
            yield from map(_relationship, page)
            after = page[-1][:3]

    def nearest_chunks_of(
        self, document_ids: Sequence[str], vector: Vector, *, per_document: int
    ) -> tuple[ChunkHit, ...]:
        """See ``ports.ChunkSearch.nearest_chunks_of``."""
        values = {"vector": _bound(vector), "ids": _ids(document_ids), "limit": per_document}
        return tuple(map(_hit, self._rows(sql.CHUNKS_OF_DOCUMENTS, **values)))

    def nearest_chunks(self, vector: Vector, *, limit: int) -> tuple[ChunkHit, ...]:
        """See ``ports.ChunkSearch.nearest_chunks``."""
        return tuple(map(_hit, self._rows(sql.NEAREST_CHUNKS, vector=_bound(vector), limit=limit)))

    def chunks_with_words(self, probe: Probe, *, limit: int) -> tuple[WordHit, ...]:
        """See ``ports.ChunkSearch.chunks_with_words``; ``words`` is PostgreSQL's ``ts_rank_cd``."""
        values = {"vector": _bound(probe.vector), "text": pg_text(probe.text), "limit": limit}
        return tuple(
            WordHit(chunk=_chunk(row), score=round(1 - row[6], 6), words=round(row[7], 6))
            for row in self._rows(sql.CHUNKS_WITH_WORDS, **values)
        )

    def documents_by_id(self, document_ids: Sequence[str]) -> dict[str, StoredDocument]:
        """document_id → document; unknown ids are absent."""
        rows = self._rows(sql.DOCUMENTS_BY_ID, ids=_ids(document_ids))
        return {row[0]: _document(row) for row in rows}

    def documents(self, *, doc_type: str | None = None, text: str | None = None) -> Iterator[StoredDocument]:
        """All documents by id, read in pages; ``text`` filters by a part of title or id, whatever its case."""
        chosen = ("" if doc_type is None else sql.BY_DOC_TYPE) + (sql.BY_TEXT if text else "")
        statement, after = sql.DOCUMENTS.replace("{filter}", chosen), ""
        while page := self._rows(statement, after=after, doc_type=pg_text(doc_type or ""), text=pg_text(text or "")):
            yield from map(_document, page)
            after = page[-1][0]

    def chunks(self, document_id: str) -> tuple[StoredChunk, ...]:
        """All chunks of a document by chunk_index."""
        return tuple(map(_chunk, self._rows(sql.CHUNKS, id=pg_text(document_id))))

    def _edges(
        self, text: str, document_ids: Sequence[str], relation_types: Sequence[str] | None, limit: int
    ) -> tuple[Relationship, ...]:
        values = {"ids": _ids(document_ids), "types": _ids(relation_types or ()), "limit": limit}
        return tuple(map(_relationship, self._rows(text, **values)))

    def _rows(self, text: str, /, **values: Any) -> list[Row]:
        statement = text.replace("{schema}", self._schema).strip()
        self._sent.append(statement)
        return self._connection.execute(statement.encode(), values).fetchall()


def workspace_of(row: Row) -> Workspace:
    """The workspace in a row of ``docgraph.workspaces``."""
    name, title, embedder, model, dimension, revision, off, n_documents, n_relationships, n_chunks = row
    return Workspace(
        name=name,
        title=title,
        embedder=EmbedderInfo(name=embedder, model=model, dimension=dimension),
        revision=revision_text(int(revision)),
        off_relation_types=tuple(off),
        n_documents=n_documents,
        n_relationships=n_relationships,
        n_chunks=n_chunks,
    )


def _ranked(row: Row) -> RankedDocument:
    document_id, title, rank, score, ingestion_id, doc_type = row
    return RankedDocument(document_id, title, rank, round(score, 6), ingestion_id, doc_type)


def _relationship(row: Row) -> Relationship:
    return Relationship(
        from_document_id=row[0], relation_type=row[1], to_document_id=row[2], relationship_metadata=row[3]
    )


def _hit(row: Row) -> ChunkHit:
    return ChunkHit(chunk=_chunk(row), score=round(1 - row[6], 6), distance=row[6])


def _chunk(row: Row) -> StoredChunk:
    document_id, chunk_id, chunk_index, text, heading_path, token_count = row[:6]
    return StoredChunk(
        document_id=document_id,
        chunk_id=chunk_id,
        chunk_index=chunk_index,
        text=text,
        heading_path=tuple(heading_path),
        token_count=token_count,
    )


def _document(row: Row) -> StoredDocument:
    values = dict(zip(sql.NODE.split(", "), row, strict=True))
    return StoredDocument(**values | {"headings": tuple(values["headings"])})


def _bound(vector: Vector) -> Vector:
    return np.asarray(vector, dtype=np.float32)


def _ids(values: Sequence[str]) -> list[str]:
    return [pg_text(value) for value in dict.fromkeys(values)]


def pg_text(value: str) -> str:
    """What PostgreSQL can take as text: NUL and lone surrogates become U+FFFD."""
    return value.replace("\x00", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
