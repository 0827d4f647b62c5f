"""What every store does with a batch before it writes: check vectors, clean texts, refuse what cannot be kept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from docgraph.domain.document_vector import is_long
from docgraph.domain.graph import PreparedDocument
from docgraph.errors import EmbeddingMismatchError, IngestionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from docgraph.domain.graph import Relationship, RestatedDocument, StoredChunk, Vector, Vectors
    from docgraph.domain.workspace import EmbedderInfo

MANUAL = "manual"
RESTATED = ("source", "doc_type", "ingestion_id", "metadata", "content_hash")
"""The fields of a document that ``ports.GraphWriter.restate`` replaces."""
MAX_DEPTH = 50
MAX_KEY_BYTES = 2_600
"""PostgreSQL's limit for an entry of a B-tree index is 2,704 bytes."""


def accepted(batch: Sequence[PreparedDocument], embedder: EmbedderInfo) -> tuple[PreparedDocument, ...]:
    """The batch by document_id, cleaned; of two with the same id the last one counts.

    Raises EmbeddingMismatchError or IngestionError for the first document that cannot be kept.
    """
    by_id = {prepared.document.document_id: prepared for prepared in batch}
    return tuple(_accepted(by_id[document_id], embedder) for document_id in sorted(by_id))


def accepted_anew(batch: Sequence[RestatedDocument]) -> tuple[RestatedDocument, ...]:
    """What is said of stored documents, by document_id, cleaned; of two about the same one the last counts.

    Raises IngestionError for the first that cannot be kept.
    """
    by_id = {each.document_id: each for each in batch}
    return tuple(
        replace(
            by_id[i],
            **{name: cleaned(getattr(by_id[i], name)) for name in RESTATED},
            relationships=_clean_relationships(i, by_id[i].relationships),
        )
        for i in sorted(by_id)
    )


def is_manual(relationship: Relationship) -> bool:
    """True for an edge that a person added: it survives a replacement of its document."""
    return relationship.relationship_metadata.get("extractor") == MANUAL


def clean_relationship(relationship: Relationship) -> Relationship:
    """The edge with metadata that a database can hold. Raises IngestionError when its ids are too long for an index."""
    if (size := sum(len(part.encode("utf-8", "surrogatepass")) for part in relationship.key)) > MAX_KEY_BYTES:
        raise IngestionError(
            f"a relationship of {relationship.from_document_id[:60]!r} has ids of {size:,} bytes in UTF-8",
            hint=f"both ids and the type together may have {MAX_KEY_BYTES:,} bytes",
        )
    return relationship.model_copy(update={"relationship_metadata": cleaned(relationship.relationship_metadata)})


