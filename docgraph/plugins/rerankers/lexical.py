"""Orders texts by the question's words in them: rare ones more, in the heading more, close together more.

For each of the question's words *t* (function words left out, endings cut), with *f* = occurrences in the text + 3 ·
occurrences in its first line (title and headings):

    weight(t)  = 1 + ln(1 + (n − d + ½) / (d + ½))           d of the n texts hold the word (BM25's idf)
    found(t)   = f / (f + 2 · (0.7 + 0.3 · length / mean length))                   (BM25's saturated frequency)
    words      = Σ weight · found / Σ weight
    closeness  = mean over neighbours in the question of 1 / their smallest distance, in the question's order
    score      = 0.8 · words + 0.2 · closeness

0 = none of the words; below 1 always. Robertson and Zaragoza (2009), *The probabilistic relevance framework*.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from docgraph.ports.retrieval import Reranked

HEADING = 3
SATURATION, LENGTH = 2.0, 0.3
CLOSENESS = 0.2
MAX_QUESTION, MAX_TEXT = 2_000, 50_000
"""Characters that are read."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_ENDINGS = ("ing", "ed", "ly")
_SHORTEST = 3
_LISTED = """
    a about above after again all almost already also although always am an and another any anybody anyone anything
    are around as ask asked asks at be because been before being below between both but by can can't cannot compare
    could describe did didn't difference do does doesn't doing don't done down during each either else enough ever
    every everybody everyone everything explain few for from further get gets got had happen happened happens has
    have having he her here him his how i if in into is isn't it it's its itself just last least less let like long
    look many may me mean means meant might mine more most much must my need neither never no none nor not nothing
    now of off ok on once one ones only or other others our out over own per perhaps please question quite rather
    really reason same say says see shall she should show since so some something still such sure take takes tell
    than that the their them then there these they things third this those though through to together too under
    until up upon us use used uses very want wants was wasn't way we were what when where whether which while who
    whom whose why will with within without won't would wouldn't yes yet you your
"""
_FUNCTION_WORDS = frozenset(_LISTED.split())


@dataclass(frozen=True)
class _Text:
    """The words of a text: how often each one counts, where those of the body stand, and how many there are."""

    counts: Mapping[str, int]
    body: tuple[str, ...]


class LexicalReranker:
    """Needs no model, no network and no index; equal texts get equal scores wherever they stand in the list."""

    name = "lexical"

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[Reranked]:
        """A score for every text, in the order given."""
        words = _question_words(query)
        read = [_read(text) for text in texts]
        weights = _weights(words, read)
        mean = sum(len(text.body) for text in read) / max(1, len(read)) or 1.0
        return tuple(
            Reranked(index=index, score=round(_score(text, words, weights, mean), 6)) for index, text in enumerate(read)
        )


build = LexicalReranker


def _question_words(query: str) -> tuple[str, ...]:
    """Each once, in the question's order; one that has function words alone is taken as it is."""
    found = [word.lower() for word in _WORD.findall(query[:MAX_QUESTION])]
    kept = [word for word in found if word not in _FUNCTION_WORDS] or found
    return tuple(dict.fromkeys(map(_stem, kept)))


def _read(text: str) -> _Text:
    heading, _, body = text[:MAX_TEXT].partition("\n")
    words = _stems(body)
    counts = Counter(words)
    for word in _stems(heading):
        counts[word] += HEADING
    return _Text(counts, words)


def _stems(text: str) -> tuple[str, ...]:
    return tuple(_stem(word.lower()) for word in _WORD.findall(text))


def _stem(word: str) -> str:
    """Without plural and ending: bookings, booking and booked are one, so are modules and module. Rough on purpose."""
    word = word[:-2] if word.endswith(("'s", "’s")) else word
    if word.endswith("ies") and len(word) > _SHORTEST + 1:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "xes", "ches", "shes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and len(word) > _SHORTEST and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word[: -len(ending)]
            break
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST else word


def _weights(words: Sequence[str], texts: Sequence[_Text]) -> dict[str, float]:
    n, holding = len(texts), {word: sum(word in text.counts for text in texts) for word in words}
    return {word: 1.0 + math.log(1.0 + (n - d + 0.5) / (d + 0.5)) for word, d in holding.items()}


def _score(text: _Text, words: Sequence[str], weights: Mapping[str, float], mean: float) -> float:
    if not words:
        return 0.0
    damping = SATURATION * (1.0 - LENGTH + LENGTH * len(text.body) / mean)
    found = sum(weights[word] * (f / (f + damping)) for word in words if (f := text.counts.get(word, 0)))
    return (1.0 - CLOSENESS) * found / sum(weights.values()) + CLOSENESS * _closeness(text.body, words)


def _closeness(body: Sequence[str], words: Sequence[str]) -> float:
    """0 to 1; 1 = the question's words stand in the text as they stand in the question."""
    before = dict(zip(words[1:], words, strict=False))
    if not before:
        return 0.0
    wanted, last, nearest = set(words), dict[str, int](), dict[str, int]()
    for place, word in enumerate(body):
        if word not in wanted:
            continue
        left = before.get(word)
        if left is not None and left in last:
            nearest[word] = min(nearest.get(word, place - last[left]), place - last[left])
        last[word] = place
    return sum(1.0 / nearest[word] for word in before if word in nearest) / len(before)
