"""Cells that a spreadsheet leaves as they are: what it would compute or convert is marked, and the mark taken off."""

from __future__ import annotations

import re

MARK = "'"
"""Stands before a cell that a spreadsheet would not keep as text; spreadsheets show it and write it back."""

LONGEST = 64
"""No longer text is taken for a number or a date."""
_STARTS = frozenset("=+-@\t\r\n'＝＋－＠")
"""Formulas begin so, in some settings also at the wide signs; the mark itself, so that the way back is exact."""
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_CONVERTED = re.compile(
    rf"""(?ix) \s* (?:
        (?=.*\d) [\d.,:/\-+%\s€$£¥]+ (?:e[+\-]?\d+)? (?:\s*[ap]m)?   # 007, 1/2, 2024-01-02, 1e5, 12:30 pm
        | true | false
        | {_MONTH} [\s\-/.,]* \d+ | \d+ [\s\-/.,]* {_MONTH} (?:[\s\-/.,]*\d+)?   # MARCH1, 1-May
    ) \s*"""
)


def defused(text: str) -> str:
    """``text`` as a cell; ``restored`` gives exactly the same text back."""
    return MARK + text if _is_touched(text) else text


def restored(cell: str) -> str:
    """The text of a cell, whether the mark still stands or somebody typed the text anew."""
    return cell[1:] if cell.startswith(MARK) and _is_touched(cell[1:]) else cell


def _is_touched(text: str) -> bool:
    """Whether a spreadsheet might take the cell for something else than text; true for all that begin with the mark."""
    if text[:1] in _STARTS or text.lstrip()[:1] in _STARTS:
        return True
    return len(text) <= LONGEST and _CONVERTED.fullmatch(text) is not None
