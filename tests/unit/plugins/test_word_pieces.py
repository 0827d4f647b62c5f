"""Cutting word by word gives what the tokenizer itself gives, whatever the text."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import BPE, WordPiece
from tokenizers.normalizers import Prepend, Replace, Sequence
from tokenizers.pre_tokenizers import Whitespace

from docgraph.plugins import _merges, _word_pieces
from docgraph.plugins._merges import Merges
from docgraph.plugins._word_pieces import WordPieces
from docgraph.plugins.bundled import PIECES as FILE
from docgraph.plugins.bundled import bundled, word_pieces

BUNDLED: Any = word_pieces()
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


@pytest.fixture(scope="module")
def merges() -> Merges:
    return Merges(bundled(FILE))


@settings(max_examples=400, deadline=None)
@given(st.one_of(TEXTS, st.text(alphabet="abcdefghij the? \n", max_size=120)))
@example("Why is the boarding queue bounded?")
@example("a  b \n  c\n\n d  ")
@example("say <s> and </s> or <unk>")
@example("\u2581a \u2581 b")
@example("the " * 75)
def test_a_few_texts_are_cut_by_the_file_as_the_tokenizer_cuts_them(merges: Merges, text: str) -> None:
    merges._n = 0
    assert merges.ids(text) in (None, whole(BUNDLED, text))


def test_plain_english_needs_no_tokenizer_until_it_is_much(monkeypatch: pytest.MonkeyPatch) -> None:
    def load() -> Tokenizer:
        raise AssertionError("loaded")

    monkeypatch.setattr(_word_pieces, "WHOLE_AT_FIRST", 64)
    pieces = WordPieces(load, Merges(bundled(FILE)).ids)
    for _ in range(_merges.MOST):
        assert pieces.count("Why did we leave the message broker?") == 9
    for text in ("one more", "x" * (_merges.LONGEST + 1), "a \u2603 is no piece", "<s>"):
        with pytest.raises(AssertionError, match="loaded"):
            WordPieces(load, merges_at(_merges.MOST if text == "one more" else 0)).ids(text)


def merges_at(n_asked: int) -> Any:
    made = Merges(bundled(FILE))
    made._n = n_asked
    return made.ids


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"model": {"type": "WordPiece"}}'])
def test_another_kind_of_file_is_left_to_the_tokenizer(tmp_path: Path, text: str) -> None:
    (tmp_path / "pieces.json").write_text(text)
    assert Merges(tmp_path / "pieces.json").ids("a question") is None
    assert Merges(tmp_path / "none.json").ids("a question") is None


def test_the_file_that_was_read_is_forgotten_with_the_first_text_that_is_one_too_many() -> None:
    merges = Merges(bundled(FILE))
    tracemalloc.start()
    try:
        for _ in range(_merges.MOST):
            assert merges.ids("a question")
        held = tracemalloc.get_traced_memory()[0]
        assert merges.ids("a question") is None
        left = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert held > 5_000_000
    assert left < held / 20


def by_words(model: Any, **parts: Any) -> Tokenizer:
    tokenizer = Tokenizer(model)
    made = {"normalizer": Sequence([Prepend("\u2581"), Replace(" ", "\u2581")]), **parts}
    for name, part in made.items():
        setattr(tokenizer, name, part)
    return tokenizer


MADE = ({"\u2581": 0, "a": 1, "\u2581a": 2}, [("\u2581", "a")])


@pytest.mark.parametrize(
    ("tokenizer", "expected"),
    [
        (by_words(BPE(*MADE)), True),
        (by_words(BPE(*MADE, dropout=0.5)), False),
        (by_words(BPE(*MADE, ignore_merges=True)), False),
        (by_words(BPE(*MADE), pre_tokenizer=Whitespace()), False),
        (by_words(BPE(*MADE), normalizer=Replace(" ", "\u2581")), False),
        (by_words(WordPiece(MADE[0], unk_token="a")), False),
        (Tokenizer(BPE(*MADE)), False),
    ],
    ids=["as the bundled one", "dropout", "no merges", "cut before", "no beginning", "word pieces", "no normalizer"],
)
def test_word_by_word_is_for_one_kind_of_tokenizer(tokenizer: Tokenizer, expected: bool) -> None:
    assert _word_pieces._is_by_words(tokenizer) is expected


def test_the_vocabulary_is_not_written_out_to_be_looked_at() -> None:
    parts = ("model", "normalizer", "pre_tokenizer", "get_vocab")
    looked_at: Any = SimpleNamespace(**{part: getattr(BUNDLED, part) for part in parts})
    assert _word_pieces._is_by_words(looked_at)
