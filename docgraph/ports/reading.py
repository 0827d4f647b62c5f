"""What planning and execution ask of a workspace: one unchanging, read-only view."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from docgraph.domain.type_roles import Origin
from docgraph.domain.where import facets_of_document, field_values
from docgraph.errors import RequestError

if TYPE_CHECKING:
    from docgraph.domain.graph import Relationship, StoredChunk, StoredDocument, Vector
    from docgraph.domain.request import SeedSignal
    from docgraph.domain.where import Condition
    from docgraph.domain.workspace import Workspace
    from docgraph.ports.reads import Read

ALL = 2**31 - 1
"""As a limit: no limit."""
MAX_HOLDING = 20_000
"""Texts that are counted for a word at least: a word that is held by as many is common."""
FILTER_FIELDS = ("doc_type", "ingestion_id")


def filter_fields(where: Mapping[str, str] | None) -> tuple[str, ...]:
    """The fields of a filter, sorted. Raises RequestError for one that documents are not filtered by."""
    fields = tuple(sorted(where or {}))
    if unknown := set(fields) - set(FILTER_FIELDS):
        raise RequestError(f"cannot filter by {sorted(unknown)}", hint=f"fields are: {', '.join(FILTER_FIELDS)}")
    return fields


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

    @classmethod
    def of(cls, document: StoredDocument, rank: int, score: float) -> RankedDocument:
        """A stored document at its place."""
        return cls(
            document.document_id, document.title, rank, round(score, 6), document.ingestion_id, document.doc_type
        )


@dataclass(frozen=True)
class Hop:
    """Whose neighbours a ranking places too, so that one ranking serves a whole plan.

    Those that ``first`` and then the best ``n_best`` of the first ``limit`` documents that are not among ``passed``
    point to, by ``relation_types`` (``None`` = all) and at most ``max_edges`` edges each, in the order of ``outgoing``.
    """

    first: tuple[str, ...]
    passed: tuple[str, ...]
    n_best: int
    relation_types: tuple[str, ...] | None
    max_edges: int


@dataclass(frozen=True)
class RankedHop:
    """What a ranking and one hop from its first documents found.

    ``documents`` by rank, the neighbours among them; ``edges`` = document_id → its edges as ``outgoing`` has them. Of a
    document that is not named there nothing was read.
    """

    documents: tuple[RankedDocument, ...]
    edges: Mapping[str, tuple[Relationship, ...]] = field(default_factory=dict)


class FieldValue(NamedTuple):
    """A value of a field of metadata, and how many documents have it; of ``n_having`` that have the field at all.

    ``value`` is empty where the field has no value that is short enough to be compared. ``n_values`` = distinct ones.
    """

    field: str
    value: str
    n_documents: int
    n_having: int
    n_values: int


def values_of(documents: Iterable[StoredDocument], *, limit: int) -> tuple[FieldValue, ...]:
    """``DocumentSearch.metadata_values`` of documents, looked at one by one."""
    counts: dict[str, Counter[str]] = {}
    having: Counter[str] = Counter()
    for document in documents:
        said = set(field_values(facets_of_document(document)))
        having.update({name for name, _ in said})
        for name, value in said:
            counts.setdefault(name, Counter()).update([value] if value else [])
    found: list[FieldValue] = []
    for name in sorted(having):
        placed = sorted(counts[name].items(), key=lambda each: (-each[1], each[0]))
        n_values = len(placed)
        found += (FieldValue(name, value, n, having[name], n_values) for value, n in placed[:limit])
        if not placed:
            found.append(FieldValue(name, "", having[name], having[name], 0))
    return tuple(found)


class DocumentSearch(Protocol):
    """Ranks whole documents for a question; exact, ties by document_id."""

    @abstractmethod
    def rank_documents(
        self,
        probe: Probe,
        signal: SeedSignal,
        *,
        limit: int,
        document_ids: Sequence[str] = (),
        where: Mapping[str, str] | None = None,
        matching: Sequence[Condition] = (),
    ) -> tuple[RankedDocument, ...]:
        """The first ``limit`` documents by ``signal``, and wherever they stand those of ``document_ids``, by rank.

        ``chunk`` = best chunk similarity (documents without chunks are left out); ``summary`` = summary similarity;
        ``mean`` = their mean (no chunk counts as 0); ``hybrid`` = reciprocal rank fusion (k = 10) of the rank by
        ``mean`` and the rank by full text (a document without any of the words has no second rank), scaled so that
        1 = first in both. ``where`` keeps
        documents whose ingestion_id / doc_type is equal, ``matching`` those that meet all of its conditions; ranks then
        count inside it.
        """
        ...

    @abstractmethod
    def count_matching(self, conditions: Sequence[Condition]) -> int:
        """Number of documents that meet all of the conditions."""
        ...

    @abstractmethod
    def metadata_values(self, *, limit: int) -> tuple[FieldValue, ...]:
        """What documents can be filtered by: the ``limit`` most frequent values of each field, by field, then count.

        In the form in which they are compared (``where.normal``); ties by value.
        """
        ...

    @abstractmethod
    def rank_with_neighbours(
        self,
        probe: Probe,
        signal: SeedSignal,
        *,
        limit: int,
        document_ids: Sequence[str],
        hop: Hop,
        matching: Sequence[Condition] = (),
    ) -> RankedHop:
        """``rank_documents``, wherever they stand the neighbours of the ``hop``, and the edges that lead to these.

        Neighbours that do not meet what is ``matching`` have no place in the ranking: they are left out.
        """
        ...

    @abstractmethod
    def count_holding(self, words: Sequence[str]) -> dict[str, int]:
        """Word → number of documents that hold it, in title, summary or a chunk (0 is included).

        Words count as the store's full text has them; one that it leaves out (*the*) is absent. A store may stop
        counting where a word is in more than ``MAX_HOLDING`` texts, and say so many.
        """
        ...

    @abstractmethod
    def documents_of_nearest_chunks(self, vector: Vector, *, limit: int) -> tuple[RankedDocument, ...]:
        """The documents of the ``limit`` most similar chunks, by their best chunk; score = its similarity."""
        ...


class RelationshipReader(Protocol):
    """Reads edges, one hop at a time."""

    @abstractmethod
    def outgoing(
        self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None, limit: int
    ) -> tuple[Relationship, ...]:
        """Outgoing edges of each document, at most ``limit`` per document, in the order given, then by (type, to)."""
        ...

    @abstractmethod
    def count_outgoing(self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None) -> dict[str, int]:
        """document_id → number of outgoing edges of the allowed types (0 is included)."""
        ...

    @abstractmethod
    def incoming(
        self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None, limit: int
    ) -> tuple[Relationship, ...]:
        """Edges that point at each document, at most ``limit`` per document, by (to, type, from)."""
        ...

    @abstractmethod
    def count_linking(self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None) -> dict[str, int]:
        """document_id → number of other documents with an edge of the allowed types to it (0 is included)."""
        ...

    @abstractmethod
    def relation_types(self) -> dict[str, int]:
        """relation_type → number of edges, by name."""
        ...

    @abstractmethod
    def followed_types(self) -> tuple[str, ...] | None:
        """The types that plans follow by default, sorted: those of edges that are not switched off; ``None`` = all.

        Switched off are the workspace's ``off_relation_types``. They are named one by one as well where some of them
        give reasons only (``type_decisions``), so that a plan knows the others.
        """
        ...

    @abstractmethod
    def type_origins(self) -> tuple[Origin, ...]:
        """How many edges lead to stored documents, by type, extractor and place ("" = not said), in that order."""
        ...

    @abstractmethod
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

    @property
    def without_text(self) -> ChunkScore:
        """Which chunk it is, and its score."""
        return ChunkScore(self.chunk.document_id, self.chunk.chunk_index, self.score)


class ChunkScore(NamedTuple):
    """Which chunk, and its similarity to the question (cosine, 6 digits): a ``ChunkHit`` without its text."""

    document_id: str
    chunk_index: int
    score: float


@dataclass(frozen=True)
class WordHit:
    """A chunk that holds words of the question.

    ``score`` = similarity (cosine, 6 digits), ``words`` = how well the words fit (6 digits, higher is better), in the
    store's own measure: PostgreSQL's is ``ts_rank_cd``.
    """

    chunk: StoredChunk
    score: float
    words: float


@dataclass(frozen=True)
class FittingChunk:
    """A chunk with its similarity to the question (``score``, cosine) and the words of it that it holds (``words``).

    Both have 6 digits; ``words`` goes from 0 to 1 (``domain.passages.fitting``).
    """

    chunk: StoredChunk
    score: float
    words: float


@dataclass(frozen=True)
class FittingChunks:
    """Chunks that fit a question, best first.

    ``weights`` = lexeme of the question → its share of what all of them weigh. ``nearest`` = document_id → similarity
    of its most similar chunk, whether that is among ``hits`` or not.
    """

    hits: tuple[FittingChunk, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    nearest: Mapping[str, float] = field(default_factory=dict)


class ChunkSearch(Protocol):
    """Fetches chunks by similarity or by words: exact, and blind to relationships."""

    @abstractmethod
    def fitting_chunks_of(self, document_ids: Sequence[str], probe: Probe, *, asked: str, limit: int) -> FittingChunks:
        """The best ``limit`` chunks of all the documents, and wherever it stands the best of each of them.

        By ``domain.passages.fitting.chunk_fit`` of similarity and words, ties by document_id, then chunk_index.
        ``asked`` = the part of the question whose words count in full. Words weigh by the chunks of the whole workspace
        that hold them. Only the first 2,000 characters of the question and of ``asked`` are looked at.
        """
        ...

    @abstractmethod
    def nearest_chunks_of(
        self, document_ids: Sequence[str], vector: Vector, *, per_document: int
    ) -> tuple[ChunkHit, ...]:
        """The best ``per_document`` chunks of each of the documents, by (distance, document_id, chunk_index)."""
        ...

    @abstractmethod
    def nearest_chunks(self, vector: Vector, *, limit: int) -> tuple[ChunkHit, ...]:
        """The best chunks of the whole workspace (MS3), by (distance, document_id, chunk_index)."""
        ...

    @abstractmethod
    def nearest_chunk_scores(self, vector: Vector, *, limit: int) -> tuple[ChunkScore, ...]:
        """Those of ``nearest_chunks``, in its order, without what stands in them."""
        ...

    @abstractmethod
    def chunks_with_words(self, probe: Probe, *, limit: int) -> tuple[WordHit, ...]:
        """Chunks that hold at least one of the question's words, best first by words, then document_id, chunk_index.

        Words count as the store's full text has them (PostgreSQL: stems of English, without stop words); only the
        first 2,000 characters of the question are looked at. Nothing is found for a question without words.
        """
        ...


class DocumentReader(Protocol):
    """Reads documents and chunks by id."""

    @abstractmethod
    def documents_by_id(self, document_ids: Sequence[str]) -> dict[str, StoredDocument]:
        """document_id → document; unknown ids are absent."""
        ...

    @abstractmethod
    def documents_named(self, keys: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Key of a name (``domain.naming``) → ids of the documents called so, in order; unknown keys are absent.

        At most ``naming.MAX_SHARED`` + 1 ids a key: one that more documents share names none of them.
        """
        ...

    @abstractmethod
    def documents(self, *, doc_type: str | None = None, text: str | None = None) -> Iterator[StoredDocument]:
        """All documents by id; ``text`` filters by a part of title or id, whatever its case."""
        ...

    @abstractmethod
    def chunks(self, document_id: str) -> tuple[StoredChunk, ...]:
        """All chunks of a document by chunk_index."""
        ...


