"""Puts the two ends of a relationship side by side: in each document the passage that speaks of the other one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from docgraph.boundary.imports.markup.references import anchors_of, gathered
from docgraph.domain.content_words import sentence_spans
from docgraph.domain.document_vector import document_texts, document_vector
from docgraph.domain.edge_evidence import EdgeEvidence, Passage, Quote
from docgraph.domain.graph import Document, DocumentRef, Relationship, Section, StoredChunk, StoredDocument, Vector
from docgraph.domain.naming import numbered_as, other_names
from docgraph.ports import ALL, ChunkHit, DocumentReader, Embed, Probe, RelationExtractor, Snapshot, Titles

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


MAX_NAMESAKES = 200
"""Documents whose titles or ids contain those of the named one, read so that the longest name wins, as in imports."""

MAX_SENTENCES = 2_000
"""Sentences of one passage that are looked at."""

_SPEAKING = re.compile(r"[\d_./-]")
"""An id that has one of these is no word of the language: where it stands, it is meant."""
_MIN_ID = 3


class Naming:
    """Knows when a text of ``speaker`` names the document ``named_id``, whether that is stored or not."""

    def __init__(
        self,
        extractors: Sequence[RelationExtractor],
        speaker: StoredDocument,
        named_id: str,
        *,
        named: StoredDocument | None,
        snapshot: DocumentReader,
    ) -> None:
        self._extractors, self._speaker, self._named_id = extractors, speaker, named_id
        around = _namesakes(named, snapshot) if named else {}
        known = {d.document_id: d for d in (*around.values(), speaker, *([named] if named else []))}
        refs = tuple(DocumentRef(document_id=i, title=known[i].title) for i in sorted(known))
        sources = {i: known[i].source for i in sorted(known) if known[i].source}
        names = {i: _called(known[i]) for i in sorted(known)}
        anchors = gathered(pair for i in sorted(known) for pair in anchors_of(known[i]))
        self._titles = Titles(refs, sources, names, anchors=anchors)
        self._by_id = _id_pattern(named_id, known.keys() - {named_id})

    def quotes(self, chunk: StoredChunk) -> tuple[Quote, ...]:
        """The sentences of a passage that name it, in order.

        The whole passage is one quote where only all of it does: a link that is defined in another place …
        """
        if self._speaker.document_id == self._named_id or not self._names(chunk, chunk.text):
            return ()
        spans = list(islice(sentence_spans(chunk.text), MAX_SENTENCES))
        found = tuple(Quote(start=start, end=end) for start, end in spans if self._names(chunk, chunk.text[start:end]))
        return found or (Quote(start=0, end=len(chunk.text)),)

    def _names(self, chunk: StoredChunk, text: str) -> bool:
        if self._by_id is not None and self._by_id.search(text):
            return True
        document = Document(
            document_id=self._speaker.document_id,
            title=self._speaker.title,
            source=self._speaker.source,
            text=text,
            sections=(Section(heading_path=chunk.heading_path, text=text),),
        )
        return any(
            edge.to_document_id == self._named_id
            for extractor in self._extractors
            for edge in extractor.extract(document, self._titles)
        )


def _called(document: StoredDocument) -> tuple[str, ...]:
    return (*other_names(document.metadata, document.source), *numbered_as(document.metadata))


def _namesakes(named: StoredDocument, snapshot: DocumentReader) -> dict[str, StoredDocument]:
    """Documents whose titles or ids contain the title, or the last part of the id, of ``named``."""
    parts = {named.title.strip(), named.document_id.rsplit("/", 1)[-1]} - {""}
    found = (d for part in sorted(parts) for d in islice(snapshot.documents(text=part), MAX_NAMESAKES))
    return {document.document_id: document for document in found}


def _id_pattern(document_id: str, others: Iterable[str]) -> re.Pattern[str] | None:
    """The id, or its last part where no other id ends so, as a word of its own, whatever its case.

    None for an id that could be a word of the language.
    """
    last = _last_part(document_id)
    names = {document_id.strip()} | ({last} if all(_last_part(other) != last for other in others) else set())
    telling = sorted(n for n in names if len(n) >= _MIN_ID and _SPEAKING.search(n) and not n.isdigit())
    if not telling:
        return None
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, telling))})(?![\w-])", re.IGNORECASE)


def _last_part(document_id: str) -> str:
    return document_id.strip().rsplit("/", 1)[-1].casefold()
