"""Reads plain text."""

from __future__ import annotations

from collections.abc import Iterator

from docgraph.boundary.limits import MAX_BYTES, MAX_LINE
from docgraph.boundary.text import decode_prose
from docgraph.domain.graph import Document
from docgraph.plugins.loaders._composing import compose
from docgraph.plugins.loaders._outline import Origin

_LONGEST_TITLE = 100


class TextLoader:
    """One document with one section per file; a short first line with a blank one under it is the title."""

    name = "text"
    suffixes: tuple[str, ...] = (".txt", ".text")

    def __init__(self, max_bytes: int, max_line: int) -> None:
        self._max_bytes = max_bytes
        self._max_line = max_line

    def load(self, data: bytes, *, source: str) -> Iterator[Document]:
        """The one document. Raises ValueError with a one-line reason."""
        text = decode_prose(data, max_bytes=self._max_bytes, max_line=self._max_line)
        body = text.strip("\n")
        return iter((compose(source, text=text, sections=(Origin().whole(text),), title=_title(body)),))


def _title(body: str) -> str:
    first, newline, rest = body.partition("\n")
    alone = bool(newline) and (rest.startswith("\n") or not rest.strip())
    return first.strip() if alone and 0 < len(first.strip()) <= _LONGEST_TITLE else ""


def build(*, max_bytes: int = MAX_BYTES, max_line: int = MAX_LINE) -> TextLoader:
    """A loader that refuses files of more than ``max_bytes`` bytes or with lines over ``max_line`` characters."""
    return TextLoader(max_bytes, max_line)