@runtime_checkable
class Snapshot(DocumentSearch, RelationshipReader, ChunkSearch, DocumentReader, Protocol):
    """One unchanging view of a workspace, read-only: whatever is asked twice is answered alike.

    ``statements`` collects what was sent since the last call.
    """

    @property
    @abstractmethod
    def workspace(self) -> Workspace:
        """The workspace at this view, with its revision."""
        ...

    @abstractmethod
    def statements(self) -> tuple[str, ...]:
        """SQL texts sent since the last call of this method, without values."""
        ...

    @abstractmethod
    def at_once(self, *reads: Read[Any]) -> tuple[Any, ...]:
        """The answers to reads that do not need one another, in their order; a store may take one trip for all."""
        ...


def types_followed(snapshot: Snapshot) -> tuple[str, ...] | None:
    """What ``followed_types`` is, by the workspace and all types: for stores that have no trip to save."""
    off, reasons_only = set(snapshot.workspace.off_relation_types), snapshot.workspace.decided.reasons_only
    return tuple(sorted(set(snapshot.relation_types()) - off)) if off or reasons_only else None


def origins_of(edges: Iterable[Relationship]) -> tuple[Origin, ...]:
    """What ``type_origins`` is, of the edges that lead to stored documents."""
    counts = Counter(map(_origin_of, edges))
    return tuple(Origin(*key, n) for key, n in sorted(counts.items()))


