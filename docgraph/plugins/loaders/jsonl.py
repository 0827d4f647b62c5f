"""Reads record files: one JSON object per line, one document per object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from docgraph.boundary.imports.front_matter import FrontMatter, split_front_matter
from docgraph.boundary.imports.header_lines import Told
from docgraph.boundary.imports.plain_values import plain_json
from docgraph.boundary.json_lines import line_place, records
from docgraph.boundary.limits import MAX_RECORD_FILE
from docgraph.boundary.text import check_length, check_lines, clean, one_line
from docgraph.domain.graph import MAX_TITLE, Document, Section
from docgraph.domain.imports.fields import MARKDOWN
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._composing import MAX_SUMMARY, MAX_TYPE, BoundedLoader, checked_id, without_title
from docgraph.plugins.loaders._markdown_outline import markdown_sections
from docgraph.plugins.loaders._outline import Origin
from docgraph.plugins.loaders._restructured import SUFFIXES as RST
from docgraph.plugins.loaders._restructured import rst_sections

_OWN_FIELDS = frozenset(("id", "document_id", "title", "text", "source", "doc_type", "summary"))


class JSONLLoader(BoundedLoader):
    """Documents from ``{"id", "title", "text", "source", "doc_type", "summary", …}``; other keys become metadata.

    Text whose ``source`` ends like Markdown or reStructuredText is cut into sections at its headings.
    """

    name = "jsonl"
    suffixes: tuple[str, ...] = (".jsonl", ".ndjson")
    most_bytes = MAX_RECORD_FILE

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Told]:
        """Documents in file order, with a ``Rejected`` in place of each record that is none.

        Raises ValueError with a one-line reason for a file that is not made of documents (relations, questions).
        """
        first_lines: dict[str, int] = {}
        for number, record in records(data, max_bytes=self._max_bytes):
            if isinstance(record, Rejected):
                yield record
                continue
            if not first_lines:
                _check_kind(record)
            yield from self._read(record, number, first_lines, source)

    def _read(
        self, record: dict[str, Any], number: int, first_lines: dict[str, int], source: str
    ) -> Iterator[Document | Told]:
        place = line_place(number)
        try:
            document, told = _document(record, source, self._max_line)
        except ValueError as error:
            yield Rejected(reason=f"{place}: {error}", place=place)
            return
        first = first_lines.setdefault(document.document_id, number)
        if first != number:
            yield Rejected(
                reason=f"{place}: the id {document.document_id!r} stands already on line {first}", place=place
            )
            return
        for each in told:
            yield each.model_copy(update={"place": f"{place}, {each.place}"})
        yield document


def _document(record: Mapping[str, Any], file_source: str, max_line: int) -> tuple[Document, tuple[Told, ...]]:
    """The document of a record, and what is told of the header in its text."""
    document_id = checked_id(clean(_string(record, "document_id" if "document_id" in record else "id")))
    text = clean(_string(record, "text"))
    if not text.strip():
        raise ValueError(f"the document {document_id!r} has no text")
    check_length(text)
    check_lines(text, max_line)
    source = clean(_string(record, "source")) or file_source
    front, (body, heading, sections) = _structure(text, source)
    title = one_line(_string(record, "title"), MAX_TITLE) or heading or document_id
    document = Document(
        document_id=document_id,
        title=title,
        text=body,
        sections=without_title(sections, (title, heading)),
        summary=one_line(_string(record, "summary"), MAX_SUMMARY),
        source=source,
        doc_type=one_line(_string(record, "doc_type"), MAX_TYPE),
        metadata={
            **front.fields,
            **plain_json({key: value for key, value in record.items() if key not in _OWN_FIELDS}),
        },
    )
    return document, front.told


def _structure(text: str, source: str) -> tuple[FrontMatter, tuple[str, str, tuple[Section, ...]]]:
    """(front matter, (body, first heading, sections)) as the format that ``source`` names would give them."""
    suffix = PurePosixPath(source).suffix.lower()
    if suffix in MARKDOWN:
        front = split_front_matter(text)
        if front.body.strip():
            return front, (front.body, *markdown_sections(front.body, Origin.of(front.body, text)))
    elif suffix in RST:
        return FrontMatter({}, text), (text, *rst_sections(text, Origin()))
    return FrontMatter({}, text), (text, "", (Origin().whole(text),))


def _string(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18:
        return str(value)
    raise ValueError(f"the field {name!r} is not a string but {type(value).__name__}")


def _check_kind(record: Mapping[str, Any]) -> None:
    if "text" in record:
        return
    if "from" in record and "to" in record:
        raise ValueError("the file holds relationships, not documents: name it relations.jsonl")
    if "query" in record:
        raise ValueError("the file holds questions, not documents: they are for evaluation, not for import")


build = JSONLLoader
