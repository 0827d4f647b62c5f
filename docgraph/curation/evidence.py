"""Puts the two ends of a relationship side by side: in each document the passage that speaks of the other one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from docgraph.curation.naming import Naming
from docgraph.domain.document_vector import document_texts, document_vector
from docgraph.domain.edge_evidence import EdgeEvidence, Passage, Quote
from docgraph.domain.graph import Relationship, StoredChunk, StoredDocument, Vector
from docgraph.ports import ALL, ChunkHit, Embed, Probe, RelationExtractor, Snapshot

MAX_CHUNKS = 400
"""Passages of one document that are read, those nearest to the other document first."""


def find_evidence(
    snapshot: Snapshot, a_id: str, b_id: str, *, embed: Embed, extractors: Sequence[RelationExtractor]
) -> EdgeEvidence:
    """Everything but the history, from one snapshot; at most five short texts are embedded.

    A passage that names the other document goes before one that is only near to it; of several the nearest is shown.
    """
    stored = snapshot.documents_by_id(sorted({a_id, b_id}))
    a, b = stored.get(a_id), stored.get(b_id)
    vectors = _document_vectors([d for d in (a, b) if d is not None], embed)
    reading = _Reading(snapshot, extractors, stored)
    of_a = reading.passage(a_id, b_id, near=_first(vectors.get(b_id), vectors.get(a_id)))
    near_a = vectors.get(a_id)
    if of_a is not None and of_a.text and a_id != b_id:
        near_a = _first(_usable(embed([f"{of_a.title}\n{of_a.text}"])[0]), near_a)
    of_b = of_a if a_id == b_id else reading.passage(b_id, a_id, near=_first(near_a, vectors.get(b_id)))
    similarity, rank, n_ranked = _rank(snapshot, a_id, b_id, vectors)
    return EdgeEvidence(
        a=of_a,
        b=of_b,
        similarity=similarity,
        rank=rank,
        n_ranked=n_ranked,
        relationships=_between(snapshot, a_id, b_id),
    )


@dataclass
class _Reading:
    """Reads passages of documents of one snapshot."""

    snapshot: Snapshot
    extractors: Sequence[RelationExtractor]
    stored: dict[str, StoredDocument]

    def passage(self, document_id: str, other_id: str, *, near: Vector | None) -> Passage | None:
        """The passage for the other document; None for a document that is not stored."""
        document = self.stored.get(document_id)
        if document is None:
            return None
        shown, quotes, n_naming = self._best(document, other_id, near)
        found = Passage(
            document_id=document_id,
            title=document.title,
            doc_type=document.doc_type,
            n_chunks=document.n_chunks,
            names=quotes,
            n_naming=n_naming,
        )
        place = () if shown is None else ("heading_path", "chunk_index", "text")
        return found.model_copy(update={name: getattr(shown, name) for name in place})

    def _best(
        self, document: StoredDocument, other_id: str, near: Vector | None
    ) -> tuple[StoredChunk | None, tuple[Quote, ...], int]:
        """The nearest passage that names the other document, else the nearest; its quotes; all such sentences."""
        naming = Naming(self.extractors, document, other_id, named=self.stored.get(other_id), snapshot=self.snapshot)
        chunks = self._chunks(document.document_id, near)
        quoted = [(chunk, naming.quotes(chunk)) for chunk in chunks]
        best = next((found for found in quoted if found[1]), None)
        if best is None:
            return (chunks[0] if chunks else None), (), 0
        return best[0], best[1], sum(len(quotes) for _, quotes in quoted)

    def _chunks(self, document_id: str, near: Vector | None) -> list[StoredChunk]:
        """Passages, the nearest to a vector first; in text order without one."""
        if near is None:
            return list(self.snapshot.chunks(document_id)[:MAX_CHUNKS])
        hits: Sequence[ChunkHit] = self.snapshot.nearest_chunks_of([document_id], near, per_document=MAX_CHUNKS)
        return [hit.chunk for hit in hits]


def _document_vectors(documents: Sequence[StoredDocument], embed: Embed) -> dict[str, Vector]:
    """document_id → the vector that its title and summary give; documents without a direction are left out."""
    rows = embed([text for d in documents for text in document_texts(d.title, d.summary)]) if documents else ()
    found = {}
    for place, document in enumerate(documents):
        vector = _usable(document_vector(np.asarray(rows[2 * place : 2 * place + 2], dtype=np.float32)))
        if vector is not None:
            found[document.document_id] = vector
    return found


def _usable(vector: Vector) -> Vector | None:
    """None for a vector of zeros: a text without a known word is near to nothing."""
    return np.asarray(vector, dtype=np.float32) if np.any(vector) else None


def _first(*vectors: Vector | None) -> Vector | None:
    return next((vector for vector in vectors if vector is not None), None)


def _rank(snapshot: Snapshot, a_id: str, b_id: str, vectors: dict[str, Vector]) -> tuple[float | None, int | None, int]:
    """(similarity of B to A, its place among the other documents, how many these are); None: one has no direction."""
    vector = vectors.get(a_id)
    n_others = max(0, snapshot.workspace.n_documents - 1)
    if vector is None or b_id not in vectors:
        return None, None, n_others
    ranked = snapshot.rank_documents(Probe(vector, ""), "summary", limit=1, document_ids=sorted({a_id, b_id}))
    places = {each.document_id: each for each in ranked}
    if b_id not in places:
        return None, None, n_others
    similarity = min(1.0, max(-1.0, places[b_id].score))
    if a_id == b_id:
        return similarity, None, n_others
    a_before = a_id in places and places[a_id].rank < places[b_id].rank
    return similarity, places[b_id].rank - a_before, n_others


def _between(snapshot: Snapshot, a_id: str, b_id: str) -> tuple[Relationship, ...]:
    """The relationships between the two in both directions, by key; those of one with itself for a self link."""
    pairs = {(a_id, b_id), (b_id, a_id)}
    found = snapshot.outgoing(sorted({a_id, b_id}), relation_types=None, limit=ALL)
    between = (edge for edge in found if (edge.from_document_id, edge.to_document_id) in pairs)
    return tuple(sorted(between, key=lambda edge: edge.key))
