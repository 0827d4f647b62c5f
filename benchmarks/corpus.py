"""A seeded corpus of random unit vectors and relationships, sized by the caller; the same one for both sides."""

from __future__ import annotations

import hashlib

import numpy as np

from docgraph.domain.graph import PreparedDocument, Relationship, StoredChunk, StoredDocument
from docgraph.domain.workspace import EmbedderInfo

DIMENSION = 256
EMBEDDER = EmbedderInfo(name="bench", model="random", dimension=DIMENSION)
N_WORDS = 5_000
"""Size of the vocabulary; words are drawn with Zipf's frequencies, as in real text."""
TYPES = ("decision_for", "explains", "implements", "references")


def make_corpus(n_documents: int, *, chunks_per_document: int = 8, seed: int = 7) -> list[PreparedDocument]:
    """``n_documents`` documents of about 100 words a chunk, three outgoing relationships each."""
    rng = np.random.default_rng(seed)
    return [_document(i, n_documents, chunks_per_document, rng) for i in range(n_documents)]


def make_questions(n: int, *, seed: int = 11) -> list[tuple[str, np.ndarray]]:
    """(text, unit vector) pairs."""
    rng = np.random.default_rng(seed)
    return [(_text(rng, 6), unit(rng.standard_normal((1, DIMENSION)))[0]) for _ in range(n)]


def _text(rng: np.random.Generator, n: int) -> str:
    """``n`` words; the rank of each follows Zipf's law."""
    ranks = np.minimum(rng.zipf(1.3, n), N_WORDS)
    return " ".join(f"w{rank}x" for rank in ranks)


def unit(vectors: np.ndarray) -> np.ndarray:
    """Rows of length 1, float32."""
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def _document(i: int, n: int, n_chunks: int, rng: np.random.Generator) -> PreparedDocument:
    document_id = f"doc-{i:06}"
    texts = [_text(rng, 100) for _ in range(n_chunks)]
    targets = sorted({(TYPES[k], f"doc-{t:06}") for k, t in enumerate(rng.integers(0, n, 3))})
    digest = hashlib.sha256("\n".join([document_id, *texts]).encode()).hexdigest()
    return PreparedDocument(
        document=StoredDocument(
            document_id=document_id,
            title=f"Document {i}",
            summary=texts[0][:200],
            content_hash=digest,
            n_chunks=n_chunks,
            n_tokens=130 * n_chunks,
            metadata={"part": f"p{i % 10}"},
        ),
        vector=unit(rng.standard_normal((1, DIMENSION)))[0],
        chunks=tuple(
            StoredChunk(
                document_id=document_id, chunk_id=f"{document_id}#{j}", chunk_index=j, text=text, token_count=130
            )
            for j, text in enumerate(texts)
        ),
        chunk_vectors=unit(rng.standard_normal((n_chunks, DIMENSION))),
        relationships=tuple(
            Relationship(from_document_id=document_id, relation_type=via, to_document_id=to) for via, to in targets
        ),
    )
