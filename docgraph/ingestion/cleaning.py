"""Makes a document safe to keep: no NUL, no lone surrogates, a title on one line, a bounded summary, plain metadata."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from docgraph.domain.graph import MAX_METADATA_DEPTH, MAX_TITLE, Chunk, Document, Section

_SURROGATE = re.compile(r"[\ud800-\udfff]")
MAX_SUMMARY = 2_000
MAX_DOCUMENT_ID = 500
"""A chunk's id is the document's and ``#`` and a number, and has to be an id itself (512 characters)."""


def cleaned(document: Document) -> Document:
    """The same document with texts that every store can hold. Raises ValueError with one line for what cannot be."""
    if len(document.document_id) > MAX_DOCUMENT_ID:
        raise ValueError(f"the id has {len(document.document_id)} characters; at most {MAX_DOCUMENT_ID} are allowed")
    if clean_text(document.document_id) != document.document_id:
        raise ValueError(f"the id {ascii(document.document_id)[:80]} is not valid text")
    title = " ".join(clean_text(document.title).split())[:MAX_TITLE]
    return document.model_copy(
        update={
            "title": title or document.document_id,
            "text": clean_text(document.text),
            "sections": tuple(_section(section) for section in document.sections),
            "summary": bounded(clean_text(document.summary), MAX_SUMMARY),
            "source": clean_text(document.source)[:1_000],
            "doc_type": clean_text(document.doc_type)[:200],
            "ingestion_id": clean_text(document.ingestion_id)[:200],
            "metadata": plain(document.metadata),
            "chunks": _chunks(document),
        }
    )


def clean_text(text: str) -> str:
    """Without NUL; lone surrogates become U+FFFD."""
    if "\x00" in text:
        text = text.replace("\x00", "")
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def bounded(text: str, limit: int) -> str:
    """``text`` on one line; longer than ``limit`` characters, it is cut at a word and ends with an ellipsis."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    head = line[: limit - 1]
    return f"{head[: head.rfind(' ')] if ' ' in head[limit // 2 :] else head}…"


def plain(value: Any, depth: int = 0) -> Any:
    """``value`` as JSON data: text for what JSON lacks (dates, NaN). Raises ValueError beyond 30 levels."""
    if depth > MAX_METADATA_DEPTH:
        raise ValueError(f"the metadata is nested deeper than {MAX_METADATA_DEPTH} levels")
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {clean_text(str(key)): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, depth + 1) for item in value]
    return clean_text(str(value))


def _section(section: Section) -> Section:
    path = tuple(" ".join(clean_text(heading).split())[:MAX_TITLE] for heading in section.heading_path)
    text = clean_text(section.text)
    place = section.place if len(text) == len(section.text) else None
    return Section(heading_path=path, text=text, place=place)


def _chunks(document: Document) -> Any:
    return None if document.chunks is None else tuple(map(_chunk, document.chunks))


def _chunk(chunk: Chunk) -> Chunk:
    text, path = clean_text(chunk.text), tuple(map(clean_text, chunk.heading_path))
    if (text, path) == (chunk.text, chunk.heading_path):
        return chunk
    return chunk.model_copy(update={"text": text, "heading_path": path})
