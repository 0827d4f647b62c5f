"""What a whole document is embedded by: its title, and its title with its summary."""

from __future__ import annotations

import numpy as np

from docgraph.domain.graph import Vector, Vectors


def document_texts(title: str, summary: str) -> tuple[str, str]:
    """The two texts whose vectors make a document's vector."""
    return title, f"{title}. {summary}"


def document_vector(rows: Vectors) -> Vector:
    """The direction between the vectors of ``document_texts``, shape (2, dimension); zeros when both are zeros."""
    vector = rows[0] + rows[1]
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length if length > 0 else vector, dtype=np.float32)
