"""Reading the reference store: every question of ``ports.Snapshot`` answered by plain loops and sorts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from docgraph.domain.curation import Contested, Dismissal, TriageEntry
from docgraph.domain.finding import Rule
from docgraph.domain.graph import PreparedDocument, Relationship, StoredChunk, StoredDocument, Vector
from docgraph.domain.history import HistoryEntry
from docgraph.domain.naming import MAX_SHARED, name_keys
from docgraph.domain.own_questions import Trial
from docgraph.domain.passages.lexemes import lexemes
from docgraph.domain.ranking import best_first, document_word_scores, n_near, seed_scores
from docgraph.domain.request import SeedSignal
from docgraph.domain.revision import content_text, places_text, revision_text
from docgraph.domain.type_roles import Decided, TypeChange, TypeDecision
from docgraph.domain.where import Condition, facets_of_document, meets
from docgraph.domain.workspace import NOBODY, EmbedderInfo, SearchChoice, VectorSearch, Workspace
from docgraph.plugins.stores.memory.queries import Known, distances, shortlist, summary_similarity, two_stage
from docgraph.ports import ChunkHit, MinimalSnapshot, Probe, RankedDocument, filter_fields


@dataclass(frozen=True)
class Content:
    """Everything a workspace holds at one moment; never changed, only replaced."""

    name: str
    title: str
    embedder: EmbedderInfo
    documents: Mapping[str, PreparedDocument] = field(default_factory=dict)
    edges: Mapping[tuple[str, str, str], Relationship] = field(default_factory=dict)
    off_relation_types: tuple[str, ...] = ()
    type_decisions: tuple[TypeDecision, ...] = ()
    type_history: tuple[TypeChange, ...] = ()
    trials: tuple[Trial, ...] = ()
    revision: int = 0
    relationships: int = 0
    vectors: int = 0
    vector_search: VectorSearch = "exact"
    search_choice: SearchChoice = NOBODY
    made_with: str = ""
    history: tuple[HistoryEntry, ...] = ()
    rules: Mapping[str, Rule] = field(default_factory=dict)
    dismissals: Mapping[str, Dismissal] = field(default_factory=dict)
    triage: tuple[TriageEntry, ...] = ()
    last_triage: int = 0
    contested: Mapping[tuple[str, str, str], Contested] = field(default_factory=dict)

    @property
    def decided(self) -> Decided:
        """What is decided about relation types."""
        return Decided(self.off_relation_types, self.type_decisions)

    def workspace(self) -> Workspace:
        """The workspace with its counts."""
        return Workspace(
            name=self.name,
            title=self.title,
            embedder=self.embedder,
            revision=revision_text(self.revision),
            places=places_text(self.revision),
            content_revision=content_text(self.revision, relationships=self.relationships, vectors=self.vectors),
            off_relation_types=self.off_relation_types,
            type_decisions=self.type_decisions,
            n_documents=len(self.documents),
            n_relationships=len(self.edges),
            n_chunks=sum(len(p.chunks) for p in self.documents.values()),
            vector_search=self.vector_search,
            search_choice=self.search_choice,
            made_with=self.made_with,
        )

    @cached_property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """Key of a name → ids of the documents that are called so, in order."""
        found: dict[str, list[str]] = {}
        for document_id in sorted(self.documents):
            document = self.documents[document_id].document
            for key in name_keys(document_id, document.title, document.metadata):
                found.setdefault(key, []).append(document_id)
        return {key: tuple(ids[: MAX_SHARED + 1]) for key, ids in found.items()}

    @cached_property
    def lexemes(self) -> Mapping[tuple[str, int], Counter[str]]:
        """(document_id, chunk_index) → the lexemes of the chunk, with their occurrences."""
        chunks = (chunk for prepared in self.documents.values() for chunk in prepared.chunks)
        return {(chunk.document_id, chunk.chunk_index): lexemes(chunk.text) for chunk in chunks}

    @cached_property
    def sorted_edges(self) -> tuple[Relationship, ...]:
        """All edges by key."""
        return tuple(self.edges[key] for key in sorted(self.edges))


class MemorySnapshot(MinimalSnapshot):
    """One unchanging view of a workspace (``ports.Snapshot``)."""

    def __init__(self, content: Content) -> None:
        self._content = content

    @property
    def workspace(self) -> Workspace:
        """The workspace at this view."""
        return self._content.workspace()

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
        """See ``ports.DocumentSearch.rank_documents``."""
        inside = self._inside(where or {}, matching)
        summary, chunk = _summary_similarities(probe.vector, inside), _chunk_similarities(probe.vector, inside)
        words = self._document_words(probe.text, inside) if signal == "hybrid" else {}
        search = self._content.vector_search
        if signal == "summary" or search == "exact" or (search == "hnsw" and (where or matching)):
            scores = seed_scores(signal, summary=summary, chunk=chunk, words=words)
            ranks = {i: (rank, scores[i]) for rank, i in enumerate(best_first(scores), start=1)}
        else:
            known = Known(summary, chunk, words)
            ranks = two_stage(inside, probe.vector, signal, search=search, known=known, limit=limit)
        wanted = set(document_ids)
        return tuple(
            RankedDocument.of(self._content.documents[document_id].document, *ranks[document_id])
            for document_id in sorted(ranks, key=lambda document_id: (ranks[document_id][0], document_id))
            if ranks[document_id][0] <= limit or document_id in wanted
        )

    def relationships(
        self, *, document_id: str | None = None, relation_type: str | None = None, dangling: bool | None = None
    ) -> Iterator[Relationship]:
        """See ``ports.RelationshipReader.relationships``."""
        for edge in self._content.sorted_edges:
            if document_id is not None and document_id not in (edge.from_document_id, edge.to_document_id):
                continue
            if relation_type is not None and edge.relation_type != relation_type:
                continue
            if dangling is None or dangling == (edge.to_document_id not in self._content.documents):
                yield edge

    def nearest_chunks_of(
        self, document_ids: Sequence[str], vector: Vector, *, per_document: int
    ) -> tuple[ChunkHit, ...]:
        """See ``ports.ChunkSearch.nearest_chunks_of``."""
        documents = self._content.documents
        best = [_hits(documents[i], vector)[:per_document] for i in set(document_ids) if i in documents]
        return tuple(sorted((hit for hits in best for hit in hits), key=_by_distance))

    def nearest_chunks(self, vector: Vector, *, limit: int) -> tuple[ChunkHit, ...]:
        """See ``ports.ChunkSearch.nearest_chunks``."""
        documents = self._content.documents.values()
        hits = [hit for prepared in documents for hit in _hits(prepared, vector)]
        if (search := self._content.vector_search) != "exact":
            near = shortlist(documents, vector, n_near(search, limit), search=search)
            hits = [hit for hit in hits if (hit.chunk.document_id, hit.chunk.chunk_index) in near]
        return tuple(sorted(hits, key=_by_distance)[:limit])

    def documents_by_id(self, document_ids: Sequence[str]) -> dict[str, StoredDocument]:
        """document_id → document; unknown ids are absent."""
        documents = self._content.documents
        return {i: documents[i].document for i in dict.fromkeys(document_ids) if i in documents}

    def documents_named(self, keys: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """See ``ports.DocumentReader.documents_named``."""
        names = self._content.names
        return {key: names[key] for key in sorted(set(keys)) if key in names}

    def documents(self, *, doc_type: str | None = None, text: str | None = None) -> Iterator[StoredDocument]:
        """All documents by id; ``text`` filters by a part of title or id, whatever its case."""
        part = (text or "").lower()
        for _, prepared in sorted(self._content.documents.items()):
            document = prepared.document
            if doc_type is not None and document.doc_type != doc_type:
                continue
            if part in document.title.lower() or part in document.document_id.lower():
                yield document

    def chunks(self, document_id: str) -> tuple[StoredChunk, ...]:
        """All chunks of a document by chunk_index."""
        prepared = self._content.documents.get(document_id)
        return tuple(sorted(prepared.chunks, key=lambda chunk: chunk.chunk_index)) if prepared else ()

    def _document_words(self, question: str, inside: Sequence[PreparedDocument]) -> Mapping[str, float]:
        """document_id → how well the words of the question fit."""
        return document_word_scores(question, {p.document.document_id: texts_of(p) for p in inside})

    def _inside(self, where: Mapping[str, str], matching: Sequence[Condition] = ()) -> list[PreparedDocument]:
        filter_fields(where)
        documents = self._content.documents.values()
        found = [p for p in documents if all(getattr(p.document, name) == value for name, value in where.items())]
        return [p for p in found if meets(matching, facets_of_document(p.document))] if matching else found

    def _lexemes(self, chunk: StoredChunk) -> Counter[str]:
        return self._content.lexemes[chunk.document_id, chunk.chunk_index]


# ---------------------------------------------------------------- similarity


def _hits(prepared: PreparedDocument, vector: Vector) -> list[ChunkHit]:
    if not prepared.chunks:
        return []
    pairs = zip(prepared.chunks, distances(prepared.chunk_vectors, vector).tolist(), strict=True)
    return sorted((ChunkHit(chunk, round(1 - distance, 6), distance) for chunk, distance in pairs), key=_by_distance)


def _by_distance(hit: ChunkHit) -> tuple[float, str, int]:
    return (hit.distance, hit.chunk.document_id, hit.chunk.chunk_index)


# ---------------------------------------------------------------- what the seed signals are made of, by document_id


def _summary_similarities(vector: Vector, documents: Sequence[PreparedDocument]) -> dict[str, float]:
    return {p.document.document_id: summary_similarity(p, vector) for p in documents}


def _chunk_similarities(vector: Vector, documents: Sequence[PreparedDocument]) -> dict[str, float]:
    """That of the best chunk; documents without chunks are left out."""
    return {p.document.document_id: 1 - float(distances(p.chunk_vectors, vector).min()) for p in documents if p.chunks}


def texts_of(prepared: PreparedDocument) -> list[str]:
    """Title and summary, then each chunk."""
    document = prepared.document
    return [f"{document.title} {document.summary}", *(chunk.text for chunk in prepared.chunks)]
