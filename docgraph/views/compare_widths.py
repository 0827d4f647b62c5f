"""How wide a text is in the dashboard's font, so that two texts can stand side by side in a chart."""

from __future__ import annotations

FONT = "Source Sans"
_FIRST = 32
_REGULAR = (
    20, 29, 43, 50, 50, 82, 61, 25, 30, 30, 42, 50, 25, 31, 25, 35, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 25, 25, 50,
    50, 50, 42, 85, 54, 59, 57, 61, 53, 49, 62, 65, 26, 48, 58, 49, 73, 65, 66, 57, 66, 57, 53, 54, 64, 51, 79, 51, 48,
    54, 30, 35, 30, 50, 50, 54, 50, 55, 46, 55, 50, 29, 50, 54, 25, 25, 49, 25, 83, 55, 54, 55, 55, 35, 42, 34, 54, 47,
    72, 45, 47, 42, 30, 24, 30, 50,
)  # fmt: skip
"""Advance widths of U+0020 to U+007E in hundredths of the type size, measured in the browser."""

_ACCENTED, _WIDE, _BOLD = 52, 100, 1.035
_WIDE_FROM = 0x2E80
"""From here on (CJK and most pictographs) a letter is as wide as it is high."""


def width(text: str, size: float = 13, *, bold: bool = False) -> float:
    """The width of one line in pixels; other scripts than Latin are estimated."""
    hundredths = sum(_advance(ord(letter)) for letter in text)
    return round(hundredths * size / 100 * (_BOLD if bold else 1), 1)


def _advance(code: int) -> int:
    if _FIRST <= code < _FIRST + len(_REGULAR):
        return _REGULAR[code - _FIRST]
    return _WIDE if code >= _WIDE_FROM else _ACCENTED
