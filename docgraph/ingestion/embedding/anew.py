"""Stored texts embedded by another embedder, batch by batch, beside the vectors that answer: what is done is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise

import numpy as np

from docgraph.domain.document_vector import document_texts, document_vector, is_long
from docgraph.domain.embedding import LackingVectors, NewVectors
from docgraph.domain.graph import Vectors
from docgraph.ingestion.preparing import embedded_text
from docgraph.ports import Embedder, EmbeddingStore
from docgraph.ports.checked_vectors import embed_checked

AT_ONCE = 128
"""Texts of a batch, about: so much is embedded twice where somebody pulls the plug."""

GoesOn = Callable[[int, str], bool]
"""Told how many texts are embedded now and of which document; says whether to go on."""


def embed_lacking(store: EmbeddingStore, embedder: Embedder, *, goes_on: GoesOn) -> bool:
    """Embed what lacks vectors until nothing does; False = stopped, with what is done kept.

    What others write meanwhile is found by going through all documents again. Raises EmbedderError, StoreError, and
    ConflictError where it was given up meanwhile.
    """
    after, found = "", False
    while True:
        lacking = store.lacking_vectors(after=after, limit=AT_ONCE)
        if not lacking and not found:
            break
        after, found = _next(lacking, after), bool(lacking) or found
        if not lacking:
            after, found = "", False
        elif not _embed(store, embedder, lacking, goes_on):
            return False
    return _embed_memories(store, embedder, goes_on)


def _next(lacking: Sequence[LackingVectors], after: str) -> str:
    """Behind the last document that is whole after this batch: of another one the rest comes next."""
    whole = [each.document.document_id for each in lacking if each.is_rest]
    return whole[-1] if whole else after


def _embed(store: EmbeddingStore, embedder: Embedder, lacking: Sequence[LackingVectors], goes_on: GoesOn) -> bool:
    texts = [list(_texts(each)) for each in lacking]
    rows = embed_checked(embedder, [text for own in texts for text in own])
    ends = accumulate(map(len, texts), initial=0)
    store.put_vectors([_made(each, rows[a:b]) for each, (a, b) in zip(lacking, pairwise(ends), strict=True)])
    return goes_on(len(rows), lacking[-1].document.title)


def _texts(lacking: LackingVectors) -> Sequence[str]:
    """As an import embeds them: those of the chunks, then the document's two with the rest."""
    document = lacking.document
    chunks = [embedded_text(document.title, chunk) for chunk in lacking.chunks]
    return [*chunks, *(document_texts(document.title, document.summary) if lacking.is_rest else ())]


def _made(lacking: LackingVectors, rows: Vectors) -> NewVectors:
    n = len(lacking.chunks)
    own = rows[n:]
    return NewVectors(
        document_id=lacking.document.document_id,
        stamp=lacking.stamp,
        chunks={chunk.chunk_index: row for chunk, row in zip(lacking.chunks, rows, strict=False)},
        vector=document_vector(own) if lacking.is_rest else None,
        title_vector=np.asarray(own[0]) if lacking.is_rest and is_long(lacking.document.n_chunks) else None,
    )


def _embed_memories(store: EmbeddingStore, embedder: Embedder, goes_on: GoesOn) -> bool:
    while memories := store.lacking_memories(limit=AT_ONCE):
        store.put_memory_vectors(memories, embed_checked(embedder, [memory.text for memory in memories]))
        if not goes_on(len(memories), "memories"):
            return False
    return True
