"""Small deterministic parts for tests of plug-ins: an embedder, a tokenizer and a summarizer that need no model."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence

import numpy as np

from docgraph.domain.graph import Document, Vectors
from docgraph.domain.workspace import EmbedderInfo

_WORD = re.compile(r"\w+")


class HashingEmbedder:
    """Feature hashing: every word adds ±1 in a place that its SHA-256 chooses, so shared words mean similarity.

    Deterministic over processes and platforms; a text without a word gives zeros. ``n_texts`` counts embedded texts.
    """

    def __init__(self, dimension: int = 64) -> None:
        self.info = EmbedderInfo(name="hashing", model="sha256", dimension=dimension)
        self.n_texts = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, unit rows or zeros."""
        vectors = np.zeros((len(texts), self.info.dimension), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in _WORD.findall(text.lower()):
                digest = hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()
                row[int.from_bytes(digest[:4], "big") % self.info.dimension] += 1.0 if digest[4] & 1 else -1.0
        self.n_texts += len(texts)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        lengths[lengths == 0] = 1.0
        return np.asarray(vectors / lengths, dtype=np.float32)


class WordTokenizer:
    """One word (with the space behind it) is one token."""

    name = "words"

    def count(self, text: str) -> int:
        """Number of words."""
        return len(text.split())

    def shorten(self, text: str, max_tokens: int) -> str:
        """The first ``max_tokens`` words."""
        ends = [match.end() for match in re.finditer(r"\S+", text)]
        return text if len(ends) <= max_tokens else text[: ends[max_tokens - 1]] if max_tokens > 0 else ""

    def split(self, text: str, max_tokens: int) -> list[str]:
        """Pieces of ``max_tokens`` words."""
        words = text.split()
        return [" ".join(words[start : start + max_tokens]) for start in range(0, len(words), max_tokens)]


class FirstWords:
    """A summarizer: the first 20 words of the text, or the title when there is no text."""

    name = "first_words"

    def summarize(self, document: Document, embed: Callable[[Sequence[str]], Vectors]) -> str:
        """Ignores ``embed``."""
        text = document.text or " ".join(section.text for section in document.sections)
        return " ".join(text.split()[:20]) or document.title
