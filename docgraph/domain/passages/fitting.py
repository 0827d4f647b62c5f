"""How well a text fits a question: its similarity, and the words of the question that it holds.

words(text) = Σ weight(w) · f / (f + 1.2 · (¼ + ¾ · length / typical length)) / Σ weight(w), over the words w of the
question that the corpus holds, f = occurrences: BM25 (Robertson and Zaragoza 2009) over its greatest value, 0 to 1.
weight(w) = ln(1 + (N − n + ½) / (n + ½)); n of the workspace's N chunks hold the word; a tenth of that for words that
stand outside the part of the question that asks (``asking``). A chunk's figure depends on the question and the
workspace alone, never on the plan.

fit(chunk) = similarity + 2 · words(chunk), fit(window) = fit(chunk) + 2 · words(window). The weights were chosen on
one half of five sets of questions and confirmed on the other (docs/quality.md).
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping

from docgraph.domain.content_words import content_words

CONTEXT_WEIGHT = 0.1
"""How much a word counts that stands only in the sentences around the one that asks."""
_SENTENCE = re.compile(r"(?<=[.?!:])\s+")
_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|may|must|shall|should|will|would|has|have|had)"
_PREPOSITION = (
    r"(?:in|on|at|by|for|from|of|to|with|under|over|between|into|through|after|before|against|about|until|since)"
)
_ASKS = rf"(?:{_PREPOSITION}\s+)?(?:(?:what|which|who|whom|whose|why|how)\b|(?:when|where)\s+{_AUXILIARY}\b)"
_CLAUSE = re.compile(rf",\s+(?:(?:and|but|so|or|then)\s+)?(?={_ASKS})", re.IGNORECASE)
_BEGINS = re.compile(rf"(?:(?:and|but|so|or|then)\s+)?(?:{_ASKS}|{_AUXILIARY}\b)", re.IGNORECASE)


def asking_part(question: str) -> str:
    """The sentences of ``question`` that end with a question mark, without the clauses that lead up to their question.

    The whole question where it is one sentence, where no sentence of it asks or all do, or where what asks has no word
    of its own ("… What happens then?").
    """
    part = _asking_sentences(question)
    return part if content_words(part) else question


def _asking_sentences(question: str) -> str:
    sentences = [sentence for sentence in _SENTENCE.split(question) if sentence.strip()]
    asking = [sentence for sentence in sentences if sentence.rstrip("\"'”’)] ").endswith("?")]
    if len(sentences) < 2 or not asking:
        return question
    return " ".join(clause for sentence in asking for clause in _asking_clauses(sentence))


def _asking_clauses(sentence: str) -> list[str]:
    clauses = _CLAUSE.split(sentence)
    return [clause for clause in clauses if _BEGINS.match(clause)] or [sentence]


WORDS, WINDOW_WORDS = 2.0, 2.0
"""What the words of a chunk, and those of a window, weigh beside similarity."""
RERANK = 2.0
"""What a reranker's score of a window, 0 to 1, weighs beside these (docs/quality.md)."""
SATURATION, LENGTH = 1.2, 0.75
CHUNK_TOKENS = 200
"""The typical length of a chunk, in tokens; that of a window is what it has at most (``windows``)."""


def word_weights(holding: Mapping[str, int], n_chunks: int, *, asked: Collection[str]) -> dict[str, float]:
    """Lexeme → its share of what all of them weigh, for those that any chunk holds; the shares sum up to 1.

    ``holding`` = lexeme of the question → chunks of ``n_chunks`` that hold it, ``asked`` = lexemes of the part that
    asks; where the corpus holds none of them, all lexemes count in full.
    """
    held = {word: n for word, n in holding.items() if n > 0}
    in_full = held.keys() & set(asked) or held.keys()
    weights = {
        word: math.log(1 + (n_chunks - n + 0.5) / (n + 0.5)) * (1.0 if word in in_full else CONTEXT_WEIGHT)
        for word, n in sorted(held.items())
    }
    total = sum(weights.values())
    return {word: weight / total for word, weight in weights.items()} if total > 0 else {}


def word_fit(counts: Mapping[str, int], weights: Mapping[str, float], *, tokens: float, typical: int) -> float:
    """``words(text)``: ``counts`` = lexeme → occurrences, ``weights`` as ``word_weights`` has them, in that order."""
    slack = SATURATION * (1 - LENGTH + LENGTH * tokens / typical)
    return sum(weight * counts[word] / (counts[word] + slack) for word, weight in weights.items() if counts.get(word))


def chunk_fit(similarity: float, words: float) -> float:
    """How well a chunk fits, from its similarity (−1 to 1) and its words (0 to 1)."""
    return similarity + WORDS * words
