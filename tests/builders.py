"""Documents made of words, and a progress that keeps what it is told, for tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from docgraph.domain.frozen import fingerprint
from docgraph.domain.graph import (
    Document,
    ImportHashes,
    PreparedDocument,
    Relationship,
    StoredChunk,
    StoredDocument,
)
from docgraph.testing.builders import HashingEmbedder, WordTokenizer


class RecordingProgress:
    """Keeps every update as (done, total, message); says *cancelled* after ``cancel_after`` updates."""

    def __init__(self, cancel_after: int | None = None) -> None:
        self.updates: list[tuple[int, int, str]] = []
        self._cancel_after = cancel_after

    def update(self, done: int, total: int, message: str) -> None:
        """Remember the update."""
        self.updates.append((done, total, message))

    def cancelled(self) -> bool:
        """True once ``cancel_after`` updates have arrived."""
        return self._cancel_after is not None and len(self.updates) >= self._cancel_after


def document(
    document_id: str,
    text: str = "",
    *,
    title: str | None = None,
    summary: str = "",
    source: str | None = None,
    doc_type: str = "",
    metadata: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Document:
    """A document as ingestion takes it; title and text default to words made of the id."""
    return Document(
        document_id=document_id,
        title=document_id.replace("-", " ").title() if title is None else title,
        text=text or f"{document_id} is a document about {document_id}.",
        summary=summary,
        source=f"{document_id}.md" if source is None else source,
        doc_type=doc_type,
        metadata=dict(metadata or {}),
        **fields,
    )


def prepared(
    document_id: str,
    texts: Sequence[str] = (),
    *,
    title: str | None = None,
    summary: str = "",
    edges: Iterable[tuple[str, str]] = (),
    embedder: HashingEmbedder | None = None,
    **fields: Any,
) -> PreparedDocument:
    """A document ready for ``Store.write``: one chunk a text, ``edges`` are (relation_type, to_document_id).

    ``fields`` go to the StoredDocument (``source``, ``doc_type``, ``ingestion_id``, ``metadata`` …); the content hash
    follows from everything else, so that a changed call means changed content.
    """
    embedder = embedder or HashingEmbedder()
    title = document_id.replace("-", " ").title() if title is None else title
    texts = list(texts) or [f"{document_id} is a document about {document_id}."]
    summary = summary or texts[0]
    chunks = tuple(
        StoredChunk(
            document_id=document_id,
            chunk_id=f"{document_id}#{index}",
            chunk_index=index,
            text=text,
            token_count=WordTokenizer().count(text),
        )
        for index, text in enumerate(texts)
    )
    relationships = tuple(
        relationship(document_id, relation_type, target, order=order)
        for order, (relation_type, target) in enumerate(edges)
    )
    stored = StoredDocument(
        document_id=document_id,
        title=title,
        summary=summary,
        n_chunks=len(chunks),
        n_tokens=sum(chunk.token_count for chunk in chunks),
        **fields,
    )
    text, row = fingerprint([title, texts]), stored.model_dump(mode="json")
    hashes = ImportHashes(
        text=text,
        embedded=fingerprint([title, texts, summary]),
        stated=fingerprint([row, texts, [r.model_dump(mode="json") for r in relationships]]),
    )
    return PreparedDocument(
        document=stored.model_copy(update={"content_hash": stored.content_hash or text}),
        vector=embedder.embed([f"{title}. {summary}"])[0],
        chunks=chunks,
        chunk_vectors=embedder.embed([f"{title}\n{text}" for text in texts]),
        relationships=relationships,
        hashes=hashes,
    )


def relationship(
    from_document_id: str, relation_type: str, to_document_id: str, *, extractor: str = "test", **metadata: Any
) -> Relationship:
    """An edge with its provenance; ``extractor="manual"`` makes it one that a person added."""
    return Relationship(
        from_document_id=from_document_id,
        relation_type=relation_type,
        to_document_id=to_document_id,
        relationship_metadata={"extractor": extractor, **metadata},
    )
