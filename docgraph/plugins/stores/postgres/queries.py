"""What a snapshot asks and what it makes of the rows: a function for each read that can share a round trip."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from docgraph.domain import ranking as ranking_rules
from docgraph.domain.graph import Relationship, StoredChunk, StoredDocument
from docgraph.domain.naming import MAX_SHARED
from docgraph.domain.passages.fitting import chunk_fit
from docgraph.domain.type_roles import Origin
from docgraph.plugins.stores._rows.ready import place_of
from docgraph.plugins.stores.postgres.statements import family, with_parts
from docgraph.plugins.stores.postgres.statements.rankings import (
    RANKING,
    SHORTLISTS,
    filter_by,
    is_two_stage,
    predicates,
    ranking,
    ranking_with_hop,
)
from docgraph.plugins.stores.postgres.statements.values import Texts
from docgraph.ports import (
    MAX_HOLDING,
    ChunkHit,
    ChunkScore,
    FieldValue,
    FittingChunk,
    FittingChunks,
    RankedDocument,
    RankedHop,
    WordHit,
    filter_fields,
)

if TYPE_CHECKING:
    from docgraph.domain.graph import Vector
    from docgraph.domain.request import SeedSignal
    from docgraph.domain.where import Condition
    from docgraph.domain.workspace import VectorSearch
    from docgraph.ports import Hop, Probe

SQL, PASSAGES = family("reading"), family("passages")
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
T = TypeVar("T")


@dataclass(frozen=True)
class Query(Generic[T]):
    """A statement with its values, and what is made of its rows; an ``idle`` one is not sent: it would find nothing.

    ``two_stage`` = what is sent in its place where a workspace is searched in two stages, by mode; ``cached`` = that
    where the process has searched the codes in its vector cache.
    """

    text: str
    made: Callable[[list[Row]], T]
    values: Mapping[str, Any] = field(default_factory=dict)
    idle: bool = False
    two_stage: Mapping[VectorSearch, str] = field(default_factory=dict)
    cached: str = ""

    def sent(self, search: VectorSearch) -> str:
        """The statement where a workspace is searched so."""
        return self.two_stage.get(search, self.text)


def rank_documents(
    probe: Probe,
    signal: SeedSignal,
    *,
    limit: int,
    document_ids: Sequence[str] = (),
    where: Mapping[str, str] | None = None,
    matching: Sequence[Condition] = (),
) -> Query[tuple[RankedDocument, ...]]:
    """See ``ports.DocumentSearch.rank_documents``."""
    values = _ranked_by(probe, limit, document_ids)
    filters = {name: pg_text(value) for name, value in (where or {}).items()}
    met, keys = predicates(matching)
    tests = (*(f"{name} = %({name})s" for name in filter_fields(where)), *met)
    return _ranking(partial(ranking, signal, tests), _each(_ranked), {**values, **filters, **keys})


def count_matching(conditions: Sequence[Condition]) -> Query[int]:
    """See ``ports.DocumentSearch.count_matching``."""
    tests, keys = predicates(conditions)
    return Query(with_parts(SQL["count_matching"], where=filter_by(tests)), lambda rows: int(rows[0][0]), keys)


def metadata_values(*, limit: int) -> Query[tuple[FieldValue, ...]]:
    """See ``ports.DocumentSearch.metadata_values``."""
    return Query(SQL["metadata_values"], _each(FieldValue._make), {"limit": limit})


def rank_with_neighbours(
    probe: Probe,
    signal: SeedSignal,
    *,
    limit: int,
    document_ids: Sequence[str],
    hop: Hop,
    matching: Sequence[Condition] = (),
) -> Query[RankedHop]:
    """See ``ports.DocumentSearch.rank_with_neighbours``."""
    types, (tests, keys) = hop.relation_types, predicates(matching)
    values = {
        **keys,
        **_ranked_by(probe, limit, document_ids),
        "first": ids_of(hop.first),
        "passed": ids_of((*hop.first, *hop.passed)),
        "n_best": hop.n_best,
        **({} if types is None else {"types": ids_of(types)}),
        "n_edges": hop.max_edges,
    }
    return _ranking(partial(ranking_with_hop, signal, tests, of_types=types is not None), _ranked_hop, values)


def documents_of_nearest_chunks(vector: Vector, *, limit: int) -> Query[tuple[RankedDocument, ...]]:
    """See ``ports.DocumentSearch.documents_of_nearest_chunks``."""
    return _nearest("documents_of_nearest_chunks", _ranked, vector, limit)


def count_holding(words: Sequence[str]) -> Query[dict[str, int]]:
    """See ``ports.DocumentSearch.count_holding``."""

    def made(rows: list[Row]) -> dict[str, int]:
        counts: dict[str, int] = dict(rows)
        return {word: counts[pg_text(word)] for word in dict.fromkeys(words) if pg_text(word) in counts}

    return Query(RANKING["count_holding"], made, {"words": ids_of(words), "most": MAX_HOLDING}, idle=not words)


def outgoing(
    document_ids: Sequence[str], *, relation_types: Sequence[str] | None, limit: int
) -> Query[tuple[Relationship, ...]]:
    """See ``ports.RelationshipReader.outgoing``."""
    return _edges("outgoing", document_ids, relation_types, {"limit": limit}, _each(relationship))


def incoming(
    document_ids: Sequence[str], *, relation_types: Sequence[str] | None, limit: int
) -> Query[tuple[Relationship, ...]]:
    """See ``ports.RelationshipReader.incoming``."""
    return _edges("incoming", document_ids, relation_types, {"limit": limit}, _each(relationship))


def count_outgoing(document_ids: Sequence[str], *, relation_types: Sequence[str] | None) -> Query[dict[str, int]]:
    """See ``ports.RelationshipReader.count_outgoing``."""
    return _edges("count_outgoing", document_ids, relation_types, {}, _counts(document_ids))


def count_linking(document_ids: Sequence[str], *, relation_types: Sequence[str] | None) -> Query[dict[str, int]]:
    """See ``ports.RelationshipReader.count_linking``."""
    return _edges("count_linking", document_ids, relation_types, {}, _counts(document_ids))


def relation_types() -> Query[dict[str, int]]:
    """See ``ports.RelationshipReader.relation_types``."""
    return Query(SQL["relation_types"], dict)


def followed_types() -> Query[tuple[str, ...] | None]:
    """See ``ports.RelationshipReader.followed_types``; a row without a type tells that some are switched off."""

    def made(rows: list[Row]) -> tuple[str, ...] | None:
        return tuple(sorted(row[0] for row in rows if row[0] is not None)) if rows else None

    return Query(SQL["followed_types"], made)


def type_origins() -> Query[tuple[Origin, ...]]:
    """See ``ports.RelationshipReader.type_origins``."""
    return Query(SQL["type_origins"], _each(lambda row: Origin(*row)))


def nearest_chunks_of(document_ids: Sequence[str], vector: Vector, *, per_document: int) -> Query[tuple[ChunkHit, ...]]:
    """See ``ports.ChunkSearch.nearest_chunks_of``."""
    values = {"vector": bound(vector), "ids": ids_of(document_ids), "limit": per_document}
    return Query(SQL["nearest_chunks_of"], _each(_hit), values, idle=not document_ids)


def fitting_chunks_of(document_ids: Sequence[str], probe: Probe, *, asked: str, limit: int) -> Query[FittingChunks]:
    """See ``ports.ChunkSearch.fitting_chunks_of``; the first row tells what the words weigh."""

    def made(rows: list[Row]) -> FittingChunks:
        hits = [FittingChunk(chunk=chunk(row), score=round(1 - row[7], 6), words=round(row[8], 6)) for row in rows]
        hits.sort(key=lambda hit: (-chunk_fit(hit.score, hit.words), hit.chunk.document_id, hit.chunk.chunk_index))
        weights: dict[str, float] = next((row[9] for row in rows if row[9] is not None), {})
        nearest = {row[0]: round(1 - row[10], 6) for row in rows}
        return FittingChunks(tuple(hits), {word: weights[word] for word in sorted(weights)}, nearest)

    values = {
        "vector": bound(probe.vector),
        "ids": ids_of(document_ids),
        "text": pg_text(probe.text),
        "asked": pg_text(asked),
        "limit": limit,
    }
    return Query(PASSAGES["fitting_chunks_of"], made, values, idle=not document_ids)


def nearest_chunks(vector: Vector, *, limit: int) -> Query[tuple[ChunkHit, ...]]:
    """See ``ports.ChunkSearch.nearest_chunks``."""
    return _nearest("nearest_chunks", _hit, vector, limit)


def nearest_chunk_scores(vector: Vector, *, limit: int) -> Query[tuple[ChunkScore, ...]]:
    """See ``ports.ChunkSearch.nearest_chunk_scores``."""
    return _nearest("nearest_chunk_scores", _score, vector, limit)


def chunks_with_words(probe: Probe, *, limit: int) -> Query[tuple[WordHit, ...]]:
    """See ``ports.ChunkSearch.chunks_with_words``; ``words`` is PostgreSQL's ``ts_rank_cd``."""
    values = {"vector": bound(probe.vector), "text": pg_text(probe.text), "limit": limit}
    return Query(RANKING["chunks_with_words"], _each(_word_hit), values)