def cleaned(value: Any, depth: int = 0) -> Any:
    """``value`` as plain JSON data: no NUL and no lone surrogates in texts, lists for tuples, text for the rest.

    Keys stand in the order in which PostgreSQL's jsonb keeps them, so that every store gives back the same text.

    Raises IngestionError for NaN, infinity and nesting deeper than 50.
    """
    if depth > MAX_DEPTH:
        raise IngestionError(f"metadata is nested deeper than {MAX_DEPTH} levels", hint="flatten it")
    if isinstance(value, str):
        return _clean_text(value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise IngestionError(f"metadata holds {value}, which JSON cannot carry", hint="leave the field out")
        return value
    if isinstance(value, dict):
        items = {_clean_text(str(key)): cleaned(item, depth + 1) for key, item in value.items()}
        return {key: items[key] for key in sorted(items, key=_as_jsonb_sorts)}
    if isinstance(value, list | tuple):
        return [cleaned(item, depth + 1) for item in value]
    return _clean_text(str(value))


def _as_jsonb_sorts(key: str) -> tuple[int, bytes]:
    encoded = key.encode()
    return (len(encoded), encoded)


def _accepted(prepared: PreparedDocument, embedder: EmbedderInfo) -> PreparedDocument:
    import numpy as np

    document = prepared.document
    _check_vectors(prepared, embedder)
    chunks = tuple(_clean_chunk(chunk, document.document_id) for chunk in prepared.chunks)
    if len({chunk.chunk_index for chunk in chunks}) != len(chunks):
        raise IngestionError(f"document {document.document_id!r} has two chunks with one index", hint="number them")
    return PreparedDocument(
        document=document.model_copy(update=_clean_fields(prepared)),
        vector=np.asarray(prepared.vector, dtype=np.float32),
        chunks=chunks,
        chunk_vectors=np.asarray(prepared.chunk_vectors, dtype=np.float32).reshape(len(chunks), embedder.dimension),
        relationships=_clean_relationships(document.document_id, prepared.relationships),
        hashes=prepared.hashes,
        title_vector=_title_vector(prepared, len(chunks)),
    )


def _title_vector(prepared: PreparedDocument, n_chunks: int) -> Vector | None:
    """Of long documents alone; a short one is ranked by its summary."""
    import numpy as np

    if prepared.title_vector is None or not is_long(n_chunks):
        return None
    return np.asarray(prepared.title_vector, dtype=np.float32)


def _clean_relationships(document_id: str, relationships: Sequence[Relationship]) -> tuple[Relationship, ...]:
    """By key. Raises IngestionError for one that starts at another document."""
    stray = next((r for r in relationships if r.from_document_id != document_id), None)
    if stray is not None:
        raise IngestionError(
            f"document {document_id!r} brings a relationship that starts at {stray.from_document_id!r}",
            hint="hand each relationship over with the document it starts at",
        )
    edges = {edge.key: clean_relationship(edge) for edge in relationships}
    return tuple(edges[key] for key in sorted(edges))


def _clean_fields(prepared: PreparedDocument) -> dict[str, Any]:
    document = prepared.document
    texts = {name: _clean_text(getattr(document, name)) for name in ("title", "summary", "source", "content_hash")}
    texts |= {name: _clean_text(getattr(document, name)) for name in ("doc_type", "ingestion_id")}
    return {
        **texts,
        "headings": tuple(map(_clean_text, document.headings)),
        "metadata": cleaned(document.metadata),
        "n_chunks": len(prepared.chunks),
    }


def _clean_chunk(chunk: StoredChunk, document_id: str) -> StoredChunk:
    if chunk.document_id != document_id:
        raise IngestionError(
            f"document {document_id!r} brings a chunk of {chunk.document_id!r}", hint="hand chunks over with their own"
        )
    text, path = _clean_text(chunk.text), tuple(map(_clean_text, chunk.heading_path))
    if (text, path) == (chunk.text, chunk.heading_path):
        return chunk
    return chunk.model_copy(update={"text": text, "heading_path": path})


def _clean_text(text: str) -> str:
    """PostgreSQL holds neither NUL nor lone surrogates; the former goes, the latter become U+FFFD."""
    if "\x00" in text:
        text = text.replace("\x00", "")
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _check_vectors(prepared: PreparedDocument, embedder: EmbedderInfo) -> None:
    import numpy as np

    document_id, width = prepared.document.document_id, embedder.dimension
    if prepared.title_vector is not None:
        check_vector("title vector", document_id, prepared.title_vector, embedder)
    for what, vectors in (("vector", prepared.vector), ("chunk vectors", prepared.chunk_vectors)):
        _check_numbers(what, document_id, vectors, embedder)
    if np.shape(prepared.vector) != (width,) or np.size(prepared.chunk_vectors) != len(prepared.chunks) * width:
        raise EmbeddingMismatchError(
            f"{document_id!r} has {len(prepared.chunks)} chunks of width {width}, but vectors of shapes "
            f"{np.shape(prepared.vector)} and {np.shape(prepared.chunk_vectors)}",
            hint="one vector for the summary and one for each chunk",
        )


def check_vector(what: str, document_id: str, vector: Vector, embedder: EmbedderInfo) -> None:
    """Raises EmbeddingMismatchError for what is not one finite vector of the workspace's width."""
    import numpy as np

    _check_numbers(what, document_id, vector, embedder)
    if np.shape(vector) != (embedder.dimension,):
        raise EmbeddingMismatchError(
            f"the {what} of {document_id!r} has the shape {np.shape(vector)}",
            hint=f"it is one vector of {embedder.dimension} numbers",
        )


def _check_numbers(what: str, document_id: str, vectors: Vectors, embedder: EmbedderInfo) -> None:
    import numpy as np

    array: NDArray[np.float32] = np.asarray(vectors)
    if array.size and array.shape[-1] != embedder.dimension:
        raise EmbeddingMismatchError(
            f"the {what} of {document_id!r} have {array.shape[-1]} numbers, the workspace holds {embedder.dimension} "
            f"(embedder {embedder.embedder_id})",
            hint="use the workspace's embedder, or ingest into a new workspace",
        )
    if not np.isfinite(array).all():
        raise EmbeddingMismatchError(
            f"the {what} of {document_id!r} hold values that are not finite",
            hint="check the embedder: NaN and infinity cannot be compared",
        )
