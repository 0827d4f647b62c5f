"""Reads AsciiDoc: sections, code, tables and lists as text, attributes of the header as metadata, links as links."""

from __future__ import annotations

from collections.abc import Iterator

from docgraph.boundary.limits import MAX_BYTES, MAX_LINE
from docgraph.boundary.text import decode_prose
from docgraph.domain.graph import Document
from docgraph.plugins.loaders._anchors import html_anchors, links_inside
from docgraph.plugins.loaders._composing import compose
from docgraph.plugins.loaders._converted.asciidoc import as_markdown
from docgraph.plugins.loaders._markdown_outline import headings_in, markdown_sections


class AsciiDocLoader:
    """One document per file; nothing is included from other files: ``include::x[]`` is a link to ``x``.

    Attributes of the header are metadata, with ``_`` for ``-``; ids of sections, those that Asciidoctor and Antora make
    of titles too, are places that links lead to.
    """

    name = "asciidoc"
    suffixes: tuple[str, ...] = (".adoc", ".asciidoc")

    def __init__(self, max_bytes: int, max_line: int) -> None:
        self._max_bytes = max_bytes
        self._max_line = max_line

    def load(self, data: bytes, *, source: str) -> Iterator[Document]:
        """The one document. Raises ValueError with a one-line reason."""
        text = decode_prose(data, max_bytes=self._max_bytes, max_line=self._max_line)
        found = as_markdown(text, in_module="/modules/" in f"/{source}")
        body = found.text
        if not body.strip():
            raise ValueError("the file has no text: only attributes and comments")
        heading, sections = markdown_sections(body)
        lines = body.split("\n")
        yield compose(
            source,
            text=body,
            sections=sections,
            title=heading,
            metadata=found.fields,
            anchors=html_anchors(lines, headings_in(body), found.places),
            links_inside=links_inside(body),
        )


def build(*, max_bytes: int = MAX_BYTES, max_line: int = MAX_LINE) -> AsciiDocLoader:
    """A loader that refuses files of more than ``max_bytes`` bytes or with lines over ``max_line`` characters."""
    return AsciiDocLoader(max_bytes, max_line)