def documents_by_id(document_ids: Sequence[str]) -> Query[dict[str, StoredDocument]]:
    """See ``ports.DocumentReader.documents_by_id``."""

    def made(rows: list[Row]) -> dict[str, StoredDocument]:
        return {row[0]: document(row) for row in rows}

    return Query(SQL["documents_by_id"], made, {"ids": ids_of(document_ids)}, idle=not document_ids)


def documents_named(keys: Sequence[str]) -> Query[dict[str, tuple[str, ...]]]:
    """See ``ports.DocumentReader.documents_named``."""

    def made(rows: list[Row]) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for key, document_id in rows:
            found.setdefault(key, []).append(document_id)
        return {key: tuple(ids) for key, ids in found.items()}

    return Query(SQL["documents_named"], made, {"keys": ids_of(keys), "limit": MAX_SHARED + 1}, idle=not keys)


def chunks(document_id: str) -> Query[tuple[StoredChunk, ...]]:
    """See ``ports.DocumentReader.chunks``."""
    return Query(SQL["chunks"], _each(chunk), {"id": pg_text(document_id)})


QUERIES: Mapping[str, Callable[..., Query[Any]]] = {
    query.__name__: query
    for query in (
        rank_documents,
        count_matching,
        metadata_values,
        rank_with_neighbours,
        documents_of_nearest_chunks,
        count_holding,
        outgoing,
        incoming,
        count_outgoing,
        count_linking,
        relation_types,
        followed_types,
        type_origins,
        nearest_chunks_of,
        fitting_chunks_of,
        nearest_chunks,
        nearest_chunk_scores,
        chunks_with_words,
        documents_by_id,
        documents_named,
        chunks,
    )
}
"""Name of a method of ``ports.Snapshot`` → the query that answers it."""


