"""Small documents with repeatable vectors, for testing stores."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from docgraph.domain.edit import Edit
from docgraph.domain.graph import (
    ChunkPlace,
    ImportHashes,
    PreparedDocument,
    Relationship,
    RestatedDocument,
    StoredChunk,
    StoredDocument,
    Vector,
    Vectors,
)
from docgraph.domain.history import HistoryEntry
from docgraph.domain.workspace import EmbedderInfo
from docgraph.ports import EdgeChange, Store

DIMENSION = 8
EMBEDDER = EmbedderInfo(name="example", model="sha256", dimension=DIMENSION)
AT = "2026-03-01T00:00:00+00:00"


def example_vector(text: str, dimension: int = DIMENSION) -> Vector:
    """A unit vector, float32, that depends on ``text`` alone."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    numbers = np.random.default_rng(seed).standard_normal(dimension)
    return (numbers / np.linalg.norm(numbers)).astype(np.float32)


def example_vectors(texts: Sequence[str], dimension: int = DIMENSION) -> Vectors:
    """Shape (len(texts), dimension)."""
    return np.array([example_vector(text, dimension) for text in texts], dtype=np.float32).reshape(-1, dimension)


def example_edge(start: str, relation_type: str, end: str, **metadata: Any) -> Relationship:
    """An edge with ``metadata``."""
    return Relationship(
        from_document_id=start, relation_type=relation_type, to_document_id=end, relationship_metadata=metadata
    )


def example_document(
    document_id: str,
    texts: Sequence[str] = ("first chunk", "second chunk"),
    *,
    edges: Iterable[tuple[str, str]] = (),
    vector: Vector | None = None,
    chunk_vectors: Vectors | None = None,
    title_vector: Vector | None = None,
    **fields: Any,
) -> PreparedDocument:
    """A document with one chunk for each text and edges (relation_type, to); its hashes cover what they must.

    The summary's vector follows from the title, a chunk's from its text, unless they are given.
    """
    title = fields.pop("title", f"Title of {document_id}")
    relationships = tuple(example_edge(document_id, kind, end, extractor="example") for kind, end in edges)
    hashes = fields.pop("hashes", None) or ImportHashes(
        text=_hash(document_id, title, tuple(texts)),
        embedded=_hash(document_id, title, tuple(texts), fields.get("summary", "")),
        stated=_hash(document_id, title, tuple(texts), [edge.key for edge in relationships], sorted(fields.items())),
    )
    document = StoredDocument(
        document_id=document_id,
        title=title,
        content_hash=fields.pop("content_hash", hashes.text),
        n_chunks=len(texts),
        **fields,
    )
    return PreparedDocument(
        document=document,
        vector=example_vector(title) if vector is None else vector,
        chunks=tuple(_chunk(document_id, index, text) for index, text in enumerate(texts)),
        chunk_vectors=example_vectors(texts) if chunk_vectors is None else chunk_vectors,
        relationships=relationships,
        hashes=hashes,
        title_vector=title_vector,
    )


def example_restated(
    document_id: str,
    *,
    there: ImportHashes,
    edges: Iterable[tuple[str, str]] = (),
    chunks: tuple[StoredChunk, ...] = (),
    **fields: Any,
) -> RestatedDocument:
    """What is said anew of the example document that is made of ``there``."""
    relationships = tuple(example_edge(document_id, kind, end, extractor="example") for kind, end in edges)
    said: dict[str, Any] = {"source": "", "doc_type": "", "ingestion_id": "", "metadata": {}, **fields}
    stated = _hash(document_id, [edge.key for edge in relationships], sorted(said.items()))
    return RestatedDocument(
        document_id=document_id,
        there=there.embedded,
        content_hash=there.text,
        relationships=relationships,
        chunks=chunks,
        hashes=ImportHashes(text=there.text, embedded=there.embedded, stated=stated),
        **said,
    )


def change(before: Relationship | None, after: Relationship | None, *, undoes: int | None = None) -> EdgeChange:
    """A change; what its edit is called is not the store's business."""
    there = before or after
    assert there is not None
    return EdgeChange(Edit(action="accept", key=there.key), before, after, undoes)


def act(
    store: Store, before: Relationship | None, after: Relationship | None, *, undoes: int | None = None
) -> HistoryEntry:
    """Ann's change of one relationship, with its entry."""
    return store.change_relationships([change(before, after, undoes=undoes)], at=AT, by="Ann", reason="")[0]


def _hash(*parts: Any) -> str:
    return hashlib.sha256(repr(parts).encode("utf-8", "replace")).hexdigest()


_PLACES = {0: ChunkPlace(start=40, end=52, line=3), 1: ChunkPlace(start=0, end=9, page=2)}
"""Of the first two chunks; where the others stand is not known."""


def _chunk(document_id: str, index: int, text: str) -> StoredChunk:
    return StoredChunk(
        document_id=document_id,
        chunk_id=f"{document_id[:500]}#{index}",
        chunk_index=index,
        text=text,
        heading_path=("Top", f"Part {index}"),
        token_count=len(text.split()),
        place=_PLACES.get(index),
    )
