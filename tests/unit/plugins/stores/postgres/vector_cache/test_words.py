"""How well documents fit by words in memory: the sums that the server makes, in its order."""

from __future__ import annotations

from collections import defaultdict
from struct import pack

import numpy as np
import pytest

from docgraph.plugins.stores.postgres.vector_cache.search import SentArray
from docgraph.plugins.stores.postgres.vector_cache.words import Places, Word, fits


@pytest.mark.parametrize("n_documents", [4, 300])
def test_a_document_fits_as_its_head_and_the_best_of_its_chunks_together(n_documents: int) -> None:
    """Bit by bit: each place is summed word by word, and documents come in whatever order they were chosen."""
    rng = np.random.default_rng(n_documents)
    words, expected = [], defaultdict(lambda: defaultdict(float))  # type: ignore[var-annotated]
    for idf in (0.1, 1 / 3, 2.7, 7.1):
        holders = sorted(rng.choice(n_documents, max(1, int(n_documents * rng.random())), replace=False).tolist())
        at = [sorted(rng.choice([-1, 0, 1, 2, 40_000], rng.integers(1, 5), replace=False).tolist()) for _ in holders]
        frequencies = rng.random(sum(map(len, at))).astype(np.float32)
        places = Places(np.cumsum([0, *map(len, at)], dtype=np.int32), np.concatenate(at).astype(np.int32), frequencies)
        words.append((Word.of(holders, n_documents=n_documents, idf=idf, weight=1), places))
        for (document, place), frequency in zip(
            [(d, p) for d, each in zip(holders, at, strict=True) for p in each], frequencies.tolist(), strict=True
        ):
            expected[document][place] += idf * frequency
    chosen = rng.permutation(n_documents)[: n_documents // 2].astype(np.int64)
    found = fits(words, chosen, n_documents=n_documents)
    for document, fit in zip(chosen.tolist(), found.tolist(), strict=True):
        sums = expected[document]
        assert fit == sums.get(-1, 0.0) + max((score for place, score in sums.items() if place >= 0), default=0.0)


def test_places_are_read_as_the_server_sends_arrays() -> None:
    counts, places = (SentArray.of_numbers(np.array(n, dtype=np.int32)).sent for n in ([2, 1], [-1, 7, 3]))
    floats = b"\0" * 20 + b"".join(b"\0\0\0\4" + pack("!f", n) for n in (0.5, 0.25, 1.0))
    found = Places.of(counts, places, floats)
    assert (found.starts.tolist(), found.places.tolist()) == ([0, 2, 3], [-1, 7, 3])
    assert found.frequencies.tolist() == [0.5, 0.25, 1.0]
    assert Places.of(None, None, None).starts.tolist() == [0]
