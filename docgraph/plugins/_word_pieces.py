"""Word pieces of a text, each distinct word cut once: for vocabularies in which no piece reaches over a space."""

from __future__ import annotations

import json
import re
from functools import cache, cached_property

from tokenizers import Tokenizer as BytePairTokenizer

WHOLE_AT_FIRST = 64
"""Texts that are cut whole before the vocabulary is looked at: a question should not wait for that."""
MAX_WORDS = 200_000
"""Words whose pieces are remembered; then it is begun anew."""
_LONGEST = 64
_SPACE = "\u2581"
"""What stands for a space inside a vocabulary of this kind, and before a text."""
_WORD = re.compile(f"[ {_SPACE}]*[^ {_SPACE}\n]+|[ {_SPACE}]+|\n")
_NORMALIZER = {
    "type": "Sequence",
    "normalizers": [
        {"type": "Prepend", "prepend": _SPACE},
        {"type": "Replace", "pattern": {"String": " "}, "content": _SPACE},
    ],
}


class WordPieces:
    """The pieces that the tokenizer itself would give, several times as fast where words come again. Thread-safe."""

    def __init__(self, tokenizer: BytePairTokenizer) -> None:
        self._tokenizer, self._model = tokenizer, tokenizer.model
        self._known: dict[str, tuple[int, ...]] = {}
        self._n_whole = 0

    def count(self, text: str) -> int:
        """Number of pieces of a text without lone surrogates, no special ones added."""
        if not self._is_cut_by_words(text):
            return len(self._whole(text))
        return sum(map(len, self._of_words(text)))

    def ids(self, text: str) -> list[int]:
        """The pieces of a text without lone surrogates as numbers of the vocabulary, no special ones added."""
        if not self._is_cut_by_words(text):
            return self._whole(text)
        return [piece for word in self._of_words(text) for piece in word]

    def _is_cut_by_words(self, text: str) -> bool:
        if self._n_whole < WHOLE_AT_FIRST:
            self._n_whole += 1
            return False
        return self._by_words and bool(text) and not any(token in text for token in self._apart)

    @cached_property
    def _by_words(self) -> bool:
        return _is_by_words(self._tokenizer)

    @cached_property
    def _apart(self) -> tuple[str, ...]:
        return tuple(token.content for token in self._tokenizer.get_added_tokens_decoder().values())

    def _whole(self, text: str) -> list[int]:
        return list(self._tokenizer.encode_batch_fast([text], add_special_tokens=False)[0].ids)

    def _of_words(self, text: str) -> list[tuple[int, ...]]:
        words = _WORD.findall(f" {text}")
        known = self._known
        try:
            return [known[word] for word in words]
        except KeyError:
            return self._learned(words)

    def _learned(self, words: list[str]) -> list[tuple[int, ...]]:
        """Words that are long are hardly said again: they are not remembered."""
        known = self._known
        found = {word: known.get(word) or self._one(word) for word in set(words)}
        new = {word: pieces for word, pieces in found.items() if len(word) <= _LONGEST}
        if len(known) + len(new) > MAX_WORDS:
            self._known = new
        else:
            known.update(new)
        return [found[word] for word in words]

    def _one(self, word: str) -> tuple[int, ...]:
        return tuple(token.id for token in self._model.tokenize(word.replace(" ", _SPACE)))


@cache
def pieces_of(tokenizer: BytePairTokenizer) -> WordPieces:
    """One for all who cut with the same tokenizer: what is counted and then embedded is cut once."""
    return WordPieces(tokenizer)


def _is_by_words(tokenizer: BytePairTokenizer) -> bool:
    """Whether pieces are merged inside words alone: then the pieces of a text are those of its words."""
    made = json.loads(tokenizer.to_str())
    crossing = re.compile(f"[^{_SPACE}]{_SPACE}|\n| ")
    return (
        made["normalizer"] == _NORMALIZER
        and made["pre_tokenizer"] is None
        and made["model"]["type"] == "BPE"
        and not made["model"].get("ignore_merges")
        and not made["model"].get("dropout")
        and not any(crossing.search(word) for word in tokenizer.get_vocab(with_added_tokens=True))
    )
