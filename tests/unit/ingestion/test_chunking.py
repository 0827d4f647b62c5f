"""Chunks follow the sections, are bounded and never empty."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph import plugins
from docgraph.domain.graph import Section
from docgraph.ingestion.cutting.chunking import ChunkingOptions, chunk_document
from docgraph.testing.builders import WordTokenizer
from tests.builders import document

OPTIONS = ChunkingOptions(target_tokens=20, max_tokens=25, max_chunks=1_000)
WORDS = WordTokenizer()


def chunks(*sections: tuple[str, int]) -> list[tuple[str, int]]:
    """(path, words) of the chunks of sections given as (path with /, number of words)."""
    parts = tuple(Section(heading_path=tuple(path.split("/")), text="w " * n) for path, n in sections)
    found = chunk_document(document("d", sections=parts), WORDS, OPTIONS)
    return [("/".join(chunk.heading_path), chunk.token_count) for chunk in found]


def test_a_short_document_without_sections_is_one_chunk() -> None:
    (chunk,) = chunk_document(document("d", "one two three"), WORDS, OPTIONS)
    assert (chunk.chunk_id, chunk.text, chunk.heading_path, chunk.token_count) == ("d#0", "one two three", (), 3)


def test_small_neighbours_under_one_parent_are_merged_with_their_headings_in_the_text() -> None:
    sections = (Section(heading_path=("A", "X"), text="x text"), Section(heading_path=("A", "Y"), text="y text"))
    (chunk,) = chunk_document(document("d", sections=sections), WORDS, OPTIONS)
    assert (chunk.heading_path, chunk.text) == (("A",), "X\nx text\n\nY\ny text")


def test_sections_under_different_parents_stay_apart() -> None:
    assert chunks(("A/X", 3), ("B/Y", 3)) == [("A/X", 3), ("B/Y", 3)]


def test_an_introduction_is_merged_with_its_first_part() -> None:
    assert chunks(("A", 3), ("A/X", 4)) == [("A", 8)]


def test_two_sections_of_fair_size_stay_apart() -> None:
    assert chunks(("A/X", 15), ("A/Y", 4)) == [("A/X", 15), ("A/Y", 4)]  # with their headings 21 words: over the target
    assert chunks(("A/X", 12), ("A/Y", 12)) == [("A/X", 12), ("A/Y", 12)]


def test_a_long_section_is_cut_evenly_and_keeps_its_path() -> None:
    found = chunks(("A", 61))
    assert {path for path, _ in found} == {"A"}
    assert sum(n for _, n in found) == 61
    assert min(n for _, n in found) > 5


def test_a_passage_of_up_to_twice_the_target_stays_whole_and_a_longer_one_is_cut() -> None:
    assert chunks(("A", 40)) == [("A", 40)]
    assert len(chunks(("A", 41))) > 1
    assert len(chunks(("A", 40), ("B", 40))) > 2


def test_a_document_with_too_many_chunks_is_refused_clearly() -> None:
    with pytest.raises(ValueError, match="more than 5 chunks"):
        chunk_document(document("d", "w " * 500), WORDS, ChunkingOptions(target_tokens=20, max_tokens=25, max_chunks=5))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.lists(st.sampled_from("ABC"), max_size=3), st.text(alphabet="ab .\n", max_size=200)),
        min_size=1,
        max_size=8,
    )
)
def test_no_word_is_lost_no_chunk_is_empty_none_is_too_large(parts: list[tuple[list[str], str]]) -> None:
    sections = tuple(Section(heading_path=tuple(path), text=text) for path, text in parts)
    texts = [text for _, text in parts if text.strip()]
    if not texts:
        return
    found = chunk_document(document("d", sections=sections), WORDS, OPTIONS)
    assert all(chunk.text.strip() and chunk.token_count <= OPTIONS.max_tokens for chunk in found)
    assert [chunk.chunk_index for chunk in found] == list(range(len(found)))
    words = [word for chunk in found for word in chunk.text.split() if word not in ("A", "B", "C", ">")]
    assert words == [word for text in texts for word in text.split()]


@pytest.fixture(scope="module")
def tokenizer() -> object:
    return plugins.build("tokenizers", "wordllama")


@settings(max_examples=40, deadline=None)
@given(text=st.text(max_size=400), limit=st.integers(1, 40))
def test_the_tokenizer_keeps_its_limits(tokenizer: object, text: str, limit: int) -> None:
    short = tokenizer.shorten(text, limit)  # type: ignore[attr-defined]
    clean = text.encode("utf-8", "replace").decode()
    assert tokenizer.count(short) <= limit  # type: ignore[attr-defined]
    assert text.startswith(short) or clean.startswith(short) or "\ufffd" in short
    pieces = tokenizer.split(text, max(limit, 8))  # type: ignore[attr-defined]
    assert all(piece.strip() and tokenizer.count(piece) <= max(limit, 8) for piece in pieces)  # type: ignore[attr-defined]
    assert "".join("".join(pieces).split()) == "".join(clean.split()) or "\ufffd" in "".join(pieces)


@pytest.mark.slow
def test_the_tokenizer_cuts_at_a_word_and_is_linear_in_hostile_text(tokenizer: object) -> None:
    assert tokenizer.shorten("The quick brown fox", 2) == "The quick"  # type: ignore[attr-defined]
    assert tokenizer.shorten("text", 0) == ""  # type: ignore[attr-defined]
    started = time.process_time()
    for hostile in ("a" * 200_000, "a b " * 50_000, "`" * 200_000, "\n" * 200_000):
        tokenizer.split(hostile, 256)  # type: ignore[attr-defined]
    assert time.process_time() - started < 30