def _ranking(statement: partial[str], made: Callable[[list[Row]], T], values: Mapping[str, Any]) -> Query[T]:
    """``statement`` by the workspace's search; given the signal and the tests, it takes ``search`` and ``in_cache``."""
    signal, tests = statement.args
    two_stage = {search: statement(search=search) for search in SHORTLISTS}
    asks_bits = is_two_stage(signal, "quantized") and not tests
    cached = statement(search="quantized", in_cache=True) if asks_bits else ""
    return Query(statement(), made, values, two_stage=two_stage, cached=cached)


def _ranked_by(probe: Probe, limit: int, document_ids: Sequence[str]) -> dict[str, Any]:
    return {
        "vector": bound(probe.vector),
        "text": pg_text(probe.text),
        "limit": limit,
        "ids": ids_of(document_ids),
        **n_of_shortlists(),
        "n_pool": ranking_rules.N_POOL,
        "n_likely": ranking_rules.N_LIKELY,
        "n_fit": ranking_rules.N_FIT,
    }


def _nearest(name: str, made: Callable[[Row], T], vector: Vector, limit: int) -> Query[tuple[T, ...]]:
    """Chunks of the whole workspace, or of those of a shortlist."""
    values = {"vector": bound(vector), "limit": limit, **n_of_shortlists(limit)}
    two_stage = {search: with_parts(SQL[name], among=f" {SQL[part]}") for search, part in SHORTLISTS.items()}
    cached = with_parts(SQL[name], among=f" {SQL['by_codes']}")
    return Query(with_parts(SQL[name]), _each(made), values, two_stage=two_stage, cached=cached)


