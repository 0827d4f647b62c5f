"""The model and the word pieces in wordllama's package, read as files: importing it would take longer."""

from __future__ import annotations

import importlib.util
import os
import re
from functools import cache, cached_property
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
SPACE = "\u2581"
"""A space inside the vocabulary, and before a text."""
_WORD = re.compile(f"[ {SPACE}]*[^ {SPACE}\n]+|[ {SPACE}]+|\n")
_SPECIAL = re.compile("<unk>|</?s>")


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
        """Number of pieces."""
        return sum(map(len, self._by_word(text)))

    def ids(self, text: str) -> list[int]:
        """The pieces as numbers of the vocabulary."""
        return [piece for word in self._by_word(text) for piece in word]

    def _by_word(self, text: str) -> list[tuple[int, ...]]:
        if not text or _SPECIAL.search(text):
            return [tuple(self.tokenizer.encode(text, add_special_tokens=False).ids)]
        return list(map(self._words.__getitem__, _WORD.findall(f" {text}")))

    @cached_property
    def _words(self) -> _Words:
        return _Words(self.tokenizer)


class _Words(dict[str, tuple[int, ...]]):
    """Word → its pieces, found when it is first asked for."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        super().__init__()
        self._model = tokenizer.model

    def __missing__(self, word: str) -> tuple[int, ...]:
        pieces = tuple(token.id for token in self._model.tokenize(word.replace(" ", SPACE)))
        if len(word) <= LONGEST_WORD:
            if len(self) >= MAX_WORDS:
                self.clear()
            self[word] = pieces
        return pieces


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
