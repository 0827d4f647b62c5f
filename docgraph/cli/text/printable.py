"""Text that is safe to print, in lines and as one line."""

from __future__ import annotations

from docgraph.boundary.text import printable

__all__ = ["one_line", "printable"]


def one_line(text: str) -> str:
    """``text`` on one line, safe for a terminal."""
    return printable(" ".join(text.split()))
