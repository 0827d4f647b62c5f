"""A tokenizer that remembers what it counted: the same chunks and summary lines come up question after question."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docgraph.ports import Tokenizer

MAX_TEXTS = 4_096
MAX_CHARACTERS = 4_000
"""Of a text that is remembered: chunks and lines are shorter, a whole context is longer and comes up once."""


class RememberedCounts:
    """``tokenizer`` with a memory for the counts of short texts (``ports.Tokenizer``); safe to share between threads.

    A chunk's stored ``token_count`` would not do: who hands in chunks may have counted them in another way.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.name = tokenizer.name
        self._tokenizer = tokenizer
        self._remembered = lru_cache(maxsize=MAX_TEXTS)(tokenizer.count)

    def count(self, text: str) -> int:
        """Number of tokens."""
        return self._remembered(text) if len(text) <= MAX_CHARACTERS else self._tokenizer.count(text)

    def shorten(self, text: str, max_tokens: int) -> str:
        """See ``ports.Tokenizer``."""
        return self._tokenizer.shorten(text, max_tokens)

    def split(self, text: str, max_tokens: int) -> list[str]:
        """See ``ports.Tokenizer``."""
        return self._tokenizer.split(text, max_tokens)
