"""Cutting word by word gives what the tokenizer itself gives, whatever the text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.normalizers import Prepend, Replace, Sequence

from docgraph import plugins
from docgraph.plugins import _word_pieces
from docgraph.plugins._word_pieces import WordPieces

BUNDLED: Any = plugins.build("tokenizers", "wordllama")._tokenizer
PIECES = WordPieces(lambda: BUNDLED)
TEXTS = st.one_of(
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60),
    st.text(alphabet=" \u2581\n\tab.<s>/unk☃é", max_size=40),
)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_word_pieces, "WHOLE_AT_FIRST", 0)


def whole(tokenizer: Tokenizer, text: str) -> list[int]:
    return list(tokenizer.encode(text, add_special_tokens=False).ids)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
@example("")
@example("a  b \n  c\n\n d  ")
@example("say <s> and </s> or <unk>")
@example("\u2581a \u2581 b")
@example("x" * 300)
def test_word_by_word_is_the_same_as_whole(text: str) -> None:
    pieces = PIECES
    for _ in range(2):  # learned, then remembered
        assert pieces.ids(text) == whole(BUNDLED, text)
        assert pieces.count(text) == len(whole(BUNDLED, text))


def test_each_distinct_word_is_cut_once() -> None:
    pieces = WordPieces(lambda: BUNDLED)
    cut: list[str] = []
    one = pieces._one
    pieces._one = lambda word: cut.append(word) or one(word)  # type: ignore[method-assign, func-returns-value]
    for _ in range(3):
        pieces.count("the queue and the queue and the worker")
    assert sorted(cut) == [" and", " queue", " the", " worker"]


def test_memory_of_words_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_word_pieces, "MAX_WORDS", 10)
    pieces = WordPieces(lambda: BUNDLED)
    for i in range(100):
        text = f"word{i} of many words{i}"
        assert pieces.count(text) == len(whole(BUNDLED, text))
        assert len(pieces._known) <= 10


def test_a_vocabulary_with_pieces_over_spaces_is_cut_whole() -> None:
    tokenizer = Tokenizer(BPE({"\u2581": 0, "a": 1, "a\u2581": 2}, [("a", "\u2581")]))
    tokenizer.normalizer = Sequence([Prepend("\u2581"), Replace(" ", "\u2581")])
    assert WordPieces(lambda: tokenizer).ids("a a") == whole(tokenizer, "a a") == [0, 2, 1]
