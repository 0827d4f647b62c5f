"""How near two texts are in meaning, by the vectors that the caller's function gives; unknown where it gives none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from docgraph.domain.graph import Vectors

Embed = Callable[[Sequence[str]], Vectors | None]
"""Texts → unit vectors, one row each; None when they are not to be had."""


def similarities(text: str, others: Sequence[str], embed: Embed) -> tuple[float, ...] | None:
    """Cosine of ``text`` to each of the others, -1 to 1, rounded to 6 digits; None when it is not known."""
    vectors = embed([text, *others])
    if vectors is None or len(vectors) != len(others) + 1:
        return None
    cosines = np.asarray(vectors[1:], dtype=np.float64) @ np.asarray(vectors[0], dtype=np.float64)
    if not np.isfinite(cosines).all():
        return None
    return tuple(round(float(cosine), 6) for cosine in cosines)
