"""Full text as the reference store does it: words weighted by their rarity, a document as good as its best chunk.

Score of a stretch of text = Σ over the question's words of idf(word) · tf(word), with idf = ln(1 + (N - n + ½)/(n + ½))
(BM25's; n of N documents hold the word) and tf = Σ 1/j² for j = 1 … occurrences, divided by its limit π²/6 (as
PostgreSQL's ts_rank counts one word). Score of a document = its title and summary's + its best chunk's.
Where texts are ranked by themselves, N counts those texts.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from docgraph.domain.graph import PreparedDocument

Key = TypeVar("Key", bound=Hashable)
_WORD = re.compile(r"\w+")
_LIMIT = math.pi**2 / 6
MAX_QUESTION = 2_000
"""Characters of a question that are looked at when texts are ranked by themselves."""


def lexical_scores(question: str, documents: Iterable[PreparedDocument]) -> dict[str, float]:
    """document_id → score (> 0) of the documents that hold at least one of the question's words."""
    words = sorted(set(_words(question)))
    parts = {p.document.document_id: _parts(p, words) for p in documents}
    holding = {w: sum(any(part[w] for part in stretches) for stretches in parts.values()) for w in words}
    idf = _idf(holding, len(parts))
    scores = {
        document_id: _score(head, idf) + max((_score(body, idf) for body in bodies), default=0.0)
        for document_id, (head, *bodies) in parts.items()
    }
    return {document_id: score for document_id, score in scores.items() if score > 0}


def chunk_scores(question: str, documents: Iterable[PreparedDocument]) -> dict[tuple[str, int], float]:
    """(document_id, chunk_index) → score (> 0) of the chunks that hold at least one of the question's words."""
    chunks = (chunk for prepared in documents for chunk in prepared.chunks)
    return text_scores(question, {(chunk.document_id, chunk.chunk_index): chunk.text for chunk in chunks})


def text_scores(question: str, texts: Mapping[Key, str]) -> dict[Key, float]:
    """The score (> 0) of those texts, each ranked by itself, that hold at least one of the question's words."""
    wanted = set(_words(question[:MAX_QUESTION]))
    counts = {key: Counter(word for word in _words(text) if word in wanted) for key, text in texts.items()}
    holding = {w: sum(w in words for words in counts.values()) for w in sorted(wanted)}
    idf = _idf(holding, len(counts))
    return {key: _score(words, idf) for key, words in counts.items() if words}


def _idf(holding: Mapping[str, int], total: int) -> dict[str, float]:
    return {w: math.log(1 + (total - n + 0.5) / (n + 0.5)) for w, n in holding.items()}


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _parts(prepared: PreparedDocument, words: list[str]) -> list[Counter[str]]:
    """Occurrences of ``words`` in title and summary, then in each chunk."""
    document = prepared.document
    texts = [f"{document.title} {document.summary}", *(chunk.text for chunk in prepared.chunks)]
    wanted = set(words)
    return [Counter(word for word in _words(text) if word in wanted) for text in texts]


def _score(counts: Mapping[str, int], idf: Mapping[str, float]) -> float:
    return sum(weight * sum(j**-2 for j in range(1, counts[word] + 1)) / _LIMIT for word, weight in idf.items())
