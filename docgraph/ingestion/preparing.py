"""Turns documents into what a store writes: summary, chunks and their vectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from docgraph.domain.anchors import MAX_HEADINGS, PATH
from docgraph.domain.directions import are_unit, direction, unit
from docgraph.domain.document_vector import document_texts, document_vector, is_long
from docgraph.domain.graph import (
    Document,
    ImportHashes,
    PreparedDocument,
    Relationship,
    RestatedDocument,
    StoredChunk,
    StoredDocument,
    Vector,
    Vectors,
)
from docgraph.ingestion.cleaning import MAX_SUMMARY, bounded, clean_text
from docgraph.ports import Embedder, Summarizer
from docgraph.ports.checked_vectors import embed_checked


@dataclass(frozen=True)
class Draft:
    """A document on its way: cleaned, linked, hashed, cut into chunks, not yet embedded."""

    document: Document
    relationships: tuple[Relationship, ...]
    hashes: ImportHashes
    content_hash: str
    chunks: tuple[StoredChunk, ...] = field(default=())


def embedded_text(title: str, chunk: StoredChunk) -> str:
    """What is embedded for a chunk: title, heading path on a line of its own where there is one, text."""
    path = chunk.heading_path[1:] if chunk.heading_path[:1] == (title,) else chunk.heading_path
    return "\n".join([title, *([" > ".join(path)] if path else []), chunk.text])


def check_given_vectors(document: Document, dimension: int) -> None:
    """Raises ValueError with one line for a given vector of another width or without a direction."""
    if are_unit([vector for vector in _given_vectors(document) if vector is not None], dimension):
        return
    given = [("the summary's vector", document.vector)]
    given += [(f"the vector of chunk {chunk.chunk_index}", chunk.vector) for chunk in document.chunks or ()]
    for what, vector in given:
        if vector is not None:
            direction(vector, dimension, what=what)


def prepare(drafts: Sequence[Draft], *, embedder: Embedder, summarizer: Summarizer) -> list[PreparedDocument]:
    """The drafts, summarised and embedded in one go, except for what a vector was given. Raises EmbedderError."""
    summaries = [_summary(draft.document, summarizer, embedder) for draft in drafts]
    texts = [text for pair in zip(drafts, summaries, strict=True) for text in _missing(*pair)]
    computed = iter(embed_checked(embedder, texts))
    return [_finished(draft, summary, computed) for draft, summary in zip(drafts, summaries, strict=True)]


def _missing(draft: Draft, summary: str) -> Iterator[str]:
    """Texts without a given vector: the document's two, then those of its chunks."""
    document = draft.document
    if document.vector is None:
        yield from document_texts(document.title, summary)
    for chunk, vector in zip(draft.chunks, _chunk_vectors_given(document, draft.chunks), strict=True):
        if vector is None:
            yield embedded_text(document.title, chunk)


def _chunk_vectors_given(document: Document, chunks: Sequence[StoredChunk]) -> list[tuple[float, ...] | None]:
    """What was given for each chunk, in their order."""
    if document.chunks is None:
        return [None] * len(chunks)
    return [chunk.vector for chunk in sorted(document.chunks, key=lambda chunk: chunk.chunk_index)]


def _given_vectors(document: Document) -> Iterator[tuple[float, ...] | None]:
    yield document.vector
    yield from (chunk.vector for chunk in document.chunks or ())


def restated(draft: Draft, there: str, chunks: tuple[StoredChunk, ...]) -> RestatedDocument:
    """What is said anew of the stored document that is made of ``there``; ``chunks`` say where its text stands now."""
    document = draft.document
    return RestatedDocument(
        document_id=document.document_id,
        there=there,
        content_hash=draft.content_hash,
        source=document.source,
        doc_type=document.doc_type,
        ingestion_id=document.ingestion_id,
        metadata=document.metadata,
        relationships=draft.relationships,
        hashes=draft.hashes,
        chunks=chunks,
    )


def _summary(document: Document, summarizer: Summarizer, embedder: Embedder) -> str:
    if document.summary:
        return document.summary
    made = summarizer.summarize(document, lambda texts: embed_checked(embedder, texts))
    return bounded(clean_text(made), MAX_SUMMARY)


def _finished(draft: Draft, summary: str, computed: Iterator[Vector]) -> PreparedDocument:
    """``computed`` = vectors of what was missing, of all drafts in their order."""
    document = draft.document
    title_vector = None
    if document.vector is None:
        rows = np.stack([next(computed), next(computed)])
        vector = document_vector(rows)
        title_vector = rows[0] if is_long(len(draft.chunks)) else None
    else:  # who gives it says what the document is found by
        vector = unit(document.vector)
    stored = StoredDocument(
        document_id=document.document_id,
        title=document.title,
        summary=summary,
        source=document.source,
        doc_type=document.doc_type,
        ingestion_id=document.ingestion_id,
        headings=_headings(document, draft.chunks),
        metadata=document.metadata,
        content_hash=draft.content_hash,
        n_chunks=len(draft.chunks),
        n_tokens=sum(chunk.token_count for chunk in draft.chunks),
    )
    return PreparedDocument(
        document=stored,
        vector=vector,
        chunks=draft.chunks,
        chunk_vectors=_chunk_vectors(draft, computed, dimension=len(vector)),
        relationships=draft.relationships,
        hashes=draft.hashes,
        title_vector=title_vector,
    )


def _chunk_vectors(draft: Draft, computed: Iterator[Vector], *, dimension: int) -> Vectors:
    given = _chunk_vectors_given(draft.document, draft.chunks)
    if given and are_unit(given, dimension):
        return np.asarray(given, dtype=np.float32)
    rows = [next(computed) if vector is None else unit(vector) for vector in given]
    return np.asarray(rows, dtype=np.float32).reshape(len(rows), dimension)


def _headings(document: Document, chunks: Sequence[StoredChunk]) -> tuple[str, ...]:
    """Distinct section titles in text order, at most 200."""
    return heading_paths([section.heading_path for section in document.sections] or [c.heading_path for c in chunks])


def heading_paths(paths: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Heading paths as a document keeps them: distinct, in text order, at most 200."""
    return tuple(dict.fromkeys(PATH.join(path) for path in paths if path))[:MAX_HEADINGS]
