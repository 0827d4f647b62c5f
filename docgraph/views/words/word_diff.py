"""Two versions of one text, word by word: what both have, what was taken out, what was put in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

Kind = Literal["same", "removed", "added"]
MAX_WORDS = 4_000
"""Longer texts are compared line by line, because the time grows with the square of the number of pieces."""

_WORD = re.compile(r"\s+|[^\W_]+|[\W_]", re.UNICODE)
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
    return _WORD.findall(text)
