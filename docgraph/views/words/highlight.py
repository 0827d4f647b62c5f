"""The words of a question in a text, and two versions of one text word by word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal

Segment = tuple[str, bool]
"""A piece of text, and whether it is a word of the question."""

_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_BREAK = re.compile(r"(?:[.!?:]\s+|\n+)")
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


def excerpt(parts: Sequence[Segment], length: int) -> tuple[Segment, ...]:
    """The stretch of about ``length`` characters that holds most different words of the question, the first of equals.

    It begins with a sentence where one begins nearby, and with a word elsewhere; "…" stands for what is left out. A
    text that is no longer is given whole, and one without any of the words from its beginning.
    """
    text = "".join(part for part, _ in parts)
    if len(text) <= length:
        return tuple(parts)
    start = _sentence_before(text, _densest(parts, length * 3 // 4), length // 4)
    stop = max(text.rfind(" ", start + length // 2, start + length), start + length // 2)
    stop = len(text) if len(text) - start <= length else stop
    kept: list[Segment] = [("… ", False)] if start else []
    at = 0
    for part, found in parts:
        piece = part[max(start - at, 0) : max(stop - at, 0)]
        if piece:
            kept.append((piece, found))
        at += len(part)
    return (*kept, (" …", False)) if stop < len(text) else tuple(kept)


def _densest(parts: Sequence[Segment], width: int) -> int:
    """Where the ``width`` characters begin that hold most different words."""
    marks: list[tuple[int, str]] = []
    at = 0
    for part, found in parts:
        if found:
            marks.append((at, stem(part.casefold())))
        at += len(part)
    best, most = 0, 0
    for begin, _ in marks:
        n = len({word for place, word in marks if begin <= place < begin + width})
        if n > most:
            best, most = begin, n
    return best


def _sentence_before(text: str, place: int, near: int) -> int:
    """The beginning of the sentence of ``place`` if it is at most ``near`` characters away, else of a word."""
    begins = [match.end() for match in _BREAK.finditer(text, max(place - near - 2, 0), place)]
    if place <= near or begins:
        return begins[-1] if begins else 0
    return text.rfind(" ", 0, place) + 1


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A rough English stem: bookings, booking, booked → book; for showing only, never for ranking."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            base = word[: -len(suffix)]
            return base[:-1] if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "aeiouls" else base
    return word


Kind = Literal["same", "removed", "added"]
MAX_WORDS = 4_000
"""Longer texts are compared line by line, because the time grows with the square of the number of pieces."""

_PIECE = re.compile(r"\s+|[^\W_]+|[\W_]", re.UNICODE)
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True)
class Piece:
    """A stretch of text, and in which of the two versions it stands (``removed``: in A alone)."""

    text: str
    kind: Kind


def word_diff(a: str, b: str) -> tuple[Piece, ...]:
    """The pieces in reading order: without ``added`` they join to ``a``, without ``removed`` to ``b``."""
    whole = len(a) + len(b) <= MAX_WORDS * 20
    words_a, words_b = _words(a), _words(b)
    if not whole or len(words_a) + len(words_b) > 2 * MAX_WORDS:
        words_a, words_b = _LINE.findall(a), _LINE.findall(b)
    pieces: list[Piece] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, words_a, words_b, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(Piece("".join(words_a[i1:i2]), "same"))
            continue
        if i2 > i1:
            pieces.append(Piece("".join(words_a[i1:i2]), "removed"))
        if j2 > j1:
            pieces.append(Piece("".join(words_b[j1:j2]), "added"))
    return tuple(pieces)


def side(pieces: tuple[Piece, ...], which: Literal["a", "b"]) -> tuple[Piece, ...]:
    """The pieces of one version alone."""
    other: Kind = "added" if which == "a" else "removed"
    return tuple(piece for piece in pieces if piece.kind != other)


def _words(text: str) -> list[str]:
    return _PIECE.findall(text)
