"""Rules for chunks that are found by words."""

from __future__ import annotations

import numpy as np
import pytest

from docgraph.domain.passages.fitting import CHUNK_TOKENS, chunk_fit, word_fit, word_weights
from docgraph.domain.passages.lexemes import lexemes
from docgraph.ports import ChunkHit, Probe, Snapshot, WordHit
from tests.contract.stores.at_once import Holding
from tests.contract.stores.examples import DIMENSION, example_document
from tests.contract.stores.reading import ALONG, near, towards

HOSTILE_QUESTIONS = (
    "",
    "   ",
    "the of and",
    "?!",
    "&|!()",
    "' '' \\ \\\\ '",
    "zebra' OR 1=1; --",
    "\\'zebra\\'",
    "zebra:*",
    "zebra <-> lion",
    '!zebra & (lion | "x")',
    "%s %(text)s {schema}",
    "\x00 zebra \x00",
    "\ud800 zebra",
    "\U0001f993 zebra",
    "zebra " * 5_000,
    "x" * 20_000,
    "é" * 20_000,
)


class WordRules:
    """See ``testing.suites.stores``."""

    def test_chunks_are_found_by_any_of_the_words(self, holding: Holding) -> None:
        """Each once, and none that holds none of them; case does not count."""
        texts = ("zebra stripes", "a lion", "water", "Zebra and LION")
        documents = [example_document("a", texts), example_document("b", ("river water",)), example_document("c", ())]
        with holding(documents) as snapshot:
            assert {place for place, _ in found(snapshot, "ZEBRA lion")} == {("a", 0), ("a", 1), ("a", 3)}
            assert [place for place, _ in found(snapshot, "river zzz")] == [("b", 0)]
            assert found(snapshot, "elephant") == []

    def test_chunks_of_documents_fit_by_similarity_and_by_words(self, holding: Holding) -> None:
        """The figures of ``domain.passages.fitting``, by the chunks of the whole workspace that hold a word."""
        texts = ("zebra", "zebra lion", "water river zebra zebra", "grass")
        rows = np.stack([towards(s) for s in (0.9, 0.1, -0.5, 0.3)])
        mine, other = example_document("a", texts, chunk_vectors=rows), example_document("b", ("lion grass", "sand"))
        with holding([mine, other]) as snapshot:
            found = snapshot.fitting_chunks_of(["a"], Probe(ALONG, "Zebra? The lions?"), asked="lions", limit=9)
            nearest = {place_of(hit): hit.score for hit in snapshot.nearest_chunks(ALONG, limit=9)}
        assert list(found.weights) == ["lion", "zebra"]
        weights = word_weights({"lion": 2, "zebra": 3}, 6, asked=("lion",))
        assert found.weights == pytest.approx(weights)
        expected = {
            n: round(word_fit(lexemes(text), weights, tokens=mine.chunks[n].token_count, typical=CHUNK_TOKENS), 6)
            for n, text in enumerate(texts)
        }
        assert {hit.chunk.chunk_index: hit.words for hit in found.hits} == expected
        assert all(hit.score == nearest["a", hit.chunk.chunk_index] for hit in found.hits)
        fits = [chunk_fit(hit.score, hit.words) for hit in found.hits]
        assert fits == sorted(fits, reverse=True)

    def test_the_best_chunk_of_each_document_is_found_however_many_fit_better(self, holding: Holding) -> None:
        """Beyond ``limit`` too; a document without chunks has none."""
        rows = np.stack([towards(s) for s in (0.9, 0.8, 0.7)])
        close = example_document("a", ("zebra", "zebra lion", "lion"), chunk_vectors=rows)
        far = example_document("b", ("water", "sand"), chunk_vectors=np.stack([towards(s) for s in (-0.5, -0.2)]))
        with holding([close, far, example_document("c", ())]) as snapshot:
            found = snapshot.fitting_chunks_of(["c", "b", "a"], Probe(ALONG, "lion zebra"), asked="lion zebra", limit=1)
            assert [(hit.chunk.document_id, hit.chunk.chunk_index) for hit in found.hits] == [("a", 1), ("b", 1)]
            assert found.nearest == {"a": near(0.9), "b": near(-0.2)}
            assert snapshot.fitting_chunks_of([], Probe(ALONG, "lion"), asked="lion", limit=1).hits == ()

    @pytest.mark.parametrize("question", HOSTILE_QUESTIONS)
    def test_a_question_of_anything_finds_chunks_by_similarity_at_least(self, holding: Holding, question: str) -> None:
        """Nothing in a question is an operator or SQL."""
        with holding([example_document("a", ("zebra", "lion"))]) as snapshot:
            found = snapshot.fitting_chunks_of(["a"], Probe(ALONG, question), asked=question, limit=9)
            assert {hit.chunk.chunk_index for hit in found.hits} == {0, 1}
            assert all(0 <= hit.words <= 1 for hit in found.hits)

    def test_the_best_fit_by_words_comes_first_whatever_the_vectors_say(self, holding: Holding) -> None:
        """More of the words, and one of them more often; the cosine of the same chunk stands beside it."""
        texts = ("zebra", "zebra lion", "zebra water zebra")
        rows = np.stack([towards(s) for s in (0.9, 0.1, -0.5)])
        cosines = {("a", 0): 0.9, ("a", 1): 0.1, ("a", 2): -0.5}
        with holding([example_document("a", texts, chunk_vectors=rows)]) as snapshot:
            both = [place for place, _ in found(snapshot, "zebra lion")]
            assert both.index(("a", 1)) < both.index(("a", 0))
            assert [place for place, _ in found(snapshot, "zebra")] == [("a", 2), ("a", 0), ("a", 1)]
            hits = snapshot.chunks_with_words(Probe(ALONG, "zebra lion"), limit=9)
            nearest = {place_of(hit): hit.score for hit in snapshot.nearest_chunks(ALONG, limit=9)}
        for hit in hits:
            assert hit.score == nearest[place_of(hit)] == near(cosines[place_of(hit)])
            assert hit.words == round(hit.words, 6) > 0
        assert [hit.words for hit in hits] == sorted((hit.words for hit in hits), reverse=True)

    def test_the_number_of_chunks_found_by_words_is_bounded(self, holding: Holding) -> None:
        """The first ones stay the first ones."""
        documents = [example_document(f"d{i}", ("zebra " * (i + 1), "lion")) for i in range(9)]
        with holding(documents) as snapshot:
            whole = found(snapshot, "zebra")
            assert [place for place, _ in whole] == [(f"d{i}", 0) for i in reversed(range(9))]
            assert found(snapshot, "zebra", limit=3) == whole[:3]

    def test_chunks_that_fit_equally_stand_by_id(self, holding: Holding) -> None:
        """Then by their place in the document; code points decide."""
        one_by_one = [[example_document(i, ("zebra", "lion", "zebra"), title="same")] for i in ("b", "a", "é", "B")]
        with holding(*one_by_one) as snapshot:
            assert [place for place, _ in found(snapshot, "zebra")] == [
                ("B", 0),
                ("B", 2),
                ("a", 0),
                ("a", 2),
                ("b", 0),
                ("b", 2),
                ("é", 0),
                ("é", 2),
            ]

    @pytest.mark.parametrize("text", HOSTILE_QUESTIONS, ids=range(len(HOSTILE_QUESTIONS)))
    def test_whatever_is_asked_are_just_words(self, holding: Holding, text: str) -> None:
        """Operators of full text, quotes, placeholders, half characters: the chunk with the word, or nothing."""
        with holding([example_document("a", ("zebra",)), example_document("b", ("quokka",))]) as snapshot:
            places = [place for place, _ in found(snapshot, text)]
        assert places == ([("a", 0)] if "zebra" in text else [])

    def test_words_with_quotes_in_them_are_found(self, holding: Holding) -> None:
        """As the store cuts them."""
        with holding([example_document("a", ("O'Brien said C:\\Temp\\x", "nothing"))]) as snapshot:
            assert [place for place, _ in found(snapshot, "o'brien")] == [("a", 0)]
            assert [place for place, _ in found(snapshot, "C:\\temp\\x")] == [("a", 0)]

    def test_only_the_beginning_of_a_long_question_counts(self, holding: Holding) -> None:
        """2,000 characters."""
        with holding([example_document("a", ("zebra",)), example_document("b", ("lion",))]) as snapshot:
            assert [place for place, _ in found(snapshot, "lion " * 400 + "zebra")] == [("b", 0)]

    def test_documents_that_hold_a_word_are_counted_each_once(self, holding: Holding) -> None:
        """In title, summary and chunks, in other forms of the word too; a word of no document counts 0."""
        documents = [
            example_document("a", ("zebra stripes", "Zebras and a lion")),
            example_document("b", ("rivers",), title="The zebra"),
            example_document("c", ("water",)),
        ]
        with holding(documents) as snapshot:
            counts = snapshot.count_holding(["zebra", "lion", "river", "quokka", "the"])
            assert counts == {"zebra": 2, "lion": 1, "river": 1, "quokka": 0}, "the full text leaves out 'the'"
            assert snapshot.count_holding([]) == {}

    @pytest.mark.parametrize("text", HOSTILE_QUESTIONS, ids=range(len(HOSTILE_QUESTIONS)))
    def test_whatever_is_counted_are_just_words(self, holding: Holding, text: str) -> None:
        """Operators of full text, quotes, half characters: a number for it, or it is left out."""
        with holding([example_document("a", ("zebra",)), example_document("b", ("quokka",))]) as snapshot:
            counts = snapshot.count_holding([text, "zebra"])
        assert counts["zebra"] == 1
        assert set(counts) <= {text, "zebra"}
        assert max(counts.values()) <= 2

    def test_words_are_found_without_a_vector_that_points_anywhere(self, holding: Holding) -> None:
        """A question of unknown words has no direction; its similarity is 0."""
        with holding([example_document("a", ("zebra",))]) as snapshot:
            [hit] = snapshot.chunks_with_words(Probe(np.zeros(DIMENSION, dtype=np.float32), "zebra"), limit=9)
        assert (hit.score, hit.chunk.text, hit.chunk.heading_path) == (0, "zebra", ("Top", "Part 0"))


def found(snapshot: Snapshot, text: str, *, limit: int = 99) -> list[tuple[tuple[str, int], float]]:
    """((document_id, chunk_index), fit) in the order found."""
    return [(place_of(hit), hit.words) for hit in snapshot.chunks_with_words(Probe(ALONG, text), limit=limit)]


def place_of(hit: WordHit | ChunkHit) -> tuple[str, int]:
    """(document_id, chunk_index)."""
    return (hit.chunk.document_id, hit.chunk.chunk_index)
