"""Reads HTML: readable text and headings, without scripts and styles."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning, XMLParsedAsHTMLWarning
from bs4.element import Tag

from docgraph.boundary.limits import MAX_HTML_BYTES, MAX_TAGS
from docgraph.boundary.text import check_length, check_size, decode, one_line
from docgraph.domain.graph import Document
from docgraph.domain.spelling import plain_letters
from docgraph.plugins.loaders._anchors import html_anchors
from docgraph.plugins.loaders._composing import compose
from docgraph.plugins.loaders._html_text import read_tree
from docgraph.plugins.loaders._outline import sections_under

_DECLARED = re.compile(rb"<meta[^<>]{0,200}?charset\s{0,5}=\s{0,5}[\"']?([A-Za-z0-9_:.-]{2,40})", re.IGNORECASE)
_KEPT_FIELDS = ("author", "date", "description", "keywords", "language", "summary", "type")


class HTMLLoader:
    """One document per file; ``<meta>`` fields and up to 2,000 links (``{"href", "text"}``) become its metadata."""

    name = "html"
    suffixes: tuple[str, ...] = (".html", ".htm", ".xhtml")

    def __init__(self, max_bytes: int, max_tags: int) -> None:
        self._max_bytes = max_bytes
        self._max_tags = max_tags

    def load(self, data: bytes, *, source: str) -> Iterator[Document]:
        """The one document. Raises ValueError with a one-line reason."""
        check_size(data, self._max_bytes)
        markup = decode(_in_utf8(data), max_bytes=2 * self._max_bytes, max_line=2 * self._max_bytes)
        n_tags = markup.count("<")
        if n_tags > self._max_tags:
            raise ValueError(f"the page has {n_tags:,} tags; at most {self._max_tags:,} are read: split it")
        soup = _parsed(markup)
        page = read_tree(soup)
        lines = [plain_letters(line) for line in page.lines]
        sections = sections_under(lines, page.headings)
        text = "\n".join(lines).strip("\n")
        if not text.strip():
            raise ValueError("the page has no text: only mark-up")
        check_length(text)
        metadata = {**_meta_fields(soup), **({"links": page.links} if page.links else {})}
        title = one_line(soup.title.get_text()) if soup.title else ""
        heading = page.headings[0].title if page.headings else ""
        anchors = html_anchors(page.lines, page.headings, page.named)
        return iter(
            (compose(source, text=text, sections=sections, title=title or heading, metadata=metadata, anchors=anchors),)
        )


def _in_utf8(data: bytes) -> bytes:
    """The bytes as UTF-8 when the page declares another encoding that fits."""
    declared = _DECLARED.search(data[:4_096])
    if declared is None or data[:1] in (b"\xef", b"\xff", b"\xfe"):
        return data
    try:
        return data.decode(declared[1].decode("ascii")).encode("utf-8")
    except (LookupError, UnicodeError):
        return data


def _parsed(markup: str) -> BeautifulSoup:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        return BeautifulSoup(markup, "lxml")


def _meta_fields(soup: BeautifulSoup) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for tag in soup.find_all("meta", limit=200):
        name, content = (tag.get("name"), tag.get("content")) if isinstance(tag, Tag) else (None, None)
        if isinstance(name, str) and isinstance(content, str) and name.lower() in _KEPT_FIELDS:
            fields.setdefault(name.lower(), one_line(content, 4_000))
    return fields


def build(*, max_bytes: int = MAX_HTML_BYTES, max_tags: int = MAX_TAGS) -> HTMLLoader:
    """A loader that refuses files of more than ``max_bytes`` bytes or with more than ``max_tags`` tags."""
    return HTMLLoader(max_bytes, max_tags)
