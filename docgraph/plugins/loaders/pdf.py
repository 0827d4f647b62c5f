"""Reads PDF: the text of each page, under the outline's entries where there are some."""

from __future__ import annotations

import io
import logging
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from docgraph.boundary.confined import Confined
from docgraph.boundary.limits import MAX_BYTES, MAX_OPERATIONS, MAX_PAGES, MAX_PDF_BYTES
from docgraph.boundary.text import check_size, clean, one_line
from docgraph.domain.graph import ChunkPlace, Document, Section
from docgraph.domain.spelling import plain_letters
from docgraph.plugins.loaders._composing import compose

if TYPE_CHECKING:
    import pypdf


MAX_DEPTH = 8
MAX_ENTRIES = 5_000


def outline_paths(reader: pypdf.PdfReader, n_pages: int) -> list[tuple[str, ...]]:
    """One heading path per page: of the last entry that starts on it or before it, ``()`` before the first entry.

    A broken outline is left out rather than the text with it.
    """
    from pypdf.errors import PyPdfError  # with the first PDF: 15 MB that few need

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


BETWEEN_PAGES = "\n\n"
# What pypdf raises, beside its own errors, on files that are cut off or changed.
_DAMAGE = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
    NotImplementedError,
    OSError,
    EOFError,
    struct.error,
    zlib.error,
)
_LIMITS = {
    "maximum_declared_stream_length": 20_000_000,
    "array_based_stream_maximum_output_length": 5_000_000,
    "zlib_maximum_output_length": 5_000_000,
    "lzw_maximum_output_length": 10_000_000,
    "run_length_maximum_output_length": 10_000_000,
    "stream_decoding_work_maximum_length": 40_000_000,
    "stream_parsing_work_maximum_count": 1_000_000,
    "xform_maximum_invocations_per_extraction": 500,
    "outline_maximum_entries": 5_000,
    "page_tree_maximum_entries": 20_000,
}


class PDFLoader:
    """One document per file, one section per page that has text; ``metadata["n_pages"]`` counts all pages."""

    name = "pdf"
    suffixes: tuple[str, ...] = (".pdf",)
    confined = Confined()

    def __init__(self, max_bytes: int, max_pages: int, max_operations: int) -> None:
        self._max_bytes = max_bytes
        self._max_pages = max_pages
        self._max_operations = max_operations

    def load(self, data: bytes, *, source: str) -> Iterator[Document]:
        """The one document. Raises ValueError with a one-line reason: no PDF, encrypted, damaged, over a limit."""
        check_size(data, self._max_bytes)
        if b"%PDF-" not in data[:1_024]:
            raise ValueError(f"the file is not a PDF: it starts with {data[:8]!r}")
        from pypdf.errors import DependencyError, FileNotDecryptedError, PyPdfError

        with _limited():
            try:
                return iter((self._document(data, source),))
            except _Refused:
                raise
            except (FileNotDecryptedError, DependencyError) as error:
                raise ValueError(f"the PDF is encrypted: {one_line(str(error), 150)}") from None
            except (PyPdfError, *_DAMAGE) as error:
                detail = one_line(str(error), 150) or type(error).__name__
                raise ValueError(f"the PDF is damaged or over a limit: {detail}") from None

    def _document(self, data: bytes, source: str) -> Document:
        import pypdf

        from docgraph.plugins.loaders.pdf import outline_paths

        reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise _Refused("the PDF is encrypted: it opens only with a password")
        n_pages = len(reader.pages)
        if n_pages > self._max_pages:
            raise _Refused(f"the PDF has {n_pages:,} pages; at most {self._max_pages:,} are read: split it")
        paths = outline_paths(reader, n_pages)
        sections = tuple(_pages(self._page_texts(reader), paths))
        if not sections:
            raise _Refused(f"the PDF has no text: {n_pages} pages of pictures (it needs OCR first)")
        text = BETWEEN_PAGES.join(section.text for section in sections)
        fields = _information(reader)
        title = fields.pop("title", "")
        return compose(source, text=text, sections=sections, title=title, metadata={**fields, "n_pages": n_pages})

    def _page_texts(self, reader: pypdf.PdfReader) -> Iterator[str]:
        left = self._max_operations
        n_characters = 0

        def count(*_: Any) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise _Refused(f"the PDF has more than {self._max_operations:,} drawing operations")

        for page in reader.pages:
            text = plain_letters(clean(page.extract_text(visitor_operand_before=count))).strip("\n")
            n_characters += len(text)
            if n_characters > MAX_BYTES:
                raise _Refused(f"the PDF has more than {MAX_BYTES:,} characters of text: split it into several")
            yield text


def _pages(texts: Iterable[str], paths: Sequence[tuple[str, ...]]) -> Iterator[Section]:
    """A section a page that has text, with its place in the text of all pages."""
    start = 0
    for number, text in enumerate(texts, start=1):
        if text.strip():
            place = ChunkPlace(start=start, end=start + len(text), page=number)
            yield Section(heading_path=paths[number - 1], text=text, place=place)
            start = place.end + len(BETWEEN_PAGES)


class _Refused(ValueError):
    """A reason that is already written for the reader."""


def _limited() -> AbstractContextManager[Any]:
    """pypdf's own limits, lowered where this release can do that (from 7); older ones keep their built-in limits."""
    import pypdf

    apply = getattr(pypdf, "apply_configuration", None)
    return nullcontext() if apply is None else apply(**_LIMITS)


def _information(reader: pypdf.PdfReader) -> dict[str, str]:
    found: Any = reader.metadata or {}
    fields = {name: found.get(f"/{name.capitalize()}") for name in ("title", "author", "subject", "keywords")}
    return {name: one_line(value) for name, value in fields.items() if isinstance(value, str) and one_line(value)}


def build(
    *, max_bytes: int = MAX_PDF_BYTES, max_pages: int = MAX_PAGES, max_operations: int = MAX_OPERATIONS
) -> PDFLoader:
    """A loader that refuses files over ``max_bytes`` bytes, ``max_pages`` pages or ``max_operations`` operations."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # a damaged file is told of once, in the report
    return PDFLoader(max_bytes, max_pages, max_operations)
