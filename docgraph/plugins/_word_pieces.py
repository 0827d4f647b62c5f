"""Word pieces of a text, each distinct word cut once: for vocabularies in which no piece reaches over a space."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # built when it is wanted: a short question needs none
    from tokenizers import Tokenizer as BytePairTokenizer

WHOLE_AT_FIRST = 64
"""Texts that are cut whole before the vocabulary is looked at: a question should not wait for that."""
MAX_WORDS = 200_000
"""Words whose pieces are remembered; then it is begun anew."""
_LONGEST = 64
SPACE = "\u2581"
"""What stands for a space inside a vocabulary of this kind, and before a text."""
_WORD = re.compile(f"[ {SPACE}]*[^ {SPACE}\n]+|[ {SPACE}]+|\n")
NORMALIZER = {
    "type": "Sequence",
    "normalizers": [
        {"type": "Prepend", "prepend": SPACE},
        {"type": "Replace", "pattern": {"String": " "}, "content": SPACE},
    ],
}


class WordPieces:
    """The pieces that the tokenizer itself would give, several times as fast where words come again. Thread-safe.

    ``few`` gives those of the first texts, as far as it can (None), before the tokenizer is loaded.
    """

    def __init__(
        self, load: Callable[[], BytePairTokenizer], few: Callable[[str], list[int] | None] = lambda text: None
    ) -> None:
        self._load, self._few = load, few
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
    def _tokenizer(self) -> BytePairTokenizer:
        return self._load()

    @cached_property
    def _by_words(self) -> bool:
        return _is_by_words(self._tokenizer)

    @cached_property
    def _apart(self) -> tuple[str, ...]:
        return tuple(token.content for token in self._tokenizer.get_added_tokens_decoder().values())

    def _whole(self, text: str) -> list[int]:
        if (found := self._few(text)) is not None:
            return found
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
        return tuple(token.id for token in self._tokenizer.model.tokenize(word.replace(" ", SPACE)))


def _is_by_words(tokenizer: BytePairTokenizer) -> bool:
    """Whether pieces are merged inside words alone: then the pieces of a text are those of its words."""
    from tokenizers.models import BPE

    model = tokenizer.model
    crossing = re.compile(f"[^{SPACE}]{SPACE}|\n| ")
    return (
        isinstance(model, BPE)
        and not model.ignore_merges
        and not model.dropout
        and tokenizer.pre_tokenizer is None
        and _normalizer(tokenizer) == NORMALIZER
        and not any(crossing.search(word) for word in tokenizer.get_vocab(with_added_tokens=True))
    )


def _normalizer(tokenizer: BytePairTokenizer) -> Any:
    """As a file has it, without writing the vocabulary too."""
    from tokenizers import Tokenizer
    from tokenizers.models import BPE

    bare = Tokenizer(BPE())
    bare.normalizer = tokenizer.normalizer
    return json.loads(bare.to_str())["normalizer"]