def n_of_shortlists(limit: int = 0) -> dict[str, int]:
    """How many chunks each shortlist has, by the name that its statement has for it."""
    return {"n_near": ranking_rules.n_near("quantized", limit), "n_indexed": ranking_rules.n_near("hnsw", limit)}


def _edges(
    name: str,
    document_ids: Sequence[str],
    types: Sequence[str] | None,
    values: Mapping[str, Any],
    made: Callable[[list[Row]], T],
) -> Query[T]:
    text = SQL[name if types is None else f"{name}_of_types"]
    narrowed = {} if types is None else {"types": ids_of(types)}
    return Query(text, made, {"ids": ids_of(document_ids), **narrowed, **values}, idle=not document_ids)


def _each(made: Callable[[Row], T]) -> Callable[[list[Row]], tuple[T, ...]]:
    return lambda rows: tuple(map(made, rows))


def _counts(document_ids: Sequence[str]) -> Callable[[list[Row]], dict[str, int]]:
    def made(rows: list[Row]) -> dict[str, int]:
        counts: dict[str, int] = dict(rows)
        return {document_id: counts.get(document_id, 0) for document_id in dict.fromkeys(document_ids)}

    return made


def _ranked_hop(rows: list[Row]) -> RankedHop:
    """Documents of which each row says its edges too, where the hop starts at it: (type, target, what is said)."""
    edges = {
        row[0]: tuple(relationship((row[0], *said)) for said in sorted(row[6], key=lambda said: (said[0], said[1])))
        for row in rows
        if row[6] is not None
    }
    return RankedHop(tuple(_ranked(row[:6]) for row in rows), edges)


def _ranked(row: Row) -> RankedDocument:
    document_id, title, rank, score, ingestion_id, doc_type = row
    return RankedDocument(document_id, title, rank, round(score, 6), ingestion_id, doc_type)


def relationship(row: Row) -> Relationship:
    """An edge of a row: start, type, target, what is said about it."""
    return Relationship.trusted(
        {"from_document_id": row[0], "relation_type": row[1], "to_document_id": row[2], "relationship_metadata": row[3]}
    )


def _hit(row: Row) -> ChunkHit:
    return ChunkHit(chunk=chunk(row), score=round(1 - row[7], 6), distance=row[7])


def _score(row: Row) -> ChunkScore:
    return ChunkScore(row[0], row[1], round(1 - row[2], 6))


def _word_hit(row: Row) -> WordHit:
    return WordHit(chunk=chunk(row), score=round(1 - row[7], 6), words=round(row[8], 6))


def chunk(row: Row) -> StoredChunk:
    """A chunk of a row that begins with it."""
    return StoredChunk.trusted(
        {
            "document_id": row[0],
            "chunk_id": row[1],
            "chunk_index": row[2],
            "text": row[3],
            "heading_path": tuple(row[4]),
            "token_count": row[5],
            "place": place_of(row[6]),
        }
    )


def document(row: Row) -> StoredDocument:
    """A document of a row in the order of ``NODE``."""
    values = dict(zip(NODE, row, strict=True))
    values["headings"] = tuple(values["headings"])
    return StoredDocument.trusted(values)


def bound(vector: Vector) -> Any:
    """A vector as it is sent."""
    import numpy as np

    return np.asarray(vector, dtype=np.float32)


def ids_of(values: Sequence[str]) -> Texts:
    """Texts as they are sent: each once, in order."""
    once = dict.fromkeys(values)
    return Texts(once if is_plain("".join(once)) else map(pg_text, once))


def is_plain(value: str) -> bool:
    """Whether PostgreSQL takes a text as it is, as far as that is seen at a glance."""
    return value.isascii() and "\x00" not in value


def pg_text(value: str) -> str:
    """What PostgreSQL can take as text: NUL and lone surrogates become U+FFFD."""
    if is_plain(value):
        return value
    return value.replace("\x00", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
