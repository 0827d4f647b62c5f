"""How wide a text will be, and how it is shortened to fit: pictures are laid out without a browser."""

from __future__ import annotations

import re
import unicodedata

_WIDTHS = """
200 289 426 497 497 824 609 249 303 303 418 497 249 311 249 350 497 497 497 497 497 497 497 497 497 497 249
249 497 497 497 425 847 543 588 571 615 527 494 617 652 263 479 579 486 727 647 664 566 664 569 534 536 645
515 786 513 476 539 303 350 303 497 500 542 504 553 456 555 496 292 504 544 246 247 495 255 829 547 542 555
555 347 419 338 544 467 719 446 467 425 303 241 303 497
"""
_REGULAR = tuple(map(int, _WIDTHS.split()))
"""Advance widths of Source Sans 3 Regular from the space to the tilde, in thousandths of the font size."""

_SEMIBOLD = 1.03
_SLACK = 1.04
"""Where Source Sans is not installed the system's own font stands in, and it is a little wider."""

_WIDE, _OTHER = 1000, 600
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
_SPACE = re.compile(r"\s+")


def plain(text: str) -> str:
    """``text`` on one line, without what XML forbids and without marks that turn the reading direction around."""
    return _SPACE.sub(" ", _UNSEEN.sub("", text)).strip()


def text_width(text: str, size: float = 12, *, strong: bool = False) -> float:
    """Width in pixels at a font size of ``size`` pixels, a little too wide rather than too narrow."""
    units = sum(_units(char) for char in text)
    return round(units * size / 1000 * (_SEMIBOLD if strong else 1.0) * _SLACK, 2)


def shortened(text: str, room: float) -> str:
    """``text`` as far as it fits into ``room`` pixels; a cut one ends with an ellipsis."""
    if text_width(text) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        fits = text_width(text[:middle].rstrip() + "…") <= room
        low, high = (middle, high) if fits else (low, middle - 1)
    return text[:low].rstrip() + "…"


def _units(char: str) -> int:
    place = ord(char) - 32
    if 0 <= place < len(_REGULAR):
        return _REGULAR[place]
    if unicodedata.combining(char):
        return 0
    if unicodedata.east_asian_width(char) in "WF":
        return _WIDE
    base = ord(unicodedata.normalize("NFD", char)[0]) - 32
    return _REGULAR[base] if 0 <= base < len(_REGULAR) else _WIDE if char in "…—" else _OTHER
