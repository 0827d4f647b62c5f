"""Text that is safe to print: what could steer a terminal or reorder a line is written as an escape."""

from __future__ import annotations

import re

_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


def printable(text: str) -> str:
    """``text`` with every character that could steer a terminal or reorder a line written as an escape."""
    return _UNSAFE.sub(lambda found: _escaped(found.group()), text)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def one_line(text: str) -> str:
    """``text`` on one line, safe for a terminal."""
    return printable(" ".join(text.split()))
