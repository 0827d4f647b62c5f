"""An embedder asked for vectors: what it gives is checked and copied, and whatever it raises has a name of ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from docgraph.errors import DocgraphError, EmbedderError

if TYPE_CHECKING:
    from docgraph.domain.graph import Vectors
    from docgraph.ports import Embedder

AT_ONCE = 512
"""Texts that an embedder is given at once."""
REAL = "fiu"
"""Kinds of numpy's numbers that vectors are made of."""
FAULT = "this is a fault of the embedder plug-in or of its model"


def embed_checked(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Vectors of ``texts``, shape (n, dimension), float32, of one's own.

    Raises EmbedderError when the embedder breaks its promise: another shape, no numbers, values that are not finite,
    or an exception of its own, of which the class is told.
    """
    info = embedder.info
    found = np.zeros((len(texts), info.dimension), dtype=np.float32)
    for start in range(0, len(texts), AT_ONCE):
        end = min(start + AT_ONCE, len(texts))
        # A list of its own: whatever it does with that, so many texts were asked for.
        found[start:end] = _rows(embedder, list(texts[start:end]), (end - start, info.dimension))
    return found


def _rows(embedder: Embedder, part: list[str], shape: tuple[int, int]) -> Vectors:
    name = embedder.info.embedder_id
    try:
        given = np.asarray(embedder.embed(part))
        with np.errstate(over="ignore", invalid="ignore"):  # what is too large becomes infinite, which is refused
            rows = given.astype(np.float32) if given.dtype.kind in REAL else np.zeros(0, dtype=np.float32)
    except DocgraphError:
        raise
    except Exception as error:
        raise EmbedderError(
            f"embedder {name!r} failed with {type(error).__name__} for {shape[0]} texts", hint=FAULT
        ) from error
    if given.dtype.kind not in REAL:
        raise EmbedderError(f"embedder {name!r} gave values that are no numbers ({given.dtype})", hint=FAULT)
    if rows.shape != shape:
        raise EmbedderError(f"embedder {name!r} gave vectors of shape {rows.shape}, expected {shape}", hint=FAULT)
    if not np.isfinite(rows).all():
        raise EmbedderError(f"embedder {name!r} gave values that are not finite", hint=FAULT)
    return rows
