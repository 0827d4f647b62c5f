"""Cutting word by word gives what the tokenizer itself gives, whatever the text."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from docgraph.plugins import bundled
from docgraph.plugins.bundled import SPACE, WordPieces

PIECES = WordPieces()
TEXTS = st.one_of(
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60),
    st.text(alphabet=" \u2581\n\tab.<s>/unk☃é", max_size=40),
    st.text(alphabet="abcdefghij the? \n", max_size=120),
    st.text(alphabet="0123456789abcdef", min_size=20, max_size=400),
    st.text(alphabet="aAzZ09+/=-_.:<0x>☃é", min_size=20, max_size=200),
)


def whole(text: str) -> list[int]:
    return list(PIECES.tokenizer.encode(text, add_special_tokens=False).ids)


@settings(max_examples=600, deadline=None)
@given(TEXTS)
@example("")
@example("a  b \n  c\n\n d  ")
@example("say <s> and </s> or <unk>")
@example("\u2581a \u2581 b")
@example("x" * 300)
@example("the " * 75)
def test_word_by_word_is_the_same_as_whole(text: str) -> None:
    for _ in range(2):  # learned, then remembered
        assert PIECES.ids(text) == whole(text)
        assert PIECES.count(text) == len(whole(text))


def test_no_piece_of_the_vocabulary_reaches_over_a_space_or_a_line() -> None:
    crossing = re.compile(f"[^{SPACE}]{SPACE}|\n| ")
    assert [piece for piece in PIECES.tokenizer.get_vocab() if crossing.search(piece)] == []


def test_special_tokens_are_those_of_the_vocabulary() -> None:
    added = PIECES.tokenizer.get_added_tokens_decoder().values()
    assert all(bundled._SPECIAL.fullmatch(token.content) for token in added)


def test_each_distinct_word_is_cut_once() -> None:
    pieces = WordPieces()
    for _ in range(3):
        pieces.count("the queue and the queue and the worker")
    assert sorted(pieces._words) == [" and", " queue", " the", " worker"]


def test_a_long_key_is_cut_where_no_piece_has_both_neighbours() -> None:
    """Each beginning of such a word was cut anew by the tokenizer, which took half of an import of hashes and keys."""
    pieces = WordPieces()
    key = "0123456789abcdef" * 40
    parts = pieces._words._parts(key)
    assert "".join(parts) == key
    assert len(parts) > 10
    for end in range(200, 640, 40):
        assert pieces.count(key[:end]) == len(whole(key[:end]))
    assert len(pieces._words) < 60  # beginnings have their parts in common


def test_lines_that_texts_share_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = WordPieces()
    text = "\n".join(f"  line {n} says what is said there " for n in range(50))
    assert pieces.count(text) == len(whole(text))
    known = len(pieces._lines)
    assert pieces.count(f"{text}\nand more") == len(whole(f"{text}\nand more"))
    assert len(pieces._lines) == known + 1
    monkeypatch.setattr(bundled, "MAX_LINES", 10)
    for n in range(100):
        pieces.count(f"a{n}\nb{n}")
        assert len(pieces._lines) <= max(10, known)


def test_memory_of_words_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "MAX_WORDS", 10)
    pieces = WordPieces()
    for i in range(100):
        text = f"word{i} of many words{i} {'x' * 65}"
        assert pieces.count(text) == len(whole(text))
        assert len(pieces._words) <= 10
        assert max(map(len, pieces._words)) <= bundled.LONGEST_WORD
