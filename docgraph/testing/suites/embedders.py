"""What every embedder must keep to: run it against your own with ``check_embedder(embedder)``."""

from __future__ import annotations

import threading

import numpy as np

from docgraph.domain.graph import Vectors
from docgraph.ports import Embedder

TEXTS = (
    "The queue holds messages that could not be delivered.",
    "retry",
    "The queue holds messages that could not be delivered. " * 40,
    "Größe, naïve, 日本語, emoji 🙂",
    "[x] `code` <b>markup</b> \\u0000 'quotes'; DROP TABLE x;",
)


def check_embedder(embedder: Embedder, *, tolerance: float = 0.0) -> None:
    """Run every check. ``tolerance`` is how far equal texts in other batches may lie apart (0 = bit for bit).

    Raises AssertionError that says which promise was broken.
    """
    check_shape(embedder)
    check_texts_without_words(embedder)
    check_batches(embedder, tolerance=tolerance)
    check_similarity(embedder)
    check_strange_texts(embedder)
    check_threads(embedder, tolerance=tolerance)


def check_shape(embedder: Embedder) -> None:
    """(n, dimension), float32, finite, unit rows; no texts give no rows."""
    vectors = embedder.embed(TEXTS)
    dimension = embedder.info.dimension
    assert vectors.shape == (len(TEXTS), dimension), f"shape {vectors.shape}, not {(len(TEXTS), dimension)}"
    assert vectors.dtype == np.float32, f"dtype {vectors.dtype}, not float32"
    assert np.isfinite(vectors).all(), "values that are not finite"
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5), "rows that are not of unit length"
    assert embedder.embed([]).shape == (0, dimension), "no texts must give no rows"


def check_texts_without_words(embedder: Embedder) -> None:
    """Zeros, never NaN; its neighbours in the batch are not disturbed."""
    vectors = embedder.embed(["", " \n\t ", TEXTS[0]])
    assert not vectors[:2].any(), "texts without words must give zeros"
    assert np.isclose(np.linalg.norm(vectors[2]), 1.0, atol=1e-5), "a text beside an empty one must keep its vector"


def check_batches(embedder: Embedder, *, tolerance: float) -> None:
    """A text's vector depends on the text alone: not on its place, its neighbours or an earlier call."""
    together = embedder.embed(TEXTS)
    alone = np.vstack([embedder.embed([text]) for text in TEXTS])
    backwards = embedder.embed(TEXTS[::-1])[::-1]
    assert _far(together, alone) <= tolerance, "a text embedded alone differs from the same text in a batch"
    assert _far(together, backwards) <= tolerance, "the order of a batch changes its vectors"


def check_similarity(embedder: Embedder) -> None:
    """A text is nearest to itself, and equal texts are at distance 0."""
    vectors = embedder.embed([TEXTS[0], TEXTS[3], TEXTS[0]])
    similarities = vectors @ vectors[0]
    assert np.isclose(similarities[2], 1.0, atol=1e-5), "equal texts must have similarity 1"
    assert similarities[1] < similarities[2], "a text must be nearest to itself"


def check_strange_texts(embedder: Embedder) -> None:
    """NUL, lone surrogates and a text far beyond any window give finite vectors."""
    vectors = embedder.embed(["nul \x00 inside", "lone \ud800 surrogate", "word " * 50_000])
    assert np.isfinite(vectors).all(), "strange texts must give finite vectors"


def check_threads(embedder: Embedder, *, tolerance: float) -> None:
    """Four threads at once get what one gets."""
    expected = embedder.embed(TEXTS)
    found: list[Vectors] = []
    threads = [threading.Thread(target=lambda: found.append(embedder.embed(TEXTS))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4, "a thread failed"
    assert all(_far(vectors, expected) <= tolerance for vectors in found), "threads disturb each other"


def _far(first: Vectors, second: Vectors) -> float:
    return float(np.abs(first - second).max(initial=0.0))
