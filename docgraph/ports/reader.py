"""A store that only reads: what it has to answer about documents that somebody else owns, and what follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from docgraph.domain.content_words import count_holding
from docgraph.domain.naming import named_among
from docgraph.domain.passages.fitting import CHUNK_TOKENS, chunk_fit, word_fit, word_weights
from docgraph.domain.passages.lexemes import lexemes
from docgraph.domain.ranking import MAX_QUESTION, text_word_scores
from docgraph.domain.where import facets_of_document, meets
from docgraph.ports.reading import (
    ALL,
    FittingChunk,
    FittingChunks,
    RankedDocument,
    Snapshot,
    WordHit,
    origins_of,
    ranked_with_neighbours,
    types_followed,
    values_of,
)
from docgraph.ports.reads import one_by_one

if TYPE_CHECKING:
    from docgraph.domain.graph import Relationship, StoredChunk, StoredDocument, Vector
    from docgraph.domain.request import SeedSignal
    from docgraph.domain.type_roles import Origin
    from docgraph.domain.where import Condition
    from docgraph.domain.workspace import Workspace
    from docgraph.ports.reading import ChunkScore, FieldValue, FittingChunks, Hop, Probe, RankedHop
    from docgraph.ports.reads import Read


@runtime_checkable
class Reader(Protocol):
    """Reads documents in place and never changes them. Plug-in folder: ``plugins/stores/``, beside ``Database``.

    Everything but documents and relationships (saved runs, judgments …) is not kept; ``ReadingOnly`` says so.
    """

    def workspaces(self) -> tuple[Workspace, ...]:
        """All workspaces by name, with counts; the revision is another text whenever the content is another."""
        ...

    def reading(self, workspace: str) -> AbstractContextManager[Snapshot]:
        """One unchanging view for everything read inside, from any thread. Raises StoreError.

        Asked only for a workspace of ``workspaces()``. A ``MinimalSnapshot`` is enough.
        """
        ...

    def close(self) -> None:
        """Give back what was opened."""
        ...


@runtime_checkable
class TellsOfItself(Protocol):
    """What a ``Reader`` may have beside: what it reads in words, and facts of its health."""

    @property
    def source(self) -> str:
        """Such as ``table public.data_notes (LlamaIndex)``."""
        ...

    def health(self) -> dict[str, Any]:
        """Name of a fact → its value, as ``Database.health`` has them. Raises StoreError."""
        ...


class MinimalSnapshot(Snapshot):
    """The least that a snapshot answers; what is written here follows from it, exactly.

    To be given: ``workspace``, ``documents``, ``documents_by_id``, ``chunks``, ``relationships``, ``rank_documents``
    (``domain.ranking`` helps), ``nearest_chunks`` and ``nearest_chunks_of``. Give another of them too where the store
    can answer it without going through everything.
    """

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
        """See ``DocumentSearch``; by a second ranking."""
        return ranked_with_neighbours(
            self, probe, signal, limit=limit, document_ids=document_ids, hop=hop, matching=matching
        )

    def count_matching(self, conditions: Sequence[Condition]) -> int:
        """See ``DocumentSearch``; of all documents."""
        return sum(meets(conditions, facets_of_document(document)) for document in self.documents())

    def metadata_values(self, *, limit: int) -> tuple[FieldValue, ...]:
        """See ``DocumentSearch``; of all documents."""
        return values_of(self.documents(), limit=limit)

    def documents_of_nearest_chunks(self, vector: Vector, *, limit: int) -> tuple[RankedDocument, ...]:
        """See ``DocumentSearch``; of the nearest chunks."""
        best: dict[str, float] = {}
        for hit in self.nearest_chunks(vector, limit=limit):
            best.setdefault(hit.chunk.document_id, 1 - hit.distance)
        stored = self.documents_by_id(tuple(best))
        ranked = enumerate(best.items(), start=1)
        return tuple(RankedDocument.of(stored[i], rank, score) for rank, (i, score) in ranked)

    def outgoing(
        self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None, limit: int
    ) -> tuple[Relationship, ...]:
        """See ``RelationshipReader``; of the relationships at each document."""
        starts = dict.fromkeys(document_ids)
        return tuple(edge for i in starts for edge in islice(self._starting_at(i, relation_types), limit))

    def count_outgoing(self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None) -> dict[str, int]:
        """See ``RelationshipReader``; of the relationships at each document."""
        return {i: sum(1 for _ in self._starting_at(i, relation_types)) for i in dict.fromkeys(document_ids)}

    def incoming(
        self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None, limit: int
    ) -> tuple[Relationship, ...]:
        """See ``RelationshipReader``; of the relationships at each document."""
        found: list[Relationship] = []
        for document_id in sorted(set(document_ids)):
            edges = (e for e in self.relationships(document_id=document_id) if e.to_document_id == document_id)
            allowed = (e for e in edges if _is_allowed(e, relation_types))
            found += sorted(allowed, key=lambda e: (e.relation_type, e.from_document_id))[:limit]
        return tuple(found)

    def count_linking(self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None) -> dict[str, int]:
        """See ``RelationshipReader``; of the relationships at each document."""
        edges = self.incoming(document_ids, relation_types=relation_types, limit=ALL)
        starts: dict[str, set[str]] = {document_id: set() for document_id in document_ids}
        for edge in edges:
            starts[edge.to_document_id].add(edge.from_document_id)
        return {document_id: len(found - {document_id}) for document_id, found in starts.items()}

    def documents_named(self, keys: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """See ``DocumentReader``; of the names of all documents."""
        return named_among(keys, self.documents())

    def count_holding(self, words: Sequence[str]) -> dict[str, int]:
        """See ``DocumentSearch``; words by their stem, over all documents."""
        return count_holding(words, map(self._texts, self.documents()))

    def relation_types(self) -> dict[str, int]:
        """See ``RelationshipReader``; of all relationships."""
        return dict(sorted(Counter(edge.relation_type for edge in self.relationships()).items()))

    def followed_types(self) -> tuple[str, ...] | None:
        """See ``RelationshipReader``; of all relationships."""
        return types_followed(self)

    def type_origins(self) -> tuple[Origin, ...]:
        """See ``RelationshipReader``; of all relationships that lead to stored documents."""
        return origins_of(self.relationships(dangling=False))

    def chunks_with_words(self, probe: Probe, *, limit: int) -> tuple[WordHit, ...]:
        """See ``ChunkSearch``; words by their rarity, over all chunks."""
        hits = {(h.chunk.document_id, h.chunk.chunk_index): h for h in self.nearest_chunks(probe.vector, limit=ALL)}
        scores = text_word_scores(probe.text, {place: hit.chunk.text for place, hit in hits.items()})
        best = sorted(scores, key=lambda place: (-scores[place], place))[:limit]
        return tuple(WordHit(hits[place].chunk, hits[place].score, round(scores[place], 6)) for place in best)

    def fitting_chunks_of(self, document_ids: Sequence[str], probe: Probe, *, asked: str, limit: int) -> FittingChunks:
        """See ``ChunkSearch``; by the texts of all chunks."""
        holding, n_chunks = dict.fromkeys(lexemes(probe.text[:MAX_QUESTION]), 0), 0
        for counts in (self._lexemes(c) for d in self.documents() for c in self.chunks(d.document_id)):
            n_chunks += 1
            for word in holding.keys() & counts.keys():
                holding[word] += 1
        weights = word_weights(holding, n_chunks, asked=lexemes(asked[:MAX_QUESTION]))
        found: list[FittingChunk] = []
        nearest: dict[str, float] = {}
        for hit in self.nearest_chunks_of(document_ids, probe.vector, per_document=ALL):
            chunk = hit.chunk
            words = word_fit(self._lexemes(chunk), weights, tokens=chunk.token_count, typical=CHUNK_TOKENS)
            found.append(FittingChunk(chunk, hit.score, round(words, 6)))
            nearest.setdefault(chunk.document_id, hit.score)
        found.sort(key=lambda hit: (-chunk_fit(hit.score, hit.words), hit.chunk.document_id, hit.chunk.chunk_index))
        best = {hit.chunk.document_id: place for place, hit in reversed(list(enumerate(found)))}
        kept = (hit for place, hit in enumerate(found) if place < limit or best[hit.chunk.document_id] == place)
        return FittingChunks(tuple(kept), weights, nearest)

    def nearest_chunk_scores(self, vector: Vector, *, limit: int) -> tuple[ChunkScore, ...]:
        """See ``ChunkSearch``; of the nearest chunks."""
        return tuple(hit.without_text for hit in self.nearest_chunks(vector, limit=limit))

    def at_once(self, *reads: Read[Any]) -> tuple[Any, ...]:
        """See ``Snapshot``; one after the other."""
        return one_by_one(self, reads)

    def statements(self) -> tuple[str, ...]:
        """None: nothing is told of what was sent."""
        return ()

    def _lexemes(self, chunk: StoredChunk) -> Counter[str]:
        """Those of a chunk, with their occurrences; a store that has them already gives its own."""
        return lexemes(chunk.text)

    def _texts(self, document: StoredDocument) -> tuple[str, ...]:
        chunks = self.chunks(document.document_id)
        return (f"{document.title} {document.summary}", *(chunk.text for chunk in chunks))

    def _starting_at(self, document_id: str, relation_types: Sequence[str] | None) -> Iterator[Relationship]:
        edges = (e for e in self.relationships(document_id=document_id) if e.from_document_id == document_id)
        return (edge for edge in edges if _is_allowed(edge, relation_types))


def _is_allowed(edge: Relationship, relation_types: Sequence[str] | None) -> bool:
    return relation_types is None or edge.relation_type in relation_types
