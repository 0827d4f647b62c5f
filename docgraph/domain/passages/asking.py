"""The part of a question that asks, apart from the sentences that only say what it is about.

"In March 2013 old nodes choked on a block. Which resource of their database ran out?" names its document by the first
sentence and its passage by the second. Measured on five corpora (docs/quality.md): once the documents are planned,
the words of the second count in full and those of the first by a tenth.
"""

from __future__ import annotations

import re

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
