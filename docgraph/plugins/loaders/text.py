"""Reads plain text."""

from __future__ import annotations

from collections.abc import Iterator

from docgraph.boundary.text import decode_prose
from docgraph.domain.graph import Document
from docgraph.plugins.loaders._composing import BoundedLoader, compose
from docgraph.plugins.loaders._outline import Origin

_LONGEST_TITLE = 100


class TextLoader(BoundedLoader):
    """One document with one section per file; a short first line with a blank one under it is the title."""

    name = "text"
    suffixes: tuple[str, ...] = (".txt", ".text")

    def load(self, data: bytes, *, source: str) -> Iterator[Document]:
        """The one document. Raises ValueError with a one-line reason."""
        text = decode_prose(data, max_bytes=self._max_bytes, max_line=self._max_line)
        body = text.strip("\n")
        return iter((compose(source, text=text, sections=(Origin().whole(text),), title=_title(body)),))


def _title(body: str) -> str:
    first, newline, rest = body.partition("\n")
    alone = bool(newline) and (rest.startswith("\n") or not rest.strip())
    return first.strip() if alone and 0 < len(first.strip()) <= _LONGEST_TITLE else ""


build = TextLoader
