"""What a whole document is embedded by: its title, and its title with its summary; a long one by its title as well."""

from __future__ import annotations

from docgraph.domain.graph import Vector, Vectors

LONG_DOCUMENT = 8
"""A document of so many chunks is long: one vector says little of it, so its title has one of its own."""
SAME_VECTOR = 1e-4
"""Cosine distance up to which two vectors of a document were made of the same texts by the same embedder."""


def is_long(n_chunks: int) -> bool:
    """Whether a document of ``n_chunks`` chunks is found by its title's own vector as well."""
    return n_chunks >= LONG_DOCUMENT


def are_same(one: Vector, other: Vector) -> bool:
    """Whether two vectors of one shape point the same way, as far as embedding twice does; never for one of zeros."""
    import numpy as np

    a, b = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    length = float(np.linalg.norm(a) * np.linalg.norm(b))
    return length > 0 and float(a @ b) / length >= 1 - SAME_VECTOR


def document_texts(title: str, summary: str) -> tuple[str, str]:
    """The two texts whose vectors make a document's vector."""
    return title, f"{title}. {summary}"


def document_vector(rows: Vectors) -> Vector:
    """The direction between the vectors of ``document_texts``, shape (2, dimension); zeros when both are zeros."""
    import numpy as np

    vector = rows[0] + rows[1]
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length if length > 0 else vector, dtype=np.float32)
