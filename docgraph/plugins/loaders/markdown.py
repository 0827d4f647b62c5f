"""Reads Markdown, with YAML or TOML front matter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from docgraph.boundary.imports.front_matter import split_front_matter
from docgraph.boundary.imports.header_lines import Told
from docgraph.boundary.imports.markup.myst import myst
from docgraph.boundary.imports.markup.references import with_defined
from docgraph.boundary.limits import MAX_HEADER_LINES, MAX_HEADER_VALUE
from docgraph.boundary.text import decode_prose, one_line
from docgraph.domain.graph import Document
from docgraph.domain.imports.fields import MARKDOWN
from docgraph.domain.report import Adjusted
from docgraph.plugins._code import blanked
from docgraph.plugins._dialects import is_plain_around_tags, readable
from docgraph.plugins.loaders._anchors import links_inside
from docgraph.plugins.loaders._composing import BoundedLoader, compose
from docgraph.plugins.loaders._markdown_outline import anchors_in, markdown_sections
from docgraph.plugins.loaders._outline import Origin

ONLY_HEADER = "there is nothing but front matter: the document's text is what that says"
_OF_BLOCKS = ("id", "document_id", "collapsed")
"""Properties that Logseq writes itself; its ``id`` is one of a block."""
_PROPERTY = re.compile(r"([A-Za-z][\w-]{0,60})::[ \t]+(\S.*)")
_SAID = ("title", "description", "summary")
_COMMENT = re.compile(r"<!--(?:[^-]|-(?!->)){0,100000}+-->")


class MarkdownLoader(BoundedLoader):
    """One document per file; front matter fields become its metadata under their own names.

    Comments, and what a tool writes into its pages that nobody reads, are no text: spaces stand in their place.
    """

    name = "markdown"
    suffixes: tuple[str, ...] = MARKDOWN

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Told]:
        """The one document, behind what its header tells. Raises ValueError with a one-line reason."""
        text = decode_prose(data, max_bytes=self._max_bytes, max_line=self._max_line)
        metadata, body, told = split_front_matter(text)
        metadata = {**_properties(body), **metadata}
        if not body.strip():
            body = _of_header(metadata)
            if not body:
                raise ValueError("the file has no text")
            told = (*told, Adjusted(reason=ONLY_HEADER, place="line 1"))
        origin = Origin.of(body, text)
        written, body, plain = body, _text(body, source), is_plain_around_tags(source)
        heading, sections = markdown_sections(body, origin, plain=plain)
        document = compose(
            source,
            text=body,
            sections=sections,
            title=heading,
            metadata=with_defined(metadata, myst(body)),
            anchors=anchors_in(body, plain=plain, written=written),
            links_inside=links_inside(body),
        )
        return iter((*told, document))


def _properties(body: str) -> dict[str, Any]:
    """The properties in the first lines of a page of Logseq (``alias:: a, [[b]]``), those that are links left out."""
    found: dict[str, Any] = {}
    for line in body.split("\n", MAX_HEADER_LINES)[:MAX_HEADER_LINES]:
        property_ = _PROPERTY.fullmatch(line)
        if property_ is None:
            break
        name, value = property_[1].lower().replace("-", "_"), one_line(property_[2], MAX_HEADER_VALUE)
        if name in ("alias", "aliases"):
            found["aliases"] = [each.strip().strip("[]") for each in value.split(",") if each.strip().strip("[]")]
        elif "[[" not in value and name not in _OF_BLOCKS:
            found.setdefault(name, value)
    return found


def _of_header(metadata: Mapping[str, Any]) -> str:
    """What a page says that is a header alone: its title and description, else its plain values; empty for none."""
    said = [metadata.get(name) for name in _SAID]
    words = [value.strip() for value in said if isinstance(value, str) and value.strip()]
    lines = [f"{name}: {value}" for name, value in metadata.items() if isinstance(value, str | int | float)]
    return "\n\n".join(words) or "\n".join(lines)


def _text(body: str, source: str) -> str:
    """The body without what is no text; whole where nothing else is in it."""
    text = readable(body, source)
    text = blanked(text, _COMMENT, source) if "<!--" in text else text
    return text if text.strip() else body


build = MarkdownLoader
