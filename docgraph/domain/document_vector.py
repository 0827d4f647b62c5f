"""What a whole document is embedded by: its title, and its title with its summary; of a long one, its title alone too."""

from __future__ import annotations

import numpy as np

from docgraph.domain.graph import Vector, Vectors

LONG_DOCUMENT = 8
"""A document of so many chunks is long: one vector says little of it, so its title has one of its own."""
SAME_VECTOR = 1e-4
"""Cosine distance up to which two vectors of a document were made of the same texts by the same embedder."""


def is_long(n_chunks: int) -> bool:
    """Whether a document of ``n_chunks`` chunks is found by its title's own vector as well."""
    return n_chunks >= LONG_DOCUMENT


def document_texts(title: str, summary: str) -> tuple[str, str]:
    """The two texts whose vectors make a document's vector."""
    return title, f"{title}. {summary}"


def document_vector(rows: Vectors) -> Vector:
    """The direction between the vectors of ``document_texts``, shape (2, dimension); zeros when both are zeros."""
    vector = rows[0] + rows[1]
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length if length > 0 else vector, dtype=np.float32)
