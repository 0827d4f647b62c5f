"""Reads what pandoc converts: MediaWiki, Org, Word, PowerPoint, OpenDocument, RTF and EPUB."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from docgraph.boundary.confined import Confined
from docgraph.boundary.files.regular import entries_of
from docgraph.boundary.imports.front_matter import split_front_matter
from docgraph.boundary.imports.header_lines import Told
from docgraph.boundary.limits import (
    MAX_BYTES,
    MAX_CONVERSION_MEMORY,
    MAX_CONVERSION_SECONDS,
    MAX_EXPANDED,
    MAX_LINE,
    MAX_OFFICE_BYTES,
)
from docgraph.boundary.text import check_length, check_lines, check_size, clean, decode
from docgraph.domain.graph import Document
from docgraph.domain.spelling import plain_letters
from docgraph.plugins.loaders._composing import compose
from docgraph.plugins.loaders._converted import process, sources
from docgraph.plugins.loaders._markdown_outline import markdown_sections

_TEXTS = {
    ".mediawiki": "mediawiki",
    ".org": "org",
    ".rtf": "rtf",
    ".wiki": "mediawiki",
}
_CONTAINERS = {".docx": "docx", ".epub": "epub", ".odt": "odt", ".pptx": "pptx"}
_INSIDE = (("word/", "docx"), ("ppt/", "pptx"), ("META-INF/container.xml", "epub"), ("content.xml", "odt"))
_EMPTY_LINK = re.compile(r"!\[[^\[\]]{0,500}\]\([^()]{0,1000}\)")


class PandocLoader:
    """One document per file, its text as Markdown; the file's own metadata (title, author, …) become its metadata.

    Fields at the top of Org files (``#+KEY:``, the file's property drawer) are metadata too; one with an ``ID`` has it
    as its id, so that ``[[id:…]]`` finds it. Nothing is included from other files.
    """

    name = "pandoc"
    suffixes: tuple[str, ...] = tuple(sorted((*_TEXTS, *_CONTAINERS)))
    confined = Confined(program=process.program, memory=MAX_CONVERSION_MEMORY)

    def __init__(self, max_bytes: int, max_line: int, seconds: float) -> None:
        self._max_bytes = max_bytes
        self._max_line = max_line
        self._seconds = seconds

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Told]:
        """The one document, behind what its header tells. Raises ValueError with a one-line reason."""
        suffix = PurePosixPath(source).suffix.lower()
        fields: dict[str, Any] = {}
        if data[:4] == b"PK\x03\x04" or suffix in _CONTAINERS:
            check_size(data, self._max_bytes)
            kind = _container(data)
        else:
            kind = _TEXTS.get(suffix, "mediawiki")
            text = decode(data, max_bytes=min(self._max_bytes, MAX_BYTES), max_line=self._max_line)
            fields = sources.dropped_fields(text, kind)
            data = text.encode("utf-8")
        written = plain_letters(clean(process.as_markdown(data, kind, seconds=self._seconds)))
        check_length(written)
        check_lines(written, self._max_line)
        found, body, told = split_front_matter(written)
        body = sources.mended(body, kind)
        if not _EMPTY_LINK.sub("", body).strip():
            raise ValueError("the file has no text: only metadata or pictures")
        heading, sections = markdown_sections(body)
        title = sources.wiki_title(source) if kind == "mediawiki" else heading
        title = "" if fields.get("title") or found.get("title") else title
        return iter((*told, compose(source, text=body, sections=sections, title=title, metadata={**fields, **found})))


def _container(data: bytes) -> str:
    """The format of a zipped document by what is in it. Raises ValueError for one that is none, or a bomb."""
    entries = entries_of(data, MAX_EXPANDED, name="the file", fault="the file is not a document in a zip container")
    names = [entry.filename for entry in entries]
    for start, kind in _INSIDE:
        if any(name.startswith(start) for name in names):
            return kind
    raise ValueError("the file is a zip archive, but neither Word, PowerPoint, OpenDocument text nor EPUB")


def build(
    *, max_bytes: int = MAX_OFFICE_BYTES, max_line: int = MAX_LINE, seconds: float = MAX_CONVERSION_SECONDS
) -> PandocLoader:
    """A loader that refuses files over ``max_bytes`` bytes, lines over ``max_line``, conversions over ``seconds``."""
    return PandocLoader(max_bytes, max_line, seconds)
