"""Reading a workspace in PostgreSQL: one transaction that sees one state and cannot write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from docgraph.domain.graph import Relationship, StoredChunk, StoredDocument, Vector
from docgraph.domain.naming import MAX_SHARED
from docgraph.domain.request import SeedSignal
from docgraph.domain.workspace import Workspace
from docgraph.plugins.stores.postgres import workspaces
from docgraph.plugins.stores.postgres.connections import Connection
from docgraph.plugins.stores.postgres.statements import family, placed, with_parts
from docgraph.ports import MAX_HOLDING, ChunkHit, Hop, Probe, RankedDocument, WordHit, filter_fields

SQL, RANKING = family("reading"), family("ranking")
NODE = (
    "document_id",
    "title",
    "summary",
    "source",
    "doc_type",
    "ingestion_id",
    "headings",
    "metadata",
    "content_hash",
    "n_chunks",
    "n_tokens",
)
"""The fields of a document in the order in which they are read."""
Row = tuple[Any, ...]


class PostgresSnapshot:
    """One unchanging view of a workspace (``ports.Snapshot``), on a connection inside its transaction."""

    def __init__(self, connection: Connection, name: str, schema: str) -> None:
        self._connection, self._name, self._schema = connection, name, schema
        self._sent: list[str] = []

    @cached_property
    def workspace(self) -> Workspace:
        """The workspace at this view, asked for once. Raises NotFoundError when it was dropped."""
        row = next(iter(self._rows(workspaces.SQL["one"], name=self._name)), None)
        if row is None:
            raise workspaces.dropped(self._name)
        return workspaces.workspace_of(row)

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
        values = _asked(probe, limit, document_ids)
        filters = {name: pg_text(value) for name, value in (where or {}).items()}
        return tuple(map(_ranked, self._rows(ranking(signal, filter_fields(where)), **values, **filters)))

    def rank_with_neighbours(
        self, probe: Probe, signal: SeedSignal, *, limit: int, document_ids: Sequence[str], hop: Hop
    ) -> tuple[RankedDocument, ...]:
        """See ``ports.DocumentSearch.rank_with_neighbours``; one statement."""
        values = {
            **_asked(probe, limit, document_ids),
            "first": _ids(hop.first),
            "passed": _ids((*hop.first, *hop.passed)),
            "n_best": hop.n_best,
            "types": _ids(hop.relation_types or ()),
            "n_edges": hop.max_edges,
        }
        statement = ranking_with_hop(signal, of_types=hop.relation_types is not None)
        return tuple(map(_ranked, self._rows(statement, **values)))

    def documents_of_nearest_chunks(self, vector: Vector, *, limit: int) -> tuple[RankedDocument, ...]:
        """See ``ports.DocumentSearch.documents_of_nearest_chunks``."""
        rows = self._rows(SQL["documents_of_nearest_chunks"], vector=_bound(vector), limit=limit)
        return tuple(map(_ranked, rows))

    def outgoing(
        self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None, limit: int
    ) -> tuple[Relationship, ...]:
        """See ``ports.RelationshipReader.outgoing``."""
        return self._edges("outgoing", document_ids, relation_types, limit)

    def count_outgoing(self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None) -> dict[str, int]:
        """See ``ports.RelationshipReader.count_outgoing``."""
        text = SQL["count_outgoing" if relation_types is None else "count_outgoing_of_types"]
        counts: dict[str, int] = dict(self._rows(text, ids=_ids(document_ids), types=_ids(relation_types or ())))
        return {document_id: counts.get(document_id, 0) for document_id in dict.fromkeys(document_ids)}

    def incoming(
        self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None, limit: int
    ) -> tuple[Relationship, ...]:
        """See ``ports.RelationshipReader.incoming``."""
        return self._edges("incoming", document_ids, relation_types, limit)

    def count_linking(self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None) -> dict[str, int]:
        """See ``ports.RelationshipReader.count_linking``."""
        text = SQL["count_linking" if relation_types is None else "count_linking_of_types"]
        counts: dict[str, int] = dict(self._rows(text, ids=_ids(document_ids), types=_ids(relation_types or ())))
        return {document_id: counts.get(document_id, 0) for document_id in dict.fromkeys(document_ids)}

    def relation_types(self) -> dict[str, int]:
        """relation_type → number of edges, by name."""
        return dict(self._rows(SQL["relation_types"]))

    def relationships(
        self, *, document_id: str | None = None, relation_type: str | None = None, dangling: bool | None = None
    ) -> Iterator[Relationship]:
        """See ``ports.RelationshipReader.relationships``; read in pages."""
        parts = {
            "of_document": document_id is not None,
            "of_type": relation_type is not None,
            "dangling": dangling is True,
            "attached": dangling is False,
        }
        text = chosen("relationships", parts)
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
        return tuple(map(_hit, self._rows(SQL["nearest_chunks_of"], **values)))

    def nearest_chunks(self, vector: Vector, *, limit: int) -> tuple[ChunkHit, ...]:
        """See ``ports.ChunkSearch.nearest_chunks``."""
        return tuple(map(_hit, self._rows(SQL["nearest_chunks"], vector=_bound(vector), limit=limit)))

    def chunks_with_words(self, probe: Probe, *, limit: int) -> tuple[WordHit, ...]:
        """See ``ports.ChunkSearch.chunks_with_words``; ``words`` is PostgreSQL's ``ts_rank_cd``."""
        values = {"vector": _bound(probe.vector), "text": pg_text(probe.text), "limit": limit}
        return tuple(
            WordHit(chunk=_chunk(row), score=round(1 - row[6], 6), words=round(row[7], 6))
            for row in self._rows(RANKING["chunks_with_words"], **values)
        )

    def count_holding(self, words: Sequence[str]) -> dict[str, int]:
        """See ``ports.DocumentSearch.count_holding``."""
        counts: dict[str, int] = dict(self._rows(RANKING["count_holding"], words=_ids(words), most=MAX_HOLDING))
        return {word: counts[pg_text(word)] for word in dict.fromkeys(words) if pg_text(word) in counts}

    def documents_by_id(self, document_ids: Sequence[str]) -> dict[str, StoredDocument]:
        """document_id → document; unknown ids are absent."""
        rows = self._rows(SQL["documents_by_id"], ids=_ids(document_ids))
        return {row[0]: _document(row) for row in rows}

    def documents_named(self, keys: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """See ``ports.DocumentReader.documents_named``."""
        found: dict[str, list[str]] = {}
        for key, document_id in self._rows(SQL["documents_named"], keys=_ids(keys), limit=MAX_SHARED + 1):
            found.setdefault(key, []).append(document_id)
        return {key: tuple(ids) for key, ids in found.items()}

    def documents(self, *, doc_type: str | None = None, text: str | None = None) -> Iterator[StoredDocument]:
        """All documents by id, read in pages; ``text`` filters by a part of title or id, whatever its case."""
        statement = chosen("documents", {"of_doc_type": doc_type is not None, "with_text": bool(text)})
        after = ""
        while page := self._rows(statement, after=after, doc_type=pg_text(doc_type or ""), text=pg_text(text or "")):
            yield from map(_document, page)
            after = page[-1][0]

    def chunks(self, document_id: str) -> tuple[StoredChunk, ...]:
        """All chunks of a document by chunk_index."""
        return tuple(map(_chunk, self._rows(SQL["chunks"], id=pg_text(document_id))))

    def _edges(
        self, name: str, document_ids: Sequence[str], relation_types: Sequence[str] | None, limit: int
    ) -> tuple[Relationship, ...]:
        values = {"ids": _ids(document_ids), "types": _ids(relation_types or ()), "limit": limit}
        text = SQL[name if relation_types is None else f"{name}_of_types"]
        return tuple(map(_relationship, self._rows(text, **values)))

    def _rows(self, text: str, /, **values: Any) -> list[Row]:
        statement = placed(text, self._schema)
        self._sent.append(statement.decode())
        return self._connection.execute(statement, values).fetchall()


def ranking(signal: SeedSignal, fields: Sequence[str]) -> str:
    """The statement that ranks documents by ``signal``, among those whose ``fields`` (bound by name) are equal."""
    if not fields:
        return RANKING[signal]
    where = "\n  WHERE " + " AND ".join(f"{name} = %({name})s" for name in fields)
    return with_parts(RANKING[signal], where=where, inside=f" {RANKING['inside']}")


def ranking_with_hop(signal: SeedSignal, *, of_types: bool) -> str:
    """The statement that ranks documents by ``signal`` and finds the neighbours of the first of them."""
    hop = with_parts(RANKING["hop"], of_types=f" {RANKING['of_types']}" if of_types else "")
    return with_parts(RANKING[signal], hop=hop, or_reached=f" {RANKING['or_reached']}")


def _asked(probe: Probe, limit: int, document_ids: Sequence[str]) -> dict[str, Any]:
    return {
        "vector": _bound(probe.vector),
        "text": pg_text(probe.text),
        "limit": limit,
        "ids": _ids(document_ids),
    }


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
    values = dict(zip(NODE, row, strict=True))
    return StoredDocument(**values | {"headings": tuple(values["headings"])})


def chosen(name: str, parts: Mapping[str, bool]) -> str:
    """A statement of the family with those of its parts that are chosen."""
    return with_parts(SQL[name], **{"and": "".join(f" {SQL[part]}" for part, is_chosen in parts.items() if is_chosen)})


def _bound(vector: Vector) -> Vector:
    return np.asarray(vector, dtype=np.float32)


def _ids(values: Sequence[str]) -> list[str]:
    return [pg_text(value) for value in dict.fromkeys(values)]


def pg_text(value: str) -> str:
    """What PostgreSQL can take as text: NUL and lone surrogates become U+FFFD."""
    return value.replace("\x00", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
