"""Checks the vectors that an embedding service answered with, and embeds in batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from docgraph.domain.graph import Vectors
from docgraph.errors import EmbedderError

_LARGEST = float(np.finfo(np.float32).max)
Fail = Callable[[str], EmbedderError]


def unit_rows(vectors: Any) -> Vectors:
    """Rows divided by their length, float32; zero rows stay zero."""
    array = np.asarray(vectors, dtype=np.float64)
    lengths = np.sqrt(np.square(array).sum(axis=1, keepdims=True))
    lengths[lengths == 0] = 1.0
    return np.asarray(array / lengths, dtype=np.float32)


def checked(answer: Any, n_texts: int, dimension: int | None, *, fail: Fail) -> Vectors:
    """``answer`` (rows of numbers) as unit rows, shape (n_texts, dimension). Raises what ``fail`` makes."""
    if not isinstance(answer, list) or len(answer) != n_texts:
        got = len(answer) if isinstance(answer, list) else "no list of"
        raise fail(f"gave {got} vectors for {n_texts} texts")
    widths = {len(row) if isinstance(row, list) else -1 for row in answer}
    wanted = dimension if dimension is not None else max(widths, default=0)
    if widths - {wanted} or wanted < 1:
        wrong = sorted(widths - {wanted})
        raise fail(f"gave a vector with {wrong[0] if wrong else 0} numbers, expected {wanted}")
    try:
        array = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise fail("gave a vector with something that is not a number") from None
    if array.ndim != 2 or not np.isfinite(array).all():
        raise fail("gave a vector with a value that is not finite (NaN or infinity)")
    if (np.abs(array) > _LARGEST).any():
        raise fail("gave a vector with a value that 32 bits cannot hold")
    return unit_rows(array)


def in_batches(
    texts: Sequence[str], dimension: int, *, batch_size: int, ask: Callable[[list[str]], Vectors]
) -> Vectors:
    """Vectors of ``texts``; each distinct text is asked for once, texts of white space not at all (zeros)."""
    distinct = list(dict.fromkeys(text for text in texts if text.strip()))
    known: dict[str, Vectors] = {}
    for start in range(0, len(distinct), batch_size):
        batch = distinct[start : start + batch_size]
        known.update(zip(batch, ask(batch), strict=True))
    vectors = np.zeros((len(texts), dimension), dtype=np.float32)
    for row, text in zip(vectors, texts, strict=True):
        if text in known:
            row[:] = known[text]
    return vectors
