"""Reads reStructuredText, with a PEP-style header block or docinfo."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docgraph.boundary.imports.front_matter import split_front_matter
from docgraph.boundary.imports.header_lines import Told
from docgraph.boundary.imports.markup.references import with_defined
from docgraph.boundary.imports.markup.restructured import restructured
from docgraph.boundary.text import decode_prose
from docgraph.domain.graph import Document
from docgraph.plugins.loaders._composing import BoundedLoader, compose
from docgraph.plugins.loaders._outline import Origin
from docgraph.plugins.loaders._restructured import SUFFIXES, anchors_in, rst_sections, split_header


class RestructuredTextLoader(BoundedLoader):
    """One document per file; header fields become ``metadata["header"]`` in lower case with underscores.

    With the fields ``PEP`` and ``Title`` the title is ``PEP 387 – Backwards Compatibility Policy``.
    """

    name = "restructuredtext"
    suffixes: tuple[str, ...] = SUFFIXES

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Told]:
        """The one document, behind what its header tells. Raises ValueError with a one-line reason."""
        text = decode_prose(data, max_bytes=self._max_bytes, max_line=self._max_line)
        fields, rest, told = split_front_matter(text)
        header, body, left = split_header(rest, first_line=1 + text.count("\n") - rest.count("\n"))
        if not body.strip():
            raise ValueError("the file has no text: only a header")
        heading, sections = rst_sections(body, Origin.of(body, text))
        metadata: dict[str, Any] = {**fields, "header": header} if header else fields
        return iter(
            (
                *told,
                *left,
                compose(
                    source,
                    text=body,
                    sections=sections,
                    title=_title(header) or heading,
                    doc_type=header.get("type", ""),
                    metadata=with_defined(metadata, restructured(body)),
                    anchors=anchors_in(body),
                ),
            )
        )


def _title(header: dict[str, str]) -> str:
    title, number = header.get("title", ""), header.get("pep", "")
    return f"PEP {number} – {title}" if title and number else title


build = RestructuredTextLoader
