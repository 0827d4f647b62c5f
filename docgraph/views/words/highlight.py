"""Finds the words of the question in a text, so that a reader sees at once where a chunk speaks of it."""

from __future__ import annotations

import re
from functools import lru_cache

Segment = tuple[str, bool]
"""A piece of text, and whether it is a word of the question."""

_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_STOP_WORDS = """
a about after all also an and any are as at be because been before being between but by can could did do does
during each for from get gets had has have how if in into is it its itself may might more most must my no not
of off on only or other our out over own same shall should so some such than that the their them then there
these they this those through to too under until up us use used uses using very was we were what when where
which while who whom whose why will with would you your
"""
_STOP = frozenset(_STOP_WORDS.split())
_SUFFIXES = ("ations", "ation", "ings", "ing", "ions", "ion", "ies", "ers", "er", "ed", "es", "ly", "s", "e", "y")


def terms(query: str) -> frozenset[str]:
    """The stems of the question's words that carry meaning; a question of stop words only keeps them all."""
    words = [word.casefold() for word in _WORD.findall(query)]
    return frozenset(stem(word) for word in words if word not in _STOP) or frozenset(stem(word) for word in words)


def segments(text: str, wanted: frozenset[str]) -> tuple[Segment, ...]:
    """``text`` in pieces, in order and complete: joining them gives ``text`` back."""
    pieces: list[Segment] = []
    end = 0
    for match in _WORD.finditer(text):
        if stem(match.group().casefold()) in wanted:
            if match.start() > end:
                pieces.append((text[end : match.start()], False))
            pieces.append((match.group(), True))
            end = match.end()
    if end < len(text):
        pieces.append((text[end:], False))
    return tuple(pieces)


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A rough English stem: bookings, booking, booked → book; for showing only, never for ranking."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            base = word[: -len(suffix)]
            return base[:-1] if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "aeiouls" else base
    return word
