"""Gives every page of a PDF the heading path that its outline (bookmarks) puts it under."""

from __future__ import annotations

from typing import Any

import pypdf
from pypdf.errors import PyPdfError

from docgraph.boundary.text import one_line

MAX_DEPTH = 8
MAX_ENTRIES = 5_000


def outline_paths(reader: pypdf.PdfReader, n_pages: int) -> list[tuple[str, ...]]:
    """One heading path per page: of the last entry that starts on it or before it, ``()`` before the first entry.

    A broken outline is left out rather than the text with it.
    """
    try:
        entries = _entries(reader, reader.outline, ())
    except (PyPdfError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        entries = []
    starts: dict[int, tuple[str, ...]] = {}
    for page, path in entries:
        starts.setdefault(page, path)
    paths: list[tuple[str, ...]] = []
    current: tuple[str, ...] = ()
    for page in range(n_pages):
        current = starts.get(page, current)
        paths.append(current)
    return paths


def _entries(reader: pypdf.PdfReader, outline: Any, above: tuple[str, ...]) -> list[tuple[int, tuple[str, ...]]]:
    """(page number from 0, path) in outline order; a nested list holds the children of the entry before it."""
    found: list[tuple[int, tuple[str, ...]]] = []
    last = above
    for entry in list(outline)[:MAX_ENTRIES]:
        if isinstance(entry, list):
            if len(last) < MAX_DEPTH:
                found.extend(_entries(reader, entry, last))
            continue
        page = reader.get_destination_page_number(entry)
        last = (*above, one_line(str(entry.title or "")) or "…")
        if page is not None and page >= 0:
            found.append((page, last))
    return found
