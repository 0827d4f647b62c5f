"""The model and the word pieces in wordllama's package, read as files: importing it would take longer."""

from __future__ import annotations

import importlib.util
import os
import re
from array import array
from collections.abc import Callable, Sequence
from functools import cache, cached_property, lru_cache
from itertools import chain
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING

from docgraph.errors import PluginError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PIECES = "tokenizers/l2_supercat_tokenizer_config.json"
WEIGHTS = "weights/l2_supercat_256.safetensors"
REINSTALL = "pip install --force-reinstall --no-deps wordllama==0.2.2.post0"
"""The release with one wheel for every system (docs/dependencies.md); any other with these files serves as well."""
MAX_WORDS = 200_000
"""Words in the cache; it is emptied when it is full."""
LONGEST_WORD = 64
"""Characters of a word that is cached; longer ones hardly come twice."""
PART = 32
"""Characters of a part of a long word, or more."""
MAX_TEXTS = 256
LONGEST_TEXT = 8_000
"""Characters of a text whose number of pieces is kept, for the splitter asks again for what it was told just now."""
MAX_LINES = 10_000
"""Lines in the cache; it is emptied when it is full."""
LONGEST_LINE = 1_000
"""Characters of a line that is cached."""
FEW = 4
"""Pieces of a word that are kept as a tuple; of more, each number would take ten times the bytes of an array."""
SPACE = "\u2581"
"""A space inside the vocabulary, and before a text."""
_WORD = re.compile(f"[ {SPACE}]*[^ {SPACE}\n]+|[ {SPACE}]+|\n")
_SPECIAL = re.compile("<unk>|</?s>")
_BYTE = re.compile("<0x[0-9A-F]{2}>")


class WordPieces:
    """Llama 2's 32,000 pieces with a cache by word: no piece reaches over a space. Thread-safe.

    The pieces are those that the tokenizer gives, several times as fast where words come again. Texts are without lone
    surrogates; no special tokens are added.
    """

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer itself, without padding and truncation. Raises as ``bundled`` does."""
        from tokenizers import Tokenizer

        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        tokenizer = Tokenizer.from_file(str(bundled(PIECES)))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    def count(self, text: str) -> int:
        """Number of pieces. Lines are counted once where texts that share them are counted one after the other."""
        return self._recent(text) if len(text) <= LONGEST_TEXT else self._counted(text)

    @cached_property
    def _recent(self) -> Callable[[str], int]:
        return lru_cache(maxsize=MAX_TEXTS)(self._counted)

    def _counted(self, text: str) -> int:
        if not text or _SPECIAL.search(text):
            return len(self._whole(text))
        lines = f" {text}".split("\n")
        return sum(map(self._lines.__getitem__, lines)) + len(lines) - 1

    def ids(self, text: str) -> list[int]:
        """The pieces as numbers of the vocabulary."""
        if not text or _SPECIAL.search(text):
            return self._whole(text)
        return list(chain.from_iterable(map(self._words.__getitem__, _WORD.findall(f" {text}"))))

    def _whole(self, text: str) -> list[int]:
        found: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return found

    @cached_property
    def _words(self) -> _Words:
        return _Words(self.tokenizer)

    @cached_property
    def _lines(self) -> _Lines:
        return _Lines(self._words)


class _Lines(dict[str, int]):
    """Line → its number of pieces: a line's end is a piece of its own, and no other reaches over it."""

    def __init__(self, words: _Words) -> None:
        super().__init__()
        self._words = words

    def __missing__(self, line: str) -> int:
        n = sum(map(len, map(self._words.__getitem__, _WORD.findall(line))))
        if len(line) <= LONGEST_LINE:
            if len(self) >= MAX_LINES:
                self.clear()
            self[line] = n
        return n


class _Words(dict[str, Sequence[int]]):
    """Word → its pieces, found when it is first asked for."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        super().__init__()
        self._tokenizer, self._model = tokenizer, tokenizer.model

    def __missing__(self, word: str) -> Sequence[int]:
        bare = word.replace(" ", SPACE)
        parts = self._parts(bare) if len(bare) > PART else ()
        pieces: Sequence[int]
        if len(parts) > 1:
            pieces = array("H", chain.from_iterable(map(self.__getitem__, parts)))
        else:
            pieces = [token.id for token in self._model.tokenize(bare)]
            pieces = tuple(pieces) if len(pieces) <= FEW else array("H", pieces)
        if len(word) <= LONGEST_WORD:
            if len(self) >= MAX_WORDS:
                self.clear()
            self[word] = pieces
        return pieces

    def _parts(self, word: str) -> list[str]:
        """The word cut after about 32 characters each, where no piece has both neighbours: so each part has its own.

        A digit is a piece of its own, so keys in hexadecimal are cut. Words that begin alike have parts in common.
        """
        parts, start, place, last = [], 0, PART, len(word)
        while place < last:
            if word[place - 1 : place + 1] in self._pairs:
                place += 1
                continue
            parts.append(word[start:place])
            start, place = place, place + PART
        return [*parts, word[start:]]

    @cached_property
    def _pairs(self) -> frozenset[str]:
        """Two characters that stand side by side in some piece."""
        pieces = (piece for piece in self._tokenizer.get_vocab(with_added_tokens=False) if not _BYTE.fullmatch(piece))
        return frozenset(pair for piece in pieces for pair in map(add, piece, piece[1:]))


@cache
def pieces() -> WordPieces:
    """One for embedder and tokenizer, so that a text that is counted and then embedded is cut once."""
    return WordPieces()


def bundled(name: str) -> Path:
    """A file of the installed package. Raises PluginError without the file, ModuleNotFoundError without the package."""
    spec = importlib.util.find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("No module named 'wordllama'", name="wordllama")
    path = Path(spec.submodule_search_locations[0]) / name
    if not path.is_file():
        raise PluginError(f"wordllama's file is missing: {name}", hint=REINSTALL)
    return path
