"""Text that is safe to print, on one line."""

from __future__ import annotations

from docgraph.boundary.text import printable


def one_line(text: str) -> str:
    """``text`` on one line, safe for a terminal."""
    return printable(" ".join(text.split()))
