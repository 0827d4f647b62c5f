"""How rankings become one, and how well texts fit a question by its words.

Score of a text = Σ over the question's words of idf(word) · tf(word), with idf = ln(1 + (N - n + ½)/(n + ½)) (BM25's;
n of N texts hold the word) and tf = Σ 1/j² for j = 1 … occurrences, divided by its limit π²/6 (as PostgreSQL's ts_rank
counts one word).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TypeVar

from docgraph.domain.request import SeedSignal
from docgraph.domain.workspace import VectorSearch

RRF_K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009), for what several askers found."""
SEED_RRF_K = 10
"""That of ``hybrid``: a plan has few places and there are two rankings of everything, so that with 60 a document that
is middling in both goes before one that is first in either; docs/quality.md has the figures."""
MAX_QUESTION = 2_000
"""Characters of a question whose words are looked for in texts that are ranked by themselves."""

EDGE = 0.8
"""Where a number of a unit vector counts as large: beyond so many times the size that all of them have in the mean."""
N_NEAR = 2_000
"""Chunks that the search for candidates begins with: those with fewest bits unlike the question's (``quantized``)."""
N_INDEXED = 1_000
"""The same where an approximate index finds them (``hnsw``)."""
N_POOL = 1_000
"""Documents that are looked at closely: so many by their chunks, and so many by their summaries where these count."""
N_LIKELY = 60
"""Candidates: documents of which all chunks are compared then. Who asks for how many changes neither."""
N_FIT = 4_000
"""Documents that words choose: those that hold most of what the words of the question weigh, wherever they stand."""

Key = TypeVar("Key", bound=Hashable)
_WORD = re.compile(r"\w+")
_LIMIT = math.pi**2 / 6


def seed_scores(
    signal: SeedSignal,
    *,
    summary: Mapping[str, float],
    chunk: Mapping[str, float],
    words: Mapping[str, float],
) -> dict[str, float]:
    """document_id → score by a seed signal, higher is better, out of what is known of each document.

    ``summary`` = similarity of the summary, for every document; ``chunk`` = that of the best chunk, for those with
    chunks; ``words`` = fit by words, for those that hold any (``document_word_scores``); only ``hybrid`` asks for it.
    """
    if signal == "summary":
        return dict(summary)
    if signal == "chunk":
        return dict(chunk)
    mean = {document_id: (score + chunk.get(document_id, 0.0)) / 2 for document_id, score in summary.items()}
    return mean if signal == "mean" else fused_scores(mean, words)


def fused_scores(scores: Mapping[str, float], *others: Mapping[str, float]) -> dict[str, float]:
    """Reciprocal rank fusion of rankings, for the ids of the first: Σ 1 / (10 + rank), ties by id.

    Scaled by the greatest sum there can be, so that 1 means: first in all of them.
    """
    rankings = (scores, *others)
    fused = dict.fromkeys(scores, 0.0)
    for ranking in rankings:
        for rank, document_id in enumerate(best_first(ranking), start=1):
            fused[document_id] += (SEED_RRF_K + 1) / (SEED_RRF_K + rank) / len(rankings)
    return fused


def n_near(search: VectorSearch, limit: int = 0) -> int:
    """Chunks on the shortlist of a search, of which the nearest ``limit`` are looked for."""
    return max(N_INDEXED if search == "hnsw" else N_NEAR, min(4 * limit, 2**31 - 1))


def best_first(scores: Mapping[str, float]) -> list[str]:
    """The ids by score, ties by id."""
    return sorted(scores, key=lambda document_id: (-scores[document_id], document_id))


def document_word_scores(question: str, texts: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """document_id → fit by words (> 0) of the documents that hold at least one of them.

    ``texts`` = title and summary as one text, then the chunks. A document fits as well as its first text and the best
    of the others together; rare are words that few documents hold.
    """
    wanted = set(_words(question))
    parts = {document_id: [_counts(text, wanted) for text in each] for document_id, each in texts.items()}
    holding = {w: sum(any(part[w] for part in each) for each in parts.values()) for w in sorted(wanted)}
    idf = _weights(holding, len(parts))
    scores = {
        document_id: _score(head, idf) + max((_score(body, idf) for body in bodies), default=0.0)
        for document_id, (head, *bodies) in parts.items()
    }
    return {document_id: score for document_id, score in scores.items() if score > 0}


def text_word_scores(question: str, texts: Mapping[Key, str]) -> dict[Key, float]:
    """The fit (> 0) of those texts, each ranked by itself, that hold at least one of the question's words."""
    wanted = set(_words(question[:MAX_QUESTION]))
    counts = {key: _counts(text, wanted) for key, text in texts.items()}
    holding = {w: sum(w in words for words in counts.values()) for w in sorted(wanted)}
    idf = _weights(holding, len(counts))
    return {key: _score(words, idf) for key, words in counts.items() if words}


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _counts(text: str, wanted: Collection[str]) -> Counter[str]:
    return Counter(word for word in _words(text) if word in wanted)


def rarity(n: int, total: int) -> float:
    """How much a word says that ``n`` of ``total`` texts hold: BM25's idf."""
    return math.log(1 + (total - n + 0.5) / (n + 0.5))


def _weights(holding: Mapping[str, int], total: int) -> dict[str, float]:
    return {word: rarity(n, total) for word, n in holding.items()}


def _score(counts: Mapping[str, int], idf: Mapping[str, float]) -> float:
    return sum(weight * sum(j**-2 for j in range(1, counts[word] + 1)) / _LIMIT for word, weight in idf.items())
