"""Bits and words in memory: the same rows, in the same order, as a sort of everything finds."""

from __future__ import annotations

import numpy as np
import pytest

from docgraph.plugins.stores.postgres.statements.values import with_length
from docgraph.plugins.stores.postgres.vector_cache import codes as held
from docgraph.plugins.stores.postgres.vector_cache.codes import Codes, Rows, n_words, packed
from docgraph.plugins.stores.postgres.vector_cache.words import Word, Words, holding_most


def rows_of(texts: list[str], documents: list[int], places: list[int]) -> Rows:
    bits = np.array([packed(text) for text in texts]).reshape(len(texts), n_words(len(texts[0])))
    return Rows(np.ascontiguousarray(bits.T), np.array(documents, dtype=np.int32), np.array(places, dtype=np.int32))


def text_of(rng: np.random.Generator, n_bits: int) -> str:
    return "".join("01"[bit] for bit in rng.integers(0, 2, n_bits))


@pytest.mark.parametrize("n_bits", [3, 24, 64, 66, 195, 768])
@pytest.mark.parametrize("n_rows", [1, 40, 3_000])
def test_the_nearest_are_those_of_a_sort_of_all_with_ties_in_order(n_bits: int, n_rows: int) -> None:
    """Few bits: many ties; few rows: no sample to guess by."""
    rng = np.random.default_rng(n_bits + n_rows)
    texts, asked = [text_of(rng, n_bits) for _ in range(n_rows)], text_of(rng, n_bits)
    documents = sorted(rng.integers(0, max(1, n_rows // 3), n_rows).tolist())
    unlike = [sum(a != b for a, b in zip(text, asked, strict=True)) for text in texts]
    rows = rows_of(texts, documents, list(range(n_rows)))
    for n in (0, 1, 7, 200, 5_000):
        in_order = sorted(range(n_rows), key=lambda row: (unlike[row], row))
        assert rows.nearest(packed(asked), n).tolist() == in_order[:n]
        first = list(dict.fromkeys(documents[row] for row in in_order))
        assert rows.nearest_documents(packed(asked), n).tolist() == first[:n]


def test_rows_are_counted_in_blocks_that_need_not_be_full(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    texts, asked = [text_of(rng, 70) for _ in range(11)], packed(text_of(rng, 70))
    rows = rows_of(texts, [0] * 11, list(range(11)))
    whole = rows.unlike(asked).tolist()
    monkeypatch.setattr(held, "_BLOCK", 4)
    assert rows.unlike(asked).tolist() == whole


def test_codes_say_ids_and_places() -> None:
    rows = rows_of(["000", "111", "011"], [0, 1, 1], [0, 0, 4])
    codes = Codes("revision", tuple(map(with_length, "ab")), rows, rows)
    ids, places = codes.near("011", 2)
    assert (ids, places.tolist()) == ([with_length("b")] * 2, [4, 0])
    assert codes.near_heads("000", 1) == [with_length("a")]
    assert codes.number_of == {"a": 0, "b": 1}
    assert codes.n_bytes > 0


@pytest.mark.parametrize("n_documents", [3, 100, 5_000])
def test_the_documents_that_hold_most_are_those_of_a_sort_of_all(n_documents: int) -> None:
    """Words that many hold and words that few do, ties by the order of documents."""
    rng = np.random.default_rng(n_documents)
    held_by = [sorted(rng.choice(n_documents, max(1, n_documents // d), replace=False).tolist()) for d in (1, 2, 5, 90)]
    weights = [3, 20, 500, 4_000]
    words = [
        Word.of(holders, n_documents=n_documents, idf=weight / 1e6, weight=weight)
        for holders, weight in zip(held_by, weights, strict=True)
    ]
    sums = [sum(w for h, w in zip(held_by, weights, strict=True) if d in set(h)) for d in range(min(n_documents, 100))]
    for n in (1, 10, 10_000):
        found = holding_most(words, n, n_documents=n_documents)
        assert len(found) == min(n, n_documents)
        if n_documents <= 100:
            assert found.tolist() == sorted(range(n_documents), key=lambda d: (-sums[d], d))[:n]
    assert holding_most(words[3:], 10_000, n_documents=n_documents).tolist() == held_by[3]
    assert holding_most([], 5, n_documents=n_documents).tolist() == []


def test_words_that_were_asked_for_longest_ago_go_first_and_those_of_an_earlier_state_at_once() -> None:
    word = Word.of([1], n_documents=1_000, idf=1.0, weight=1)
    words = Words(3 * word.n_bytes)
    words.keep("w", "old", {"gone": word})
    words.keep("w", "new", {"a": word, "b": word, "c": word})
    assert words.kept(Word, "w", "old", ["gone"]) == {}
    assert words.kept(Word, "w", "new", ["a", "c"]).keys() == {"a", "c"}
    words.keep("other", "new", {"d": word})
    assert words.kept(Word, "w", "new", ["a", "b", "c"]).keys() == {"a", "c"}
    assert len(words) == 3
    assert words.n_bytes == 3 * word.n_bytes