def _origin_of(edge: Relationship) -> tuple[str, str, str]:
    said = edge.relationship_metadata
    return (edge.relation_type, _text(said.get("extractor")), _text(said.get("place")))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def ranked_with_neighbours(
    snapshot: Snapshot,
    probe: Probe,
    signal: SeedSignal,
    *,
    limit: int,
    document_ids: Sequence[str],
    hop: Hop,
    matching: Sequence[Condition] = (),
) -> RankedHop:
    """What ``rank_with_neighbours`` is, by two rankings: for stores that cannot do it in one."""
    filtered: dict[str, Any] = {"matching": matching} if matching else {}
    ranked = snapshot.rank_documents(probe, signal, limit=limit, document_ids=document_ids, **filtered)
    best = [d.document_id for d in ranked if d.rank <= limit and d.document_id not in hop.passed][: hop.n_best]
    starts = tuple(dict.fromkeys((*hop.first, *best)))
    edges = snapshot.outgoing(starts, relation_types=hop.relation_types, limit=hop.max_edges) if starts else ()
    there = {d.document_id for d in ranked}
    others = tuple(dict.fromkeys(e.to_document_id for e in edges if e.to_document_id not in there))
    found = snapshot.rank_documents(probe, signal, limit=0, document_ids=others, **filtered) if others else ()
    of_start: dict[str, list[Relationship]] = {start: [] for start in starts}
    for edge in edges:
        of_start[edge.from_document_id].append(edge)
    return RankedHop(
        documents=tuple(sorted((*ranked, *found), key=lambda document: document.rank)),
        edges={start: tuple(of_it) for start, of_it in of_start.items()},
    )
